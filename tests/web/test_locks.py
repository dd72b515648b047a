"""The host's PIN and the tokens: hashed, private, good across restarts, gone when they are revoked."""

import json
import stat

import pytest
from click.testing import CliRunner

from companion.app.serving import IN_A_LOG, pin_to_tell
from companion.cli import main
from companion.refusal import Refusal
from web.base.access import FILE, MOST_TOKENS, Access, Locks


def test_a_pin_outlives_the_plug_and_is_nowhere_to_be_read(tmp_path):
    Locks(tmp_path).set_pin("135790")
    again = Locks(tmp_path)
    assert again.has_pin
    assert again.is_pin(" 135790 ")
    assert not again.is_pin("135791")
    assert "135790" not in (tmp_path / FILE).read_text(encoding="utf-8")
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600


def test_without_a_pin_nobody_is_the_host(tmp_path):
    access = Access(tmp_path)
    assert not access.locks.is_pin("")
    assert not access.speaker({"host": ""}).host
    assert not access.speaker({"host": True}).host


def test_a_new_pin_counts_at_once_and_ends_what_the_old_one_opened(tmp_path):
    access = Access(tmp_path, "111111")
    phone = {"host": access.locks.mark}
    assert access.speaker(phone).host
    told = CliRunner().invoke(main, ["pin", "--data", str(tmp_path)])
    assert told.exit_code == 0
    fresh = told.output.split()[-1]
    assert access.locks.is_pin(fresh)
    assert not access.locks.is_pin("111111")
    assert not access.speaker(phone).host


def test_tokens_are_shown_once_and_revoked(tmp_path):
    access = Access(tmp_path, "111111", "given")
    made, secret = access.locks.new_token("  Home Assistant ")
    assert made.name == "Home Assistant"
    assert secret not in (tmp_path / FILE).read_text(encoding="utf-8")
    again = Access(tmp_path)
    assert again.is_token(secret)
    assert not again.is_token("given")
    assert access.is_token("given")
    again.locks.revoke(made.id)
    assert not access.is_token(secret)
    assert again.locks.is_pin("111111")
    with pytest.raises(Refusal, match="no token"):
        again.locks.revoke(made.id)


def test_there_is_an_end_of_tokens(tmp_path):
    locks = Locks(tmp_path)
    for number in range(MOST_TOKENS):
        locks.new_token(str(number))
    with pytest.raises(Refusal, match="revoke one first"):
        locks.new_token("one more")


@pytest.mark.parametrize("raw", ["{", "[]", json.dumps({"pin": {"salt": "x", "hash": ""}, "tokens": []})])
def test_a_file_that_cannot_be_read_opens_nothing_and_can_be_mended(tmp_path, raw):
    locks = Locks(tmp_path)
    locks.set_pin("111111")
    (tmp_path / FILE).write_text(raw, encoding="utf-8")
    assert (locks.has_pin, locks.mark, locks.tokens) == (False, "", ())
    with pytest.raises(Refusal) as refused:
        locks.is_pin("111111")
    assert refused.value.code == "locks_unreadable"
    locks.set_pin("222222")
    assert locks.is_pin("222222")
    (tmp_path / FILE).unlink()
    assert not locks.has_pin


def test_a_disk_that_does_not_take_it(tmp_path):
    (tmp_path / f"{FILE}.new").mkdir()
    told = CliRunner().invoke(main, ["pin", "--data", str(tmp_path)])
    assert told.exit_code == 1
    assert "cannot be written" in told.output


def test_a_pin_is_told_when_it_is_new_or_asked_for_and_never_into_a_log(tmp_path, monkeypatch):
    monkeypatch.delenv(IN_A_LOG, raising=False)
    first = pin_to_tell(tmp_path, fresh=False)
    assert Locks(tmp_path).is_pin(first)
    assert pin_to_tell(tmp_path, fresh=False) is None
    second = pin_to_tell(tmp_path, fresh=True)
    assert Locks(tmp_path).is_pin(second)
    monkeypatch.setenv(IN_A_LOG, "8:1")
    assert pin_to_tell(tmp_path, fresh=True) is None
    assert pin_to_tell(tmp_path / "empty", fresh=False) is None
    assert not Locks(tmp_path / "empty").has_pin
