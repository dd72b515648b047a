"""`./benchmark`: measures, prints goals beside figures, and writes docs/measured.md."""

from __future__ import annotations

import argparse
import platform
import tempfile
from pathlib import Path

from benchmarks import (
    beside,
    commanding,
    compiling,
    engine,
    enrolling,
    eyes,
    hardware,
    network,
    paging,
    recordings,
    running,
    soaking,
    tabling,
    thinking,
    throwing,
)
from tests.table.kills import pull_the_plug

HERE = Path(__file__).resolve().parent.parent
GAMES_TO_SOAK = 100_000
KILLS = 500
Rows = list[tuple[str, str, str]]


def of_engine() -> Rows:
    """Decisions a second, interpreted."""
    found = engine.measure()
    return [
        (
            "decisions a second / python-chess, pure Python",
            "3 (1.6 at least)",
            f"{found['shelter / python-chess']:.2f}",
        ),
        (
            "decisions a second / Catanatron, pure Python",
            "3 (1.6 at least)",
            f"{found['shelter / catanatron']:.2f}",
        ),
        ("one `copy()`, in decisions", "1 or less", f"{found['copy, in decisions']:.2f}"),
        ("decisions a second: Shelter", "", f"{found['shelter, decisions a second']:,.0f}"),
        ("decisions a second: python-chess", "", f"{found['python-chess, decisions a second']:,.0f}"),
        ("decisions a second: Catanatron", "", f"{found['catanatron, decisions a second']:,.0f}"),
    ]


def of_compiled() -> Rows:
    """The same files compiled, beside themselves interpreted, slice by slice in turn."""
    compiling.build()
    compiled, plain = (compiling.run(tree, "benchmarks.identical") for tree in (compiling.BUILD, HERE))
    times = engine.compiled_against_interpreted(compiling.BUILD, HERE)
    identical = compiled["digest"] == plain["digest"]
    return [
        ("compiled with mypyc / pure Python", "2.2", f"{times['compiled / interpreted']:.2f}"),
        ("compiled / python-chess", "", f"{times['compiled / python-chess']:.2f}"),
        (f"identical games from identical seeds ({plain['games']})", "all", "all" if identical else "NOT IDENTICAL"),
    ]


def of_soak() -> Rows:
    """The laws over many games."""
    found = soaking.soak(GAMES_TO_SOAK)
    return [
        ("random games played with every law checked", f"{GAMES_TO_SOAK:,}", f"{found['games']:,.0f}"),
        ("decisions in them", "", f"{found['decisions']:,.0f}"),
        ("games of more than 60 rounds", "0", f"{found['games of more than 60 rounds']:,.0f}"),
        (
            "rounds: mean, longest",
            "",
            f"{found['mean rounds']:.1f}, {found['longest game, rounds']:.0f}",
        ),
    ]


def of_table() -> Rows:
    """From a button to the page, and a record taken up again."""
    found = tabling.measure()

    def both(name: str) -> str:
        return f"{found[f'{name}_p50']:.2f}, {found[f'{name}_p99']:.2f}"

    rows = [
        ("THREATS pressed to snapshot published, disk included: p50, p99 (ms)", "p99 10", both("press_to_snapshot_ms")),
        ("... to the last of four readers (ms)", "", both("press_to_last_reader_ms")),
        ("one row committed by SQLite alone, beside it (ms)", "", both("bare_commit_ms")),
        ("process started, 2,000 entries verified and replayed (ms)", "", f"{found['start_and_replay_ms']:.0f}"),
        ("of it: verifying, replaying (ms)", "", f"{found['verify_2000_ms']:.0f}, {found['replay_2000_ms']:.0f}"),
    ]
    if "start_by_bare_import" in found:
        rows.append(("... / a bare `import flask, waitress`", "", f"{found['start_by_bare_import']:.2f}"))
    return rows


def of_running() -> Rows:
    """The whole companion, as `companion run` starts it."""
    found = running.measure()
    start, sizes, edges = found["start"], found["memory"], found["edges"]
    p50, p99 = edges["edge_to_snapshot_ms_p50"], edges["edge_to_snapshot_ms_p99"]
    return [
        (
            "`companion run` to the first `/api/state`, 2,000 entries taken up (ms)",
            "",
            f"{start['start_to_answer_ms']:.0f}",
        ),
        ("... / a bare `import flask, waitress`", "2.5", f"{start['ratio']:.2f}"),
        (
            "edge of THREATS to snapshot published, four phones on their streams: p50, p99 (ms)",
            "p99 10",
            f"{p50:.2f}, {p99:.2f}",
        ),
        (
            "resident with its eyes open at 1080p, and at its peak (MB)",
            "120",
            f"{sizes['resident_mb']:.0f}, {sizes['peak_mb']:.0f}",
        ),
    ]


