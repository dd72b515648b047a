"""A router, a phone and another table on radios that the kernel of a card simulates; `boot_radios` starts it there.

The card's own system plays its part with NetworkManager, unpatched. Each line that begins with `ok` is what was seen.
"""

import json
import os
import re
import socket
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLACE = Path(tempfile.gettempdir()) / "radios"
"""Not in /run, where nothing may be executed: what takes an address is a script."""
HOME, RIGHT, WRONG = "Kitchen", "porridge-and-tea", "porridge-and-coffee"
PIN = "271828"
MOST = 900.0
"""Seconds that an emulated machine may take for anything."""
PROBE = "connectivitycheck.gstatic.com"
MULTICAST = "224.0.0.251"
GENERIC, CONTROL, GET_FAMILY, SET_NAMESPACE = 16, 16, 3, 49
FAMILY_ID, FAMILY_NAME, WIPHY, PID = 1, 2, 1, 82
"""Numbers of linux/genetlink.h and linux/nl80211.h."""


def say(line):
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def told(line):
    say(f"ok    {line}")


def ran(*command, check=True):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if check and done.returncode:
        raise SystemExit(f"FAIL  {' '.join(command)}: {done.stdout}{done.stderr}")
    return done.stdout


def until(what, question):
    """Ask until the answer is something."""
    ends = time.monotonic() + MOST
    while time.monotonic() < ends:
        if answer := question():
            return answer
        time.sleep(1)
    there, journal = ran("nmcli", "device", check=False), ran("journalctl", "--boot", "--lines=80", check=False)
    raise SystemExit(f"FAIL  not within {MOST:.0f} seconds: {what}\n{there}\n{journal}")


def _attribute(kind, value):
    return struct.pack("HH", 4 + len(value), kind) + value + bytes(-len(value) % 4)


def _ask_kernel(kernel, family, command, *attributes):
    body = struct.pack("BBH", command, 1, 0) + b"".join(attributes)
    kernel.send(struct.pack("IHHII", 16 + len(body), family, 0x5, 1, 0) + body)  # a request, to be acknowledged
    return kernel.recv(65536)


