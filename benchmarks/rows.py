"""The rows of docs/measured.md: what is measured, its goal, and the figure."""

from __future__ import annotations

import tempfile
from pathlib import Path

from benchmarks import (
    attacking,
    beside,
    commanding,
    compiling,
    connecting,
    engine,
    hardware,
    network,
    paging,
    promising,
    recordings,
    running,
    seating,
    small,
    soaking,
    tabling,
    thinking,
    throwing,
    years,
)
from companion.compiled.games import GAMES
from companion.table.record.backup import backup
from hardware.panel.gestures import HELD_BACK
from tests.appliance.killed_updates import kill_updates
from tests.table import flips
from tests.table.kills import kill_restores, pull_the_plug
from tests.years import write_years

HERE = Path(__file__).resolve().parent.parent
GAMES_TO_SOAK = 100_000
KILLS = 500
FLIPS, RESTORES, OLD_GAMES = 4000, 200, 3
UPDATES = 200
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
    """Return the same files compiled, beside themselves interpreted, slice by slice in turn."""
    compiling.build()  # which takes nothing that does not play identical games
    times = engine.compiled_against_interpreted(compiling.BUILD)
    return [
        ("compiled with mypyc / pure Python", "2.2", f"{times['compiled / interpreted']:.2f}"),
        ("compiled / python-chess", "", f"{times['compiled / python-chess']:.2f}"),
        ("decisions a second on one core, compiled", "1,000,000", f"{times['compiled, decisions a second']:,.0f}"),
        (f"identical games from identical seeds ({GAMES})", "all", "all"),
    ]


def of_soak() -> Rows:
    """Return the laws over many games."""
    found = soaking.soak(GAMES_TO_SOAK)
    return [
        ("random games played with every law checked", f"{GAMES_TO_SOAK:,}", f"{found['games']:,.0f}"),
        ("... of the wasteland; in the others every option is drawn by lot", "", f"{found['of the wasteland']:,.0f}"),
        ("decisions in them", "", f"{found['decisions']:,.0f}"),
        ("games of more than 60 rounds", "0", f"{found['games of more than 60 rounds']:,.0f}"),
        (
            "rounds: mean, longest",
            "",
            f"{found['mean rounds']:.1f}, {found['longest game, rounds']:.0f}",
        ),
    ]


def of_promises() -> Rows:
    """Return how even promised rolls and shuffles are."""
    found = promising.measure()
    rolls = f"{promising.ROLLS:,} rolls, 36 ways to fall"
    shuffles = f"{promising.SHUFFLES:,} shuffles of {promising.CARDS} cards, each card at each place"
    freedom = (promising.CARDS - 1) ** 2
    return [
        (f"chi-square of {rolls}", f"{promising.bound(35):.0f}", f"{found['rolls']:.0f}"),
        (f"chi-square of {shuffles}", f"{promising.bound(freedom):.0f}", f"{found['shuffles']:.0f}"),
    ]


def of_attack() -> Rows:
    """Return what hostile requests have brought about."""
    found = attacking.attack()
    return [
        ("hostile requests sent, to the pages of three games", f"{attacking.REQUESTS:,}", f"{found['sent']:,.0f}"),
        ("bytes that are no requests, sent to the server", f"{attacking.RAW:,}", f"{found['raw']:,.0f}"),
        ("answered by 500, or traced", "0", "0"),
        ("different answers", "", f"{found['statuses']:.0f}"),
        ("memory grown meanwhile, records included (MB)", "", f"{found['grown']:.0f}"),
        (
            "threads, open files and temporary files left behind",
            "0, 0, 0",
            f"{found['threads']:.0f}, {found['files']:.0f}, {found['temporary']:.0f}",
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
    """Return the whole companion, as `companion run` starts it."""
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
            f"edge of THREATS to snapshot published, less {HELD_BACK * 1000:.0f} ms for a box to land: p50, p99 (ms)",
            "p99 10",
            f"{p50:.2f}, {p99:.2f}",
        ),
        (
            "resident with its eyes open at 1080p, and at its peak (MB)",
            "120",
            f"{sizes['resident_mb']:.0f}, {sizes['peak_mb']:.0f}",
        ),
    ]


