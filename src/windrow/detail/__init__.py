"""Fine grains on a coarse run: millions of them, moved by the particles of any solver, for the eye.

The package can be called: `windrow.detail(run, grains=2_000_000)`. It shares its name with that function, and Python
binds the name to the package as soon as any part of it is imported.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    def __call__(self, *given: Any, **named: Any) -> Any:
        from windrow.detail.entry import detail

        return detail(*given, **named)


sys.modules[__name__].__class__ = _CallablePackage