def of_commands() -> Rows:
    """The first command, in a fresh clone."""
    found = commanding.measure()
    return [
        ("`./run` in a fresh clone, pip having the wheels, to the first page (s)", "30", f"{found['first_s']:.1f}"),
        ("`./run` again (s)", "3", f"{found['again_s']:.2f}"),
    ]


def of_pages() -> Rows:
    """What a phone gets, and how soon."""
    found = paging.measure()

    def both(name: str) -> str:
        return f"{found[f'{name}_p50']:.2f}, {found[f'{name}_p99']:.2f}"

    streams = paging.STREAMS
    return [
        (
            "`/api/state` / a bare Flask route with the same answer on the same server",
            "1.5",
            f"{found['state_ratio']:.2f}",
        ),
        (f"... with {streams} streams open", "1.5", f"{found['state_with_streams_ratio']:.2f}"),
        (
            f"`/api/state`, and with {streams} streams open (ms)",
            "",
            f"{found['state_ms']:.2f}, {found['state_with_streams_ms']:.2f}",
        ),
        (
            f"a move posted to the last of {streams} streams, disk included: p50, p99 (ms)",
            "p99 10",
            both("move_to_last_stream_ms"),
        ),
        ("one row committed by SQLite alone, in between (ms)", "", both("move_to_last_stream_ms_disk")),
        (
            "a move to the last stream while a bot thinks in a process of its own (ms)",
            "p99 15",
            both("move_while_thinking_ms"),
        ),
        ("one row committed by SQLite alone, in between (ms)", "", both("move_while_thinking_ms_disk")),
        ("first page, all of it (bytes)", "60,000", f"{found['first_page_bytes']:,.0f}"),
        (
            "of it the HTML, and requests in all",
            "",
            f"{found['first_page_html']:,.0f}, {found['first_page_requests']:.0f}",
        ),
    ]


def of_plug() -> Rows:
    """A playing companion killed at random instants, each time on the record that the last one left."""
    with tempfile.TemporaryDirectory() as folder:
        report = pull_the_plug(Path(folder) / "data", KILLS)
    return [
        ("kills at random instants", f"{KILLS}", f"{report.kills}"),
        ("entries acknowledged before them", "", f"{report.acknowledged - report.in_flight:,}"),
        ("acknowledged and missing, half there, or not to be replayed", "0", f"{len(report.problems)}"),
    ]


def of_hardware() -> Rows:
    """The panel and the cameras, in a guest that simulates them; the guest is emulated, so its times are long."""
    return [(what, "", f"{figure:g}") for what, figure in hardware.measure().items()]


def of_bots() -> Rows:
    """How fast the bots think, interpreted, and whether anybody waits for them."""
    rows = [(what, "", f"{figure:,.0f}") for what, figure in thinking.measure().items()]
    found = beside.measure()
    for name, where in (("quiet", "a quiet table"), ("busy", "... while a bot thinks and chances to win are found")):
        figures = f"{found[f'{name}_ms_p50']:.2f}, {found[f'{name}_ms_p99']:.2f}"
        rows.append((f"a tap to its answer, disk included, {where}: p50, p99 (ms)", "", figures))
    rows.append(("... / a quiet table, p50", "", f"{found['busy_ms_p50'] / found['quiet_ms_p50']:.2f}"))
    return rows


def of_network() -> Rows:
    """A hall of tables on one broker, seen on one page."""
    found = network.measure()
    if not found:
        return [("many tables: mosquitto is missing (apt install mosquitto)", "", "not measured")]

    def both(name: str) -> str:
        return f"{found[f'{name}_p50']:.1f}, {found[f'{name}_p99']:.0f}"

    return [
        ("tables on one broker, whose games are played at random", "200", f"{network.TABLES}"),
        ("states a second, of all of them", "", f"{found['states_a_second']:.0f}"),
        ("from a state at its table to the league's page: p50, p99 (ms)", "", both("page")),
        ("... to a bare subscriber beside it (ms)", "", both("bare")),
        ("page / bare subscriber, p50", "", f"{found['page_p50'] / found['bare_p50']:.2f}"),
        ("games finished, and of these missing in the standings", "0 missing", f"{found['finished']}, {found['lost']}"),
        (
            "memory of the league: 200 tables known, and after it (MB)",
            "",
            f"{found['league_before']:.0f}, {found['league_after']:.0f}",
        ),
        ("memory of the broker, at most (MB)", "", f"{found['broker_most']:.0f}"),
        ("what one open page is sent (KB a second)", "", f"{found['stream_kb_a_second']:.0f}"),
    ]


