"""Whatever is sent, the answer is one that the description names, and never a mistake of ours."""

import re
from urllib.parse import quote

import pytest
from at_the_door import BEARER
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

pytestmark = pytest.mark.long

ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
DOES = ["spawn", "place", "pass", "choose", "use", "resolve", "rethrow", "recall", "correct", "undo", "redo"]
NEARLY_A_MOVE = st.fixed_dictionaries(
    {"do": st.sampled_from(DOES)},
    optional={
        "by": st.sampled_from(["red", "blue"]) | ODD,
        "space": st.sampled_from(["1:R1a", "9:X", "2:E"]) | ODD,
        "dwellers": st.lists(st.sampled_from(["plain", "S"])) | ODD,
        "option": ODD,
        "id": ODD,
        "item": ODD,
        "to": ODD,
        "set": ODD | st.fixed_dictionaries({"players": st.fixed_dictionaries({"red": ODD})}),
        "dice": ODD,
        "drawn": ODD,
        "use": ODD,
        "if_version": ODD,
    },
)
POSTS = [
    "/api/moves",
    "/api/seats/red/claim",
    "/api/seats/pink/claim",
    "/api/seats/red/release",
    "/api/seats/red/bot",
    "/api/suggestion/done",
    "/api/host/odds",
    "/api/host/login",
    "/api/host/logout",
    "/api/host/games",
    "/api/host/games/none/resume",
    "/api/host/freeze",
    "/api/host/thaw",
]
MANY = settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], derandomize=True)


def documented(house, method, path):
    paths = house.client().get("/api/openapi.json").json["paths"]
    for template, methods in paths.items():
        if re.fullmatch(re.sub(r"{\w+}", "[^/]+", template), path):
            return set(methods[method]["responses"])
    raise AssertionError(path)


def as_described(house, answer, method, path):
    assert answer.status_code != 500, answer.data
    assert str(answer.status_code) in documented(house, method, path), (path, answer.data)
    if answer.status_code >= 400:
        assert set(answer.json["error"]) >= {"code", "message", "fields"}


@MANY
@given(move=NEARLY_A_MOVE | ODD)
def test_odd_moves(house, move):
    if house.state["id"] is None:
        house.start()
    answer = house.client().post("/api/moves", json=move, headers=BEARER)
    as_described(house, answer, "post", "/api/moves")
    assert house.session.failure is None


@MANY
@given(path=st.sampled_from(POSTS), body=ODD | st.fixed_dictionaries({"setup": ODD, "pack": ODD}), token=st.booleans())
def test_odd_bodies(house, path, body, token):
    answer = house.client().post(path, json=body, headers=BEARER if token else {})
    as_described(house, answer, "post", path)
    assert house.session.failure is None


@MANY
@given(by=st.text(max_size=10), tag=st.text('abc"*W/,1', max_size=10))
def test_odd_questions(house, by, tag):
    as_described(house, house.client().get(f"/api/legal?by={quote(by)}"), "get", "/api/legal")
    as_described(house, house.client().get("/api/state", headers={"If-None-Match": tag}), "get", "/api/state")
