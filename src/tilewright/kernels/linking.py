"""Code that only other kernels call: it is linked into them, and only there becomes machine code.

Numba optimises every function together with everything it calls, and generates machine code for all of that, again at
each level of calls. For a function that Python never calls, the machine code would be thrown away. Functions of the
rules are still optimised before they are linked: without that, a ``Vector`` is 4 % slower.
"""

from __future__ import annotations

from typing import Any

from llvmlite import binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result

OPTIMISED_LATER = "tilewright.search."
"""Modules whose functions are large and called by a single kernel or two: optimising them twice costs the most."""
LINKED = "linked"
"""How a library for linking is marked in the cache."""


class LinkedLibrary(JITCodeLibrary):
    """Code of a kernel and of what it calls, kept as LLVM's intermediate code."""

    is_optimised = True
    """Before it is linked, not only in what it is linked into."""

    @classmethod
    def read(cls, codegen: Any, name: str, bitcode: bytes) -> LinkedLibrary:
        """A library from the cache."""
        library = cls(codegen, name)
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalize_final_module()
        return library

    @property
    def codegen(self) -> Any:
        """What Numba asks to give the machine code its environment, which it gets where it is linked into."""
        return _NoEnvironment()

    def get_pointer_to_function(self, name: str) -> int:
        """There is no machine code to point to."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return 0

    def serialize_using_object_code(self) -> tuple[str, str, bytes]:
        """For the cache, the intermediate code instead."""
        self._ensure_finalized()  # type: ignore[no-untyped-call]
        return self.name, LINKED, self._final_module.as_bitcode()

    def _optimize_final_module(self) -> None:
        if self.is_optimised:
            super()._optimize_final_module()  # type: ignore[no-untyped-call]

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()  # type: ignore[no-untyped-call]
        self._verify_declare_only_symbols()  # type: ignore[no-untyped-call]
        self._finalized = True


def rebuild(target: Any, reduced: tuple[Any, ...]) -> CompileResult:
    """A compiled function from what the cache holds of it."""
    (name, kind, data), *rest = reduced
    if kind != LINKED:
        return CompileResult._rebuild(target, *reduced)  # type: ignore[no-untyped-call]
    description, environment, signature, objectmode, lifted, annotation, reload_init, environments = rest
    library = LinkedLibrary.read(target.codegen(), name, data)
    return compile_result(  # type: ignore[no-untyped-call]
        target_context=target,
        typing_context=target.typing_context,
        library=library,
        environment=environment,
        entry_point=target.get_executable(library, description, environment),
        fndesc=description,
        type_annotation=annotation,
        signature=signature,
        objectmode=objectmode,
        lifted=lifted,
        reload_init=reload_init,
        referenced_envs=environments,
    )


class _NoEnvironment:
    def set_env(self, name: str, environment: Any) -> None:
        pass


class LinkedCompiler(Compiler):
    """Compiles a function into a library for linking."""

    def compile_extra(self, function: Any) -> Any:
        """Compile a function of Python."""
        codegen = self.state.targetctx.codegen()
        library = LinkedLibrary(codegen, function.__qualname__)  # type: ignore[no-untyped-call]
        library.is_optimised = not function.__module__.startswith(OPTIMISED_LATER)
        self.state.library = library
        return super().compile_extra(function)  # type: ignore[no-untyped-call]


def set_environments(compiled: CompileResult) -> None:
    """Give the machine code of a function the environments of what is linked into it, as Numba does for cached code."""
    for environment in compiled._find_referenced_environments():  # type: ignore[no-untyped-call]
        compiled.codegen.set_env(environment.env_name, environment)
