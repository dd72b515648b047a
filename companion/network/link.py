"""A connection to an MQTT broker that retries with back-off, and reports each trouble once."""

from __future__ import annotations

import random
import select
import socket
import ssl
import struct
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from paho.mqtt import MQTTException
from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.table.ports import Hint

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from paho.mqtt.client import ConnectFlags, DisconnectFlags
    from paho.mqtt.reasoncodes import ReasonCode

    from companion.network.broker_settings import Broker


MOST: Final = 20
"""So many different messages about one matter are quoted, then no more."""


def on_stderr(line: str) -> None:
    """Print a line for the log."""
    sys.stderr.write(line + "\n")


class OnceLog:
    """Reports each message about a matter a single time, until the matter is settled."""

    def __init__(self, say: Callable[[str], None] = on_stderr, matter: str = "MQTT") -> None:
        self._say = say
        self._matter = matter
        self._said: dict[str, set[str]] = {}

    def say(self, about: str, line: str) -> None:
        """Report it, unless it was reported."""
        said = self._said.setdefault(about, set())
        if line not in said and len(said) < MOST:
            said.add(line)
            self._say(f"{self._matter}: {line}")

    def settled(self, about: str) -> None:
        """Report it again from here on."""
        self._said.pop(about, None)


KEEPALIVE: Final = 15
LARGEST_IN: Final = 1024 * 1024
"""Bytes of a message: the broker is asked for no larger ones, and hung up on where it sends them all the same."""
PIECE: Final = 64 * 1024
FAILED: Final = 0x80
NOT_LET_IN: Final = Hint(
    "broker_not_let_in", "the broker does not let us in: username or password are wrong or missing"
)
REFUSED: Final = {
    0x84: Hint("broker_old", "the broker is too old: it does not speak MQTT 5 (Mosquitto does from 1.6 on)"),
    0x86: NOT_LET_IN,
    0x87: NOT_LET_IN,
    0x95: Hint("broker_large", "a message was too large for the broker"),
}


@dataclass(frozen=True, slots=True)
class BackOff:
    """The back-off: how long to wait before the next retry, doubled each time until a connection has lasted."""

    least: float = 1.0
    most: float = 60.0
    lasting: float = 30.0


class Listener(Protocol):
    """What a link calls, in its own thread, which must not be kept waiting."""

    def up(self, largest: int | None) -> None:
        """The broker has accepted us; it takes no messages beyond `largest` bytes."""
        ...

    def down(self, hint: str) -> None:
        """The broker is away or refuses us: why, and what to do."""
        ...

    def heard(self, topic: str, payload: bytes, *, retained: bool, data: bytes) -> None:
        """A message has come; an answer to it carries `data` back."""
        ...

    def acknowledged(self, number: int, refusal: str | None) -> None:
        """The broker has a message now, or refuses it."""
        ...


def tls_context(broker: Broker) -> ssl.SSLContext:
    """Return whom a table trusts. A home's authority is accepted as `openssl` makes it: newer Pythons demand more."""
    context = ssl.create_default_context(cafile=broker.ca)
    if broker.ca is not None:
        context.verify_flags &= ~ssl.VERIFY_X509_STRICT
    return context


class TooMuchError(Exception):
    """A broker sends more than it was asked for."""


SENT: Final = (OSError, ValueError, IndexError, struct.error, MQTTException, TooMuchError)
"""What comes of bytes that are no MQTT, be it from another server at that port; everything else is a bug."""


class BoundedClient(Client):
    """paho tells the broker how large a message may be, and would take one of 256 MB that comes all the same.

    It also keeps messages of the highest quality, to which nobody here subscribes, until the broker confirms them.
    """

    def _sock_recv(self, bufsize: int) -> bytes:
        expected = self._in_packet["remaining_length"]
        if expected > LARGEST_IN:
            raise TooMuchError(f"a message of {expected} bytes")
        if self._in_messages:
            raise TooMuchError("messages of a quality that nobody has asked for")
        return super()._sock_recv(min(bufsize, PIECE))


