"""What `./compile` compiles: every module of the rules, in whatever package of theirs it stands."""

from benchmarks.compiling import COMPILED, HERE, INTERPRETED


def test_every_module_of_the_rules_is_compiled():
    games = HERE / "companion/games"
    rules = {path for path in games.rglob("*.py") if not path.is_relative_to(games / "wasteland")}
    assert {path for pattern in COMPILED for path in HERE.glob(pattern)} == rules
    assert {HERE / path for path in INTERPRETED} <= rules