def of_small() -> Rows:
    """Return the whole companion as on a Pi Zero 2 W, under a limit of memory."""
    with tempfile.TemporaryDirectory() as folder:
        found = small.measure(Path(folder))
        share = small.share_at_rest(Path(folder) / "webcam")
    limit = f"{small.LIMIT}"
    if found is None:
        return [
            ("a limit of memory could not be set: it wants root and the kernel's control groups", "", "not measured")
        ]
    return [
        (
            f"moves played by phone under a limit of {limit} MB, eyes open at 1080p, four phones",
            "",
            f"{found['moves']:.0f}",
        ),
        ("... processes that the kernel ended for it", "0", f"{found['ended']:.0f}"),
        ("... the table is seen still", "1", f"{found['seen']:.0f}"),
        (
            "... resident at most; at once, all that was charged to the group (MB)",
            limit,
            f"{found['resident_mb']:.0f}, {found['group_mb']:.0f}",
        ),
        ("... of a core, at rest (%)", "", f"{found['at_rest']:.1f}"),
        ("of a core, before a USB camera of 30 JPEGs a second at 1080p, nothing moving (%)", "8", f"{share:.1f}"),
    ]


def of_years() -> Rows:
    """Return a record of 500 evenings beside one of tonight's game alone, both companions running side by side."""
    found = years.measure()
    return [
        ("entries in the record, games", "50,000, 500", f"{found['entries']:,.0f}, {years.GAMES}"),
        ("`companion run` to the first `/api/state` (ms)", "", f"{found['start_ms']:.0f}"),
        ("... / with a fresh record", "1.3", f"{found['start_ratio']:.2f}"),
        (
            "resident after four readers read every page of the record, its peak, a fresh one (MB)",
            "120",
            f"{found['resident_mb']:.0f}, {found['peak_mb']:.0f}, {found['fresh_mb']:.0f}",
        ),
        ("the first page of `/history` (bytes)", "60,000", f"{found['page_bytes']:,.0f}"),
        ("... of the processor's time (ms)", "50", f"{found['page_cpu_ms']:.0f}"),
        ("a move while somebody reads it, p99 (ms)", "", f"{found['move_p99_ms']:.1f}"),
        ("... / the same with a fresh record", "1.5", f"{found['move_p99_ratio']:.2f}"),
        ("all of it verified in both copies, beside play (s)", "", f"{found['audit_s']:.1f}"),
        (
            "the host's backup: made, verified and taken (s), its size (MB)",
            "",
            f"{found['backup_s']:.1f}, {found['backup_mb']:.0f}",
        ),
    ]


def of_commands() -> Rows:
    """Return the first command, in a fresh clone."""
    found = commanding.measure()
    return [
        ("`./run` in a fresh clone, pip having the wheels, to the first page (s)", "30", f"{found['first_s']:.1f}"),
        ("`./run` again (s)", "3", f"{found['again_s']:.2f}"),
    ]


def of_pages() -> Rows:
    """Return what a phone gets, and how soon."""
    found, crowd = paging.measure(), connecting.measure()

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
        ("... of it the server's threads ran (ms)", "", both("move_to_last_stream_ms_ran")),
        ("... and waited for a processor that others had (ms)", "", both("move_to_last_stream_ms_waited")),
        (
            "a move to the last stream while a bot thinks in a process of its own (ms)",
            "p99 15",
            both("move_while_thinking_ms"),
        ),
        ("one row committed by SQLite alone, in between (ms)", "", both("move_while_thinking_ms_disk")),
        ("... of it the server's threads ran (ms)", "", both("move_while_thinking_ms_ran")),
        ("... and waited for a processor that others had (ms)", "", both("move_while_thinking_ms_waited")),
        (
            f"`/api/state` beside {connecting.IDLE + connecting.DRIPPING:,} idle and dripping connections (ms)",
            "p99 50",
            f"{crowd['beside_ms_p50']:.2f}, {crowd['beside_ms_p99']:.2f}",
        ),
        (
            f"... beside {connecting.HURRIED} that ask for the first page without a pause (ms)",
            "",
            f"{crowd['hurried_ms_p50']:.2f}, {crowd['hurried_ms_p99']:.2f}",
        ),
        ("... and without that neighbour (ms)", "", f"{crowd['alone_ms_p50']:.2f}, {crowd['alone_ms_p99']:.2f}"),
        (
            "... not answered; signs of life for systemd, and missed",
            "0; 0 missed",
            f"{crowd['failed']:.0f}; {crowd['signs']:.0f}, {crowd['missed']:.0f}",
        ),
        (f"of {connecting.HELD:,} connections open at once, answered", f"{connecting.HELD:,}", f"{crowd['held']:.0f}"),
        ("first page, all of it (bytes)", "60,000", f"{found['first_page_bytes']:,.0f}"),
        (
            "of it the HTML, and requests in all",
            "",
            f"{found['first_page_html']:,.0f}, {found['first_page_requests']:.0f}",
        ),
        *_seat_pages(),
    ]


