"""Operators from functions of the user: ``ops.Custom``."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import jax
import numpy as np

from mindspore._engine.autodiff.custom_vjp import call_with_bprop
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.host_callbacks import fetch
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.functional.custom_library import LibraryFunction
from mindspore._ops.functional.hybrid import in_language
from mindspore._utils.checks import shown

_HYBRID = ("hybrid", "akg")  # functions in MindSpore's own language, which run as Python
_KINDS = ("pyfunc", "jax", "aot", *_HYBRID)
_FOREIGN = ("tbe", "aicpu", "julia")  # languages of MindSpore's own kernel compilers


@register_primitive
class Custom(Primitive):
    """An operator whose computation is a function of the user.

    Args:
        func: with ``func_type="pyfunc"`` a function of NumPy arrays, called on the host, in compiled graphs too. With
            ``"jax"`` a function of JAX arrays, which is compiled and has a gradient of its own. With ``"hybrid"`` or
            ``"akg"`` a function in the language of :func:`mindspore.ops.kernel`, run as Python on the host. With
            ``"aot"`` the path of a function in a compiled library, ``"./add.so:CustomAdd"``, or in a C++ source,
            ``"./add.cc:CustomAdd"``, which need not exist yet: ``int CustomAdd(int nparam, void **params, int *ndims,
            int64_t **shapes, const char **dtypes, void *stream, void *extra)``, inputs first, then outputs. Its inputs
            and outputs are in the host's memory. With ``CustomAddInit`` beside it, which gets an ``AotExtra`` of
            ``custom_aot_extra.h``, it reads attributes and asks for workspaces, which come after the outputs; with
            ``CustomAddInferShape`` and ``CustomAddInferType`` it says the output's shape and dtype, which may be None here.
        out_shape, out_dtype: shape and dtype of the output (lists of them for several outputs), or functions that get
            those of the inputs. Compiled graphs need them for "pyfunc", and "aot" always, but for a library's own shapes; a hybrid function shows them
            by itself.
        bprop: the gradient: ``bprop(*inputs, out, dout)`` with one gradient per input, written with operators.
        reg_info: descriptions of :class:`mindspore.ops.CustomRegOp`: the values of its attributes are those that an AOT
            library reads; the rest is for other kernel compilers.

    Examples:
        >>> import numpy as np
        >>> from mindspore import Tensor, ops
        >>> larger = ops.Custom(np.maximum, lambda x, y: x, lambda x, y: x, func_type="pyfunc")
        >>> print(larger(Tensor([1.0, 4.0]), Tensor([3.0, 2.0])))
        [3. 4.]
        >>> import jax.numpy as jnp
        >>> cube = ops.Custom(lambda x: jnp.power(x, 3), func_type="jax")
        >>> print(ops.grad(cube)(Tensor([1.0, 2.0])))
        [ 3. 12.]
    """

    def __init__(self, func: Any, out_shape: Any = None, out_dtype: Any = None, func_type: str = "pyfunc",
                 bprop: Callable[..., Any] | None = None, reg_info: Any = None):  # fmt: skip
        super().__init__("Custom")
        _check(func, func_type, bprop)
        self.func: Any = func
        if func_type in _HYBRID:
            self.func = in_language(func)
        elif func_type == "aot":
            self.func = LibraryFunction(func, lambda: self.attrs)
        self.out_shape, self.out_dtype, self.bprop = out_shape, out_dtype, bprop
        self.add_prim_attr("func_name", func if func_type == "aot" else getattr(func, "__name__", type(func).__name__))
        self.add_prim_attr("func_type", func_type)
        for name, value in _attributes(reg_info):
            self.add_prim_attr(name, value)
        self._kernel = Kernel(f"Custom '{self.func_name}'", self.func)

    def get_bprop(self) -> Callable[..., Any] | None:
        """The function that gives the gradient, if there is one."""
        return self.bprop

    def __call__(self, *args: Any) -> Any:
        inputs = tuple(x if isinstance(x, Tensor) else Tensor(x) for x in args)
        if self.bprop is not None:
            return call_with_bprop(lambda: self._compute(inputs), self.bprop, inputs, (), "Custom")
        if self.func_type == "jax":
            return self._compute(inputs)
        return call_with_bprop(lambda: self._compute(inputs), self._no_gradient, inputs, (), "Custom")

    def _compute(self, inputs: tuple[Tensor, ...]) -> Any:
        if self.func_type == "jax":
            return run(self._kernel, list(inputs))
        shapes, types = self._forms(inputs)
        tensors = fetch(lambda *arrays: self._on_arrays(arrays, shapes, types), self._structures(shapes, types), inputs)
        several = len(tensors) != 1 if shapes is None else self._several(shapes)
        return tensors if several else tensors[0]

    def _no_gradient(self, *args: Any) -> Any:
        raise RuntimeError(
            f"For 'Custom', the gradient of '{self.func_name}' is not known: give bprop=, a function (*inputs, out, dout) "
            "that returns one gradient per input, or stop the gradient with ops.stop_gradient()."
        )

    # -- what comes out ------------------------------------------------------------------------------------------------
    def _forms(self, inputs: tuple[Tensor, ...]) -> tuple[Any, Any]:
        """The output's shape and dtype as declared."""
        shapes = self.out_shape(*[list(x.shape) for x in inputs]) if callable(self.out_shape) else self.out_shape
        types = self.out_dtype
        # a dtype is callable too, but is no function that infers dtypes
        if inspect.isroutine(types):
            types = types(*[x.dtype for x in inputs])
        if self.func_type == "aot" and types is None:
            several = shapes is not None and self._several(shapes)
            types = self.func.inferred_type([x.dtype.np_dtype.name for x in inputs], several)
        if self.func_type == "aot" and shapes is None:
            several = isinstance(types, (tuple, list))
            shapes = self.func.inferred_shape([x.shape for x in inputs], several)
        if self.func_type in _HYBRID and (shapes is None or types is None):
            return self._shown_by(inputs)
        return shapes, types

    def _shown_by(self, inputs: tuple[Tensor, ...]) -> tuple[Any, Any]:
        """The output's shape and dtype, found by running a hybrid function on ones."""
        returned = self.func(*[np.ones(x.shape, x.dtype.np_dtype) for x in inputs])
        if not isinstance(returned, (tuple, list)):
            return list(returned.shape), dtypes.from_numpy(returned.dtype)
        return [list(array.shape) for array in returned], [dtypes.from_numpy(array.dtype) for array in returned]

    def _several(self, shapes: Any) -> bool:
        return len(shapes) > 0 and isinstance(shapes[0], (tuple, list))

    def _structures(self, shapes: Any, types: Any) -> list[jax.ShapeDtypeStruct]:
        if shapes is None or types is None:
            if state.scope is None and self.func_type != "aot":
                return []
            where = "" if self.func_type == "aot" else " in a compiled graph"
            raise ValueError(
                f"For 'Custom', the 'out_shape' and 'out_dtype' of '{self.func_name}' must be given{where}, but got "
                f"{shapes} and {types}."
            )
        several = self._several(shapes)
        listed = list(zip(shapes, types, strict=True)) if several else [(shapes, types)]
        return [jax.ShapeDtypeStruct(tuple(s), dtypes.to_dtype(t, "Custom", "out_dtype").np_dtype) for s, t in listed]

    def _on_arrays(self, arrays: Sequence[Any], shapes: Any, types: Any) -> list[np.ndarray]:
        """The function on NumPy arrays; what it returns must have the declared form."""
        if self.func_type == "aot":
            return self.func([np.asarray(array) for array in arrays], self._structures(shapes, types))
        returned = self.func(*[np.asarray(array) for array in arrays])
        found = returned_arrays(returned)
        if shapes is None or types is None:
            return found
        wanted = self._structures(shapes, types)
        if [array.shape for array in found] != [form.shape for form in wanted]:
            raise ValueError(
                f"For 'Custom', the function '{self.func_name}' must return shape {[form.shape for form in wanted]} as "
                f"'out_shape' says, but it returned {[array.shape for array in found]}."
            )
        return [array.astype(form.dtype) for array, form in zip(found, wanted, strict=True)]


