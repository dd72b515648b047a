"""What was simulated, as a plain table."""

from __future__ import annotations

from typing import Any, Final

MOST_CARDS: Final = 8


def as_table(report: dict[str, Any]) -> str:
    """The lines of a report for people."""
    return "\n".join(_calibration(report) if "calibration" in report else _games(report))


def _calibration(report: dict[str, Any]) -> list[str]:
    told = report["calibration"]
    low, high = told["interval"]
    return [
        f"{told['games']} games of {report['players']} players, {report['playouts']} playouts at mid-game",
        f"Brier score     {told['brier']:.4f} ({low:.4f} to {high:.4f})",
        f"always 1/n      {told['brier_of_1_over_n']:.4f}; better by {percent(told['better_by'])}",
        "",
        "told      came true   95 % interval    seats",
        *(
            f"{percent(row['told']):<9} {percent(row['came_true']):<11} {interval(row):<16} {row['count']}"
            for row in told["reliability"]
        ),
    ]


def _games(report: dict[str, Any]) -> list[str]:
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
    if "study" in report:
        lines += _cards("rooms", report) + _cards("items", report)
    return lines


def _cards(kind: str, report: dict[str, Any]) -> list[str]:
    """The cards whose owners won most."""
    heading = ["", f"{kind} whose owners won most (fair share {percent(1 / report['players'])})"]
    return heading + [
        f"{card['id']:<28} {percent(card['share'])} ({interval(card)}) of {card['owners']}"
        for card in report["study"][kind][:MOST_CARDS]
    ]


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
