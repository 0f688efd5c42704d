"""The processor that kernels are compiled for: the same for everybody, so that everybody gets the same bits.

Numba compiles for the machine it runs on. Vector widths and fused operations then differ between machines, and so do
the last bits of a result; in granular matter the last bits decide what the picture looks like seconds later. Here every
x86-64 machine gets code for the level v3 (AVX2, FMA; Intel since Haswell, AMD since Zen), whatever it can do beyond,
and every arm64 machine code for the plain architecture. Older x86-64 machines get plain code, whose bits differ.

Numba has one target for a process, so this holds for other code that Numba compiles in it, too.
"""

from __future__ import annotations

import platform
import warnings

import llvmlite.binding as llvm
from numba.core import codegen, config
from numba.core.registry import cpu_target

from windrow.errors import KernelWarning

_V3 = (
    "avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt", "sahf", "sse3", "sse4.1",
    "sse4.2", "ssse3", "xsave",
)  # fmt: skip
"""what LLVM calls the features of x86-64-v3"""
_MACHINES = {"x86_64": "x86", "amd64": "x86", "aarch64": "arm", "arm64": "arm"}


def target_name() -> str:
    """LLVM's name of the processor that kernels are compiled for on this machine."""
    if _MACHINES.get(platform.machine().lower()) != "x86":
        return "generic"
    host = llvm.get_host_cpu_features()
    return "x86-64-v3" if all(host.get(feature) for feature in _V3) else "x86-64"


def fix_target() -> str:
    """Makes Numba compile for `target_name`, and returns it."""
    name = target_name()
    if name == "x86-64":
        warnings.warn(
            "this processor has no AVX2 and FMA: kernels are compiled for plain x86-64. They are slower, and results "
            "differ in the last bits from those of newer machines.",
            KernelWarning,
            stacklevel=2,
        )
    used_before = "_toplevel_target_context" in vars(cpu_target)
    config.CPU_NAME, config.CPU_FEATURES = name, ""
    if used_before:
        # Numba has compiled for this very machine already; what it compiles from now on is for the target.
        cpu_target.target_context._internal_codegen = codegen.JITCPUCodegen("numba.exec")
    return name