def of_looking() -> Rows:
    """How fast the eyes are, and how large."""
    return eyes.of_looking(ASKED.frames, ASKED.profile)


def of_frames() -> Rows:
    """How well the eyes see frames with truth, where somebody has named some."""
    return eyes.of_frames(ASKED.frames, ASKED.profile)


def of_dice() -> Rows:
    """How well real dice are read, on throws that nothing was tuned on."""
    return throwing.measure()


def of_recordings() -> Rows:
    """What the session makes of recorded rounds."""
    return recordings.measure()


def of_photographs() -> Rows:
    """How the eyes do on real photographs, where somebody has named their folder."""
    return eyes.of_photographs(ASKED.photos)


ASKED = argparse.Namespace(frames=[], profile=None, photos=None)
PARTS = {
    "engine": ("The rules: random play, legal moves listed for each decision, one thread", of_engine),
    "compiled": ("The rules, compiled", of_compiled),
    "table": ("The table", of_table),
    "running": ("The whole companion", of_running),
    "commands": ("The first command", of_commands),
    "pages": ("The pages", of_pages),
    "bots": ("The bots: one thread, from the first turn of a game", of_bots),
    "network": ("Many tables: sessions with records and publishers, Mosquitto, one league, one page", of_network),
    "looking": ("The eyes: one thread, beside a bare ArUco detector", of_looking),
    "frames": ("The eyes on rendered frames with truth", of_frames),
    "dice": ("Real dice, on throws that nothing was tuned on", of_dice),
    "recordings": ("The eyes on whole rounds, hands and all, with the session behind them", of_recordings),
    "photos": ("The eyes on real photographs", of_photographs),
    "calibration": ("The calibration: a deck enrolled on the drawn table", enrolling.of_calibration),
    "soak": ("The soak", of_soak),
    "plug": ("Pulling the plug", of_plug),
    "hardware": ("The panel and the cameras, in the hardware bench", of_hardware),
}


def table(rows: Rows) -> str:
    """A table in Markdown."""
    lines = ["| what | goal | measured |", "|---|---|---|"]
    lines += [f"| {what} | {goal} | {figure} |" for what, goal, figure in rows]
    return "\n".join(lines)


def write(sections: dict[str, str]) -> None:
    """Replace the sections that were measured; the others keep their figures."""
    page = HERE / "docs" / "measured.md"
    known = _sections(page.read_text(encoding="utf-8")) if page.exists() else {}
    known.update(sections)
    order = [title for title, _ in PARTS.values()]
    parts = [f"## {title}\n\n{known[title]}\n" for title in order if title in known]
    parts += [f"## {title}\n\n{text}\n" for title, text in known.items() if title not in order]
    head = (
        "# Measured\n\nWritten by `./benchmark`. Ratios are taken side by side in one run, since machines differ and"
        " are noisy; a goal that is missed stays here beside its figure.\n"
    )
    page.write_text(head + "\n" + "\n".join(parts), encoding="utf-8")


def _sections(text: str) -> dict[str, str]:
    found = {}
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        found[title.strip()] = body.strip()
    return found


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(prog="./benchmark", description=__doc__)
    parser.add_argument("--soak", action="store_true", help="also play 100,000 games and pull the plug 500 times")
    parser.add_argument(
        "--hardware", action="store_true", help="also run the hardware bench (as root, see tests/bench)"
    )
    parser.add_argument("--only", choices=PARTS, help="one part alone")
    parser.add_argument("--frames", type=Path, action="append", default=[], help="a folder of frames with truth")
    parser.add_argument("--profile", type=Path, help="the profile of these frames")
    parser.add_argument("--photos", type=Path, help="the folder of real photographs, with its manifest.json")
    asked = parser.parse_args(namespace=ASKED)
    wanted = {"soak": asked.soak, "plug": asked.soak, "hardware": asked.hardware}
    wanted |= {"frames": bool(asked.frames), "photos": asked.photos is not None}
    names = [asked.only] if asked.only else [name for name in PARTS if wanted.get(name, True)]
    sections = {}
    for name in names:
        title, measure = PARTS[name]
        rows = measure()
        sections[title] = f"{table(rows)}\n\nCPython {platform.python_version()}, {platform.machine()}."
        print(f"\n## {title}\n\n{sections[title]}", flush=True)
        write(sections)


if __name__ == "__main__":
    main()