def move_radio(index, process):
    """Move a radio into the network of a process, which `iw phy set netns` would do."""
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, GENERIC) as kernel:
        answer = _ask_kernel(kernel, CONTROL, GET_FAMILY, _attribute(FAMILY_NAME, b"nl80211\0"))
        at = 20
        while struct.unpack_from("HH", answer, at)[1] != FAMILY_ID:
            at += -(-struct.unpack_from("H", answer, at)[0] // 4) * 4
        family = struct.unpack_from("H", answer, at + 4)[0]
        kernel.recv(65536)
        words = (_attribute(WIPHY, struct.pack("I", index)), _attribute(PID, struct.pack("I", process)))
        fault = struct.unpack_from("i", _ask_kernel(kernel, family, SET_NAMESPACE, *words), 16)[0]
        if fault:
            raise SystemExit(f"FAIL  radio {index} stays where it is: {os.strerror(-fault)}")


class Station:
    """A device with a radio in a network of its own."""

    def __init__(self, name, radio):
        self.name, self.folder = name, PLACE / name
        self.folder.mkdir(parents=True)
        self._holds = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        ours = Path("/proc/self/ns/net").readlink()
        until(name, lambda: Path(f"/proc/{self._holds.pid}/ns/net").readlink() != ours)
        (device,) = (radio / "device/net").iterdir()
        self.device = device.name
        move_radio(int((radio / "index").read_text()), self._holds.pid)
        self._joins = None
        self.within("busybox", "ip", "link", "set", "lo", "up")

    def _inside(self, *command):
        return ("nsenter", f"--net=/proc/{self._holds.pid}/ns/net", *command)

    def within(self, *command, check=True):
        return ran(*self._inside(*command), check=check)

    def radio(self, network):
        """Open a Wi-Fi or join one, and wait for wpa_supplicant to say so."""
        self.silence()
        settings = self.folder / "wpa.conf"
        settings.write_text(network)
        command = self._inside("stdbuf", "-oL", "wpa_supplicant", "-i", self.device, "-c", str(settings))
        self._joins = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for line in self._joins.stdout:
            if "CTRL-EVENT-CONNECTED" in line or "AP-ENABLED" in line:
                return
        raise SystemExit(f"FAIL  the radio of {self.name} does not come up")

    def silence(self):
        if self._joins is not None:
            self._joins.terminate()
            self._joins.communicate()
            self._joins = None

    def opens(self, ssid, password, address):
        """Be a router: a Wi-Fi, and addresses for who is in it."""
        self.radio(
            f'network={{\nmode=2\nfrequency=2437\nssid="{ssid}"\nkey_mgmt=WPA-PSK\nproto=RSN\npairwise=CCMP\npsk="{password}"\n}}\n'
        )
        self.within("busybox", "ip", "address", "flush", "dev", self.device)
        self.within("busybox", "ip", "address", "add", f"{address}/24", "dev", self.device)

    def gives_addresses(self, net):
        said = ("--port=0", f"--interface={self.device}", f"--dhcp-range={net}.50,{net}.99,1h", "--leasefile-ro")
        subprocess.Popen(
            self._inside("dnsmasq", "--keep-in-foreground", "--conf-file=/dev/null", *said), stderr=subprocess.DEVNULL
        )

    def joins(self, ssid, password):
        """Be a phone: into a Wi-Fi, and take the address that is given there."""
        self.radio(f'network={{\nssid="{ssid}"\nkey_mgmt=WPA-PSK\npsk="{password}"\nscan_ssid=1\n}}\n')
        script = self.folder / "address"
        lines = (
            "#!/bin/sh",
            '[ "$1" = bound ] || exit 0',
            "busybox ip address flush dev $interface",
            "busybox ip address add $ip/24 dev $interface",
            "busybox ip route replace default via $router",
            f'echo "$router $dns" >{self.folder}/given',
        )
        script.write_text("\n".join((*lines, "")))
        script.chmod(0o755)
        self.within("busybox", "udhcpc", "-i", self.device, "-n", "-q", "-t", "20", "-s", str(script))
        return (self.folder / "given").read_text().split()

    def page(self, address, *words):
        """What a browser gets, redirections followed, and the address where it ends."""
        jar = str(self.folder / "cookies")
        asked = ("curl", "--silent", "--location", "--max-time", "300", "--cookie", jar, "--cookie-jar", jar)
        said = self.within(*asked, "--write-out", "\n%{http_code} %{url_effective}", *words, address, check=False)
        text, _, last = said.rpartition("\n")
        return text, last


def screen():
    """What the browser on HDMI is shown."""
    return ran("curl", "--silent", "--max-time", "300", "http://127.0.0.1/table", check=False)


def own_wifi():
    """The name and the password that the big screen shows; nothing while it shows none."""
    shown = screen()
    codes = re.findall(r'<span class="code">([^<]*)</span>', shown)
    return codes[:2] if 'id="ways"' in shown and len(codes) > 1 else None


def asks_name(name):
    """The address of NAME.local, asked as phones do: by multicast."""
    labels = b"".join(bytes((len(part),)) + part.encode() for part in name.split("."))
    question = struct.pack("!6H", 0, 0, 1, 0, 0, 0) + labels + b"\0" + struct.pack("!HH", 1, 0x8001)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asks:
        asks.settimeout(5)
        for _ in range(60):
            asks.sendto(question, (MULTICAST, 5353))
            try:
                answer = asks.recv(4096)
            except TimeoutError:
                continue
            # An address, in the internet.
            if found := re.search(rb"\x00\x01[\x80\x00]\x01....\x00\x04(....)", answer, re.DOTALL):
                return socket.inet_ntoa(found[1])
    raise SystemExit(f"FAIL  nobody is called {name}")


def ready():
    """Tell systemd that the radios are there, so that it may go on with the card's own services."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd:
        systemd.connect(os.environ["NOTIFY_SOCKET"].replace("@", "\0"))
        systemd.send(b"READY=1")


def prepare():
    """Make four radios: the table's own stays with NetworkManager; a router, a phone and a neighbour have one each."""
    ran("modprobe", "mac80211_hwsim", "radios=4")
    radios = sorted(Path("/sys/class/ieee80211").iterdir(), key=lambda one: int((one / "index").read_text()))
    router, phone, neighbour = (
        Station(name, radio) for name, radio in zip(("router", "phone", "neighbour"), radios[1:], strict=True)
    )
    router.opens(HOME, RIGHT, "192.168.77.1")
    router.gives_addresses("192.168.77")
    neighbour.opens("table", "anothers-secret", "192.168.88.1")
    return router, phone


def first_start(phone):
    """The own Wi-Fi opens, a phone joins it, and is asked for everything; the password is wrong."""
    ssid, password = until("the own Wi-Fi", own_wifi)
    told(f"no network is known: the table opens its own Wi-Fi, and the big screen says {ssid}, {password}")
    if not re.fullmatch(r"table-\w\w", ssid):
        raise SystemExit(f"FAIL  another table is called table, and this one {ssid}")
    told("another table of this name is in reach: the Wi-Fi has a name that tells them apart")
    router, names = phone.joins(ssid, password)
    told(f"a phone joins it with what the screen says, and is given an address by {router}")
    answer = phone.within("busybox", "nslookup", PROBE, names)
    if router not in answer.split("Name:")[-1]:
        raise SystemExit(f"FAIL  {PROBE} is not the table's: {answer}")
    text, last = phone.page(f"http://{PROBE}/generate_204", "--resolve", f"{PROBE}:80:{router}")
    if not (last.startswith("200") and 'action="/language"' in text):
        raise SystemExit(f"FAIL  the captive page: {last}")
    told(f"what a phone asks of every Wi-Fi leads to the first page: {last}")
    page = f"http://{router}"
    text, _ = phone.page(f"{page}/language", "--data", "language=en&back=/welcome/wifi")
    if f'value="{HOME}"' not in text:
        raise SystemExit(f"FAIL  {HOME} is not among the Wi-Fis: {re.findall('value=.([^>]*)', text)}")
    told(f"the second page names the Wi-Fi of the house, {HOME}")
    text, _ = phone.page(f"{page}/welcome/pin", "--data", f"ssid={HOME}&password={WRONG}")
    if 'name="pin"' not in text:
        raise SystemExit(f"FAIL  the page for the PIN: {text}")
    told("the third asks for the PIN")
    text, last = phone.page(f"{page}/welcome", "--data", f"ssid={HOME}&password={WRONG}&pin={PIN}")
    if HOME not in text:
        raise SystemExit(f"FAIL  the last page: {last}")
    shown = until("why it was not joined", lambda: own_wifi() and re.search(r'role="alert">([^<]*)<', screen()))
    told(f"the password was wrong: the own Wi-Fi is back, and the big screen says: {shown[1].strip()}")
    if own_wifi()[1] != password:
        raise SystemExit("FAIL  it has another password than before")
    return own_wifi()


def second_try(router, phone, own):
    """The phone is the host's still, and the right password brings the table into the house."""
    gate, _ = phone.joins(*own)
    text, last = phone.page(f"http://{gate}/host/machine")
    if not last.startswith("200") or HOME not in text:
        raise SystemExit(f"FAIL  the machine's page: {last}")
    told("the phone joins again by itself and is the host's; the page of the machine is there")
    wanted = json.dumps({"do": "wifi", "ssid": HOME, "password": RIGHT})
    phone.page(f"http://{gate}/api/host/machine", "--header", "Content-Type: application/json", "--data", wanted)
    until(
        "the Wi-Fi of the house",
        lambda: f"{HOME}:" in ran("nmcli", "--terse", "--fields", "NAME,DEVICE", "connection", "show", "--active"),
    )
    until("a big screen without the own one", lambda: screen() and not own_wifi())
    told(f"with the right password the table is in {HOME}")
    phone.joins(HOME, RIGHT)
    # For a few seconds the table may be called by its address of before.
    asked = (sys.executable, __file__, "ask", "table.local")
    address = until("NAME.local", lambda: re.search(r"^192\.168\.77\.\d+$", phone.within(*asked), re.MULTILINE))[0]
    text, last = phone.page(f"http://{address}/healthz")
    if not last.startswith("200"):
        raise SystemExit(f"FAIL  table.local is {address}: {last}")
    told(f"a phone in it finds table.local at {address}, and its pages")
    router.silence()
    until("the own Wi-Fi again", own_wifi)
    told("the router is switched off: the table opens its own Wi-Fi again")


def main():
    if sys.argv[1:2] == ["ask"]:
        say(asks_name(sys.argv[2]))
        return
    router, phone = prepare()
    ready()
    second_try(router, phone, first_start(phone))
    say("Proved: radios")


if __name__ == "__main__":
    main()
