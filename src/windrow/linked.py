"""Functions that only kernels call have no machine code of their own.

Numba optimises every function together with all that it calls, and makes machine code of the whole, before the caller
does the same once more with the function inside: in a tree of calls, each function is compiled as often as it is deep.
Here a function that only compiled functions call stays LLVM's bitcode, linked with what it calls and not optimised; the
kernel that Python calls optimises all of it, once.
"""

from __future__ import annotations

from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.registry import CPUDispatcher


class LinkedLibrary(JITCodeLibrary):
    """Bitcode of a function and of all that it calls, to be linked into its callers."""

    def finalize(self) -> None:
        """Numba's, without optimising and without machine code."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._final_module.verify()
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def _optimize_functions(self, module: Any) -> None:
        """The kernel at the root of all calls does it."""
        module.data_layout = self._codegen._data_layout

    def get_pointer_to_function(self, name: str) -> int:
        """Numba's word for a function without machine code."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """Numba asks for it to say where the function's environment lies: in its callers, which are told instead."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        pass

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        return self.name, "linked", self._get_module_for_linking().as_bitcode()


class LinkedCompiler(Compiler):
    """Numba's compiler, for functions that only kernels call."""

    def _compile_core(self) -> Any:
        if self.state.library is None:
            name = self.state.func_id.func_qualname
            self.state.library = LinkedLibrary(self.state.targetctx.codegen(), name)
        return super()._compile_core()


class LinkedDispatcher(CPUDispatcher):
    """Refuses calls from Python, for which there is no machine code; kernels call without asking it."""

    def _insert(self, *overload: Any) -> None:
        """Numba's list of what Python may call stays empty."""

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        name = f"{self.py_func.__module__}.{self.py_func.__name__}"
        raise TypeError(
            f"{name} is part of the kernels that call it and cannot be called from Python; mark it `kernel` in place "
            f"of `inner`, or call its Python: {self.py_func.__name__}.py_func"
        )


def linked(target_context: Any, library: tuple[str, str, bytes], *others: Any) -> CompileResult:
    """A function from its file, as `CompileResult._rebuild` makes one that has machine code."""
    name, _, bitcode = library
    description, environment, signature, objectmode, lifted, annotation, reload_init, environments = others
    made = LinkedLibrary(target_context.codegen(), name)
    made._shared_module = made._final_module = llvm.parse_bitcode(bitcode)
    made._finalized = True
    return CompileResult(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=made,
        environment=environment,
        entry_point=target_context.get_executable(made, description, environment),
        fndesc=description,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )
