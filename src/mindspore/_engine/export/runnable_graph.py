"""What ``nn.GraphCell`` runs: a graph from a file, of either kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.tensor.tensor import Tensor


class Weight(NamedTuple):
    """A captured Tensor of a graph: a Parameter, a Tensor a Cell holds, or the PRNG state."""

    name: str
    kind: str  # 'parameter', 'tensor' or 'random'
    requires_grad: bool
    value: Any  # a Tensor when exporting, a NumPy array after loading


class RunnableGraph:
    """A graph that was read from a file."""

    name: str
    inputs: list[dict[str, Any]]  # name, shape and dtype; open sizes are names
    results: list[dict[str, Any]]
    weights: list[Weight]

    def __call__(self, state: Sequence[Tensor], args: tuple[Any, ...]) -> Any:
        """Run with these Tensors as weights, updated in place by what the graph writes."""
        raise NotImplementedError


def dtype_of(form: dict[str, Any]) -> np.dtype:
    return np.dtype(getattr(ml_dtypes, form["dtype"], form["dtype"]))


def described(form: dict[str, Any]) -> str:
    """Tensor[Float32](batch, 3)"""
    comma = "," if len(form["shape"]) == 1 else ""
    return f"Tensor[{dtypes.from_numpy(dtype_of(form))}]({', '.join(map(str, form['shape']))}{comma})"


def fitting(value: Any, form: dict[str, Any], sizes: dict[str, int], name: str) -> Tensor:
    """An input, checked against what the file says of it; sizes of the same name must be equal."""
    if isinstance(value, np.ndarray):
        value = Tensor(value)
    if not isinstance(value, Tensor):
        raise TypeError(
            f"For 'GraphCell', the input '{form['name']}' of {name} must be a Tensor, but got {type(value).__name__}."
        )
    fits = value.dtype.np_dtype == dtypes.from_numpy(dtype_of(form)).np_dtype
    fits = fits and len(value.shape) == len(form["shape"])
    if fits:
        for size, expected in zip(value.shape, form["shape"]):
            fits = fits and size == (sizes.setdefault(expected, size) if isinstance(expected, str) else expected)
    if not fits:
        known = ", ".join(f"{symbol} is {size}" for symbol, size in sizes.items())
        raise ValueError(
            f"For 'GraphCell', the input '{form['name']}' of {name} must be {described(form)}, but got "
            f"Tensor[{value.dtype}]{value.shape}.{f' So far {known}.' if known else ''}"
        )
    return value
