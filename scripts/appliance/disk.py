"""Lay out a card: a table of partitions (MBR, which every Pi and every UEFI starts from) and the pieces behind it.

Nothing here depends on the time or on chance: the same pieces make the same bytes.
"""

from __future__ import annotations

import argparse
import os
import struct
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

SECTOR: Final = 512
ALIGNED: Final = 1 << 20
"""Bytes: partitions begin where cards erase, and every tool expects them."""
SIGNATURE_AT: Final = 440
TABLE_AT: Final = 446
MAGIC: Final = b"\x55\xaa"
ENTRY: Final = struct.Struct("<B3sB3sII")
BEYOND: Final = b"\xfe\xff\xff"
"""Cylinder, head and sector of what lies where these cannot be said any more."""
MOST: Final = 4
LAST: Final = 0xFFFFFFFF
"""The last sector that this table can name."""
KINDS: Final = {"fat": 0x0C, "linux": 0x83}
PIECE: Final = 1 << 20


class LayoutError(ValueError):
    """A card that cannot be laid out so."""


@dataclass(frozen=True, slots=True)
class Partition:
    """One partition: what it is, where it begins, and how long it is, in sectors."""

    kind: str
    begins: int
    length: int


def laid_out(pieces: list[tuple[str, int]]) -> list[Partition]:
    """Return partitions for pieces (their kind, and bytes), each at a whole MiB, one behind the other."""
    if not 0 < len(pieces) <= MOST:
        raise LayoutError(f"A card has 1 to {MOST} partitions, not {len(pieces)}.")
    found, at = [], ALIGNED
    for kind, size in pieces:
        if kind not in KINDS or size <= 0:
            raise LayoutError(f"{kind} of {size} bytes is no partition.")
        whole = -(-size // ALIGNED) * ALIGNED
        found.append(Partition(kind, at // SECTOR, whole // SECTOR))
        at += whole
    if at // SECTOR > LAST:
        raise LayoutError("This table of partitions ends at 2 TiB.")
    return found


def first_sector(partitions: list[Partition], signature: int) -> bytes:
    """Return the sector with the table; the first partition is the one that is started from."""
    entries = b"".join(
        ENTRY.pack(0x80 if place == 0 else 0, BEYOND, KINDS[one.kind], BEYOND, one.begins, one.length)
        for place, one in enumerate(partitions)
    )
    sector = bytearray(SECTOR)
    struct.pack_into("<I", sector, SIGNATURE_AT, signature)
    sector[TABLE_AT : TABLE_AT + len(entries)] = entries
    sector[-2:] = MAGIC
    return bytes(sector)


def write(target: Path, pieces: list[tuple[str, Path]], signature: int) -> list[Partition]:
    """Write a card; what is empty in it stays a hole of the file."""
    partitions = laid_out([(kind, file.stat().st_size) for kind, file in pieces])
    with target.open("wb") as card:
        card.write(first_sector(partitions, signature))
        for partition, (_, file) in zip(partitions, pieces, strict=True):
            card.seek(partition.begins * SECTOR)
            with file.open("rb") as piece:
                while part := piece.read(PIECE):
                    if part.count(0) == len(part):
                        card.seek(len(part), os.SEEK_CUR)
                    else:
                        card.write(part)
        card.truncate((partitions[-1].begins + partitions[-1].length) * SECTOR)
    return partitions


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m scripts.appliance.disk", description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("signature", type=lambda text: int(text, 16), help="eight hexadecimal digits, as in PARTUUID")
    parser.add_argument("pieces", nargs="+", metavar="KIND=FILE", help=f"KIND is {' or '.join(KINDS)}")
    asked = parser.parse_args(words)
    pieces = [(kind, Path(file)) for kind, _, file in (one.partition("=") for one in asked.pieces)]
    try:
        for number, one in enumerate(write(asked.target, pieces, asked.signature), 1):
            sys.stdout.write(f"{number} {one.kind} {one.begins} {one.length}\n")
    except (LayoutError, OSError) as error:
        sys.stderr.write(f"The card was not written: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