def returned_arrays(returned: Any) -> list[np.ndarray]:
    """The outputs of a function on NumPy arrays, which may return None, an array or number, or several."""
    several = () if returned is None else returned if isinstance(returned, (tuple, list)) else (returned,)
    return [np.asarray(output) for output in several]


def _attributes(reg_info: Any) -> Iterator[tuple[str, Any]]:
    """The attributes with a value in descriptions: one, as a dict or JSON, or several."""
    for info in reg_info if isinstance(reg_info, (tuple, list)) else [reg_info]:
        described = json.loads(info) if isinstance(info, str) else info
        for attribute in described.get("attr") or () if isinstance(described, dict) else ():
            if "value" in attribute:
                yield attribute["name"], attribute["value"]


def _check(func: Any, func_type: Any, bprop: Any) -> None:
    if func_type in _FOREIGN or (func_type in _HYBRID and isinstance(func, str)):
        raise ValueError(
            f"For 'Custom', the 'func_type' must be one of {list(_KINDS)}, but got {func_type!r}: kernels of that kind are "
            "built for other devices. Give the same computation as a function of NumPy arrays with func_type='pyfunc', or "
            "as one of JAX arrays with func_type='jax', which is compiled."
        )
    if func_type not in _KINDS:
        raise ValueError(f"For 'Custom', the 'func_type' must be one of {list(_KINDS)}, but got {shown(func_type)}.")
    if func_type == "aot":
        if not isinstance(func, str):
            raise TypeError(
                f"For 'Custom', the 'func' must be of type str with func_type='aot', such as './add.so:CustomAdd', but got "
                f"{shown(func)}."
            )
    elif not callable(func):
        raise TypeError(f"For 'Custom', the 'func' must be a function, but got {shown(func)}.")
    if bprop is not None and not callable(bprop):
        raise TypeError(f"For 'Custom', the 'bprop' must be a function or None, but got {shown(bprop)}.")
