"""Health: the doctor's page for the host, liveness with its parts, and figures for Prometheus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from flask import Blueprint, Response, jsonify

from companion.table.ports import Running
from companion.table.record.data_folder import mark
from web.base.preferences import words
from web.base.request import context, current, opened
from web.pages.doctor import view

if TYPE_CHECKING:
    from flask.typing import ResponseReturnValue

blueprint = Blueprint("doctor", __name__)


@blueprint.get("/host/doctor")
def page() -> ResponseReturnValue:
    """Each check a line, looked at now."""
    ask = context().doctor
    running = Running(how_the_parts_are(), current().state["devices"])
    return opened("doctor/doctor.html", findings=lambda: view.findings(words(), ask(running) if ask else ()))


@blueprint.get("/healthz")
def healthz() -> ResponseReturnValue:
    """Whether the session lives, and how camera, panel and journal are."""
    parts = how_the_parts_are()
    alive = parts["session"] == "ok"
    well = alive and parts["journal"] in ("ok", "behind")
    response = jsonify(ok=well, parts=parts, table=mark(context().folder))
    response.status_code = 200 if alive else 503
    return response


def how_the_parts_are() -> dict[str, str]:
    """Session, journal, camera and panel, a word each."""
    state = current().state
    alive = context().session.failure is None and not context().session.snapshots.closed
    record = state["record"]["state"]
    devices = state["devices"]
    journal = devices["journal"]["state"] if "journal" in devices else "ok"
    return {
        "session": "ok" if alive else "stopped",
        "journal": journal if record == "ok" else record,
        "camera": state["table"]["camera"],
        "panel": state["panel"],
    }


@blueprint.get("/metrics")
def metrics() -> ResponseReturnValue:
    latest, streams, bugs = current(), context().streams, context().session.bugs
    figures = (
        ("companion_version", "gauge", "Entries of the current game.", latest.version),
        ("companion_snapshots_total", "counter", "Snapshots published since the record began.", latest.seq),
        ("companion_streams", "gauge", "Event streams that are open.", streams.open),
        ("companion_bugs_total", "counter", "Mistakes of the companion that ended one request alone.", bugs.count),
        ("companion_round", "gauge", "Round of the current game.", latest.state["round"]),
        ("companion_choices", "gauge", "Choices that are open.", len(latest.state["pending"])),
    )
    lines = [f"# HELP {name} {told}\n# TYPE {name} {kind}\n{name} {figure}\n" for name, kind, told, figure in figures]
    return Response("".join(lines), content_type="text/plain; version=0.0.4; charset=utf-8")