def _seat_pages() -> Rows:
    """Return what a thumb and an eye meet on a seat's page in a late game of four."""
    rows = []
    for phone, found in seating.measure().items():
        height = "2.5 screens" if phone == "390x844" else ""
        screens = f"{found.height:,} px, {found.screens:.2f} screens"
        rows += [
            (f"a seat's page in a late game of four, {phone}: its height", height, screens),
            ("... its smallest glyph and smallest target (px)", "11, 44", f"{found.glyph:.1f}, {found.target:.1f}"),
        ]
    return rows or [("a seat's page: no Chromium and Playwright here", "", "not measured")]


def of_plug() -> Rows:
    """Return a playing companion killed at random instants, each time on the record that the last one left."""
    with tempfile.TemporaryDirectory() as folder:
        report = pull_the_plug(Path(folder) / "data", KILLS)
    return [
        ("kills at random instants", f"{KILLS}", f"{report.kills}"),
        ("entries acknowledged before them", "", f"{report.acknowledged - report.in_flight:,}"),
        ("acknowledged and missing, half there, or not to be replayed", "0", f"{len(report.problems)}"),
    ]


def of_damage() -> Rows:
    """Return records of several games with one byte flipped, and restores killed at random instants."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        found = [
            flips.flip_bytes(make(folder / make.__name__), folder / "flipped", FLIPS // 2)
            for make in (flips.closed, flips.killed)
        ]
        write_years(folder / "old", OLD_GAMES)
        write_years(folder / "new", OLD_GAMES + 1)
        backup(folder / "new", folder / "copy")
        report = kill_restores(folder / "old", folder / "copy", folder / "tries", RESTORES)
    wrong = [problem for one in found for problem in one.problems]
    return [
        (
            "records of several games opened with one byte flipped",
            f"{FLIPS:,}",
            f"{sum(one.flipped for one in found):,}",
        ),
        (
            "... damage named; the others flipped what no word of the record is in",
            "",
            f"{sum(one.said for one in found):,}",
        ),
        ("... wrong without a word, another current game, or not to be gone on with", "0", f"{len(wrong)}"),
        ("restores killed at random instants", f"{RESTORES}", f"{report.kills}"),
        ("... the next start has the new record; says that one was cut short", "", f"{report.new}, {report.said}"),
        ("... has neither, or does not say which", "0", f"{len(report.problems)}"),
    ]


def of_updates() -> Rows:
    """Return an installed table whose update is killed at random instants, with all programs that it has started."""
    with tempfile.TemporaryDirectory() as folder:
        report = kill_updates(Path(folder), UPDATES)
    return [
        ("updates killed at random instants", f"{UPDATES}", f"{report.kills}"),
        (
            "... the next start has the new version; the next update says what was cut short",
            "",
            f"{report.new}, {report.said}",
        ),
        ("... has neither the old version nor the new one, or not every game", "0", f"{len(report.problems)}"),
    ]


def of_hardware() -> Rows:
    """The panel and the cameras, in a guest that simulates them; where it is emulated, its times are long."""
    return [(what, "", found if isinstance(found, str) else f"{found:g}") for what, found in hardware.measure().items()]


def of_bots() -> Rows:
    """Return how fast the bots think, interpreted, and whether anybody waits for them."""
    rows = [(what, thinking.GOALS.get(what, ""), f"{figure:,.0f}") for what, figure in thinking.measure().items()]
    found = beside.measure()
    for name, where in (("quiet", "a quiet table"), ("busy", "... while a bot thinks and chances to win are found")):
        figures = f"{found[f'{name}_ms_p50']:.2f}, {found[f'{name}_ms_p99']:.2f}"
        rows.append((f"a tap to its answer, disk included, {where}: p50, p99 (ms)", "", figures))
    rows.append(("... / a quiet table, p50", "", f"{found['busy_ms_p50'] / found['quiet_ms_p50']:.2f}"))
    return rows


def of_network() -> Rows:
    """Return a hall of tables on one broker, seen on one page."""
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


def of_dice() -> Rows:
    """Return how well real dice are read, on throws that nothing was tuned on."""
    return throwing.measure()


def of_recordings() -> Rows:
    """Return what the session makes of recorded rounds."""
    return recordings.measure()