class Link:
    """The connection, from `start` to `stop`."""

    def __init__(
        self,
        broker: Broker,
        name: str,
        listener: Listener,
        subscriptions: Sequence[str],
        *,
        will: tuple[str, str] | None = None,
        pauses: BackOff | None = None,
    ) -> None:
        self._broker = broker
        self._listener = listener
        self._subscriptions = subscriptions
        self._pauses = pauses or BackOff()
        self._bugs = OnceLog(matter="a bug in what hears the broker, which is left out")
        self._faults = OnceLog(matter="the broker's library fails in a way that is not known; it is tried again")
        self._hint = ""
        self._stopping = threading.Event()
        self._wake_socket: socket.socket | None = None
        self._waker: socket.socket | None = None
        self._client = self._prepared(name, will)
        self._thread = threading.Thread(target=self._run, name=f"mqtt {name}", daemon=True)

    def _prepared(self, name: str, will: tuple[str, str] | None) -> Client:
        broker = self._broker
        client = BoundedClient(CallbackAPIVersion.VERSION2, name, protocol=MQTTv5, reconnect_on_failure=False)
        client.username_pw_set(broker.username, broker.password)
        if broker.tls:
            client.tls_set_context(tls_context(broker))
        if will is not None:
            client.will_set(*will, qos=1, retain=True)
        client.on_connect = self._on_connect
        client.on_disconnect = self._on_disconnect
        client.on_message = self._on_message
        client.on_publish = self._on_publish
        client.on_socket_register_write = self._wake
        return client

    def start(self) -> None:
        """Begin to connect; nobody waits for it."""
        self._wake_socket, self._waker = socket.socketpair()
        self._thread.start()

    def stop(self, patience: float = 5.0) -> None:
        """Disconnect and end; a broker that does not listen is left behind."""
        self._stopping.set()
        try:
            self._client.disconnect()
        except Exception:  # noqa: BLE001 - whatever the library raises, the thread ends, and the connection with it
            self._faults.say("disconnect", traceback.format_exc())
        self._wake()
        if self._thread.is_alive():
            self._thread.join(patience)
        for end in (self._wake_socket, self._waker):
            if end is not None:
                end.close()

    def publish(self, topic: str, payload: str | bytes, *, retain: bool = False, data: bytes = b"") -> int:
        """Queue a message; its number comes back by `acknowledged`, if need be behind a lost connection."""
        properties = None
        if data:
            properties = _properties(PacketTypes.PUBLISH, CorrelationData=data)
        return self._client.publish(topic, payload, qos=1, retain=retain, properties=properties).mid

    # --- the thread ---------------------------------------------------------------------------------------------------

    def _run(self) -> None:
        pause = self._pauses.least
        while not self._stopping.is_set():
            began = time.monotonic()
            self._hint = ""
            hint = self._connected() or self._hint
            if self._stopping.is_set():
                return
            gone = Hint("broker_hung_up", "the broker at {broker} has hung up: see its log", broker=self._broker)
            self._tell(self._listener.down, hint or gone)
            if time.monotonic() - began >= self._pauses.lasting:
                pause = self._pauses.least
            self._stopping.wait(pause * random.uniform(0.75, 1.25))
            pause = min(2 * pause, self._pauses.most)

    def _connected(self) -> str:
        """Connect and stay; return why it has ended, where that is known."""
        limit = _properties(PacketTypes.CONNECT, MaximumPacketSize=LARGEST_IN)
        try:
            self._client.connect(self._broker.host, self._broker.port, KEEPALIVE, clean_start=True, properties=limit)
        except ssl.SSLCertVerificationError as error:
            return _untrusted(self._broker, error.verify_message)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
            return _absent(self._broker, reason)
        except Exception as error:  # noqa: BLE001 - whatever the library raises, it is tried again later
            self._faults.say("connect", traceback.format_exc())
            return _absent(self._broker, f"{type(error).__name__}: {str(error)[:80]}")
        try:
            self._stay()
        except SENT as error:
            return _no_mqtt(self._broker, f"{type(error).__name__}: {str(error)[:80]}")
        except Exception as error:  # noqa: BLE001 - whatever the library raises, it ends its connection and nothing else
            self._faults.say("stay", traceback.format_exc())
            return _no_mqtt(self._broker, f"{type(error).__name__}: {str(error)[:80]}")
        return ""

    def _stay(self) -> None:
        client, code, waker = self._client, MQTTErrorCode.MQTT_ERR_SUCCESS, self._wake_socket
        while waker is not None and code == MQTTErrorCode.MQTT_ERR_SUCCESS:
            found = client.socket()
            if found is None:
                return
            waiting = getattr(found, "pending", int)() > 0
            readable, _, _ = select.select(
                [found, waker], [found] if client.want_write() else [], [], 0 if waiting else 1.0
            )
            if waker in readable:
                waker.recv(4096)
            if (waiting or found in readable) and client.loop_read() == MQTTErrorCode.MQTT_ERR_PROTOCOL:
                self._hint = self._hint or _no_mqtt(self._broker, "MQTT_ERR_PROTOCOL")
            if client.socket() is not None and client.want_write():
                client.loop_write()
            code = client.loop_misc()

    def _wake(self, *_: object) -> None:
        """Wake the thread from its socket: there is something to send."""
        if self._waker is not None:
            with suppress(OSError):
                self._waker.send(b"!", socket.MSG_DONTWAIT)

    # --- what paho tells ----------------------------------------------------------------------------------------------

    def _on_connect(
        self, client: Client, _data: object, _flags: ConnectFlags, reason: ReasonCode, properties: Properties | None
    ) -> None:
        if reason.is_failure:
            self._hint = _reason_hint(reason)
            return
        if self._subscriptions:
            client.subscribe([(topic, SubscribeOptions(qos=1, noLocal=True)) for topic in self._subscriptions])
        self._tell(self._listener.up, getattr(properties, "MaximumPacketSize", None))

    def _on_disconnect(
        self,
        _client: Client,
        _data: object,
        _flags: DisconnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if not self._hint and reason.value in REFUSED:
            self._hint = _reason_hint(reason)

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        answer = getattr(message.properties, "CorrelationData", b"")
        try:
            topic = message.topic
        except UnicodeDecodeError:
            return
        self._tell(self._listener.heard, topic, bytes(message.payload), retained=message.retain, data=bytes(answer))

    def _on_publish(
        self, _client: Client, _data: object, number: int, reason: ReasonCode, _properties: Properties | None
    ) -> None:
        self._tell(self._listener.acknowledged, number, str(reason) if reason.value >= FAILED else None)

    def _tell(self, whom: Callable[..., None], *what: object, **more: object) -> None:
        """Call the listener; a bug of it is traced, once, and not blamed on the broker.

        It does not end the companion, as bugs elsewhere do: a message that the broker keeps would find it again at
        every start, and nobody could play.
        """
        try:
            whom(*what, **more)
        except Exception:  # noqa: BLE001 - whatever it is, it is ours and no reason to hang up
            self._bugs.say("bug", traceback.format_exc())


def _properties(kind: int, **values: object) -> Properties:
    made: Properties = Properties(kind)  # type: ignore[no-untyped-call]
    for name, value in values.items():
        setattr(made, name, value)
    return made


# --- what stands in the way -------------------------------------------------------------------------------------------


def _absent(broker: Broker, why: str) -> Hint:
    return Hint(
        "broker_absent",
        "no broker at {broker} ({why}): is it running, and is the address right?",
        broker=broker,
        why=why,
    )


def _untrusted(broker: Broker, why: str) -> Hint:
    return Hint(
        "broker_untrusted",
        "the certificate of {broker} is not trusted ({why}): see the setting ca",
        broker=broker,
        why=why,
    )


def _no_mqtt(broker: Broker, why: str) -> Hint:
    return Hint("broker_no_mqtt", "what {broker} sends is no MQTT ({why})", broker=broker, why=why)


def _reason_hint(reason: ReasonCode) -> Hint:
    return REFUSED.get(reason.value) or Hint("broker_says", "the broker says: {why}", why=reason)
