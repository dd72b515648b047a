import pytest

from companion.cards.corrections import corrections_of
from companion.cards.loader import builtin, builtin_names
from companion.cards.overlay import HEAD_KEYS
from companion.languages.catalogues import codes


def written(tmp_path, corrections):
    path = tmp_path / f"{corrections.pack}.toml"
    path.write_text(corrections.text(), encoding="utf-8")
    return path


@pytest.mark.parametrize("pack", builtin_names())
def test_every_card_set_to_what_it_is_corrects_nothing(pack):
    corrections = corrections_of(pack, None)
    for sheet in corrections.sheets:
        corrections.set_card(sheet.id, sheet.fields)
        for language in codes():
            corrections.set_name(language, sheet.id, corrections.name(language, sheet.id))
    for name in HEAD_KEYS:
        if name != "verified":
            corrections.set_head(name, corrections.head(name))
    assert corrections.overlay == {}
    assert {sheet.id for sheet in corrections.sheets} == {card.id for card in builtin(pack).cards}


def test_what_is_corrected_is_what_a_pack_then_says(tmp_path):
    corrections = corrections_of("standard", None)
    corrections.set_card("garden", {**corrections.sheet("garden").fields, "left": "free -> 3F (letter L)", "copies": 1})
    corrections.confirm("garden", compared=True)
    corrections.set_name("en", "garden", 'Green "House"')
    corrections.set_head("columns", ["-", 3, 2, 4, 5, 6, 8, 9, 10, 11, 12, "-"])
    path = written(tmp_path, corrections)
    pack = builtin("standard", path)
    garden = next(card for card in pack.rooms if card.id == "garden")
    assert (garden.copies, garden.spaces[0].reward[0].amount) == (1, 3)
    assert pack.confirmed == {"garden"}
    assert pack.names["en"]["garden"] == 'Green "House"'
    assert pack.columns[1:3] == (3, 2)
    again = corrections_of("standard", path)
    assert again.overlay == corrections.overlay
    assert again.sheet("garden").corrected
    assert not again.sheet("lounge").corrected


def test_v2_a_room_that_loses_a_space_and_finds_it_again(tmp_path):
    corrections = corrections_of("standard", None)
    before = corrections.sheet("lounge").fields
    corrections.set_card("lounge", {**before, "right": "none"})
    path = written(tmp_path, corrections)
    assert [card.spaces[1] for card in builtin("standard", path).rooms if card.id == "lounge"] == [None]
    again = corrections_of("standard", path)
    assert again.sheet("lounge").fields == {**before, "right": "none"}
    again.set_card("lounge", before)
    assert again.overlay == {}


def test_put_back_and_taken_back_nothing_is_left(tmp_path):
    corrections = corrections_of("standard", None)
    before = corrections.sheet("raider")
    corrections.set_card("raider", {**before.fields, "space": "fight:12 -> 9H"})
    corrections.confirm("raider", compared=True)
    corrections.set_card("raider", before.fields)
    assert corrections.overlay == {"cards": {"raider": {"confirmed": True}}}
    again = corrections_of("standard", written(tmp_path, corrections))
    again.confirm("raider", compared=False)
    again.set_name("pl", "raider", "Ktoś")
    again.set_name("pl", "raider", corrections.name("pl", "raider"))
    assert again.overlay == {}
    assert builtin("standard", written(tmp_path, again)) == builtin("standard")


def test_another_effect_replaces_the_old_one_with_all_its_fields(tmp_path):
    corrections = corrections_of("standard", None)
    new = {"copies": 1, "kind": "weapon", "effect": "reroll", "use": "discard", "when": "after-roll"}
    corrections.set_card("shotgun", new)
    assert corrections.sheet("shotgun").fields == new
    shotgun = next(card for card in builtin("standard", written(tmp_path, corrections)).items if card.id == "shotgun")
    assert type(shotgun.effect).__name__ == "Reroll"


def test_there_are_no_sheets_of_cards_that_are_not_there():
    with pytest.raises(KeyError):
        corrections_of("standard", None).sheet("nothing-like-it")
