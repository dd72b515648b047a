"""A card is edited by its icons: without a script every tap is a form's button; nothing is kept before it is sent."""

import html
import io
import re

import numpy as np
import pytest
from at_the_door import BEARER, tight
from PIL import Image
from test_cards import change, fields, pack_of

from companion.cards.assemble import PARAMETERS
from companion.cards.loader import builtin, overlay_path
from companion.languages.catalogues import codes

GARDEN = "/host/cards/standard/garden"


class Edited:
    """The page of a card as somebody without a script has it: a form, and what its buttons lead to."""

    def __init__(self, house, path, language="en"):
        self.client, self.path = house.client(), path
        self.headers = {**BEARER, "Accept-Language": language}
        self.page = self.client.get(path, headers=self.headers).text

    @property
    def buttons(self):
        found = re.findall(r'<button name="tap"([^>]*)>', tight(self.page))
        return {
            re.search(r'id="([^"]+)"', tag)[1]: html.unescape(re.search(r'value="([^"]*)"', tag)[1]) for tag in found
        }

    @property
    def fields(self):
        return fields(self.page)

    @property
    def picture(self):
        return html.unescape(re.search(r'id="picture"\s+src="([^"]+)"', self.page)[1])

    @property
    def said(self):
        return html.unescape(re.search(r'alt="([^"]+)"', self.page)[1])

    def tap(self, *ids, **typed):
        for id_ in ids:
            self.send(tap=self.buttons[id_], **typed)
        return self

    def send(self, **more):
        sent = {name: value for name, value in {**self.fields, **more}.items() if value}
        answer = self.client.post(f"{self.path}/draft", data=sent, headers=self.headers)
        assert answer.status_code == 200, answer.text[:300]
        self.page = answer.text
        return self

    def faults(self):
        return dict(re.findall(r'class="fault"\s+id="fault-(\w+)"[^>]*>([^<]+)<', html.unescape(self.page)))

    def keep(self):
        sent = {name: value for name, value in self.fields.items() if value}
        return self.client.post(self.path, data=sent, headers=self.headers)


def drawn(house, address):
    answer = house.client().get(address, headers=BEARER)
    assert (answer.status_code, answer.mimetype) == (200, "image/png")
    return np.asarray(Image.open(io.BytesIO(answer.data)).convert("RGB")).astype(int)


def differ(one, other):
    """The part of a picture, from the left and from the top, where two differ."""
    places = np.argwhere((abs(one - other) > 130).any(axis=2)) / one.shape[:2]
    return places.min(axis=0), places.max(axis=0)


def test_taps_change_the_text_and_the_picture_and_keep_nothing(house):
    card = Edited(house, GARDEN)
    before = drawn(house, card.picture)
    card.tap("left-reward-0-more", "left-cost-add-0", "left-letter-P")
    assert card.fields["left"] == "1W -> 3F (letter P)"
    after = drawn(house, card.picture)
    (top, left), (low, right) = differ(before, after)
    assert top > 0.35, "the name and the tag stay"
    assert left < 0.2
    assert right < 0.5 < low, "only the left space has changed"
    assert "Left space: costs water, gives 3 food, Perception" in card.said
    assert not overlay_path(house.folder, "standard").exists()
    assert card.keep().status_code == 303
    garden = next(room for room in pack_of(house).rooms if room.id == "garden")
    assert garden.spaces[0].letter == "P"
    assert garden.spaces[0].reward[0].amount == 3


def test_icons_and_text_are_in_step_both_ways(house):
    card = Edited(house, GARDEN).send(left="fight:9 item -> 1W<->2F train:S (linked)")
    assert {
        "left-cost-0-more",
        "left-cost-1-drop",
        "left-reward-0-right-less",
        "left-reward-1-L",
    } <= card.buttons.keys()
    card.tap("left-cost-0-less", "left-reward-0-left-other", "left-reward-1-any", "left-linked", "left-injured")
    assert card.fields["left"] == "fight:8 item -> 1E<->2F train (injured only)"
    assert "left-cost-add-7" not in card.buttons, "there is one fight"
    card.tap("left-cost-0-drop", "left-reward-1-drop")
    assert card.fields["left"] == "item -> 1E<->2F (injured only)"


@pytest.mark.parametrize("language", codes())
def test_a_fault_is_said_beside_its_part_in_words(house, language):
    card = Edited(house, GARDEN, language).tap("left-cost-add-6")
    assert card.fields["left"].startswith("pay-room ->")
    assert card.faults().keys() == {"left"}
    assert "card_" not in card.faults()["left"]
    assert "fault_" not in card.faults()["left"]
    assert "left-cost-0-drop" in card.buttons, "its icons are still there"
    card.tap("left-reward-add-9")
    assert card.faults() == {}
    card.send(left="2W 3 -> 1H", copies="500", build="gold")
    assert card.faults().keys() == {"left", "copies", "build"}
    assert "0-99" in card.faults()["copies"]
    assert card.buttons.keys() & {"left-clear", "left-cost-0-more"} == {"left-clear"}
    assert card.tap("left-clear").fields["left"] == "free -> nothing"
    both = Edited(house, GARDEN, language).tap("left-space", "right-space")
    assert both.faults().keys() == {"left"}
    assert both.fields["right"] == "none"
    assert both.keep().status_code == 400


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2W - 3F", "From “- 3F” on, this is not understood."),
        ("2W ->", "Something is missing at the end."),
        ("19W -> 1H", "An amount is from 1 to 18."),
        ("fight:13 -> 1H", "A fight is from 2 to 12."),
        ("free -> 1W<->2W", "An exchange needs two different resources."),
        ("pay-room pay-room -> build", "A room\N{RIGHT SINGLE QUOTATION MARK}s price is paid once"),
    ],
)
def test_what_is_typed_wrong_is_said_in_words(house, text, said):
    card = Edited(house, GARDEN).send(right=text)
    assert card.faults()["right"].startswith(said)
    assert card.fields["right"] == text, "what was typed stays"
    drawn(house, card.picture)


