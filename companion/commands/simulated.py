"""What was simulated, as a plain table."""

from __future__ import annotations

from typing import Any


def as_table(report: dict[str, Any]) -> str:
    """The lines of a report for people."""
    speed, rounds, scores = report["speed"], report["rounds"], report["scores"]
    lines = [
        f"{report['games']} games of {report['players']} players, {report['policy']}, pack {report['pack']}",
        f"speed       {speed['decisions_per_second']} decisions/s, {speed['games_per_second']} games/s",
        f"rounds      mean {rounds['mean']:.2f}, {rounds['min']} to {rounds['max']}; unfinished {report['unfinished']}",
        f"happiness   mean {scores['mean']:.2f}, {scores['min']} to {scores['max']}",
        f"winners     mean {scores['winner']['mean']:.2f}; shared victories {report['shared_victories']}",
        "",
        "seat   wins      share   95 % interval    times its share",
    ]
    lines += [f"{seat['seat']:<6} {share_line(seat)}  {seat['times_fair_share']:.3f}" for seat in report["seats"]]
    for name, won in report.get("match", {}).items():
        lines += ["", f"{name:<8} wins {won['wins']:g}: {percent(won['share'])} ({interval(won)})"]
    return "\n".join(lines)


def share_line(won: dict[str, Any]) -> str:
    """Wins, their share and its interval."""
    return f"{won['wins']:<9.1f} {percent(won['share'])} {interval(won):>16}"


def percent(share: float) -> str:
    """A share in percent."""
    return f"{100 * share:.1f} %"


def interval(won: dict[str, Any]) -> str:
    """The 95 % interval of a share."""
    low, high = won["interval"]
    return f"{percent(low)} to {percent(high)}"
