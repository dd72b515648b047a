"""A backup that the host sends is the record from the next start on; what is none changes nothing."""

import io

import pytest
from at_the_door import BEARER, PIN

from companion.table.record.backup import ASKED, REFUSED, backup, restore_asked
from companion.table.record.record import Record


@pytest.fixture
def host(house):
    client = house.client()
    client.post("/api/host/login", json={"pin": PIN})
    return client


def sent(client, content, name="old.backup"):
    return client.post("/host/record", data={"file": (io.BytesIO(content), name)})


@pytest.fixture
def old(tmp_path, make_house):
    """A backup of another table with one game."""
    house = make_house()
    house.start()
    backup(house.folder, tmp_path / "old.backup")
    return (tmp_path / "old.backup").read_bytes(), house.state["id"]


def test_a_backup_takes_the_records_place_at_the_next_start(host, house, old):
    content, game = old
    house.start()
    house.start()
    answer = sent(host, content)
    assert answer.status_code == 200
    assert 'id="asked"' in answer.text
    assert len(house.record.games) == 2, "nothing is changed while people play"
    house.session.stop()
    house.record.close()
    assert "entries restored" in restore_asked(house.folder)
    house.record = Record(house.folder)
    assert list(house.record.games) == [game]
    assert list(house.folder.glob("before-restore*")), "what was there before is kept"
    assert restore_asked(house.folder) is None


def test_a_torn_backup_is_refused_with_why(host, house, old):
    content, _ = old
    for torn in (content[: len(content) // 2], b"no backup at all", b""):
        answer = sent(host, torn)
        assert answer.status_code == 409
        assert "nothing was changed" in answer.text
    assert not (house.folder / ASKED).exists()


def test_without_a_file_it_is_asked_for_again(host):
    assert host.post("/host/record", data={}, content_type="multipart/form-data").status_code == 400


def test_only_the_host_may(house, old):
    assert sent(house.client(), old[0]).status_code in (401, 413)
    assert sent(house.seated("red"), old[0]).status_code in (403, 413)
    answer = house.client().post("/host/record", data={"file": (io.BytesIO(old[0]), "x")}, headers=BEARER)
    assert answer.status_code == 200


def test_what_cannot_be_restored_at_the_start_is_put_aside_and_the_table_starts(house):
    house.start()
    house.session.stop()
    house.record.close()
    (house.folder / ASKED).write_bytes(b"torn")
    assert "was not restored" in restore_asked(house.folder)
    assert (house.folder / REFUSED).exists()
    house.record = Record(house.folder)
    assert len(house.record.games) == 1
