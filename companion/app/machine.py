"""The machine below the table: name, time zone, Wi-Fi, loudspeaker, switching off. Systemd and NetworkManager do it."""

from __future__ import annotations

import os
import pwd
import re
import secrets
import shutil
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from zoneinfo import available_timezones

from companion.app.updates import Updates
from companion.refusal import Refusal
from companion.table.ports import Hint, as_json
from companion.table.record.data_folder import put

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

PATIENCE: Final = 60.0
"""Seconds for a program of the system: joining a Wi-Fi with a wrong password takes the longest."""
NOBODY_HAS_SET_IT: Final = 1_735_689_600.0
"""The beginning of 2025, before the companion was made: a clock before that was never set."""
MODEL: Final = Path("/proc/device-tree/model")
SERVICE: Final = "table-companion"
"""The user whom the service runs as."""
ZONE: Final = Path("/etc/localtime")
CARDS: Final = Path("/proc/asound/cards")
SPEAKER: Final = "speaker"
"""The file in the data folder with the name of the sound card."""
NAME: Final = re.compile(r"[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?", re.ASCII)
SOUND_CARD: Final = re.compile(r"^ *\d+ \[(\w+) *\]: .* - (.+)$", re.MULTILINE)
UNESCAPED: Final = re.compile(r"(?<!\\):")
DEEDS: Final = ("off", "restart", "update", "name", "zone", "wifi", "hotspot", "speaker")
SHORTEST, LONGEST = 8, 63
"""Characters of a Wi-Fi's password, by WPA's own rules."""
HOTSPOT: Final = "table-companion"
"""NetworkManager's name of the Wi-Fi that the table opens."""
OWN_WIFI: Final = "own-wifi"
"""The file in the data folder with its password: phones that know it keep it."""
CLEAR: Final = "abcdefghjkmnpqrstuvwxyz23456789"  # none that looks like another
TRIED: Final = frozenset({"wifi_password", "wifi_gone", "wifi_failed"})
"""The notes of a Wi-Fi that was not joined."""


class OwnWifi(NamedTuple):
    """A Wi-Fi that the table has opened."""

    ssid: str
    password: str


class Done(NamedTuple):
    """What a program of the system has said."""

    code: int
    out: str
    error: str = ""


def run(*command: str) -> Done:
    """Run a program of the system by its name; one that is missing or hangs has failed."""
    program = shutil.which(command[0])
    if program is None:
        return Done(127, "", f"{command[0]} is not installed")
    try:
        ran = subprocess.run(  # noqa: S603 - fixed programs, no shell; what people type is one argument
            [program, *command[1:]],
            capture_output=True,
            text=True,
            errors="replace",
            timeout=PATIENCE,
            check=False,
            env={**os.environ, "LC_ALL": "C.UTF-8"},
        )
    except (OSError, subprocess.SubprocessError) as error:
        return Done(1, "", str(error))
    return Done(ran.returncode, ran.stdout, ran.stderr.strip())


def is_ours(model: Path = MODEL) -> bool:
    """Return whether this machine stands beside the table for good: it is a Pi, or the table is installed on it."""
    try:
        if model.read_text(encoding="ascii", errors="replace").startswith("Raspberry Pi"):
            return True
    except OSError:
        pass
    try:
        return pwd.getpwuid(os.geteuid()).pw_name == SERVICE
    except KeyError:  # a container may run as a number alone
        return False


