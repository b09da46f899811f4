"""``mindspore.common.api``: compiling functions into graphs."""

from mindspore._engine.compiler import constexpr, jit, jit_class, ms_class, ms_function, mutable

__all__ = ["constexpr", "jit", "jit_class", "ms_class", "ms_function", "mutable"]
