"""A refusal: what was tried, the clause that stands in the way, and the fields that say why."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class ErrorJson(TypedDict):
    """The one error shape of every surface."""

    code: str
    message: str
    fields: dict[str, Any]
    clause: NotRequired[str]


class Refusal(Exception):  # noqa: N818 - the rulebook's word; nothing failed
    """A move that the rules do not allow. The game is as it was."""

    def __init__(self, code: str, clause: str | None, message: str, **fields: object) -> None:
        super().__init__(message)
        self.code = code
        self.clause = clause
        self.message = message
        self.fields: dict[str, Any] = fields

    def as_json(self) -> ErrorJson:
        error: ErrorJson = {"code": self.code, "message": self.message, "fields": self.fields}
        if self.clause is not None:
            error["clause"] = self.clause
        return error
