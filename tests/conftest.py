"""For all tests: examples that Hypothesis makes may take as long as a busy machine takes for them."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("any machine", deadline=None)
settings.load_profile("any machine")
