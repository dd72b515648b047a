"""`./benchmark`: measure, print goals beside figures, and write docs/measured.md."""

from __future__ import annotations

import argparse
import platform
import sys
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import card, enrolling, every_page, eyes, mutants, playing, regretting, rows

if TYPE_CHECKING:
    from benchmarks.rows import Rows

HERE = Path(__file__).resolve().parent.parent


def of_looking() -> Rows:
    """Measure the speed and the memory of vision."""
    return eyes.of_looking(ASKED.frames, ASKED.profile)


def of_frames() -> Rows:
    """Measure the accuracy on frames with truth, where somebody has named some."""
    return eyes.of_frames(ASKED.frames, ASKED.profile)


def of_photographs() -> Rows:
    """Measure the accuracy on real photographs, where somebody has named their folder."""
    return eyes.of_photographs(ASKED.photos)


def of_cuts() -> Rows:
    """Pull the plug of a card, where somebody has named one."""
    return card.of_cuts(ASKED.card)


def of_radios() -> Rows:
    """Start a card among simulated radios, where somebody has named one."""
    return card.of_radios(ASKED.card)


def of_phones() -> Rows:
    """Return what a first game by what pages mark takes, and the smallest glyph and target of every page."""
    return [*playing.rows(), *every_page.rows()]


ASKED = argparse.Namespace(frames=[], profile=None, photos=None, card=None)
PARTS = {
    "engine": ("The rules: random play, legal moves listed for each decision, one thread", rows.of_engine),
    "compiled": ("The rules, compiled", rows.of_compiled),
    "table": ("The table", rows.of_table),
    "running": ("The whole companion", rows.of_running),
    "small": ("A small Pi: no bots, and a limit of memory", rows.of_small),
    "years": ("A record of years", rows.of_years),
    "commands": ("The first command", rows.of_commands),
    "pages": ("The pages", rows.of_pages),
    "phones": ("Three phones, and what a thumb and an eye meet on every page", of_phones),
    "bots": ("The bots: one thread, from the first turn of a game", rows.of_bots),
    "regret": ("What the strong bot gives away, in positions whose moves were played on many times", regretting.rows),
    "network": ("Many tables: sessions with records and publishers, Mosquitto, one league, one page", rows.of_network),
    "looking": ("The eyes: one thread, beside a bare ArUco detector", of_looking),
    "frames": ("The eyes on rendered frames with truth", of_frames),
    "dice": ("Real dice, on throws that nothing was tuned on", rows.of_dice),
    "recordings": ("The eyes on whole rounds, hands and all, with the session behind them", rows.of_recordings),
    "photos": ("The eyes on real photographs", of_photographs),
    "calibration": ("The calibration: a deck enrolled on the drawn table", enrolling.of_calibration),
    "decks": ("A deck in a minute: shuffled decks on drawn photographs", enrolling.of_decks),
    "soak": ("The soak", rows.of_soak),
    "promises": ("Chance that is promised: once in a thousand runs even chance is above a goal", rows.of_promises),
    "attack": ("Hostile requests", rows.of_attack),
    "plug": ("Pulling the plug", rows.of_plug),
    "damage": ("Flipped bytes, and restores cut short", rows.of_damage),
    "updates": ("Updates cut short", rows.of_updates),
    "cuts": ("The plug pulled while a card is updated", of_cuts),
    "radios": ("A card's first start, on radios that its kernel simulates", of_radios),
    "mutants": ("The tests, on code with one thing changed", mutants.of_mutants),
    "hardware": ("The panel and the cameras, in the hardware bench", rows.of_hardware),
}

TOGETHER = {"rules": ("engine", "compiled")}
"""Parts that are asked for by one name."""


def table(found: Rows) -> str:
    """Format a table in Markdown."""
    lines = ["| what | goal | measured |", "|---|---|---|"]
    lines += [f"| {what} | {goal} | {figure} |" for what, goal, figure in found]
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
        "# Measured\n\n*For programmers.* "
        "Written by `./benchmark`. Ratios are taken side by side in one run, since machines differ and"
        " are noisy; a goal that is missed stays here beside its figure.\n"
    )
    page.write_text(head + "\n" + "\n".join(parts), encoding="utf-8")


def _sections(text: str) -> dict[str, str]:
    found = {}
    for part in text.split("\n## ")[1:]:
        title, _, body = part.partition("\n")
        found[title.strip()] = body.strip()
    return found


def parser() -> argparse.ArgumentParser:
    asking = argparse.ArgumentParser(prog="./benchmark", description=__doc__)
    asking.add_argument(
        "--soak",
        action="store_true",
        help="also play 100,000 games, count 1,000,000 promised rolls, send 20,000 hostile requests,"
        " pull the plug 500 times, damage records, and kill restores and updates",
    )
    asking.add_argument(
        "--hardware", action="store_true", help="also run the hardware bench (as root, see tests/bench)"
    )
    asking.add_argument("--mutants", action="store_true", help="also change the code, and count what some test notices")
    asking.add_argument("--only", choices=[*TOGETHER, *PARTS], help="one part alone; rules: engine and compiled")
    asking.add_argument("--frames", type=Path, action="append", default=[], help="a folder of frames with truth")
    asking.add_argument("--profile", type=Path, help="the profile of these frames")
    asking.add_argument("--photos", type=Path, help="the folder of real photographs, with its manifest.json")
    asking.add_argument(
        "--card", type=Path, help="the folder of a card's image: its plug is pulled, its radios simulated"
    )
    return asking


def main() -> None:
    """Measure what was asked for."""
    asked = parser().parse_args(namespace=ASKED)
    wanted = {
        "soak": asked.soak,
        "promises": asked.soak,
        "attack": asked.soak,
        "plug": asked.soak,
        "damage": asked.soak,
        "updates": asked.soak,
        "hardware": asked.hardware,
        "mutants": asked.mutants,
    }
    wanted |= {"frames": bool(asked.frames), "photos": asked.photos is not None, "cuts": asked.card is not None}
    wanted["radios"] = asked.card is not None
    alone = TOGETHER.get(asked.only, (asked.only,))
    names = alone if asked.only else [name for name in PARTS if wanted.get(name, True)]
    failed = [name for name in names if not is_measured(name)]
    if failed:
        sys.exit(f"not measured: {', '.join(failed)}; each alone: ./benchmark --only {failed[0]}")


def is_measured(name: str) -> bool:
    """Measure one part and write its section; what fails is traced, and the other parts are measured all the same."""
    title, measure = PARTS[name]
    try:
        text = f"{table(measure())}\n\nCPython {platform.python_version()}, {platform.machine()}."
    except Exception:  # noqa: BLE001 - any part may fail in any way; it ends red
        traceback.print_exc()
        return False
    print(f"\n## {title}\n\n{text}", flush=True)
    write({title: text})
    return True


if __name__ == "__main__":
    main()
