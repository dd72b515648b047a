"""JSON from outside: what is larger than anything of ours is refused, and nothing of ours is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.canonical import text_of
from companion.refusal import Refusal
from companion.table.outside import DEEPEST, LONGEST_KEY, MOST_DIGITS, read_json, read_number, read_object

NINES = "9" * MOST_DIGITS


def nested(levels):
    return "[" * levels + "]" * levels


@pytest.mark.parametrize(
    "text",
    [
        "9" * 5000, "-" + "9" * 5000, NINES + "9", "1" * 400, "1e400", "-1e400", "1e18", "0." + "1" * 19,
        "NaN", "Infinity", "-Infinity", nested(DEEPEST + 1), nested(60_000), "[" * 60_000, '{"a": ' * 5000,
        '{"' + "k" * (LONGEST_KEY + 1) + '": 1}', '[{"a": [{"' + "9" * 5000 + '": {}}]}]', "", "{",
        b"\xff\xfe", b"\xff",
    ],
    ids=lambda text: repr(text[:12]) + str(len(text)),
)  # fmt: skip
def test_what_is_larger_is_refused(text):
    with pytest.raises(Refusal) as refused:
        read_json(text, "body")
    assert (refused.value.code, refused.value.fields) == ("malformed", {"field": "body"})
    assert len(refused.value.message) < 100


@pytest.mark.parametrize(
    "text",
    [NINES, "-" + NINES, "0.30000000000000004", "0.00012345678901234567", "-1.5e-9", nested(DEEPEST),
     '{"' + "k" * LONGEST_KEY + '": 1}', '"' + "long " * 1000 + '"', "null", b'"\xc5\xbc"'],
    ids=lambda text: repr(text[:12]) + str(len(text)),
)  # fmt: skip
def test_what_is_as_large_as_allowed_is_read(text):
    read_json(text, "body")


ORDINARY = st.recursive(
    st.none() | st.booleans() | st.integers(1 - 10**MOST_DIGITS, 10**MOST_DIGITS - 1) | st.text(max_size=20)
    | st.floats(-1e17, 1e17),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=LONGEST_KEY), inner, max_size=3),
    max_leaves=10,
)  # fmt: skip


@pytest.mark.long
@given(ORDINARY)
def test_ordinary_values_come_as_they_were_written(value):
    assert read_json(text_of(value), "body") == value


@pytest.mark.parametrize("text", ["[]", "3", '"spawn"', "null"])
def test_an_object_is_an_object(text):
    with pytest.raises(Refusal, match="is no JSON object"):
        read_object(text, "move")


def test_a_number_of_an_address():
    assert [read_number(text, "step") for text in ("7", "", "x", "-1", "\u0661", NINES)] == [
        7, None, None, None, None, int(NINES),
    ]  # fmt: skip
    with pytest.raises(Refusal) as refused:
        read_number("9" * 5000, "step")
    assert (refused.value.code, refused.value.fields) == ("malformed", {"field": "step"})
