"""A table is installed, renewed and taken away; whatever stands in the way, the table that ran runs again."""

import os
import shutil
import subprocess

import pytest

from .killed_updates import kill_updates
from .machine import Clone, Machine


@pytest.fixture
def machine(tmp_path):
    return Machine(tmp_path)


@pytest.fixture
def a_clone(machine):
    return Clone(machine)


def test_it_is_installed_and_runs(machine):
    said = machine.manage("main install")
    assert said.returncode == 0, said.stderr
    assert machine.runs
    assert machine.releases == {machine.current}
    assert (machine.home / "current/README.md").exists()
    assert (machine.etc / "systemd/system/table-companion.service").exists()


OF_THE_SYSTEM = ("polkit-1/rules.d/50-table-companion.rules", "NetworkManager/dnsmasq-shared.d/50-table-companion.conf")
"""What lets the pages ask systemd and NetworkManager, and shows the table to phones in its own Wi-Fi."""


def test_what_its_pages_may_ask_of_the_system_comes_and_goes_with_it(machine):
    machine.installed_once()
    assert [one for one in OF_THE_SYSTEM if not (machine.etc / one).is_file()] == []
    rules = (machine.etc / OF_THE_SYSTEM[0]).read_text()
    assert 'subject.user == "table-companion"' in rules
    said = machine.manage("main uninstall")
    assert said.returncode == 0, said.stderr
    assert not any((machine.etc / one).exists() for one in OF_THE_SYSTEM)


def test_a_version_from_before_these_files_can_be_gone_back_to(machine):
    before = machine.installed_once()
    for name in ("polkit.rules", "own-wifi.conf"):
        (machine.home / "releases" / before / "scripts/appliance" / name).unlink()
    said = machine.manage(f"install_units {before}")
    assert said.returncode == 0, said.stderr


def test_it_is_renewed(machine):
    before = machine.installed_once()
    machine.changes()
    said = machine.manage("main update")
    assert said.returncode == 0, said.stderr
    assert machine.runs
    assert machine.current != before
    assert f"Updated from {before} to {machine.current}" in said.stderr


def test_without_a_network_nothing_is_changed_and_the_next_time_makes_it(machine):
    before = machine.installed_once()
    machine.changes()
    (machine.place / "offline").touch()
    said = machine.manage("main update")
    assert said.returncode == 1
    *_, why, so = said.stderr.splitlines()
    assert why.startswith("Getting the Python packages that requirements.txt names did not work: the network")
    assert "nothing else was changed" in so
    assert (machine.current, machine.releases, machine.runs) == (before, {before}, True)
    (machine.place / "offline").unlink()
    assert machine.manage("main update").returncode == 0
    assert machine.current != before


def test_a_release_that_was_left_half_made_is_made_anew(machine):
    before = machine.installed_once()
    machine.changes()
    machine.manage("main update")
    made = machine.home / "releases" / machine.current
    (made / "complete").unlink()
    (made / "README.md").unlink()
    machine.manage(f"switch_to {before}")
    assert machine.manage("main update").returncode == 0
    assert (made / "README.md").exists()


def test_with_nothing_new_a_game_goes_on(machine):
    before = machine.installed_once()
    said = machine.manage("main update")
    assert (said.returncode, machine.current) == (0, before)
    assert f"Nothing is new: it is {before} already" in said.stderr
    assert machine.asked_of("systemd") == []


def test_a_clone_is_asked_as_its_owner(machine, a_clone):
    machine.installed_once()
    a_clone.adds("new.txt")
    said = machine.manage("main update --yes")
    assert said.returncode == 0, said.stderr
    assert (machine.home / "current/new.txt").exists()
    asked = [line.split() for line in machine.asked_of("runuser")]
    assert {tuple(words[:4]) for words in asked} == {("-u", machine.project.owner(), "--", "git")}
    assert {"rev-parse", "fetch", "merge", "status", "ls-files"} <= {words[6] for words in asked}


ASKED = "has_terminal() {{ true; }}; main update <<<'{}'"


@pytest.mark.parametrize("answer", ["", "n", "no", "what?", "x y"])
def test_what_nobody_has_signed_is_shown_and_not_run_unasked(machine, a_clone, answer):
    before = machine.installed_once()
    a_clone.adds("new.txt")
    for words in ("main update", ASKED.format(answer)):
        said = machine.manage(words)
        assert said.returncode == 1
        assert "somebody: new.txt" in said.stderr
        assert f"from {a_clone.origin}" in said.stderr
        assert "1 file changed" in said.stderr
        assert "othing was changed" in said.stderr
        assert (machine.releases, machine.asked_of("systemd")) == ({before}, [])
        assert not (machine.project / "new.txt").exists()


@pytest.mark.parametrize("answer", ["y", "Yes"])
def test_what_an_administrator_has_seen_and_agreed_to_is_run(machine, a_clone, answer):
    machine.installed_once()
    for number in range(23):
        a_clone.adds(f"new-{number}.txt")
    said = machine.manage(ASKED.format(answer))
    assert said.returncode == 0, said.stderr
    assert "and 3 before them" in said.stderr
    assert (machine.current, (machine.home / "current/new-22.txt").exists()) == (a_clone.head, True)


