"""Every address that the documents name is one of the pages."""

import re

import pytest

from tests.docs.pages import OF_TODAY, spans

OF_THE_SYSTEM = ("/var/", "/opt/", "/etc/", "/dev/", "/proc/")


@pytest.fixture
def addresses(house):
    """What the pages answer to: a name in a place of a rule, or whatever stands there."""
    rules = [(re.sub(r"<[^>]+>", "<>", rule.rule), rule.methods) for rule in house.app.url_map.iter_rules()]
    return rules, house.app.url_map.bind("table")


def lost(text, addresses):
    """The addresses of a text that lead nowhere, or not by the verb that is told."""
    told = [re.fullmatch(r"(?:(GET|POST|PUT|DELETE) )?(/[\w/<>.-]*)", span) for span in spans(text)]
    for found in told:
        if found and not found[2].startswith(OF_THE_SYSTEM):
            verb, address = found[1], re.sub(r"<[^>]+>", "<>", found[2])
            rules, table = addresses
            named = not verb and "/" in address.strip("/") and table.test(address)
            if not named and not any(is_it(address, rule) and (not verb or verb in methods) for rule, methods in rules):
                yield found[0]


def is_it(address, rule):
    """Whether an address is a rule's, or what many rules begin with."""
    return address == rule or rule.startswith(address.rstrip("/") + "/")


def test_addresses_are_those_of_pages(addresses):
    texts = {page.name: page.read_text(encoding="utf-8") for page in OF_TODAY}
    assert [(name, one) for name, text in texts.items() for one in lost(text, addresses)] == []


def test_a_lie_is_found(addresses):
    lies = "`/hosts`, `/seat/<colour>/mist`, `GET /api/moves`, `POST /api/host/nothing`"
    assert len(list(lost(lies, addresses))) == lies.count(",") + 1
    assert not list(lost("`/host`, `/seat/<one>/missed`, `POST /api/moves`, `/api/host`, `/var/lib/x`", addresses))
