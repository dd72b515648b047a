"""Charts as inline SVG: bars and dots with their intervals, readable in light and dark."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final, NotRequired, TypedDict, final

from companion.bots.study.tally import ShareJson, TallyJson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.bots.study.reliability import CalibrationJson, ReliabilityRow
    from companion.bots.study.tournament import StudyJson


class Heading(TypedDict):
    games: int
    players: int
    pack: str
    policy: str
    seed: int


@final
class GamesReport(Heading, TallyJson):
    """What came of many games; `match` where two policies played each other."""

    match: NotRequired[dict[str, ShareJson]]
    study: NotRequired[StudyJson]


@final
class CalibrationReport(Heading):
    """How far the win chances told at mid-game came true."""

    playouts: int
    calibration: CalibrationJson


Report = GamesReport | CalibrationReport
ROW: Final = 22
LABEL: Final = 210
PLOT: Final = 420
WIDTH: Final = LABEL + PLOT + 90
SIDE: Final = 320
MARGIN: Final = 40


def bars(values: dict[str, int], caption: str) -> str:
    """Counts as upright bars, with the count above each."""
    most = max(values.values(), default=1)
    step = min(46.0, (WIDTH - 40) / max(1, len(values)))
    parts = []
    for number, (label, count) in enumerate(values.items()):
        x, height = 20 + number * step, 130 * count / most
        parts.append(
            f'<rect class="bar" x="{x:.1f}" y="{160 - height:.1f}" width="{step * 0.8:.1f}" height="{height:.1f}"/>'
        )
        parts.append(_text(x + step * 0.4, 175, label, "middle"))
        parts.append(_text(x + step * 0.4, 154 - height, str(count), "middle"))
    return _svg(WIDTH, 185, caption, parts)


def dots(rows: Sequence[tuple[str, ShareJson]], fair: float, caption: str) -> str:
    """Shares as dots on lines that are their 95 % intervals; the dashed line is the fair share."""
    most = max([*(row["interval"][1] for _, row in rows), fair]) or 1.0
    height = ROW * len(rows) + 30
    parts = [f'<line class="fair" x1="{_x(fair, most)}" y1="4" x2="{_x(fair, most)}" y2="{height - 20}"/>']
    for number, (label, row) in enumerate(rows):
        y = ROW * number + 16
        low, high = (_x(bound, most) for bound in row["interval"])
        parts.append(_text(LABEL - 8, y + 4, label, "end"))
        parts.append(f'<line class="interval" x1="{low}" y1="{y}" x2="{high}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{_x(row["share"], most)}" cy="{y}" r="4"/>')
        parts.append(_text(LABEL + PLOT + 8, y + 4, f"{100 * row['share']:.1f} %"))
    parts.append(_text(_x(fair, most), height - 6, f"{100 * fair:.0f} %", "middle"))
    return _svg(WIDTH, height, caption, parts)


def reliability(rows: Sequence[ReliabilityRow], caption: str) -> str:
    """What was told against how often it came true; on the dashed line they agree."""
    parts = [f'<line class="fair" x1="{MARGIN}" y1="{SIDE - MARGIN}" x2="{SIDE - 10}" y2="10"/>']
    for row in rows:
        x = MARGIN + row["told"] * (SIDE - MARGIN - 10)
        low, middle, high = (_up(share) for share in (row["interval"][0], row["came_true"], row["interval"][1]))
        parts.append(f'<line class="interval" x1="{x:.1f}" y1="{low:.1f}" x2="{x:.1f}" y2="{high:.1f}"/>')
        parts.append(f'<circle class="dot" cx="{x:.1f}" cy="{middle:.1f}" r="4"/>')
    for tick in (0.0, 0.5, 1.0):
        parts.append(_text(MARGIN + tick * (SIDE - MARGIN - 10), SIDE - 22, f"{100 * tick:.0f} %", "middle"))
        parts.append(_text(MARGIN - 6, _up(tick) + 4, f"{100 * tick:.0f} %", "end"))
    return _svg(SIDE + 20, SIDE, caption, parts)


def _up(share: float) -> float:
    return SIDE - MARGIN - share * (SIDE - MARGIN - 10)


def _x(share: float, most: float) -> str:
    return f"{LABEL + PLOT * share / most:.1f}"


def _text(x: float | str, y: float, text: str, anchor: str = "start") -> str:
    at = x if isinstance(x, str) else f"{x:.1f}"
    return f'<text x="{at}" y="{y:.1f}" text-anchor="{anchor}">{escape(text)}</text>'


def _svg(width: float, height: float, caption: str, parts: list[str]) -> str:
    inner = "".join(parts)
    return (
        f'<figure><figcaption>{escape(caption)}</figcaption><svg viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" role="img" aria-label="{escape(caption)}">{inner}</svg></figure>'
    )


STYLE: Final = """
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
figure{margin:1.5rem 0;overflow-x:auto}figcaption{font-weight:600;margin-bottom:.4rem}svg{max-width:100%;height:auto}
text{font-size:12px;fill:currentColor}.bar,.dot{fill:#2f7fc1}.interval{stroke:#2f7fc1;stroke-width:2}
.fair{stroke:currentColor;stroke-dasharray:4 4;opacity:.6}dt{float:left;width:14rem}dd{margin:0 0 .2rem 14rem}
"""

CURVE: Final = "Win chance told at mid-game, and how often it came true"
SVG: Final = '<svg xmlns="http://www.w3.org/2000/svg"'


def page(report: Report, command: str) -> str:
    """The whole page: the figures in words, then the charts, and the command that makes them again."""
    title = f"{report['games']} games of {report['players']} players"
    parts = [f"<h1>{escape(title)}</h1>", _facts(report), *_charts(report)]
    parts.append(f"<p>Made by <code>{escape(command)}</code></p>")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def picture(report: CalibrationReport) -> str:
    """The reliability curve as a picture of its own, in paint that can be read on light and on dark paper."""
    drawn = reliability(report["calibration"]["reliability"], CURVE)
    svg = drawn[drawn.index("<svg") : drawn.index("</svg>")]
    paint = STYLE.replace("currentColor", "#808080").replace(":root{color-scheme:light dark}", "")
    return f"{svg.replace('<svg', SVG, 1)}<style>text{{font-family:sans-serif}}{paint.strip()}</style></svg>\n"


def _facts(report: Report) -> str:
    facts: dict[str, object] = {"Pack": report["pack"], "Policy": report["policy"], "Seed": report["seed"]}
    if "rounds" in report:
        rounds, scores = report["rounds"], report["scores"]
        facts |= {
            "Rounds": f"{rounds['mean']} ({rounds['min']} to {rounds['max']}), unfinished {report['unfinished']}",
            "Happiness": f"{scores['mean']} ({scores['min']} to {scores['max']})",
            "Winner's happiness": scores["winner"]["mean"],
        }
        if "study" in report:
            facts["Winner's lead"] = report["study"]["lead"]["mean"]
    if "calibration" in report:
        told = report["calibration"]
        facts |= {
            "Brier score": f"{told['brier']} ({told['interval'][0]} to {told['interval'][1]})",
            "Always saying 1/n": told["brier_of_1_over_n"],
            "Better by": f"{100 * told['better_by']:.1f} %",
        }
    rows = [f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in facts.items()]
    return f"<dl>{''.join(rows)}</dl>"


def _charts(report: Report) -> list[str]:
    found = []
    fair = 1 / report["players"]
    if "seats" in report and "study" in report:
        study = report["study"]
        seats = [(str(seat["seat"]), seat) for seat in report["seats"]]
        found += [
            dots(seats, fair, "Victories by seat, in the order of the first turn"),
            bars(study["lengths"], "Games by their number of rounds"),
            dots([(row["id"], row) for row in study["rooms"]], fair, "How often the owners of a room have won"),
            dots([(row["id"], row) for row in study["items"]], fair, "How often the holders of an item have won"),
        ]
        found += [
            bars(scores, f"Happiness of seat {number}")
            for number, scores in enumerate(study["happiness_by_seat"], start=1)
        ]
    if "calibration" in report:
        found.append(reliability(report["calibration"]["reliability"], CURVE))
    return found
