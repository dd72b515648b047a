"""Follow a table over HTTP with server-sent events, with the standard library alone.

usage: python examples/follow_a_table.py [ADDRESS]

Prints a line for every change at the table (round, phase, turn, happiness), until the table closes or Ctrl+C.
Start one with `companion demo`; the address is http://127.0.0.1:8000 if you name none.
"""

import json
import sys
import urllib.request

address = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
with urllib.request.urlopen(f"{address}/api/events") as stream:  # the current state comes at once, then each newer one
    for line in stream:
        field, _, value = line.decode().strip().partition(": ")
        if field != "data":  # an event's name, its id, or a heartbeat
            continue
        state = json.loads(value)
        happiness = {colour: state["players"][colour]["happiness"] for colour in state["order"]}
        print(f"round {state['round']}, {state['phase']}, turn of {state['turn']}, happiness {happiness}", flush=True)
