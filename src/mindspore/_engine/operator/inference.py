"""What a Primitive returns for inputs of certain shapes and dtypes, learnt by tracing it without computing anything."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import jax
import jax.numpy as jnp

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.dtype_classes import TensorType
from mindspore._engine.execution.tape import paused
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.tensor.tensor import Tensor

_ELEMENTS = (dtypes.float32, dtypes.int32, dtypes.bool_, dtypes.complex64)
_SHAPES = ((2, 2), (), (2,), (2, 2, 2), (2, 3, 4, 4), (2, 3, 4, 4, 4), (1,), (4, 5))
_TRIALS = 400  # combinations of stand-ins that are tried where only shapes or only dtypes are known


class Inference:
    """Shapes and dtypes of results from those of inputs, in order, by whatever names.

    Split off from Primitive for readability; not used on its own.
    """

    name: str

    def infer_shape(self, *shapes: Any, **named: Any) -> Any:
        """The shape of the result for these shapes of inputs, or a tuple of them.

        Examples:
            >>> from mindspore import ops
            >>> ops.MaxPool(2, 2).infer_shape([1, 3, 8, 8])
            [1, 3, 4, 4]
        """
        return _each(
            self._traced([_shape_forms(shape) for shape in (*shapes, *named.values())]), lambda one: list(one.shape)
        )

    def infer_dtype(self, *types: Any, **named: Any) -> Any:
        """The dtype of the result for these dtypes of inputs, or a tuple of them.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import ops
            >>> ops.Equal().infer_dtype(ms.float32, ms.float32)
            mindspore.tensor[bool]
        """
        outcome = self._traced([_type_forms(one) for one in (*types, *named.values())])
        return _each(outcome, lambda one: TensorType(dtypes.from_numpy(one.dtype)))

    def infer_value(self, *values: Any, **named: Any) -> Any:
        """The result if all inputs are known, else None.

        Examples:
            >>> from mindspore import Tensor, ops
            >>> print(ops.Sub().infer_value(Tensor([3.0]), Tensor([1.0])))
            [2.]
            >>> print(ops.Sub().infer_value(None, Tensor([1.0])))
            None
        """
        call: Any = self
        values = (*values, *named.values())
        return None if any(value is None for value in values) else call(*values)

    def check_shape(self, *shapes: Any, **named: Any) -> None:
        """Refuse shapes of inputs that do not fit."""
        self.infer_shape(*shapes, **named)

    def check_dtype(self, *types: Any, **named: Any) -> None:
        """Refuse dtypes of inputs that do not fit."""
        self.infer_dtype(*types, **named)

    @staticmethod
    def do_infer_dtype(
        x_dtype: Any, y_dtype: Any, valid_dtype: Sequence[Any] | None = None, prim_name: str | None = None
    ) -> Any:
        """The dtype of an operator of two inputs that must have the same one, one of ``valid_dtype``."""
        elements = [one.element_type() if isinstance(one, TensorType) else one for one in (x_dtype, y_dtype)]
        if elements[0] != elements[1] or (valid_dtype is not None and elements[0] not in valid_dtype):
            allowed = "the same dtype" if valid_dtype is None else f"the same dtype of {list(valid_dtype)}"
            raise TypeError(f"For '{prim_name}', the 'x' and 'y' must have {allowed}, but got {x_dtype} and {y_dtype}.")
        return TensorType(elements[0])

    def _traced(self, forms: list[list[Any]]) -> Any:
        """The forms of the results for the first combination of stand-ins that the Primitive takes."""
        first: Exception | None = None
        for chosen in itertools.islice(_combinations(forms), _TRIALS):
            try:
                return _trace(self, chosen)
            except (TypeError, ValueError, IndexError, RuntimeError) as error:
                first = first or error
        raise first if first is not None else TypeError(f"For '{self.name}', there is nothing to infer from.")


def _combinations(forms: list[list[Any]]) -> Iterator[Sequence[Any]]:
    """Alike ones first: most operators take inputs of one dtype and one shape."""
    yield from zip(*forms, strict=False) if all(len(one) > 1 for one in forms) else ()
    yield from itertools.product(*forms)


def _shape_forms(shape: Any) -> list[Any]:
    if shape is None or isinstance(shape, (int, float, bool, str)):
        return [shape]
    if any(isinstance(one, (tuple, list)) for one in shape):  # a tuple of Tensors
        return [tuple(one) for one in zip(*map(_shape_forms, shape), strict=True)]
    return [jax.ShapeDtypeStruct(tuple(shape), element.np_dtype) for element in _ELEMENTS]


def _type_forms(kind: Any) -> list[Any]:
    if isinstance(kind, (tuple, list)):
        return [tuple(one) for one in zip(*map(_type_forms, kind), strict=True)]
    element = kind.element_type() if isinstance(kind, TensorType) else kind
    if not isinstance(element, dtypes.DType) or element.np_dtype is None:
        return [kind]
    return [jax.ShapeDtypeStruct(shape, element.np_dtype) for shape in _SHAPES]


def _trace(primitive: Any, forms: Sequence[Any]) -> Any:
    flat, tree = jax.tree.flatten(list(forms), is_leaf=lambda one: one is None)
    array_leaves = [index for index, leaf in enumerate(flat) if isinstance(leaf, jax.ShapeDtypeStruct)]

    def on_arrays(*arrays: Any) -> Any:
        leaves = list(flat)
        with paused(), Scope():
            for number, array in zip(array_leaves, arrays, strict=True):
                leaves[number] = Tensor.wrap(array)
            return _arrays(primitive(*jax.tree.unflatten(tree, leaves)))

    return jax.eval_shape(on_arrays, *(flat[number] for number in array_leaves))


def _arrays(result: Any) -> Any:
    if isinstance(result, (tuple, list)):
        return tuple(map(_arrays, result))
    if result is None:  # of operators that only do something
        return jnp.zeros((1,), bool)
    return result._value if isinstance(result, Tensor) else jnp.asarray(result)


def _each(outcome: Any, take: Any) -> Any:
    return tuple(_each(one, take) for one in outcome) if isinstance(outcome, tuple) else take(outcome)