def test_a_message_cannot_rule_the_terminal(machine, a_clone):
    machine.installed_once()
    a_clone._git("commit", "--quiet", "--allow-empty", "--message", "fine\x1b[2J\x07\x08\x7f zażółć")
    said = machine.manage("main update")
    assert "fine[2J zażółć" in said.stderr


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen")
def test_a_signed_tag_vouches_for_what_is_new(machine, a_clone, tmp_path):
    machine.installed_once()
    a_clone.adds("new.txt")
    a_clone.signs("v1.2", tmp_path / "key")
    said = machine.manage("main update")
    assert said.returncode == 0, said.stderr
    assert "What is new is v1.2, and its signature is good" in said.stderr
    assert machine.current == a_clone.head
    a_clone.adds("behind.txt")
    said = machine.manage("main update")
    assert (said.returncode, "somebody: behind.txt" in said.stderr) == (1, True), "the tag is that of an older commit"


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="there is no ssh-keygen")
def test_a_tag_that_a_stranger_has_signed_vouches_for_nothing(machine, a_clone, tmp_path):
    before = machine.installed_once()
    a_clone.signs("v1.1", tmp_path / "key")
    a_clone.adds("new.txt")
    a_clone.signs("v1.2", tmp_path / "stranger", trusted=False)
    said = machine.manage("main update")
    assert (said.returncode, machine.releases) == (1, {before})
    assert "signed by nobody whose key is here" in said.stderr


def test_history_that_was_written_anew_is_not_followed(machine, a_clone):
    a_clone.adds("first-new.txt")
    subprocess.run(["git", "pull", "--quiet"], cwd=machine.project, check=True)
    before = machine.installed_once()
    a_clone.goes_back()
    said = machine.manage("main update --yes")
    assert (said.returncode, machine.releases) == (1, {before})
    assert "does not follow" in said.stderr


def test_a_clone_names_its_release_and_leaves_its_history_behind(machine, a_clone):
    assert machine.installed_once() == a_clone.head
    assert not (machine.home / "current/.git").exists()


def test_without_git_its_history_stays_behind_too(machine, a_clone):
    assert a_clone.head
    said = machine.manage("is_clone() { false; }; main install")
    assert said.returncode == 0
    assert (machine.home / "current/README.md").exists()
    assert not (machine.home / "current/.git").exists()


@pytest.mark.usefixtures("a_clone")
@pytest.mark.parametrize("word", ["install", "update"])
def test_a_clone_that_git_does_not_read_is_told_and_nothing_is_changed(machine, word):
    before = machine.installed_once()
    machine.program("runuser", "echo 'fatal: detected dubious ownership' >&2; exit 128")
    said = machine.manage(f"main {word}")
    assert said.returncode == 1
    assert "git cannot read the clone" in said.stderr
    assert (machine.releases, machine.asked_of("systemd")) == ({before}, [])


def test_what_cannot_be_fetched_is_told_and_nothing_is_changed(machine, a_clone):
    before = machine.installed_once()
    a_clone.vanishes()
    said = machine.manage("main update")
    assert said.returncode == 1
    assert "could not be fetched" in said.stderr
    assert (machine.releases, machine.asked_of("systemd")) == ({before}, [])


def test_a_clone_with_changes_is_named_by_its_contents(machine, a_clone):
    machine.installed_once()
    machine.changes()
    (machine.project / "requirements-dev.txt").unlink()
    said = machine.manage("main update")
    assert said.returncode == 0, said.stderr
    assert machine.current != a_clone.head


@pytest.fixture
def renewed_in_vain(machine):
    """What is said where a new version came that is none, after which the old one runs again; or `None` of that."""
    before = machine.installed_once()
    units = machine.etc / "systemd/system/table-companion.service"
    old = units.read_text()

    def go(*signs):
        machine.changes()
        for sign in signs:
            (machine.place / sign).touch()
        (machine.project / "scripts/appliance/table-companion.service").write_text("new")
        (machine.project / "scripts/appliance/companion").write_text("new")
        said = machine.manage("main update")
        assert said.returncode
        assert (machine.current, machine.runs) == (before, True)
        assert units.read_text() == old
        assert (machine.place / "companion").read_text() != "new"
        return said.stderr

    return go


@pytest.mark.parametrize(
    ("sign", "why"),
    [
        ("does-not-start", "did not start"),
        ("ends-soon", "started, and ended within"),
        ("refuses-games", "cannot read the games"),
    ],
)
def test_a_new_version_that_is_none_gives_its_place_back(renewed_in_vain, sign, why):
    said = renewed_in_vain(sign)
    assert why in said
    assert "runs again, and the games are as they were" in said


def test_where_the_games_cannot_be_copied_nothing_is_stopped(machine, renewed_in_vain):
    said = renewed_in_vain("refuses-backup")
    assert "could not be copied first, so nothing was changed" in said
    assert machine.asked_of("systemd") == []


