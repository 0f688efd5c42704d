"""Only messages of the protocol are heard, and nothing else gets past."""

from __future__ import annotations

import contextlib
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wire_fixture import BAD_MESSAGES, GOOD_MESSAGES

from windrow.view.messages import LONGEST_MESSAGE, Ack, BadMessageError, Seek, Step, TimeScale, message_from

GOOD = [
    ('{"type":"ack","sequence":4294967295}', Ack(type="ack", sequence=2**32 - 1)),
    ('{"type":"step"}', Step(type="step", count=1)),
    ('{"type":"step","count":-100}', Step(type="step", count=-100)),
    ('{"type":"time_scale","value":0.5}', TimeScale(type="time_scale", value=0.5)),
    ('{"type":"seek","time":-1e9}', Seek(type="seek", time=-1e9)),
]
BAD = [
    "",
    "null",
    "[]",
    "{}",
    "{",
    '"pause"',
    '{"type":"explode"}',
    '{"type":"pause","more":1}',
    '{"type":["pause"]}',
    '{"type":"ack"}',
    '{"type":"ack","sequence":-1}',
    '{"type":"ack","sequence":4294967296}',
    '{"type":"step","count":101}',
    '{"type":"step","count":1.5}',
    '{"type":"time_scale","value":0}',
    '{"type":"time_scale","value":NaN}',
    '{"type":"time_scale","value":1e999}',
    '{"type":"seek","time":"Infinity"}',
    '{"type":"scene","name":"' + "x" * 201 + '"}',
    '{"type":"color","quantity":"no name"}',
    '{"type":"pause"}' + " " * LONGEST_MESSAGE,
    "[" * 4000,
]


@pytest.mark.parametrize(("text", "expected"), GOOD)
def test_good_messages(text: str, expected: object) -> None:
    assert message_from(text) == expected


@pytest.mark.parametrize("text", BAD, ids=lambda text: text[:40] or "empty")
def test_bad_messages_are_named(text: str) -> None:
    with pytest.raises(BadMessageError, match=r"\w"):
        message_from(text)


def test_what_the_page_is_tested_with_is_heard_or_refused() -> None:
    for message in GOOD_MESSAGES:
        heard = message_from(json.dumps(message))
        assert json.loads(heard.model_dump_json(exclude_unset=True)) == message
    for message in BAD_MESSAGES:
        with pytest.raises(BadMessageError):
            message_from(json.dumps(message))


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "value", "x"]), inner)
    ),
    max_leaves=8,
)


@given(st.text(max_size=200) | JSON.map(json.dumps))
def test_whatever_comes_is_refused_or_understood(text: str) -> None:
    with contextlib.suppress(BadMessageError):
        assert message_from(text).type
