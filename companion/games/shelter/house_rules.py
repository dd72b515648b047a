"""The house rules: what the players may agree on, all off unless said."""

from __future__ import annotations

from dataclasses import dataclass, fields

from companion.refusal import Refusal


@dataclass(eq=False)
class HouseRules:
    """One field a rule; forms, corrections and the API find it here, its words are `rule_<name>` of the pages."""

    income_automatic: bool = False
    """Income is always taken, and never asked."""
    build_always_paid: bool = False
    """Every build is paid for, those that a card gives as well."""
    income_per_dweller: bool = False
    """Two dwellers on a linked space bring their host income twice."""
    happiness_limited: bool = False
    """Happiness ends with the tokens of the box."""
    linked_loss_injures_one: bool = False
    """A fight that two dwellers lose injures one of them."""

    def as_json(self) -> dict[str, bool]:
        """Return the rules that are on."""
        return {name: True for name in HOUSE_RULES if getattr(self, name)}


HOUSE_RULES = tuple(field.name for field in fields(HouseRules))


def read(raw: object) -> HouseRules:
    rules = HouseRules()
    if not isinstance(raw, dict):
        raise Refusal("malformed", None, "house_rules is not an object", field="house_rules")
    for name, value in raw.items():
        if name not in HOUSE_RULES or not isinstance(value, bool):
            raise Refusal(
                "unknown_house_rule",
                None,
                f"{str(name)[:60]!r} is not a house rule that is true or false; there are: {', '.join(HOUSE_RULES)}",
                field="house_rules",
                found=str(name)[:60],
            )
        setattr(rules, name, value)
    return rules
