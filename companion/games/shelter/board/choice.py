"""An open choice: who is asked, what for, and by which clause."""

from __future__ import annotations


class Choice:
    """One question. Its options are worked out when somebody looks, so that they are always true."""

    __slots__ = ("by", "clause", "data", "id", "kind", "of_placement")

    def __init__(self, number: int, by: int, kind: str, clause: str, data: int, of_placement: bool) -> None:
        self.id = number
        self.by = by
        self.kind = kind
        self.clause = clause
        self.data = data
        self.of_placement = of_placement
