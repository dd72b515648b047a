"""Check every roll and shuffle of an exported journal, with the standard library alone.

usage: python examples/check_fair.py FILE

Prints what does not follow from the secret that was promised before the first card, and ends with 1 where something
does not. docs/fair.md has the format; `companion replay --fair` also checks the hashes, undo and
redo, and whose numbers count.
"""

import hashlib
import hmac
import json
import sys
from pathlib import Path


def draws(of, *bounds):  # a number below each bound; n counts words, eight to a block
    pool = (int.from_bytes(hmac.digest(key, f"{of}/{n // 8}".encode(), "sha256")[n % 8 * 4 :][:4]) for n in range(9**9))
    return [next(word % bound for word in pool if word < 2**32 - 2**32 % bound) for bound in bounds]


entries = [json.loads(line) for line in Path(sys.argv[1]).read_text(encoding="utf-8").strip().split("\n")]
fair = entries[0].get("fair") or sys.exit("Nothing was promised in this game: its seed was given, or it is an old one.")
key, known = bytes.fromhex(entries[0]["seed"]), {}
wrong = ["the secret"] * (hashlib.sha256(key).hexdigest() != fair["promise"])
for entry in entries:
    fair["numbers"] += [entry] if entry["kind"] == "number" else []
    added = "".join(f"/{one['by']}={one['number']}" for one in fair["numbers"])
    fell, thrown = entry.get("chance", {}), entry.get("move", {}).get("dice", [])
    known |= {f"roll {nth}": dice for nth, dice in zip(fell.get("thrown", []), thrown, strict=False)}
    for nth, dice in zip(fell.get("rolls", []), fell.get("dice", []), strict=True):
        follows = [one + 1 for one in draws(f"roll/{nth}{added}", 6, 6)]
        wrong += [f"roll {nth}"] * (known.setdefault(f"roll {nth}", follows) != dice)
    for nth, order in zip(fell.get("shuffles", []), fell.get("shuffled", []), strict=True):
        cards, then = sorted(order), known.setdefault(f"shuffle {nth}", added)
        for last, other in enumerate(draws(f"shuffle/{nth}{then}", *range(len(order), 1, -1)), 1):
            cards[-last], cards[other] = cards[other], cards[-last]
        wrong += [f"shuffle {nth}"] * (cards != order)
sys.exit(", ".join(wrong) if wrong else print(len(known), "rolls and shuffles, all as promised"))
