"""The house rules: options of a game, off unless said."""

from __future__ import annotations

from typing import Final

from companion.refusal import Refusal

NAMES: Final = (
    "income_automatic",
    "build_always_paid",
    "income_per_dweller",
    "happiness_limited",
    "linked_loss_injures_one",
)


class HouseRules:
    """The options that the players have agreed on."""

    def __init__(self) -> None:
        self.income_automatic = False
        self.build_always_paid = False
        self.income_per_dweller = False
        self.happiness_limited = False
        self.linked_loss_injures_one = False

    def as_json(self) -> dict[str, bool]:
        """Return the rules that are on."""
        return {name: True for name in NAMES if getattr(self, name)}


def read(raw: object) -> HouseRules:
    rules = HouseRules()
    if not isinstance(raw, dict):
        raise Refusal("malformed", None, "house_rules is not an object", field="house_rules")
    for name, value in raw.items():
        if name not in NAMES or not isinstance(value, bool):
            raise Refusal(
                "unknown_house_rule",
                None,
                f"{str(name)[:60]!r} is not a house rule that is true or false; there are: {', '.join(NAMES)}",
                field="house_rules",
                found=str(name)[:60],
            )
        setattr(rules, name, value)
    return rules
