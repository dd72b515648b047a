"""What is laid on a card: the layout of an image, the release archive, its installer, user-data and the Imager's."""

import hashlib
import json
import os
import struct
import subprocess
import tarfile

import pytest
import yaml

from scripts.appliance import archive, disk

CARD = archive.HERE / "card"
MIB = 1 << 20
INSTALLER, UNIT = "/usr/local/sbin/table-companion-from-card", "/etc/systemd/system/table-companion-card.service"


# --- the layout ------------------------------------------------------------------------------------------------------


def test_pieces_lie_behind_each_other_at_whole_mebibytes(tmp_path):
    pieces = []
    for kind, name, size in (("fat", "boot", MIB + 1), ("linux", "system", 3), ("linux", "record", 2 * MIB)):
        (tmp_path / name).write_bytes(name.encode()[:1] * size)
        pieces.append((kind, tmp_path / name))
    found = disk.write(tmp_path / "card", pieces, 0x7AB1EC0D)
    assert [(one.kind, one.begins, one.length) for one in found] == [
        ("fat", 2048, 4096),
        ("linux", 6144, 2048),
        ("linux", 8192, 4096),
    ]
    card = (tmp_path / "card").read_bytes()
    assert len(card) == 6 * MIB
    assert (card[MIB : MIB + 4], card[2 * MIB : 2 * MIB + 3]) == (b"bbbb", b"b\0\0")
    assert (card[3 * MIB : 3 * MIB + 4], card[4 * MIB : 4 * MIB + 2]) == (b"sss\0", b"rr")


def test_the_table_of_partitions_is_what_firmware_reads():
    sector = disk.first_sector(disk.laid_out([("fat", MIB), ("linux", MIB)]), 0x7AB1EC0D)
    assert sector[440:444] == bytes.fromhex("0decb17a"), "as PARTUUID=7ab1ec0d-01 in little end first"
    assert sector[-2:] == b"\x55\xaa"
    first, second = (struct.unpack("<B3sB3sII", sector[at : at + 16]) for at in (446, 462))
    assert (first[0], first[2], *first[4:]) == (0x80, 0x0C, 2048, 2048)
    assert (second[0], second[2], *second[4:]) == (0, 0x83, 4096, 2048)
    assert sector[478:510] == bytes(32)


@pytest.mark.parametrize("pieces", [[], [("fat", 1)] * 5, [("ntfs", 1)], [("linux", 0)], [("linux", 3 << 40)]])
def test_what_is_no_card_is_refused(pieces):
    with pytest.raises(disk.LayoutError):
        disk.laid_out(pieces)


def test_a_hole_stays_a_hole(tmp_path):
    (tmp_path / "empty").touch()
    os.truncate(tmp_path / "empty", 64 * MIB)
    disk.write(tmp_path / "card", [("linux", tmp_path / "empty")], 1)
    assert (tmp_path / "card").stat().st_blocks * 512 < MIB


def test_a_card_that_cannot_be_written_says_so(tmp_path, capsys):
    assert disk.main([str(tmp_path / "card"), "7ab1ec0d", f"fat={tmp_path / 'none'}"]) == 1
    assert "The card was not written" in capsys.readouterr().err


# --- the archive and what the Imager is told -------------------------------------------------------------------------


@pytest.fixture(scope="module")
def packed(tmp_path_factory):
    """An archive of the real project, with one wheel."""
    place = tmp_path_factory.mktemp("packed")
    (place / "some-1.0-py3-none-any.whl").write_bytes(b"wheel")
    archive.pack(place / archive.NAME, archive.project_files(), [place / "some-1.0-py3-none-any.whl"], 1_700_000_000)
    (place / f"{archive.NAME}.sha256").write_text(f"{archive.hashed(place / archive.NAME)}  {archive.NAME}\n")
    return place


def test_the_archive_holds_what_a_table_needs_and_its_wheels(packed):
    with tarfile.open(packed / archive.NAME) as opened:
        entries = {one.name: one for one in opened}
    assert {
        "table-companion/run",
        "table-companion/scripts/appliance/manage",
        "wheels/some-1.0-py3-none-any.whl",
    } <= set(entries)
    assert not [name for name in entries if name.startswith("table-companion/tests/") or "/.git/" in name]
    assert {one.mtime for one in entries.values()} == {1_700_000_000}
    assert {one.uname for one in entries.values()} == {""}
    assert entries["table-companion/run"].mode & 0o111


