"""What Home Assistant is told of a table, so that its entities appear by themselves."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

from companion.canonical import text_of
from companion.games.shelter.words import COLOURS, PHASES
from companion.games.wasteland.words import PHASES as WASTELAND_PHASES
from companion.network import topics

if TYPE_CHECKING:
    from companion.network.broker_settings import Mqtt

CAMERA: Final = ("watching", "hand", "unsure", "lost", "off")
OTHER: Final = "other"
ALL_PHASES: Final = tuple(dict.fromkeys((*PHASES, *WASTELAND_PHASES)))
"""Those of either game."""
EVENTS: Final = re.findall(
    r"\w+",
    """bot_seated built cards_edited choice_dropped choice_lost chosen corrected decided defeated device dice_unsure
    drawn dweller first frozen gained happiness healed income income_declined income_lapsed injured item
    item_discarded item_ready item_used last_round lost over paid passed placed reason recalled redone refreshed
    refused reshuffled resolved rolled round settings spawned started suggested thawed threat_defeated thrown
    trained undone won""",
)
"""Every event that a table tells; Home Assistant wants to know them beforehand."""
NONE: Final = "none"
ORIGIN: Final = {"name": "Table companion"}


def messages(settings: Mqtt, address: str = "") -> dict[str, str]:
    """Topic and payload of every entity; an empty payload takes one away that an earlier start has announced."""
    if not settings.discovery:
        return {}
    table = _Announced(settings, address)
    made = {
        **{("sensor", f"happiness_{colour}"): table.happiness(colour) for colour in COLOURS},
        ("sensor", "turn"): table.sensor("Turn", "turn", "{{ value_json.turn or 'none' }}", [*COLOURS, NONE]),
        ("sensor", "round"): table.sensor("Round", "round", "{{ value_json.round | default(0) }}"),
        ("sensor", "phase"): table.sensor("Phase", "phase", "{{ value_json.phase }}", ALL_PHASES),
        ("sensor", "camera"): {
            **table.sensor("Camera", "camera", "{{ value_json.table.camera }}", CAMERA),
            "entity_category": "diagnostic",
        },
        ("event", "last_event"): table.last_event(),
        ("button", "threats"): table.threats() if settings.allow_commands else None,
    }
    node = topics.node(settings.table)
    return {
        f"{settings.discovery}/{kind}/companion_{node}/{name}/config": "" if entity is None else text_of(entity)
        for (kind, name), entity in made.items()
    }


class _Announced:
    """One table as Home Assistant's MQTT integration wants to hear of it."""

    def __init__(self, settings: Mqtt, address: str) -> None:
        self._table = settings.table
        self._node = topics.node(settings.table)
        device = {
            "identifiers": [f"companion_{self._node}"],
            "name": settings.table,
            "manufacturer": "Table companion",
            "model": "Fallout Shelter: The Board Game",
        }
        self._device = {**device, "configuration_url": address} if address else device

    def _entity(self, name: str, key: str) -> dict[str, Any]:
        return {
            "name": name,
            "unique_id": f"companion_{self._node}_{key}",
            "availability": [self._online()],
            "availability_mode": "all",
            "device": self._device,
            "origin": ORIGIN,
        }

    def _online(self) -> dict[str, str]:
        return {"topic": topics.topic(self._table, topics.AVAILABILITY)}

    def _while(self, condition: str) -> dict[str, str]:
        """Available only while something holds in the state."""
        return {
            "topic": topics.topic(self._table, topics.STATE),
            "value_template": f"{{{{ 'online' if {condition} else 'offline' }}}}",
        }

    def sensor(self, name: str, key: str, template: str, options: tuple[str, ...] | list[str] = ()) -> dict[str, Any]:
        """A value out of the state."""
        state = topics.topic(self._table, topics.STATE)
        entity = {**self._entity(name, key), "state_topic": state, "value_template": template}
        return {**entity, "device_class": "enum", "options": list(options)} if options else entity

    def happiness(self, colour: str) -> dict[str, Any]:
        """A player's happiness, available while the colour plays; the name and the rest are attributes."""
        player = f"value_json.players.{colour}"
        template = f"{{{{ {player}.happiness }}}}"
        return {
            **self.sensor(f"{colour.capitalize()} happiness", f"happiness_{colour}", template),
            "state_class": "measurement",
            "icon": "mdi:emoticon-happy-outline",
            "json_attributes_topic": topics.topic(self._table, topics.STATE),
            "json_attributes_template": f"{{{{ {player} | default({{}}) | tojson }}}}",
            "availability": [self._online(), self._while(f"'happiness' in value_json.players.get('{colour}', {{}})")],
        }

    def last_event(self) -> dict[str, Any]:
        """What has just happened; all that is known of it are attributes."""
        known = "[" + ", ".join(f"'{name}'" for name in EVENTS) + "]"
        kind = f"value_json.event if value_json.event in {known} else '{OTHER}'"
        return {
            **self._entity("Last event", "last_event"),
            "state_topic": topics.topic(self._table, topics.EVENT),
            "event_types": [*EVENTS, OTHER],
            "value_template": f"{{{{ dict(value_json, event_type={kind}) | tojson }}}}",
        }

    def threats(self) -> dict[str, Any]:
        """The button THREATS, there to be pressed in the spawn step alone."""
        return {
            **self._entity("Threats", "threats"),
            "command_topic": topics.topic(self._table, topics.COMMAND),
            "payload_press": '{"do": "spawn"}',
            "icon": "mdi:dice-multiple",
            "availability": [self._online(), self._while("value_json.phase == 'spawn'")],
        }
