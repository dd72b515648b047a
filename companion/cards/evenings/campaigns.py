"""Campaigns as data: six linked evenings together, each with what it is about and what it leaves to the next (W)."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from companion.cards.evenings.house_calls import (
    CallEffect,
    HouseCall,
    owners_files,
    read_effects,
    read_names,
    shipped_folder,
)
from companion.cards.fields import Fields, card_id, one_of
from companion.cards.pack import Fault, PackFaults
from companion.cards.source import Source, Table, read_file
from companion.cards.together import DIFFICULTIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from importlib.resources.abc import Traversable

EVENINGS: Final = 6
MOST_EFFECTS: Final = 2
"""Of an evening, and of what the one before has left to it."""
FOLDER: Final = "campaigns"
"""Where an owner's campaigns are, a file each: beside the record."""
Names = tuple[tuple[str, str], ...]


class CampaignEvening(NamedTuple):
    """One evening: how hard it is, its own effects, and what it leaves to the next when it was won, or lost."""

    together: str
    effects: tuple[CallEffect, ...]
    won: tuple[CallEffect, ...]
    lost: tuple[CallEffect, ...]
    names: Names = ()


class Campaign(NamedTuple):
    id: str
    evenings: tuple[CampaignEvening, ...]
    names: Names = ()
    """By language; empty where it comes with the companion, whose catalogues have them."""


def call_of(campaign: Campaign, number: int, won_before: bool | None) -> HouseCall | None:
    """Return the house call of an evening, counted from 1: its own effects, and what the one before has left (W1)."""
    evening = campaign.evenings[number - 1]
    effects = evening.effects
    if number > 1 and won_before is not None:
        before = campaign.evenings[number - 2]
        effects += before.won if won_before else before.lost
    return HouseCall(f"{campaign.id}-{number}", effects, evening.names) if effects else None


# --- files ------------------------------------------------------------------------------------------------------------


def read_campaign(source: Source, faults: list[Fault], *, named: bool) -> Campaign | None:
    """Return the campaign of a file; None with its faults."""
    before = len(faults)
    fields = Fields(source.table(), "", faults)
    id_ = fields.take("id", card_id)
    names = fields.take("names", read_names) if named else fields.maybe("names", read_names)
    fields.taken.add("evening")
    fields.finish()
    listed = source.data.get("evening", [])
    if not isinstance(listed, list) or len(listed) != EVENINGS or not all(isinstance(one, dict) for one in listed):
        line = source.line(("evening",))
        faults.append(Fault(source.file, line, id_ or "", "another number of evenings", f"{EVENINGS} of [[evening]]"))
        return None
    evenings = [_evening(source, nth, faults, named=named) for nth in range(EVENINGS)]
    if id_ is None or len(faults) > before:
        return None
    return Campaign(id_, tuple(evenings), names or ())


def _evening(source: Source, nth: int, faults: list[Fault], *, named: bool) -> CampaignEvening:
    table = source.table("evening", nth)
    fields = Fields(table, f"evening {nth + 1}", faults)
    together = fields.take("together", one_of(*DIFFICULTIES)) or DIFFICULTIES[0]
    names = fields.take("names", read_names) if named else fields.maybe("names", read_names)
    own, won, lost = (_effects(fields, table, key, faults) for key in ("effects", "won", "lost"))
    fields.finish()
    return CampaignEvening(together, own, won, lost, names or ())


def _effects(fields: Fields, table: Table, key: str, faults: list[Fault]) -> tuple[CallEffect, ...]:
    fields.taken.add(key)
    found = table.fields.get(key)
    return () if found is None else read_effects(found, fields.card, MOST_EFFECTS, faults)


@lru_cache(maxsize=1)
def our_campaigns() -> tuple[Campaign, ...]:
    """Return the campaigns that come with the companion."""
    faults: list[Fault] = []
    found = [_read(file, faults, named=False) for file in _shipped()]
    if faults:
        raise PackFaults(faults)
    return tuple(one for one in found if one is not None)


def _shipped() -> list[Traversable]:
    files = (file for file in shipped_folder().iterdir() if file.name.startswith("campaign-"))
    return sorted(files, key=lambda file: file.name)


def _read(file: Traversable, faults: list[Fault], *, named: bool) -> Campaign | None:
    source = read_file(file, faults)
    return None if source is None else read_campaign(source, faults, named=named)


def campaigns(folder: Path | None = None) -> tuple[Campaign, ...]:
    """Return all campaigns, ours and those in a folder; PackFaults tells what is wrong with an owner's files."""
    faults: list[Fault] = []
    found = list(our_campaigns())
    for file in owners_files(folder / FOLDER) if folder is not None else ():
        campaign = _read(file, faults, named=True)
        if campaign is not None:
            _refuse_a_double(campaign, found, file, faults)
            found.append(campaign)
    if faults:
        raise PackFaults(faults)
    return tuple(found)


def _refuse_a_double(campaign: Campaign, others: Sequence[Campaign], file: Path, faults: list[Fault]) -> None:
    if any(one.id == campaign.id for one in others):
        faults.append(Fault(str(file), 0, campaign.id, f"a second campaign {campaign.id}", "an id of its own"))


def is_campaign_file(path: str) -> bool:
    """Return whether this is a file of a campaign: it lies where they lie, or has such tables."""
    file = Path(path)
    if file.suffix != ".toml" or file.is_dir():
        return False
    return file.parent.name == FOLDER or (file.is_file() and b"[[evening]]" in file.read_bytes())


def report(path: str) -> Iterator[str]:
    """Say which campaign a file brings; PackFaults tells all that is wrong with it."""
    faults: list[Fault] = []
    campaign = _read(Path(path), faults, named=True)
    if campaign is not None:
        _refuse_a_double(campaign, our_campaigns(), Path(path), faults)
    if faults or campaign is None:
        raise PackFaults(faults)
    yield f"{path}: {campaign.id}: a campaign of {len(campaign.evenings)} evenings"
