"""The operator's station: a page in the browser that shows a simulation or a recording, and steers it.

The package can be called: `windrow.view(simulation)` opens a station. It shares its name with that function,
and Python binds the name to the package as soon as any part of it is imported.
"""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any


class _CallablePackage(ModuleType):
    def __call__(self, *given: Any, **named: Any) -> Any:
        from windrow.view.launch import view

        return view(*given, **named)


sys.modules[__name__].__class__ = _CallablePackage