def test_what_fails_between_stop_and_start_is_put_back(machine, renewed_in_vain):
    machine.program("ln", f"rm {machine.folder}/ln; exit 1")
    said = renewed_in_vain()
    assert "could not take the place" in said
    assert any(line.startswith("stop") for line in machine.asked_of("systemd"))


@pytest.mark.parametrize("signal", ["INT", "HUP", "TERM"])
def test_whoever_does_not_wait_gets_the_old_one_back(machine, renewed_in_vain, signal):
    machine.program("timeout", f"rm {machine.folder}/timeout; kill -{signal} $PPID $$")
    assert "runs again" in renewed_in_vain()


def test_one_that_lives_for_a_while_alone_is_not_well(machine):
    machine.installed_once()
    assert machine.manage("is_well").returncode == 0
    said = machine.manage(f"watched=60; sleep 0.5 & echo $! >{machine.place}/process; is_well")
    assert said.returncode == 1


def test_an_old_one_that_does_not_start_either_is_told(machine):
    machine.installed_once()
    machine.changes()
    machine.program("tail", "exit 0")
    said = machine.manage("main update")
    assert said.returncode == 1
    assert "does not start again either" in said.stderr


def test_the_three_that_ran_last_stay_whatever_the_clock_says(machine):
    ran = [machine.installed_once()]
    for nth in range(4):
        machine.changes(f"change {nth}")
        assert machine.manage("main update").returncode == 0
        ran.append(machine.current)
        os.utime(machine.home / "releases" / ran[-1], (0, 0))
    assert machine.releases == set(ran[-3:])


def test_one_that_ran_again_is_not_the_oldest(machine):
    first = machine.installed_once()
    for nth in range(2):
        machine.changes(f"change {nth}")
        machine.manage("main update")
    middle = machine.current
    machine.changes("README.md")
    machine.manage("main update")
    assert machine.current == first
    machine.changes("change 2")
    machine.manage("main update")
    assert machine.releases == {first, middle, machine.current}


def test_what_ran_before_there_were_numbers_stays_too(machine):
    before = machine.installed_once()
    (machine.home / "releases" / before / "nth").unlink()
    for name in ("older", "zebra"):
        (machine.home / "releases" / name).mkdir()
    machine.changes()
    assert machine.manage("main update").returncode == 0
    assert len(machine.releases) == 3
    assert {before, machine.current} < machine.releases


CUT_SHORT = "left={left}; set -T; trap '[ $((--left)) != 0 ] || kill -9 $$' DEBUG; "


def steps_of_an_update(machine):
    """So many commands there are in an update."""
    before = machine.current
    said = machine.manage("steps=0; set -T; trap ': $((++steps))' DEBUG; main update; echo steps $steps >&2")
    assert said.returncode == 0, said.stderr
    machine.goes_back_to(before)
    return int(said.stderr.split()[-1])


def cut_short_at(machine, left, before):
    said = machine.manage(CUT_SHORT.format(left=left) + "main update")
    installed, brought = machine.services()
    assert machine.current in brought, "what starts next is whole"
    assert installed in brought.values(), "and so is its service"
    assert (machine.games / "record.sqlite3").read_text() == "a game"
    was_exchanged = (machine.home / "updating").exists()
    cut_at = machine.current
    again = machine.manage("main update")
    assert again.returncode == 0, again.stderr
    assert machine.runs
    assert machine.current != before
    installed, brought = machine.services()
    assert installed == brought[machine.current]
    assert (f"was cut short: {cut_at} is the version now" in again.stderr) == was_exchanged
    assert not (machine.home / "updating").exists()
    return said.returncode


def check_cuts(machine, share):
    machine.installed_once()
    machine.changes_its_service()
    before, steps = machine.current, steps_of_an_update(machine)
    assert steps > 60
    codes = set()
    for left in range(1, steps, share):
        codes.add(cut_short_at(machine, left, before))
        machine.goes_back_to(before)
    assert codes == {-9}


def test_an_update_that_is_killed_leaves_the_old_version_or_the_new_one_and_says_which(machine):
    check_cuts(machine, 17)


@pytest.mark.long
def test_an_update_is_killed_at_every_step(machine):
    check_cuts(machine, 1)


@pytest.mark.long
def test_updates_killed_at_random_instants_lose_nothing(tmp_path):
    report = kill_updates(tmp_path, 1)
    assert report.problems == []
    assert report.kills == 1


def test_the_networks_of_homes_alone_on_request(machine):
    kept = [machine.etc / f"systemd/system/table-companion.{kind}.d/private.conf" for kind in ("service", "socket")]
    assert machine.manage("main install").returncode == 0
    assert not any(path.exists() for path in kept)
    assert machine.manage("main install --private").returncode == 0
    assert [path.read_text().splitlines()[1] for path in kept] == ["[Service]", "[Socket]"]
    assert all("IPAddressDeny=any" in path.read_text() for path in kept)
    machine.changes()
    assert machine.manage("main update").returncode == 0
    assert all(path.exists() for path in kept), "an update leaves it as it was chosen"
    assert machine.manage("main install --public").returncode == 0
    assert not any(path.exists() for path in kept)
    assert machine.manage("main install --secret").returncode == 1
