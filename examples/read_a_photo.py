"""Read a photo of the table with the vision alone.

usage: python examples/read_a_photo.py PHOTO [PROFILE]

Prints what lies where, how sure that is, and what could not be read. Try tests/frames/std_7000.jpg.
"""

import argparse
from pathlib import Path

import cv2

from companion.vision.profile import load_profile
from companion.vision.table_reader import TableReader

parser = argparse.ArgumentParser()
parser.add_argument("photo")
parser.add_argument("profile", nargs="?", default="tests/frames/profile.json", type=Path)
asked = parser.parse_args()

picture = cv2.imread(asked.photo)
if picture is None:
    raise SystemExit(f"{asked.photo}: no picture that OpenCV can read")
reading = TableReader(load_profile(asked.profile)).look(picture).reading
print(f"table {reading.table}, read in {reading.ms:.0f} ms")
for place, card in {**reading.rooms, **reading.threats}.items():
    print(f"{place:8}{card.card} ({card.confidence:.0%})")
for dweller in reading.dwellers:
    print(f"{dweller.space:8}{dweller.player}, {dweller.pose} ({dweller.confidence:.0%})")
print(f"unsure: {', '.join(reading.unsure) or 'nothing'}")
