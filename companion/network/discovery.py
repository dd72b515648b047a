"""Home Assistant's discovery messages, so that a table's entities appear by themselves."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from companion.canonical import text_of
from companion.games.api import COLOURS
from companion.games.registry import DEFAULT, game_of, games
from companion.network import broker_settings
from companion.table.session.events import NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.games.api import PlayerSensor, RemoteButton
    from companion.network.broker_settings import Mqtt

CAMERA: Final = ("watching", "hand", "unsure", "lost", "off")
OTHER: Final = "other"
NONE: Final = "none"
ORIGIN: Final = {"name": "Table companion"}


def messages(settings: Mqtt, address: str = "") -> dict[str, str]:
    """Return topic and payload of every entity; an empty payload removes one that an earlier start has announced."""
    if not settings.discovery:
        return {}
    table = _Announced(settings, address)
    known = [game.announced for game in games()]
    phases = tuple(dict.fromkeys(phase for one in known for phase in one.phases))
    sensors = [(sensor, colour) for one in known for sensor in one.sensors for colour in COLOURS]
    events = sorted({*NAMES.values(), *(event for one in known for event in one.events)})
    buttons = [button for one in known for button in one.buttons]
    made: dict[tuple[str, str], dict[str, object] | None] = {
        **{("sensor", f"{sensor.field}_{colour}"): table.of_a_player(sensor, colour) for sensor, colour in sensors},
        ("sensor", "turn"): table.sensor("Turn", "turn", "{{ value_json.turn or 'none' }}", [*COLOURS, NONE]),
        ("sensor", "round"): table.sensor("Round", "round", "{{ value_json.round | default(0) }}"),
        ("sensor", "phase"): table.sensor("Phase", "phase", "{{ value_json.phase }}", phases),
        ("sensor", "camera"): {
            **table.sensor("Camera", "camera", "{{ value_json.table.camera }}", CAMERA),
            "entity_category": "diagnostic",
        },
        ("event", "last_event"): table.last_event(events),
        **{("button", one.key): table.button(one) if settings.allow_commands else None for one in buttons},
    }
    node = broker_settings.node(settings.table)
    return {
        f"{settings.discovery}/{kind}/companion_{node}/{name}/config": "" if entity is None else text_of(entity)
        for (kind, name), entity in made.items()
    }


class _Announced:
    """The discovery messages of one table."""

    def __init__(self, settings: Mqtt, address: str) -> None:
        self._table = settings.table
        self._node = broker_settings.node(settings.table)
        device = {
            "identifiers": [f"companion_{self._node}"],
            "name": settings.table,
            "manufacturer": "Table companion",
            "model": game_of(DEFAULT).title,
        }
        self._device = {**device, "configuration_url": address} if address else device

    def _entity(self, name: str, key: str) -> dict[str, object]:
        return {
            "name": name,
            "unique_id": f"companion_{self._node}_{key}",
            "availability": [self._online()],
            "availability_mode": "all",
            "device": self._device,
            "origin": ORIGIN,
        }

    def _online(self) -> dict[str, str]:
        return {"topic": broker_settings.topic(self._table, broker_settings.AVAILABILITY)}

    def _while(self, condition: str) -> dict[str, str]:
        """Return an availability: only while something holds in the state."""
        return {
            "topic": broker_settings.topic(self._table, broker_settings.STATE),
            "value_template": f"{{{{ 'online' if {condition} else 'offline' }}}}",
        }

    def sensor(
        self, name: str, key: str, template: str, options: tuple[str, ...] | list[str] = ()
    ) -> dict[str, object]:
        """Return a sensor with a value out of the state."""
        state = broker_settings.topic(self._table, broker_settings.STATE)
        entity = {**self._entity(name, key), "state_topic": state, "value_template": template}
        return {**entity, "device_class": "enum", "options": list(options)} if options else entity

    def of_a_player(self, sensor: PlayerSensor, colour: str) -> dict[str, object]:
        """Return a number of a player, available while the colour plays; the name and the rest are attributes."""
        field, player = sensor.field, f"value_json.players.{colour}"
        label = f"{colour.capitalize()} {sensor.label}"
        return {
            **self.sensor(label, f"{field}_{colour}", f"{{{{ {player}.{field} }}}}"),
            "state_class": "measurement",
            "icon": sensor.icon,
            "json_attributes_topic": broker_settings.topic(self._table, broker_settings.STATE),
            "json_attributes_template": f"{{{{ {player} | default({{}}) | tojson }}}}",
            "availability": [self._online(), self._while(f"'{field}' in value_json.players.get('{colour}', {{}})")],
        }

    def last_event(self, names: Sequence[str]) -> dict[str, object]:
        """Return an entity for the last event; all that is known of it are attributes."""
        known = "[" + ", ".join(f"'{name}'" for name in names) + "]"
        kind = f"value_json.event if value_json.event in {known} else '{OTHER}'"
        return {
            **self._entity("Last event", "last_event"),
            "state_topic": broker_settings.topic(self._table, broker_settings.EVENT),
            "event_types": [*names, OTHER],
            "value_template": f"{{{{ dict(value_json, event_type={kind}) | tojson }}}}",
        }

    def button(self, button: RemoteButton) -> dict[str, object]:
        """Return a button for a move, available in its phase alone."""
        return {
            **self._entity(button.label, button.key),
            "command_topic": broker_settings.topic(self._table, broker_settings.COMMAND),
            "payload_press": json.dumps(button.move),
            "icon": button.icon,
            "availability": [self._online(), self._while(f"value_json.phase == '{button.phase}'")],
        }
