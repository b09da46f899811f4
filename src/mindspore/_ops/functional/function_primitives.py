"""Primitives around functions of the user: ``PyFunc``, ``Morph`` and what belongs to them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import Any

import jax
import numpy as np

from mindspore._engine.autodiff.checkpointing import recomputed
from mindspore._engine.autodiff.custom_vjp import call_with_bprop
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import host_callbacks
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_function, register_primitive
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor, is_traced
from mindspore._engine.tracing.capture import state_of
from mindspore._engine.tracing.invoke import invoke
from mindspore._engine.transforms.gradients import grad, jacrev, jvp, value_and_grad, vjp
from mindspore._engine.transforms.taylor import jet, linearize
from mindspore._engine.transforms.vmap import vmap
from mindspore._ops.functional.custom import returned_arrays
from mindspore._utils.checks import check_bool, check_type, shown
from mindspore._utils.refusals import WrongObject, refused

# JAX logs what these functions raise; it reaches the user as an exception.
logging.getLogger(jax.pure_callback.__module__).addFilter(host_callbacks._is_news)


@register_primitive
class PyFunc(Primitive):
    """A Python function of NumPy arrays and numbers as an operator, called on the host, in compiled graphs too.

    Args:
        fn: the function.
        in_types, in_shapes: dtypes and shapes of the inputs; an empty shape means a Python number. Tensors of as many
            elements come in the declared shape.
        out_types, out_shapes: those of the outputs.
        stateful: whether calls must happen in program order. Without, the compiler may leave out or
            repeat a call, and ``vmap`` calls it element by element.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> add = ops.PyFunc(lambda a, b: a + b, [ms.float32] * 2, [(2,), (2,)], [ms.float32], [(2,)])
        >>> print(add((Tensor([1.0, 2.0]), Tensor([3.0, 4.0])))[0])
        [4. 6.]
    """

    def __init__(self, fn: Callable[..., Any], in_types: Sequence[Any], in_shapes: Sequence[Any],
                 out_types: Sequence[Any], out_shapes: Sequence[Any], stateful: bool = True):  # fmt: skip
        super().__init__("PyFunc")
        if not callable(fn):
            raise TypeError(f"For 'PyFunc', the 'fn' must be a function, but got {shown(fn)}.")
        check_bool("PyFunc", "stateful", stateful)
        self.fn = fn
        self.inputs = _forms("in", in_types, in_shapes)
        self.outputs = _forms("out", out_types, out_shapes)
        for name, value in (("in_types", in_types), ("in_shapes", in_shapes), ("out_types", out_types),
                            ("out_shapes", out_shapes), ("stateful", stateful)):  # fmt: skip
            self.add_prim_attr(name, value)

    def __call__(self, *args: Any) -> tuple[Tensor, ...]:
        given = tuple(args[0]) if len(args) == 1 and isinstance(args[0], (tuple, list)) else args
        tensors = tuple(x if isinstance(x, Tensor) else Tensor(x) for x in given)
        found = [jax.ShapeDtypeStruct(x.shape, x.dtype.np_dtype) for x in tensors]
        if [(one.size, one.dtype) for one in found] != [(one.size, one.dtype) for one in self.inputs]:
            raise TypeError(
                f"For 'PyFunc', the inputs must have the declared shapes and dtypes, {_shown(self.inputs)}, but got "
                f"{_shown(found)}."
            )
        if found != self.inputs:  # as many elements, which the function gets in the declared shape
            tensors = tuple(x.reshape(one.shape) for x, one in zip(tensors, self.inputs, strict=True))
        return call_with_bprop(lambda: self._compute(tensors), self._no_gradient, tensors, (), "PyFunc")

    def _compute(self, tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        if self.stateful or state.scope is None:
            return host_callbacks.fetch(self._on_arrays, self.outputs, tensors)
        state.scope.root.calls_host = True
        arrays = [tensor._read() for tensor in tensors]
        called = host_callbacks._guarded(self._on_arrays)
        values = jax.pure_callback(called, tuple(self.outputs), *arrays, vmap_method="sequential")
        return tuple(Tensor.wrap(value) for value in values)

    def _on_arrays(self, *arrays: Any) -> tuple[np.ndarray, ...]:
        """The function on arrays and numbers; what it returns must have the declared form."""
        returned = self.fn(*[np.asarray(x) if x.shape else np.asarray(x).item() for x in arrays])
        found = returned_arrays(returned)
        if [array.shape for array in found] != [form.shape for form in self.outputs]:
            raise TypeError(
                f"For 'PyFunc', the function must return arrays of shapes {[form.shape for form in self.outputs]} as "
                f"'out_shapes' says, but it returned {[array.shape for array in found]}."
            )
        return tuple(array.astype(form.dtype) for array, form in zip(found, self.outputs, strict=True))

    def _no_gradient(self, *args: Any) -> Any:
        raise RuntimeError(
            "For 'PyFunc', the gradient of a Python function is not known: use ops.Custom(..., bprop=...), or stop the gradient "
            "with ops.stop_gradient()."
        )


def _forms(which: str, kinds: Sequence[Any], shapes: Sequence[Any]) -> list[jax.ShapeDtypeStruct]:
    check_type("PyFunc", f"{which}_types", kinds, (tuple, list))
    for shape in check_type("PyFunc", f"{which}_shapes", shapes, (tuple, list)):
        check_type("PyFunc", f"{which}_shapes", shape, (tuple, list))
    if len(kinds) != len(shapes):
        raise TypeError(
            f"For 'PyFunc', the '{which}_types' and '{which}_shapes' must have the same length, but got {len(kinds)} and {len(shapes)}."
        )
    return [
        jax.ShapeDtypeStruct(tuple(shape), dtypes.to_dtype(kind, "PyFunc", f"{which}_types").np_dtype)
        for kind, shape in zip(kinds, shapes, strict=True)
    ]


def _shown(forms: Sequence[jax.ShapeDtypeStruct]) -> str:
    return ", ".join(f"{form.dtype}{list(form.shape)}" for form in forms) or "none"


@register_primitive
class Morph(Primitive):
    """A function of Tensors as a Primitive: calling it calls the function, in both modes.

    Args:
        fn: the function.
        infer_shape, infer_dtype: how shapes and dtypes follow; of no use here, where the function itself shows it.
        bprop_fn: its gradient, ``bprop_fn(*inputs, out, dout)`` with one gradient per input; by default the function is
            differentiated.

    Examples:
        >>> from mindspore import Tensor, grad, ops
        >>> double = ops.Morph(lambda x: x * 2, lambda shape: shape, lambda dtype: dtype)
        >>> print(double(Tensor(3.0)), grad(double)(Tensor(3.0)))
        6.0 2.0
    """

    def __init__(self, fn: Callable[..., Any], infer_shape: Any, infer_dtype: Any, bprop_fn: Any = None):
        super().__init__("Morph")
        for name, value in (("fn", fn), ("infer_shape", infer_shape), ("infer_dtype", infer_dtype)):
            if not callable(value):
                raise TypeError(f"For 'Morph', the '{name}' must be a function, but got {shown(value)}.")
        if bprop_fn is not None and not callable(bprop_fn):
            raise TypeError(f"For 'Morph', the 'bprop_fn' must be a function or None, but got {shown(bprop_fn)}.")
        self.fn, self.infer_shape, self.infer_dtype, self.bprop_fn = fn, infer_shape, infer_dtype, bprop_fn

    def __call__(self, *args: Any) -> Any:
        if self.bprop_fn is None:
            return invoke(self.fn, args, {})
        return call_with_bprop(lambda: invoke(self.fn, args, {}), self.bprop_fn, args, (), "Morph")


@register_primitive
class TensorToTuple(Primitive):
    """The elements of a vector as a tuple of numbers; of Tensors without axes where a graph is compiled.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.TensorToTuple()(Tensor([1, 2, 3]))
        (1, 2, 3)
    """

    def __call__(self, x: Tensor) -> tuple:
        if not isinstance(x, Tensor):
            raise refused(WrongObject, f"For 'TensorToTuple', the input must be a Tensor, but got {shown(x)}.")
        if x.ndim != 1:
            raise ValueError(f"For 'TensorToTuple', the input must have 1 dimension, but got {x.shape}.")
        return tuple(x) if is_traced(x) else tuple(x.tolist())


def J(fn: Callable[..., Any]) -> Callable[..., tuple[Any, ...]]:
    """A function that returns ``fn``'s outputs and the function from their gradients to those of the inputs.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> outputs, pull_back = ops.J(lambda x: x * x)(Tensor(3.0))
        >>> print(outputs, *pull_back(Tensor(1.0)))
        9.0 6.0
    """
    return lambda *inputs: vjp(fn, *inputs)


def recompute_block(block: Callable[..., Any]) -> Callable[..., Any]:
    """A function or Cell that is computed again in the backward pass, so that only its inputs are kept for it.

    Examples:
        >>> from mindspore import Tensor, grad, ops
        >>> print(grad(ops.recompute_block(lambda x: x * x))(Tensor(3.0)))
        6.0
    """
    if not callable(block):
        raise TypeError(f"For 'recompute_block', the 'block' must be a function or a Cell, but got {shown(block)}.")

    def call(*args: Any, **kwargs: Any) -> Any:
        weights = list(dict.fromkeys(t for t in state_of(block) if isinstance(t, Parameter)))
        return recomputed(block, args, kwargs, weights)

    return call


# Functions of functions stand beside the operators.
for _function in (J, recompute_block, grad, jacrev, jet, jvp, linearize, value_and_grad, vjp, vmap):
    register_function(_function)
