"""A machine of QEMU's that a card's system is switched on in, with the record on a disk that a power cut has left."""

import contextlib
import json
import signal
import subprocess
import time

from scripts.appliance import disk as layout

FIRST_PARTITION = 446 + 8
ARM = bytes.fromhex("41524d64")
ARM_AT = 56
"""Where a kernel for a Pi's processor says so."""
LONGEST = 1800
"""Seconds: an emulated machine that has not served a page by then does not start."""
QUIET = " systemd.mask=table-companion-screen.service no_timer_check"
"""Nobody looks: the browser leaves its time to the rest."""


class Machine:
    """Switches a card on whose record lies on another disk; what it writes to either is forgotten with it."""

    def __init__(self, image, work):
        self._image, self._work = image, work
        with image.open("rb") as card:
            boot = int.from_bytes(card.read(512)[FIRST_PARTITION : FIRST_PARTITION + 4], "little") * layout.SECTOR
        for name in ("vmlinuz", "initrd.img", "cmdline.txt"):
            _run("mcopy", "-o", "-i", f"{image}@@{boot}", f"::{name}", work / name)
        kernel = (work / "vmlinuz").read_bytes()[: ARM_AT + len(ARM)]
        self._arm = kernel.endswith(ARM)
        line = (work / "cmdline.txt").read_text().split()
        # The kernel names disks in the order of the words below.
        line = [word for word in line if not word.startswith("table.kept=")] + ["table.kept=/dev/vdb"]
        self._line = " ".join(line) + f" console={'ttyAMA0' if self._arm else 'ttyS0'}" + QUIET

    def state(self, record):
        """Return the state that the table serves after a start with this disk (qcow2), or why it serves none."""
        with self._switched_on(record) as (process, page):
            begun = time.monotonic()
            while process.poll() is None and time.monotonic() < begun + LONGEST:
                asked = ["curl", "--silent", "--fail", "--max-time", "60", "--retry", "5", f"{page}/api/state"]
                said = subprocess.run(asked, capture_output=True, text=True, check=False)
                if not said.returncode:
                    return json.loads(said.stdout)
                time.sleep(1)
        last = (self._work / "serial").read_text(errors="replace").splitlines()[-20:]
        raise RuntimeError("\n".join(["the machine serves no page", *last]))

    @contextlib.contextmanager
    def _switched_on(self, record):
        system, kept = self._work / "system.qcow2", self._work / "kept.qcow2"
        _run("qemu-img", "create", "-q", "-f", "qcow2", "-b", self._image, "-F", "raw", system)
        _run("qemu-img", "create", "-q", "-f", "qcow2", "-b", record, "-F", "qcow2", kept)
        kind = ["aarch64", "virt", "cortex-a72"] if self._arm else ["x86_64", "q35", "Nehalem"]
        words = [f"qemu-system-{kind[0]}", "-M", kind[1], "-cpu", kind[2], "-accel", "tcg,thread=multi"]
        words += ["-smp", "2", "-m", "1024", "-display", "none", "-no-reboot", "-kernel", self._work / "vmlinuz"]
        words += ["-initrd", self._work / "initrd.img", "-append", self._line]
        words += ["-serial", f"file:{self._work / 'serial'}"]
        for one in (system, kept):
            words += ["-drive", f"file={one},format=qcow2,if=virtio"]
        words += ["-netdev", "user,id=net,hostfwd=tcp:127.0.0.1:8099-:80", "-device", "virtio-net-pci,netdev=net"]
        words += ["-device", "virtio-rng-pci"]
        process = subprocess.Popen(list(map(str, words)), stdin=subprocess.DEVNULL)
        try:
            yield process, "http://127.0.0.1:8099"
        finally:
            process.send_signal(signal.SIGKILL)  # the plug, once more
            process.wait(60)
            kept.unlink()
            system.unlink()


def _run(*command):
    subprocess.run([str(word) for word in command], check=True)