def test_the_same_files_make_the_same_archive(packed, tmp_path):
    archive.pack(tmp_path / "again", archive.project_files(), [packed / "some-1.0-py3-none-any.whl"], 1_700_000_000)
    assert archive.hashed(tmp_path / "again") == archive.hashed(packed / archive.NAME)


def test_the_archive_says_when_it_was_released_and_whom_its_tables_trust(packed, tmp_path):
    archive.pack(
        tmp_path / "one", [], [], 1_700_000_000, {archive.UPDATES: b"https://example.org/table-companion.tar\n"}
    )
    with tarfile.open(packed / archive.NAME) as plain, tarfile.open(tmp_path / "one") as said:
        assert plain.extractfile("table-companion/released").read() == b"1700000000\n"
        assert said.getnames() == ["table-companion/released", "table-companion/updates"]


def test_user_data_is_yaml_that_cloud_init_takes():
    text = archive.user_data()
    assert text.startswith("#cloud-config\n")
    told = yaml.safe_load(text)
    written = {one["path"]: one for one in told["write_files"]}
    assert written[INSTALLER]["content"] == (CARD / "from-card").read_text()
    assert written[INSTALLER]["permissions"] == "0755"
    assert written[UNIT]["content"] == (CARD / "table-companion-card.service").read_text()
    assert ["systemctl", "enable", "--now", "--no-block", "table-companion-card.service"] in told["runcmd"]


@pytest.mark.parametrize("emptied", [None, INSTALLER, UNIT])
def test_files_that_a_pulled_plug_left_empty_are_written_again_at_the_next_start(tmp_path, emptied):
    """The command runs at every start, before cloud-init asks its marks what it has done already."""
    marks = {
        tmp_path / f"var/lib/cloud/instance/sem/config_{name}" for name in ("write_files", "runcmd", "scripts_user")
    }
    for path in (*marks, *(tmp_path / path.lstrip("/") for path in (INSTALLER, UNIT))):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("" if path in marks or str(path) == f"{tmp_path}{emptied}" else "something")
    ((*shell, command),) = yaml.safe_load(archive.user_data())["bootcmd"]
    for top in ("/usr", "/etc", "/var"):
        command = command.replace(f" {top}/", f" {tmp_path}{top}/")
    subprocess.run([*shell, command], check=True)
    assert {mark for mark in marks if mark.exists()} == (marks if emptied is None else set())


