"""Arrays handed to small compiled functions without counting references.

Numba counts references to an array at the entry and the exit of every compiled function that takes it, with
atomic operations on one counter that all threads share. For a distance function of twenty nanoseconds this
costs several times the work itself. `borrowed(array)` is the same array without a counter. It is valid while
the array it was made from is; a kernel makes it from its own arguments and lets it go when it returns.
"""

from __future__ import annotations

from typing import Any

from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


@intrinsic
def borrowed(typing_context: Any, array: Any) -> Any:
    """The same elements, shape and strides, owned by nobody."""

    def emit(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = make_array(array)(context, builder, value=arguments[0])
        view.meminfo = cgutils.get_null_value(view.meminfo.type)
        view.parent = cgutils.get_null_value(view.parent.type)
        return view._getvalue()

    return array(array), emit
