"""A game's story as one page that needs nothing else: the result, everybody's curve, every step."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from companion.table.record.history import Story

WIDTH, HEIGHT = 640, 200
PAINT: Final = {"red": "#d33", "blue": "#36c", "green": "#2a4", "yellow": "#b80"}
DASHES: Final = {"red": "", "blue": "6 3", "green": "2 3", "yellow": "9 3 2 3"}
STYLE: Final = (
    "body{font:16px/1.4 system-ui,sans-serif;margin:2em auto;max-width:44em;padding:0 1em}"
    "table{border-collapse:collapse;width:100%}td,th{padding:.2em .5em;border-bottom:1px solid #ccc;text-align:left}"
    "svg{width:100%;height:auto;border:1px solid #ccc}"
)


def page(story: Story) -> str:
    """The page."""
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width,initial-scale=1">'
        f"<title>Game {escape(story.game)}</title><style>{STYLE}</style></head><body>"
        f"<h1>Game {escape(story.game)}</h1>{_trouble(story)}{_standing(story)}{_curve(story)}{_steps(story)}"
        "</body></html>\n"
    )


def _trouble(story: Story) -> str:
    return f"<p><strong>{escape(story.trouble)}</strong></p>" if story.trouble else ""


def _standing(story: Story) -> str:
    state = story.state
    if state is None:
        return ""
    result = state["result"]
    head = f"Round {state['round']}, {state['phase']}."
    if result is not None:
        won = f"Won by {', '.join(result['winners'])}" if result["winners"] else "Won by nobody"
        head = f"{won} (decided by {result['decided_by']})."
    rows = "".join(
        f"<tr><th>{escape(str(player['name']))}</th><td>{escape(colour)}</td><td>{story.standing[colour]}</td></tr>"
        for colour, player in state["players"].items()
    )
    header = f"<tr><th>Player</th><th>Colour</th><th>{escape(_measure(story))}</th></tr>"
    return f"<p>{escape(head)}</p><table>{header}{rows}</table>"


def _measure(story: Story) -> str:
    return story.measure[:1].upper() + story.measure[1:]


def _curve(story: Story) -> str:
    """One line a player; told apart by dashes and a word at its end too, not by paint alone."""
    if not story.steps:
        return ""
    top = max([1, *(value for step in story.steps for value in step.standing.values())])
    across = WIDTH * 0.85 / max(1, len(story.steps) - 1)
    lines = []
    for colour in story.colours:
        points = [
            (number * across, HEIGHT - 10 - (HEIGHT - 20) * step.standing.get(colour, 0) / top)
            for number, step in enumerate(story.steps)
        ]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        paint, dash = PAINT.get(colour, "#555"), DASHES.get(colour, "")
        x, y = points[-1]
        lines.append(
            f'<polyline points="{path}" fill="none" stroke="{paint}" stroke-width="2" stroke-dasharray="{dash}"/>'
            f'<text x="{x + 4:.1f}" y="{y + 4:.1f}" fill="{paint}" font-size="12">{escape(colour)}</text>'
        )
    return f'<h2>{escape(_measure(story))}</h2><svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img">{"".join(lines)}</svg>'


def _steps(story: Story) -> str:
    rows = "".join(
        f"<tr><td>{step.nth}</td><td>{step.round}</td><td>{escape(step.by)}</td><td>{escape(step.do)}</td>"
        f"<td>{escape(step.what)}</td></tr>"
        for step in story.steps
    )
    head = "<tr><th>Entry</th><th>Round</th><th>Who</th><th>Did</th><th>What</th></tr>"
    return f"<h2>What happened</h2><table>{head}{rows}</table>"
