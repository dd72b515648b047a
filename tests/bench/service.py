"""The table's service in the guest: the unit that `./run --install` installs, with something else to run."""

import json
import shutil
import subprocess
import urllib.request
from pathlib import Path

PARTS = Path(__file__).parents[2] / "scripts/appliance"
UNITS = Path("/run/systemd/system")
HOME = Path("/var/lib/table-companion")
NAME = "table-companion.service"
LOG = Path("/run/of-the-service")
# What of the guest is no part of a Pi: where Python is, that no USB camera is looked for, and what a Pi says of itself,
# since the service has a /proc of its own.
BENCH = """
[Service]
ExecStart=
ExecStart={command}
Type={kind}
Restart=no
TimeoutStartSec=infinity
StandardOutput=truncate:{log}
StandardError=truncate:{log}
Environment=PATH=/opt/venv/bin:/usr/bin:/bin PYTHONDONTWRITEBYTECODE=1 NO_COLOR=1
Environment=LIBCAMERA_LOG_LEVELS=ERROR COMPANION_BENCH=1
Environment=PYTHONPATH={path}
BindReadOnlyPaths=/run/cpuinfo:/proc/cpuinfo
"""


def install():
    """As `./run --install` does, but for the environment, which is the bench's."""
    system("systemd-sysusers", PARTS / "sysusers.conf")
    for name in (NAME, "table-companion.socket"):
        shutil.copy(PARTS / name, UNITS)
    shutil.copy(PARTS / "journald@table-companion.conf", "/etc/systemd")


def runs(*words, kind="oneshot"):
    """Run a command in the service's sandbox; return when it has ended, or says that it is ready."""
    path = ":".join(
        str(one) for one in (PARTS.parents[1], PARTS.parents[1] / "tests/bench/guest/stand-ins", "/opt/tests")
    )
    more = UNITS / f"{NAME}.d" / "bench.conf"
    more.parent.mkdir(exist_ok=True)
    command = " ".join(f'"{word}"' for word in ("/opt/venv/bin/python", *words))
    more.write_text(BENCH.format(command=command, kind=kind, log=LOG, path=path))
    system("systemctl", "daemon-reload")
    done = subprocess.run(["systemctl", "restart", NAME], capture_output=True, text=True, check=False)
    assert done.returncode == 0, said() + done.stderr


def stop():
    system("systemctl", "stop", NAME, "table-companion.socket")


def said():
    return LOG.read_text() if LOG.exists() else ""


def score():
    """How much it may do, by systemd: 0 is nothing, 10 is everything."""
    told = system("systemd-analyze", "security", "--no-pager", NAME)
    return float(told.strip().splitlines()[-1].split(": ")[1].split()[0])


def devices():
    """The states of its devices as it tells phones, one after the other."""
    with urllib.request.urlopen("http://127.0.0.1/api/events", timeout=60) as events:
        for line in events:
            if line.startswith(b"data:") and b'"devices"' in line:
                told = json.loads(line[5:])
                yield told.get("state", told)["devices"]


def system(*words):
    return subprocess.run(list(map(str, words)), capture_output=True, text=True, check=True).stdout