class SystemMachine:
    """Fills the port `Machine`. Whatever the system does not let us do is a Refusal that says so."""

    def __init__(
        self,
        folder: Path,
        run: Callable[..., Done] = run,
        *,
        is_ours: bool = True,
        aside: Callable[[Callable[[], None]], object] = lambda work: threading.Thread(target=work, daemon=True).start(),
        cards: Path = CARDS,
        updates: Updates | None = None,
    ) -> None:
        """`is_ours` is whether this machine stands beside the table for good: nobody's laptop is switched off."""
        self._folder = folder
        self._updates = updates or Updates(folder)
        self._run = run
        self._is_ours = is_ours
        self._aside = aside
        self._cards = cards
        self._notes: list[Hint] = []
        self._joining = ""
        self._own: OwnWifi | None = None
        self._in_reach: list[dict[str, object]] = []
        """What was in reach before the own Wi-Fi was opened: a radio that sends one seldom sees the others."""

    # --- what there is ------------------------------------------------------------------------------------------------

    @property
    def ours(self) -> bool:
        return self._is_ours

    @property
    def own_wifi(self) -> OwnWifi | None:
        """The Wi-Fi that the table has opened, while it is the one."""
        return self._own

    @property
    def joining(self) -> str:
        return self._joining

    @property
    def trouble(self) -> Hint | None:
        """Why a Wi-Fi was not joined, until something else is asked for."""
        return next((note for note in self._notes if note.code in TRIED), None)

    def view(self) -> dict[str, object]:
        networks = self._networks()
        updated = self._updates.outcome()
        return {
            "ours": self._is_ours,
            "name": self._run("hostnamectl", "hostname").out.strip() or os.uname().nodename,
            "zone": zone_here(),
            "networks": networks,
            "joining": self._joining,
            "speakers": [{"id": card, "name": name} for card, name in self.speakers().items()],
            "speaker": speaker_in(self._folder),
            "notes": [as_json(note) for note in self._notes],
            "updates": {**self._updates.view(), "said": None if updated is None else as_json(updated)},
        }

    def _networks(self) -> list[dict[str, object]] | None:
        wifi = self._run("nmcli", "--terse", "--fields", "IN-USE,SSID,SIGNAL,SECURITY", "device", "wifi", "list")
        if wifi.code:
            return None
        found = networks_in(wifi.out)
        if self._own is None:
            return found
        own = self._own.ssid
        known = {str(one["ssid"]) for one in found}
        return [
            one for one in (*found, *(one for one in self._in_reach if one["ssid"] not in known)) if one["ssid"] != own
        ]

    def zones(self) -> list[str]:
        return sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith(("Etc/", "posix/")))

    def speakers(self) -> dict[str, str]:
        """Return the sound cards: ALSA's name of each, and what people call it."""
        try:
            return dict(SOUND_CARD.findall(self._cards.read_text(encoding="utf-8", errors="replace")))
        except OSError:
            return {}

    # --- what is done -------------------------------------------------------------------------------------------------

    def act(self, do: str, fields: Mapping[str, str]) -> None:
        self._notes = []
        match do:
            case "off":
                self.switch_off()
            case "restart":
                self._power("reboot")
            case "update":
                self._update()
            case "name":
                self._rename(fields.get("name", ""))
            case "zone":
                self._set_zone(fields.get("zone", ""))
            case "wifi":
                self._join(fields.get("ssid", ""), fields.get("password", ""))
            case "hotspot":
                self._open_hotspot(fields.get("password", ""))
            case "speaker":
                self._choose_speaker(fields.get("speaker", ""))
            case _:
                raise Refusal("malformed", None, f"do is one of {', '.join(DEEDS)}.", field="do")

    def switch_off(self) -> None:
        """Switch the machine off; all that counts is on the disk already."""
        self._power("poweroff")

    def _power(self, how: str) -> None:
        if not self._is_ours:
            raise Refusal("not_our_machine", None, "This machine is not the table's own: switch it off by itself.")
        self._must("systemctl", "--no-wall", "--no-ask-password", how)

    def _update(self) -> None:
        """Ask systemd's own service for it: this one may not change its own program."""
        if not self._is_ours:
            raise Refusal("not_our_machine", None, "This machine is not the table's own: its owner updates it.")
        self._updates.ask()

    def _rename(self, name: str) -> None:
        wanted = name.strip().lower().removesuffix(".local")
        if not NAME.fullmatch(wanted):
            raise Refusal("odd_name", None, "A name has letters, digits and hyphens, no more than 63.", name=name[:80])
        self._must("hostnamectl", "--no-ask-password", "set-hostname", wanted)
        self._notes = [Hint("machine_renamed", "The name is {name} from the next start on.", name=wanted)]

    def _set_zone(self, zone: str) -> None:
        if zone not in available_timezones():
            raise Refusal("malformed", None, "There is no such time zone.", field="zone")
        self._must("timedatectl", "--no-ask-password", "set-timezone", zone)

    def _choose_speaker(self, speaker: str) -> None:
        if speaker and speaker not in self.speakers():
            raise Refusal("malformed", None, "There is no such loudspeaker.", field="speaker")
        try:
            put(self._folder / SPEAKER, speaker.encode())
        except OSError as error:
            raise Refusal("choice_not_written", None, f"The choice cannot be written: {error}") from error

    # --- the network --------------------------------------------------------------------------------------------------

    def _join(self, ssid: str, password: str) -> None:
        """Join a Wi-Fi behind the answer: the phone that asks may lose the table over it."""
        if not 0 < len(ssid.encode()) <= 32:  # noqa: PLR2004 - by the standard of Wi-Fi
            raise Refusal("malformed", None, "A Wi-Fi has a name of 1 to 32 bytes.", field="ssid")
        _check_password(password, may_be_empty=True)
        if self._joining:
            raise Refusal("wifi_busy", None, "A Wi-Fi is being joined already: wait for it.")
        self._joining = ssid

        def work() -> None:
            try:
                self._notes = [self._joined(ssid, password)]
            finally:
                self._joining = ""

        self._aside(work)

    def _joined(self, ssid: str, password: str) -> Hint:
        known = self._connections()
        before = self._active_wifi()
        if before == HOTSPOT:  # a radio that others are in does not look around, and forgets what it has seen
            self._run("nmcli", "connection", "down", "id", HOTSPOT)
            self._run("nmcli", "device", "wifi", "list", "--rescan", "yes")
        secret = ("password", password) if password else ()
        done = self._run("nmcli", "--wait", "45", "device", "wifi", "connect", ssid, *secret)
        if done.code == 0:
            self._own = None
            return Hint("wifi_joined", "The table is in the Wi-Fi {ssid} now.", ssid=ssid)
        if ssid not in known:
            self._run("nmcli", "connection", "delete", "id", ssid)
        if before and before != ssid:
            self._run("nmcli", "--wait", "45", "connection", "up", "id", before)
        said = done.error or done.out.strip()
        if "ecrets were required" in said or "802-11-wireless-security" in said:
            return Hint("wifi_password", "The password of {ssid} is wrong: the network before is back.", ssid=ssid)
        if "No network with SSID" in said:
            return Hint("wifi_gone", "The Wi-Fi {ssid} is not in reach: the network before is back.", ssid=ssid)
        why = " ".join(said.split())[:200]
        return Hint("wifi_failed", "The Wi-Fi {ssid} was not joined ({why}).", ssid=ssid, why=why)

    def _open_hotspot(self, password: str) -> None:
        _check_password(password, may_be_empty=False)
        self._in_reach = self._networks() or []
        name = self._run("hostnamectl", "hostname").out.strip() or HOTSPOT
        if any(one["ssid"] == name for one in self._in_reach):
            # Another table of this name: phones have to tell them apart.
            name = f"{name[:28]}-{secrets.choice(CLEAR)}{secrets.choice(CLEAR)}"
        said = ("con-name", HOTSPOT, "ssid", name, "password", password)
        self._must("nmcli", "device", "wifi", "hotspot", *said)
        self._own = OwnWifi(name, password)
        told = "The table has a Wi-Fi of its own: {ssid}. Pages are at http://10.42.0.1."
        self._notes = [Hint("wifi_own", told, ssid=name)]

    def open_own_wifi(self) -> None:
        """Open a Wi-Fi of the table's own, with the password of before; why a Wi-Fi was not joined stays."""
        path, trouble = self._folder / OWN_WIFI, self.trouble
        try:
            password = path.read_text(encoding="ascii").strip()
        except (OSError, ValueError):
            password = "".join(secrets.choice(CLEAR) for _ in range(SHORTEST))
            with suppress(OSError):  # a card that cannot be written: it is another one at the next start
                put(path, password.encode(), private=True)
        self._open_hotspot(password)
        self._notes = [trouble, *self._notes] if trouble is not None else self._notes

    def has_closed(self) -> None:
        """Note that the own Wi-Fi is not there any more."""
        self._own = None

    def _connections(self) -> set[str]:
        listed = self._run("nmcli", "--terse", "--fields", "NAME", "connection", "show").out
        return {_unescaped(line) for line in listed.splitlines()}

    def _active_wifi(self) -> str:
        listed = self._run("nmcli", "--terse", "--fields", "NAME,TYPE", "connection", "show", "--active").out
        return next((row[0] for row in rows_of(listed) if row[-1] == "802-11-wireless"), "")

    def _must(self, *command: str) -> None:
        done = self._run(*command)
        if done.code:
            why = " ".join((done.error or done.out).split())[:200]
            raise Refusal("machine_refused", None, f"The system does not do it: {why}", why=why)