def test_a_picture_shows_a_part_that_is_not_understood_as_it_counts_now(house):
    card = Edited(house, GARDEN)
    before = drawn(house, card.picture)
    assert (drawn(house, card.send(left="gold -> 1H").picture) == before).all()
    both = card.send(left="gold -> 1H", right="free -> 5E")
    assert not (drawn(house, both.picture) == before).all()


@pytest.mark.parametrize("effect", PARAMETERS)
def test_an_effect_that_is_chosen_has_all_that_it_needs(house, effect):
    card = Edited(house, "/host/cards/standard/shotgun").tap(f"effect-{effect}", "kind-pet")
    assert card.faults() == {}
    shown = set(PARAMETERS[effect]) - ({"amount"} if effect == "action" else set())
    assert {name for name in PARAMETERS[effect] if f'id="part-{name}"' in card.page} == shown
    drawn(house, card.picture)
    assert card.keep().status_code == 303
    shotgun = next(item for item in pack_of(house).items if item.id == "shotgun")
    assert (shotgun.effect.kind, shotgun.kind) == (effect, "pet")


def test_every_figure_of_an_effect_is_set_by_taps(house):
    card = Edited(house, "/host/cards/standard/shotgun")
    card.tap("effect-exchange", "pay-build" if "pay-build" in card.buttons else "effect-exchange")
    card.tap("pay-one-add-2", "pay-one-0-more", "gain-one-add-0", "gain-one-0-more", "gain-one-0-more", "use-discard")
    assert (card.fields["pay"], card.fields["gain"], card.fields["use"]) == ("2E", "3W", "discard")
    card.tap("effect-score_per", "counted-pets", "per-more", "happiness-more", "happiness-more", "happiness-less")
    assert card.fields["use"] == "passive"
    assert (card.fields["counted"], card.fields["per"], card.fields["happiness"]) == ("pets", "2", "2")
    card.tap("effect-letter", "letter-of-the-threat", "pay-one-add-1")
    assert (card.fields["letter"], card.fields["pay"]) == ("of-the-threat", "1F")
    assert card.tap("pay-one-0-drop").faults() == {}
    assert card.fields["pay"] == ""
    card.tap("effect-action", "action-discount", "amount-more")
    assert card.fields["amount"] == "2"
    card.tap("effect-roll_bonus", "bonus-more", "copies-more")
    assert (card.fields["bonus"], card.faults()) == ("2", {})


@pytest.mark.parametrize(
    "tap",
    ["left", "left cost", "left cost add gold", "left cost drop 7", "copies set many", "copies set -1", "roof set 1",
     "effect set reroll", "build one put 0 1H", "left one add 1W", "x" * 500, "build one add 1W<->1F"],
)  # fmt: skip
def test_what_no_button_says_is_refused(house, tap):
    card = Edited(house, GARDEN)
    answer = card.client.post(f"{GARDEN}/draft", data={**card.fields, "tap": tap}, headers=BEARER)
    assert (answer.status_code, answer.json["error"]["code"]) == (400, "malformed")


def test_drafts_and_pictures_are_the_hosts(house):
    assert house.client().post(f"{GARDEN}/draft", data={}).status_code == 401
    assert house.client().get(f"{GARDEN}.png").status_code == 401
    for path in ("/host/cards/standard/none.png", "/host/cards/none/garden.png"):
        assert house.client().get(path, headers=BEARER).status_code == 404


def test_a_card_that_an_owner_has_added_is_edited_and_drawn_like_any_other(house):
    added = house.client().post(f"{GARDEN}/like", headers=BEARER).location.partition("?")[0]
    card = Edited(house, added).tap("left-reward-0-more", "copies-more")
    assert (card.fields["left"], card.fields["copies"]) == ("free -> 3F (letter L)", "2")
    drawn(house, card.picture)
    assert card.keep().status_code == 303
    kept = next(room for room in pack_of(house).rooms if added.endswith(f"/{room.id}"))
    assert (kept.spaces[0].reward[0].amount, kept.copies) == (3, 2)


def test_a_name_that_does_not_fit_is_drawn_cut(house):
    drawn(house, f"{GARDEN}.png?left=free+-%3E+1H&name={'W' * 119}")
    drawn(house, f"{GARDEN}.png?name={'%D0%96' * 30}")


@pytest.mark.long
@pytest.mark.parametrize("pack", ["standard", "homemade"])
def test_every_card_is_drawn_and_nothing_of_it_is_at_fault(house, pack):
    for one in builtin(pack).cards:
        card = Edited(house, f"/host/cards/{pack}/{one.id}")
        assert card.faults() == {}
        drawn(house, card.picture)


def test_a_correction_by_the_form_is_still_one_request(house):
    assert change(house, GARDEN, right="1F -> 2H").status_code == 303
    assert Edited(house, GARDEN).fields["right"] == "1F -> 2H"
