"""Who may connect, whatever a request claims to be."""

from __future__ import annotations

import pytest

from windrow.view.access import Access
from windrow.view.connection import close_reason

OPEN = Access.of("127.0.0.1", None)


@pytest.mark.parametrize("host", ["127.0.0.1:8720", "localhost:8720", "[::1]:8720", "127.0.0.2:8720"])
def test_names_of_this_machine_are_its_own(host: str) -> None:
    assert OPEN.admits_host({"host": host})
    assert OPEN.admits_origin({"host": host, "origin": f"http://{host}"})


@pytest.mark.parametrize("host", ["example.org", "8.8.8.8:8720", "127.0.0.1.example.org", "[::1", "", "a b"])
def test_other_names_are_not(host: str) -> None:
    assert not OPEN.admits_host({"host": host})


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "null", "http://a]b", "file:///etc", "\x00", "http://"])
def test_a_malformed_origin_is_refused(origin: str) -> None:
    assert not OPEN.admits_origin({"host": "localhost:8720", "origin": origin})


def test_reasons_fit_into_a_closing_message() -> None:
    assert close_reason("short") == "short"
    for text in ("ä" * 500, "x" + "€" * 500, "🚜" * 100):
        cut = close_reason(text)
        assert len(cut.encode()) <= 123
        assert text.startswith(cut)
        assert len(cut.encode()) > 118