def _check_password(password: str, *, may_be_empty: bool) -> None:
    if not (may_be_empty and not password) and not SHORTEST <= len(password) <= LONGEST:
        raise Refusal("short_password", None, f"A Wi-Fi's password has {SHORTEST} to {LONGEST} characters.")


def networks_in(listed: str) -> list[dict[str, object]]:
    """Return the Wi-Fis in reach by NetworkManager's terse list, each once, the strongest first."""
    found: dict[str, dict[str, object]] = {}
    for row in rows_of(listed):
        if len(row) != 4 or not row[1]:  # noqa: PLR2004 - the fields that were asked for
            continue
        used, ssid, signal, security = row
        one = {"ssid": ssid, "signal": int(signal or 0), "open": security in ("", "--"), "used": used == "*"}
        if ssid not in found or (one["used"], one["signal"]) > (found[ssid]["used"], found[ssid]["signal"]):
            found[ssid] = one
    return sorted(found.values(), key=lambda one: (not one["used"], -int(str(one["signal"]))))


def rows_of(listed: str) -> list[list[str]]:
    """Return the rows of NetworkManager's terse output."""
    return [[_unescaped(cell) for cell in UNESCAPED.split(line)] for line in listed.splitlines()]


def _unescaped(cell: str) -> str:
    return re.sub(r"\\(.)", r"\1", cell)


def zone_here(link: Path = ZONE) -> str:
    return str(link.resolve()).partition("zoneinfo/")[2]


def speaker_in(folder: Path) -> str:
    """Return the chosen sound card; empty for the system's own choice."""
    try:
        return (folder / SPEAKER).read_text(encoding="utf-8").strip()
    except (OSError, ValueError):
        return ""
