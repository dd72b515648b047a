"""Systemd and NetworkManager of a pretended machine: the programs that the table runs, and what they say."""

from companion.app.machine import Done

DENIED = "Call to {} failed: Interactive authentication required."


class System:
    """Called as the programs are, with their own options, outputs and exit codes."""

    def __init__(self):
        self.name, self.zone, self.went = "raspberrypi", "Etc/UTC", ""
        self.air = {"home": ("secret123", 82), "caf\u00e9: free": ("", 40), "home 5": ("other1234", 30)}
        """What is in reach: password and signal."""
        self.connections = {"old": "wifi"}
        self.active = "old"
        self.has_wifi = self.may = self.has_radio = True
        self.has_cable = False
        self.has_looked = True
        """Around: not since it has had a Wi-Fi of its own."""
        self.asked = []

    def __call__(self, *command):
        self.asked.append(command)
        program, words = command[0], [word for word in command[1:] if not word.startswith("--")]
        if program == "nmcli":
            return self._nmcli(command[1:])
        if program == "hostnamectl" and words == ["hostname"]:
            return Done(0, f"{self.name}\n")
        if not self.may:
            return Done(1, "", DENIED.format(words[0]))
        match program, words:
            case "hostnamectl", ["set-hostname", name]:
                self.name = name
            case "timedatectl", ["set-timezone", zone]:
                self.zone = zone
            case "systemctl", [("poweroff" | "reboot") as how]:
                self.went = how
            case _:
                raise AssertionError(command)
        return Done(0, "")

    def _nmcli(self, words):
        if not self.has_wifi:
            return Done(8, "", "Error: NetworkManager is not running.")
        match [word for word in words if not word.startswith("--")]:
            case [fields, "connection" | "device", *_] if fields.isupper():
                return Done(0, self._listed(fields, only_active="--active" in words))
            case ["45", "device", "wifi", "connect", ssid, *secret]:
                return self._connect(ssid, secret[1] if secret else "")
            case ["device", "wifi", "list", "yes"]:
                self.has_looked = self.active != "table-companion"
            case ["connection", "delete", "id", name]:
                del self.connections[name]
            case [*_, "connection", ("up" | "down") as way, "id", name]:
                self.active = name if way == "up" else ""
            case ["device", "wifi", "hotspot", "con-name", name, "ssid", ssid, "password", _]:
                if not self.may:
                    return Done(4, "", "Error: Failed to setup a Wi-Fi hotspot: Not authorized to share connections.")
                self.connections[name], self.active = ssid, name
                self.has_looked = False
            case _:
                raise AssertionError(words)
        return Done(0, "")

    def _listed(self, fields, *, only_active):
        match fields:
            case "IN-USE,SSID,SIGNAL,SECURITY":
                return "".join(self._row(ssid) for ssid in self.air) + ":::WPA2\n"
            case "NAME":
                return "".join(f"{_escaped(one)}\n" for one in self.connections)
            case "TYPE,STATE,CONNECTION":
                return self._devices()
            case "NAME,TYPE":
                return self._kinds(only_active=only_active)

    def _devices(self):
        wifi = ("connected" if self.active else "disconnected") if self.has_radio else "unavailable"
        cable = "connected:Wired" if self.has_cable else "unavailable:"
        return f"wifi:{wifi}:{_escaped(self.active)}\nethernet:{cable}\nloopback:connected (externally):lo\n"

    def _kinds(self, *, only_active):
        if only_active:
            return f"{_escaped(self.active)}:802-11-wireless\nlo:loopback\n" if self.active else ""
        return "".join(f"{_escaped(one)}:802-11-wireless\n" for one in self.connections) + "Wired:802-3-ethernet\n"

    def _row(self, ssid):
        password, signal = self.air[ssid]
        return f"{'*' if ssid == self.active else ' '}:{_escaped(ssid)}:{signal}:{'WPA2' if password else '--'}\n"

    def _connect(self, ssid, password):
        if ssid not in self.air or not self.has_looked:
            return Done(10, "", f"Error: No network with SSID '{ssid}' found.")
        self.connections[ssid] = "wifi"
        if password != self.air[ssid][0]:
            self.active = ""
            why = "(7) Secrets were required, but not provided."
            return Done(4, "", f"Error: Connection activation failed: {why}")
        self.active = ssid
        return Done(0, f"Device 'wlan0' successfully activated with '{ssid}'.")


def _escaped(text):
    return text.replace("\\", "\\\\").replace(":", "\\:")
