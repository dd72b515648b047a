"""The marked corner of the wasteland: where its sheet has tags, a frame for a card and a field for dice."""

from __future__ import annotations

from typing import Final

from companion.cards.corner_sheet import CornerSheet

CORNER: Final = CornerSheet(
    size=(190.0, 100.0),
    tag=18.0,
    tags={6: (14.0, 14.0), 7: (176.0, 14.0), 8: (176.0, 86.0), 9: (14.0, 86.0)},
    card=(28.0, 4.0, 70.0, 92.0),
    field=(104.0, 4.0, 58.0, 92.0),
    spot=(133.0, 50.0),
    die=16.0,
    photos="wasteland-photos",
    all_shown="die~all-shown",
)
