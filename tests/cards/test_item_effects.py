"""What an item does is described once: cards, pages, printed sheets and bots need no code of their own for it."""

import shutil
import string
from dataclasses import dataclass, fields

import pytest

from companion.bots.worth.prospects import TIE_BREAK, item_worth
from companion.bots.worth.weights import Weights
from companion.cards import assemble, item_effects
from companion.cards import effects as fx
from companion.cards.corrections import FIELDS, Sheet
from companion.cards.item_effects import sentence_of
from companion.cards.pack import ItemCard, PackFaults
from companion.games.shelter.cards.box import ItemKind
from companion.languages import catalogues
from companion.pieces.drawing.shapes import shapes
from companion.pieces.drawing.signs import PrintedWords, effect_signs
from tests.cards.test_loader import SMALL, corrected
from web.base.words import words_in
from web.pages.cards import forms

WATER, FOOD, _ = fx.Resource
EXAMPLES = {
    int: [1, 3],
    fx.Letter | None: [fx.Letter.S, None],
    fx.Pay: [fx.Pay(WATER)],
    fx.Pay | None: [fx.Pay(WATER), None],
    fx.Gain: [fx.Gain(FOOD, 2)],
    item_effects.Action: [*item_effects.Action],
    item_effects.Counted: [*item_effects.Counted],
}
"""Figures that an effect may have, by their type."""


def examples(kind):
    """An effect with every figure that one of its fields may have, the others as they come first."""
    effect, types = item_effects.EFFECTS[kind], assemble.parameters_of(item_effects.EFFECTS[kind])
    usual = {name: EXAMPLES[wanted][0] for name, wanted in types.items()} | {"use": effect.uses[0]}
    figures = [("use", use) for use in effect.uses]
    figures += [(name, value) for name, wanted in types.items() for value in EXAMPLES[wanted]]
    return [effect(**(usual | {name: value})) for name, value in figures]


ALL = [effect for kind in item_effects.EFFECTS for effect in examples(kind)]


@pytest.mark.parametrize("code", catalogues.codes())
def test_every_effect_has_its_sentence_on_pages_and_cards(code):
    for effect in ALL:
        for text in (words_in(code).text, PrintedWords.of(code, {}).say):
            assert "{" not in sentence_of(effect, text)
            assert sentence_of(effect, text)[-1] == "."


def test_a_sentence_has_no_figure_that_its_effect_has_not():
    texts = catalogues.texts("en", "pages")
    for effect in ALL:
        said = {name for _, name, _, _ in string.Formatter().parse(texts[f"effect_{effect.sentence}"]) if name}
        assert said <= {one.name for one in fields(effect)}


@pytest.mark.parametrize("code", catalogues.codes())
def test_every_effect_and_every_field_of_it_is_named_in_the_form(code):
    texts = catalogues.texts(code, "pages").keys()
    assert {f"sheet_effect_{kind}" for kind in item_effects.EFFECTS} <= texts
    assert {f"sheet_{name}" for name in FIELDS["item"] if name != "when"} <= texts


def test_every_effect_is_drawn_with_signs_that_there_are():
    drawn = {sign.shape for effect in ALL for sign in effect_signs(effect)}
    assert drawn <= shapes().keys()


@dataclass(frozen=True, slots=True)
class Umbrella(item_effects.BaseEffect):
    """No wind of the wasteland blows it away."""

    kind = "umbrella"
    when = item_effects.EffectTime.ANY_TIME

    use: item_effects.Use
    size: int
    gain: fx.Gain

    def drawn(self):
        return (item_effects.EffectSign("shelter", f"{self.size}"), self.gain)


@pytest.fixture
def umbrella(monkeypatch):
    monkeypatch.setitem(item_effects.EFFECTS, "umbrella", Umbrella)
    monkeypatch.setitem(assemble.PARAMETERS, "umbrella", assemble.parameters_of(Umbrella))
    return Umbrella(item_effects.Use.EXHAUST, 3, fx.Gain(WATER, 2))


@pytest.fixture
def pack(tmp_path):
    return shutil.copytree(SMALL, tmp_path / "pack")


UMBRELLA = '[cards.apron]\neffect = "umbrella"\nuse = "exhaust"\nwhen = "any-time"\nsize = 3\ngain = "2W"\n'


def test_an_effect_that_nobody_else_knows_is_read_from_its_card(pack, umbrella):
    assert corrected(pack, UMBRELLA).items[1].effect == umbrella


@pytest.mark.parametrize(
    ("line", "wrong", "expected"),
    [
        ('use = "exhaust"', 'use = "passive"', "one of exhaust, discard"),
        ('when = "any-time"', 'when = "build"', "any-time"),
        ("size = 3", "size = 11", "a whole number from 1 to 10"),
        ("size = 3\n", "", "size = ..."),
        ('gain = "2W"', 'gain = "2W"\npay = "1F"', "one of"),
    ],
)
@pytest.mark.usefixtures("umbrella")
def test_a_wrong_field_of_it_is_a_fault(pack, line, wrong, expected):
    with pytest.raises(PackFaults, match=f"apron: found .*expected {expected}"):
        corrected(pack, UMBRELLA.replace(line, wrong))


def test_it_is_said_drawn_and_corrected(umbrella):
    texts = {"effect_umbrella": "Keeps {size} dry for {gain}."}
    words = words_in("en").with_texts(texts)
    assert sentence_of(umbrella, words.text) == "Keeps 3 dry for 2 Water. Exhausts."
    assert [(sign.shape, sign.note) for sign in effect_signs(umbrella)] == [
        ("exhaust", ""),
        ("to", ""),
        ("shelter", "3"),
        ("water", "2"),
    ]
    sheet = Sheet("apron", "item", {}, {}, confirmed=False)
    sent = {"kind": "other", "effect": "umbrella", "use": "exhaust", "gain": "2W", "bonus": "4"}
    assert forms.read(sheet, sent) == {
        "kind": "other",
        "effect": "umbrella",
        "use": "exhaust",
        "when": "any-time",
        "gain": "2W",
    }


def test_a_bot_takes_it_for_as_much_help_as_a_pet(umbrella):
    kind = ItemKind(0, ItemCard("umbrella", 1, item_effects.ItemFamily.OTHER, umbrella))
    weights = Weights()
    assert item_worth(None, 0, kind, 2.0, weights) == pytest.approx(TIE_BREAK + weights.pet * 2.5)