def test_the_imagers_list_tells_sizes_and_hashes_of_what_is_there(tmp_path):
    image = tmp_path / "table-companion.img"
    image.write_bytes(b"card" * 1000)
    download = archive.compress(image, 1_700_000_000)
    (entry,) = json.loads(archive.repository(image, download, "https://example.org/cards/", "2026-11-01"))["os_list"]
    assert entry["url"] == "https://example.org/cards/table-companion.img.gz"
    assert (entry["extract_size"], entry["image_download_size"]) == (4000, download.stat().st_size)
    assert entry["extract_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert entry["image_download_sha256"] == hashlib.sha256(download.read_bytes()).hexdigest()
    before = download.read_bytes()
    assert archive.compress(image, 1_700_000_000).read_bytes() == before


# --- the installer, from a folder -------------------------------------------------------------

MANAGE = """#!/bin/sh
echo "$* offline=$PIP_NO_INDEX pin=$PIN_BY_PHONE $(ls "$PIP_FIND_LINKS")" >>{home}/asked
[ ! -e {home}/fails ] || {{ echo "The network does not answer."; exit 1; }}
ln -sfn releases/new {home}/current
echo "The table starts with this machine."
"""


class Card:
    """A boot partition, and a pretended release on it."""

    def __init__(self, folder):
        self.folder, self.home = folder / "card", folder / "opt"
        for one in (self.folder, self.home, folder / "programs"):
            one.mkdir()
        for name in ("mount", "sync"):
            (folder / "programs" / name).write_text("#!/bin/sh\n")
            (folder / "programs" / name).chmod(0o755)
        self.programs = folder / "programs"
        self.lay(MANAGE)

    def lay(self, manage):
        run, wheel = self.home.parent / "run", self.home.parent / "some.whl"
        run.write_text(manage.format(home=self.home))
        run.chmod(0o755)
        wheel.write_text("")
        with tarfile.open(self.folder / archive.NAME, "w") as opened:
            opened.add(run, "table-companion/run")
            opened.add(wheel, "wheels/some.whl")
        (self.folder / f"{archive.NAME}.sha256").write_text(f"{archive.hashed(self.folder / archive.NAME)}  x\n")

    def starts(self):
        path = f"{self.programs}:{os.environ['PATH']}"
        command = ["sh", CARD / "from-card", self.folder, self.home]
        return subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PATH": path}, check=False)

    @property
    def line(self):
        """What a computer reads on the card."""
        return (self.folder / "table-companion.txt").read_text().strip()

    @property
    def asked(self):
        said = self.home / "asked"
        return said.read_text().splitlines() if said.exists() else []


@pytest.fixture
def card(tmp_path):
    return Card(tmp_path)


def test_it_is_installed_once_without_a_network_and_renewed_by_another_archive(card):
    said = card.starts()
    assert said.returncode == 0, said.stderr
    assert card.asked == ["--install offline=1 pin=yes some.whl"]
    assert card.line == "The table is set up."
    assert card.starts().returncode == 0
    assert len(card.asked) == 1, "the same archive is not installed again"
    first = {one: one.read_bytes() for one in card.folder.glob(f"{archive.NAME}*")}
    card.lay(MANAGE + "# new\n")
    assert card.starts().returncode == 0
    assert card.asked[1].startswith("--update ")
    for file, content in first.items():
        file.write_bytes(content)
    assert card.starts().returncode == 0
    assert len(card.asked) == 2, "nor what lay there before a newer one"
    assert not list(card.home.glob("unpacked.*"))


def test_a_card_without_an_archive_is_left_alone(card):
    (card.folder / archive.NAME).unlink()
    assert card.starts().returncode == 0
    assert card.asked == []


@pytest.mark.parametrize("fault", ["cut off", "no sum", "empty sum"])
def test_what_is_not_whole_says_what_to_do_and_is_tried_again(card, fault):
    whole, told = card.folder / archive.NAME, card.folder / f"{archive.NAME}.sha256"
    kept, kept_sum = whole.read_bytes(), told.read_text()
    if fault == "cut off":
        os.truncate(whole, 1000)
    elif fault == "no sum":
        told.unlink()
    else:
        told.write_text("")
    said = card.starts()
    assert said.returncode == 1
    assert card.line.endswith("switch the table on again.")
    assert f"Table companion: {card.line}" in said.stderr
    assert card.asked == []
    whole.write_bytes(kept)
    told.write_text(kept_sum)
    assert card.starts().returncode == 0
    assert len(card.asked) == 1


def test_a_full_card_says_so(card):
    (card.programs / "df").write_text("#!/bin/sh\nprintf 'head\\n/dev/x 100 99 1 99%% /\\n'\n")
    (card.programs / "df").chmod(0o755)
    assert card.starts().returncode == 1
    assert card.line.startswith("The card is full:")
    assert card.asked == []


def test_why_it_was_not_set_up_is_said_and_it_is_tried_at_the_next_start(card):
    (card.home / "fails").touch()
    assert card.starts().returncode == 1
    assert card.line == "The table was not set up: The network does not answer."
    (card.home / "fails").unlink()
    assert card.starts().returncode == 0
    assert len(card.asked) == 2


@pytest.mark.parametrize("name", ["from-card", "grow", "initramfs-overlay", "initramfs-hook"])
def test_the_scripts_of_the_card_are_shell(name):
    assert subprocess.run(["sh", "-n", CARD / name], check=False).returncode == 0


@pytest.mark.parametrize("name", ["image", "emulate"])
def test_the_recipe_is_bash(name):
    assert subprocess.run(["bash", "-n", archive.HERE / name], check=False).returncode == 0
