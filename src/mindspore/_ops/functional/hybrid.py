"""``ops.kernel``: functions in MindSpore's hybrid language, element by element, run as Python on NumPy arrays."""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import types
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from typing import Any

import numpy as np

from mindspore._engine.operator.registry import register_function
from mindspore._utils.checks import shown


def _array(shape: Any, dtype: Any) -> np.ndarray:
    return np.zeros(tuple(shape), dtype)


def _grid(extents: Any) -> Iterator[tuple[int, ...]]:
    """All index tuples of a shape, the last axis fastest."""
    return itertools.product(*map(range, extents))


# The names of the language: memory, loops (the order in which they run is the compiler's business), numbers.
_LANGUAGE: dict[str, Any] = {
    "output_tensor": _array, "allocate": _array, "block_realize": lambda tensor: nullcontext(tensor), "grid": _grid,
    "serial": range, "vectorize": range, "parallel": range, "reduce": range,
    "log": np.log, "exp": np.exp, "sqrt": np.sqrt, "rsqrt": lambda x: 1 / np.sqrt(x), "tanh": np.tanh, "power": np.power,
    "ceil_div": lambda x, y: -(-x // y), "int_div": lambda x, y: x // y, "int_mod": lambda x, y: x % y,
    "erf": np.vectorize(math.erf), "atan": np.arctan, "atan2": np.arctan2,
    **{name: getattr(np, name) for name in ("sin", "cos", "expm1", "floor", "ceil", "trunc", "round", "isnan", "isinf",
                                            "isfinite")},
    **{name: getattr(np, name) for name in ("float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8",
                                            "uint16", "uint32", "uint64")},
}  # fmt: skip


class HybridKernel:
    """A hybrid function: call it with NumPy arrays, or make an operator of it with ``ops.Custom``."""

    def __init__(self, function: Callable[..., Any], reg_info: Any = None, compile_attrs: Any = None):
        functools.update_wrapper(self, function)
        self.__name__ = function.__name__
        self.reg_info, self.compile_attrs = reg_info, compile_attrs
        self.function = in_language(function)

    def __call__(self, *arrays: Any) -> Any:
        for array in arrays:
            if not isinstance(array, np.ndarray):
                raise TypeError(
                    f"For 'kernel', the inputs of '{self.__name__}' must be NumPy arrays, but got {shown(array)}. Make an "
                    "operator of it for Tensors: ops.Custom(function, func_type='hybrid')."
                )
        return self.function(*arrays)


def in_language(function: Any) -> Callable[..., Any]:
    """The function with the names of the hybrid language known to it; names of its own module come first."""
    if isinstance(function, HybridKernel):
        return function.function
    if not inspect.isfunction(function):
        return function
    known = {**_LANGUAGE, **function.__globals__}
    made = types.FunctionType(function.__code__, known, function.__name__, function.__defaults__, function.__closure__)
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def kernel(fn: Callable[..., Any] | None = None, reg_info: Any = None, compile_attrs: Any = None) -> Any:
    """Mark a function as written in the hybrid language; use it bare or with arguments.

    Inside it, ``output_tensor`` and ``allocate`` make arrays, and ``serial``, ``parallel``, ``vectorize``, ``reduce`` and
    ``grid`` are loops. It runs as Python, an element at a time: for speed write the same with operators, or as a
    function of JAX arrays for ``ops.Custom(..., func_type="jax")``.

    Args:
        fn: the function.
        reg_info, compile_attrs: for other kernel compilers; kept readable.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, ops
        >>> @ops.kernel
        ... def doubled(a):
        ...     b = output_tensor(a.shape, a.dtype)
        ...     for i in range(a.shape[0]):
        ...         b[i] = a[i] * 2
        ...     return b
        >>> print(doubled(np.array([1.0, 2.0])), ops.Custom(doubled, func_type="hybrid")(Tensor([3.0])))
        [2. 4.] [6.]
    """
    if fn is None:
        return functools.partial(kernel, reg_info=reg_info, compile_attrs=compile_attrs)
    if not inspect.isfunction(fn):
        raise TypeError(f"For 'kernel', the 'fn' must be a function, but got {shown(fn)}.")
    return HybridKernel(fn, reg_info, compile_attrs)


register_function(kernel, aliases="ms_kernel")
