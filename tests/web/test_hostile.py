"""Whatever is sent, nothing answers 500, nothing is traced, and nothing grows: see hostile.py for what is sent."""

import json
import tempfile

import hostile
import pytest
from at_the_door import BEARER

SEED = "evening"
EACH = 500


@pytest.fixture
def attack(tmp_path, request, monkeypatch):
    made = []
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))  # where no other program leaves anything

    def begin(game, seed=SEED):
        if game == "pig":
            request.getfixturevalue("pig")
        made.append(hostile.Attack(game, seed, tmp_path / "data"))
        return made[-1]

    yield begin
    for one in made:
        one.close()


@pytest.mark.long
@pytest.mark.parametrize("game", hostile.GAMES)
def test_hostile_requests(attack, game):
    attacked = attack(game)
    attacked.run(EACH)
    assert sum(attacked.codes.values()) == EACH
    assert attacked.codes[200] > EACH / 10, "most of it comes further than the door"
    assert len(attacked.codes) > 6
    answer = attacked.house.client().get("/healthz")
    assert answer.json["ok"]


@pytest.mark.long
def test_hostile_requests_beside_a_damaged_pack(attack):
    attacked = attack("wasteland", "damaged")
    (attacked.house.folder / "wasteland-cards.toml").write_bytes(b"[[card]]\nid = \xff")
    attacked.run(EACH)


@pytest.mark.long
def test_hostile_requests_all_at_once_leave_nothing_behind(attack):
    attacked = attack("shelter", "together")
    attacked.run(50, at_once=8)
    before = hostile.leftovers()
    attacked.run(EACH, at_once=8)
    after = hostile.leftovers()
    assert all(now <= then + 2 for now, then in zip(after, before, strict=True)), (before, after)


@pytest.mark.long
def test_bytes_that_are_no_requests(attack, capfd):
    house = attack("shelter").house
    base = house.serve()
    before = hostile.leftovers()
    hostile.raw_bytes(base, SEED, 200)
    assert house.session.failure is None
    assert house.client().get("/healthz").json["ok"]
    assert hostile.leftovers()[0] <= before[0] + 2
    said = capfd.readouterr()
    assert "Traceback" not in said.err + said.out
    assert "exception" not in said.err


def test_a_case_comes_from_its_seed_and_number_alone(attack):
    attacked = attack("shelter")
    one, again = hostile.Attacker(attacked.house, "a"), hostile.Attacker(attacked.house, "a")
    assert [one.case(number) for number in range(60)] == [again.case(number) for number in range(60)]
    assert one.case(3) != hostile.Attacker(attacked.house, "b").case(3)


def test_what_fails_is_printed_so_that_it_can_be_sent_again(attack, monkeypatch):
    attacked = attack("shelter")
    monkeypatch.setattr(attacked.attacker, "case", lambda _: hostile.Case("nobody", "GET", "/api/legal"))
    monkeypatch.setattr(attacked.house.session, "question", lambda _: 1 / 0)
    with pytest.raises(hostile.HostileError) as failed:
        attacked.send(7)
    assert "ZeroDivisionError" in str(failed.value)
    assert "nobody: GET '/api/legal'" in str(failed.value)
    assert "python tests/web/hostile.py shelter evening 7" in str(failed.value)


def test_every_route_and_method_is_tried(attack):
    attacked = attack("shelter")
    rules = {rule.rule.partition("<")[0] for rule in attacked.attacker.rules}
    tried = [attacked.attacker.case(number) for number in range(24000)]
    assert [rule for rule in rules if not any(case.path.startswith(rule) for case in tried)] == []
    assert {case.method for case in tried} == set(hostile.METHODS)
    assert any(json.loads(case.body)["do"] == "correct" for case in tried if case.body.startswith(b'{"do"'))
    assert attacked.house.client().get("/api/state", headers=BEARER).status_code == 200
