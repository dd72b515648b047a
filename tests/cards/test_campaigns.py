"""Campaigns as files: ours, an owner's, and faults that are refused with file, line and reason."""

import pytest
from click.testing import CliRunner

from companion.cards.evenings.campaigns import EVENINGS, FOLDER, call_of, campaigns, our_campaigns
from companion.cards.evenings.house_calls import as_json, from_json
from companion.cards.pack import PackFaults
from companion.cli import main
from companion.languages import catalogues

EVENING = """
[[evening]]
together = "easy"
names = { en = "An evening" }
effects = [{ do = "tough" }]
won = [{ do = "gift", of = "food" }]
"""
GOOD = 'id = "summer"\nnames = { en = "Summer", pl = "Lato" }\n' + EVENING * EVENINGS


def written(tmp_path, text):
    folder = tmp_path / FOLDER
    folder.mkdir(exist_ok=True)
    (folder / "ours.toml").write_text(text, encoding="utf-8")
    return folder / "ours.toml"


def test_ours_has_its_words_in_every_language_and_every_way_through_it_is_a_house_call():
    for campaign in our_campaigns():
        key = campaign.id.replace("-", "_")
        for code in catalogues.codes():
            own = catalogues.catalogue(code, "evenings")
            assert f"campaign_{key}" in own
            assert all(f"{kind}_{key}_{nth}" in own for kind in ("call", "told") for nth in range(1, EVENINGS + 1))
        for number in range(1, EVENINGS + 1):
            for before in (None, True, False):
                call = call_of(campaign, number, before)
                assert call is None or from_json(as_json(call), "") == call


def test_an_owners_campaign_is_found_and_reported(tmp_path):
    file = written(tmp_path, GOOD)
    found = campaigns(tmp_path)[-1]
    assert (found.id, dict(found.names)["pl"], len(found.evenings)) == ("summer", "Lato", EVENINGS)
    assert [effect.do for effect in call_of(found, 2, won_before=True).effects] == ["tough", "gift"]
    assert [effect.do for effect in call_of(found, 2, won_before=False).effects] == ["tough"]
    result = CliRunner().invoke(main, ["cards", "check", str(file)])
    assert (result.exit_code, "summer: a campaign of 6 evenings" in result.output) == (0, True)


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        (GOOD.replace('"easy"', '"brutal"', 1), 5, "one of easy, normal, hard"),
        (GOOD.replace('"tough"', '"rain"', 1), 7, "one of dry, rich"),
        (GOOD.replace("won = [", "wonn = [", 1), 8, "an unknown key wonn"),
        (GOOD.replace('[{ do = "tough" }]', "3", 1), 7, "a list of 2 effects at most"),
        (GOOD + EVENING, 4, "6 of [[evening]]"),
        (GOOD.replace('id = "summer"', 'id = "long-winter"'), 0, "an id of its own"),
        (GOOD.replace('names = { en = "Summer", pl = "Lato" }\n', ""), 1, "no names"),
    ],
)
def test_a_fault_is_told_with_file_line_and_reason(tmp_path, text, line, said):
    file = written(tmp_path, text)
    with pytest.raises(PackFaults) as caught:
        campaigns(tmp_path)
    assert f"{file}:{line}: " in str(caught.value)
    assert said in str(caught.value)
    result = CliRunner().invoke(main, ["cards", "check", str(file)])
    assert (result.exit_code, said in result.output) == (1, True)
