"""Combinations of tensors: block diagonal matrices, Cartesian products, combinations of elements."""

from __future__ import annotations

import itertools
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.operator.arguments import Array, Arrays
from mindspore._engine.operator.registry import op, register_function
from mindspore._ops.declaring.promotion import common_dtype
from mindspore._ops.declaring.requirements import require, require_rank, require_same_dtype


def _unpacked(inputs: tuple) -> tuple:
    """The tensors themselves, also when they were passed as a single list."""
    return tuple(inputs[0]) if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) else inputs


@op(public=False,
    test=lambda t: [t.case((t.normal(2), t.normal(2, 2)),
                           expect=lambda parts: np.block([[parts[0][None], np.zeros((1, 2))],
                                                          [np.zeros((2, 2)), parts[1]]]))])  # fmt: skip
def blocks_on_diagonal(inputs: Arrays):
    """A matrix with the inputs on its diagonal."""
    require(len(inputs) > 0, "the 'inputs' must be at least one Tensor, but got none.")
    for x in inputs:
        require(x.ndim <= 2, f"the 'inputs' must have at most 2 dimensions, but got shape {x.shape}.")
    dtype = common_dtype(*inputs)
    return jax.scipy.linalg.block_diag(*[jnp.atleast_2d(x).astype(dtype) for x in inputs])


def block_diag(*inputs: Any) -> Any:
    """A matrix with the inputs on its diagonal and 0 elsewhere; a vector is a row.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.block_diag(Tensor([1, 2]), Tensor([[3]])))
        [[1 2 0]
         [0 0 3]]
    """
    return blocks_on_diagonal(_unpacked(inputs))


@op(public=False,
    test=lambda t: [t.case((t.normal(2), t.normal(3)),
                           expect=lambda parts: np.array(list(itertools.product(*parts))))])  # fmt: skip
def all_tuples(inputs: Arrays):
    """The Cartesian product of the inputs, as rows."""
    require(len(inputs) > 0, "the 'inputs' must be at least one Tensor, but got none.")
    for x in inputs:
        require_rank("inputs", x, 0, 1)
        require_same_dtype(inputs=inputs[0], input=x)
    return jnp.stack(
        [grid.reshape(-1) for grid in jnp.meshgrid(*[x.reshape(-1) for x in inputs], indexing="ij")], axis=-1
    )


def cartesian_prod(*inputs: Any) -> Any:
    """The Cartesian product of vectors, as rows; the last vector varies fastest.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.cartesian_prod(Tensor([1, 2]), Tensor([8, 9])))
        [[1 8]
         [1 9]
         [2 8]
         [2 9]]
    """
    return all_tuples(_unpacked(inputs))


for _function in (block_diag, cartesian_prod):
    register_function(_function)


@op(test=lambda t: [t.case(t.normal(4), expect=lambda x: np.array(list(itertools.combinations(x, 2)))),
                    t.case(t.normal(3), 2, True, expect=lambda x, r, _: np.array(
                        list(itertools.combinations_with_replacement(x, r))))])  # fmt: skip
def combinations(input: Array, r: int = 2, with_replacement: bool = False):
    """All choices of ``r`` elements of a vector as rows, in the order of the vector.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.combinations(Tensor([1, 2, 3])))
        [[1 2]
         [1 3]
         [2 3]]
    """
    require_rank("input", input, 1)
    choose = itertools.combinations_with_replacement if with_replacement else itertools.combinations
    count = input.shape[0]
    require(r > 0, f"the 'r' must be positive, but got {r}.")
    chosen = list(choose(range(count), r))
    # Too few elements leave no choice: real MindSpore gives a vector without elements.
    return input[np.array(chosen)] if chosen else jnp.zeros((0,), input.dtype)
