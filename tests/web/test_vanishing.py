"""Phones that vanish without a word, as when a battery dies, free their places."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from web.base.serving import GONE_AFTER
from web.base.streams import LOOK

HERE = Path(__file__).parent
AT_MOST = 20
UNSHARE = ["unshare", "--user", "--map-root-user", "--net"]


def may_unshare():
    return bool(shutil.which("unshare")) and not subprocess.run([*UNSHARE, "true"], check=False).returncode


@pytest.mark.skipif(not may_unshare(), reason="this machine gives no network namespaces to its users")
def test_phones_that_vanish_free_their_places(tmp_path):
    environment = {**os.environ, "PYTHONPATH": f"{HERE}:{HERE.parents[1]}"}
    ran = subprocess.run(
        [*UNSHARE, sys.executable, str(HERE / "vanishing.py"), str(tmp_path), "1"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    told = json.loads(ran.stdout)
    assert (told["opened"], told["left"]) == (5, 0)


def test_silence_and_the_look_after_it_are_shorter_than_what_is_promised():
    assert 2 * GONE_AFTER + GONE_AFTER / 3 + LOOK < AT_MOST
