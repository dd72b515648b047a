"""A study as one HTML page that needs nothing beside it."""

from __future__ import annotations

from html import escape
from typing import Any, Final

from companion.bots.study import charts

STYLE: Final = """
:root{color-scheme:light dark}body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
figure{margin:1.5rem 0;overflow-x:auto}figcaption{font-weight:600;margin-bottom:.4rem}svg{max-width:100%;height:auto}
text{font-size:12px;fill:currentColor}.bar,.dot{fill:#2f7fc1}.interval{stroke:#2f7fc1;stroke-width:2}
.fair{stroke:currentColor;stroke-dasharray:4 4;opacity:.6}dt{float:left;width:14rem}dd{margin:0 0 .2rem 14rem}
"""

CURVE: Final = "Win chance told at mid-game, and how often it came true"
SVG: Final = '<svg xmlns="http://www.w3.org/2000/svg"'


def page(report: dict[str, Any], command: str) -> str:
    """The whole page: the figures in words, then the charts, and the command that makes them again."""
    title = f"{report['games']} games of {report['players']} players"
    parts = [f"<h1>{escape(title)}</h1>", _facts(report), *_charts(report)]
    parts.append(f"<p>Made by <code>{escape(command)}</code></p>")
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f"<style>{STYLE}</style></head><body>{''.join(parts)}</body></html>\n"
    )


def picture(report: dict[str, Any]) -> str:
    """The reliability curve as a picture of its own, in paint that can be read on light and on dark paper."""
    drawn = charts.reliability(report["calibration"]["reliability"], CURVE)
    svg = drawn[drawn.index("<svg") : drawn.index("</svg>")]
    paint = STYLE.replace("currentColor", "#808080").replace(":root{color-scheme:light dark}", "")
    return f"{svg.replace('<svg', SVG, 1)}<style>text{{font-family:sans-serif}}{paint.strip()}</style></svg>\n"


def _facts(report: dict[str, Any]) -> str:
    facts = {"Pack": report["pack"], "Policy": report["policy"], "Seed": report["seed"]}
    if "rounds" in report:
        rounds, scores = report["rounds"], report["scores"]
        facts |= {
            "Rounds": f"{rounds['mean']} ({rounds['min']} to {rounds['max']}), unfinished {report['unfinished']}",
            "Happiness": f"{scores['mean']} ({scores['min']} to {scores['max']})",
            "Winner's happiness": scores["winner"]["mean"],
            "Winner's lead": report["study"]["lead"]["mean"],
        }
    if "calibration" in report:
        told = report["calibration"]
        facts |= {
            "Brier score": f"{told['brier']} ({told['interval'][0]} to {told['interval'][1]})",
            "Always saying 1/n": told["brier_of_1_over_n"],
            "Better by": f"{100 * told['better_by']:.1f} %",
        }
    rows = [f"<dt>{escape(name)}</dt><dd>{escape(str(value))}</dd>" for name, value in facts.items()]
    return f"<dl>{''.join(rows)}</dl>"


def _charts(report: dict[str, Any]) -> list[str]:
    found = []
    fair = 1 / report["players"]
    if "seats" in report:
        study = report["study"]
        found += [
            charts.dots(report["seats"], "seat", fair, "Victories by seat, in the order of the first turn"),
            charts.bars(study["lengths"], "Games by their number of rounds"),
            charts.dots(study["rooms"], "id", fair, "How often the owners of a room have won"),
            charts.dots(study["items"], "id", fair, "How often the holders of an item have won"),
        ]
        found += [
            charts.bars(scores, f"Happiness of seat {number}")
            for number, scores in enumerate(study["happiness_by_seat"], start=1)
        ]
    if "calibration" in report:
        found.append(charts.reliability(report["calibration"]["reliability"], CURVE))
    return found
