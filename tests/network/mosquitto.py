"""A real broker of the tests' own, on a free port of loopback: started, killed and started again."""

import json
import os
import queue
import shutil
import socket
import subprocess
import threading

from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

MOSQUITTO = shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")
WAIT = 30


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Mosquitto:
    """A broker. What it had retained is gone after a kill unless it persists; tests take the harder case."""

    def __init__(self, folder, *lines, anonymous=True):
        self.port = free_port()
        self.folder = folder
        self.process = None
        self.config = folder / f"mosquitto-{self.port}.conf"
        allow = f"allow_anonymous {'true' if anonymous else 'false'}"
        # Started by root it would become another user, who may not read what a test has written.
        user = ["user root"] if os.geteuid() == 0 else []
        text = "\n".join([f"listener {self.port} 127.0.0.1", allow, *user, *lines, ""])
        self.config.write_text(text, encoding="utf-8")
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [MOSQUITTO, "-v", "-c", self.config], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        self.log = []
        while "running" not in (line := self.process.stderr.readline()):
            self.log.append(line)
            if not line:
                self.process.stderr.close()
                raise AssertionError(self.log)
        self.reader = threading.Thread(target=self._read, args=(self.process.stderr,), daemon=True)
        self.reader.start()

    def _read(self, stream):
        for line in stream:
            self.log.append(line)

    def kill(self):
        """As when somebody pulls its plug: no goodbye, no saving."""
        if self.process is not None:
            self.process.kill()
            self.process.wait(WAIT)
            self.reader.join(WAIT)
            self.process.stderr.close()
            self.process = None

    @property
    def url(self):
        return f"mqtt://127.0.0.1:{self.port}"


class Ear:
    """Somebody else at the broker, with a client of their own: hears everything and says what it likes."""

    def __init__(self, port, *topics, username=None, password=None):
        self.heard = queue.SimpleQueue()
        self.all = []
        self.subscribed = threading.Event()
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        self.client.username_pw_set(username, password)
        self.client.on_connect = lambda client, *_: client.subscribe([(topic, 1) for topic in topics or ["#"]])
        self.client.on_subscribe = lambda *_: self.subscribed.set()
        self.client.on_message = lambda _client, _data, message: self.heard.put(message)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        assert self.subscribed.wait(WAIT)

    def say(self, topic, payload, *, retain=False):
        if not isinstance(payload, str | bytes):
            payload = json.dumps(payload)
        self.client.publish(topic, payload, qos=1, retain=retain).wait_for_publish(WAIT)

    def until(self, wanted):
        """The first message that is wanted, from here on."""
        while True:
            message = self.heard.get(timeout=WAIT)
            self.all.append(message)
            if wanted(message):
                return message

    def on(self, topic, wanted=bool):
        """The next JSON on a topic that is wanted."""
        return json.loads(self.until(lambda one: one.topic == topic and wanted(json.loads(one.payload))).payload)

    def the_state_of(self, place):
        """The newest state of a table, as it is now."""
        topic = f"companion/{place.name}/state"
        self.until(lambda one: one.topic == topic and one.payload.decode() == place.snapshots.latest.text)

    def close(self):
        self.client.disconnect()
        self.client.loop_stop()
