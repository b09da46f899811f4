"""Functions with PyTorch's arguments whose names in ``mindspore.ops`` end in ``_ext``, and other forms of known ones."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.execution.generators import Generator, default_generator
from mindspore._engine.operator.arguments import Array, DType, Operand
from mindspore._engine.operator.registry import op, register_function
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.array.padding import mirror_pad
from mindspore._ops.array.shape import reshape
from mindspore._ops.declaring.promotion import as_float, check_broadcast, normal_axis
from mindspore._ops.declaring.requirements import require
from mindspore._ops.effects.state import stop_gradient
from mindspore._ops.functional.values import tensor_shape
from mindspore._ops.linalg.affine import baddbmm
from mindspore._ops.linalg.linalg import einsum
from mindspore._ops.math.arithmetic import mul
from mindspore._ops.math.compare import isnan
from mindspore._ops.math.differences import diff
from mindspore._ops.methods.in_place import keep
from mindspore._ops.nn.adaptive_pooling import adaptive_avg_pool2d
from mindspore._ops.nn.loss import mse_loss
from mindspore._ops.random.in_place_random import bernoulli
from mindspore._ops.sparse.sparse_kernels import coo2csr, csr2coo
from mindspore._utils.checks import shown
from mindspore._utils.refusals import WrongObject, refused

for _function, _alias in (
    (adaptive_avg_pool2d, "adaptive_avg_pool2d_ext"),
    (baddbmm, "baddbmm_ext"),
    (diff, "diff_ext"),
    (einsum, "einsum_ext"),
    (mse_loss, "mse_loss_ext"),
    (mul, "tensor_muls"),
    (reshape, "reshape_"),
    (tensor_shape, "dyn_shape"),
):
    register_function(_function, aliases=_alias)
for _function in (mirror_pad, coo2csr, csr2coo):  # their families publish only the Primitives
    register_function(_function)


def _default_axis(ndim: int) -> int:
    """The axis PyTorch chooses where none is given."""
    return 0 if ndim in (0, 1, 3) else 1


def _numpy_log_softmax(x: np.ndarray, axis: int = 1, *_: Any) -> np.ndarray:
    return x - np.log(np.exp(x).sum(axis, keepdims=True))


@op(primitive="LogSoftmaxExt", public=False,
    test=lambda t: [t.case(t.normal(2, 3), expect=_numpy_log_softmax),
                    t.case(t.normal(2, 3), 0, expect=_numpy_log_softmax)])  # fmt: skip
def log_softmax_ext(input: Array, dim: int | None = None, dtype: DType | None = None):
    """The logarithm of the softmax along an axis, computed in ``dtype`` if given.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.LogSoftmaxExt()(Tensor([[1.0, 1.0]]), -1))
        [[-0.6931472 -0.6931472]]
    """
    x = as_float(input) if dtype is None else input.astype(dtype.np_dtype)
    axis = _default_axis(x.ndim) if dim is None else normal_axis(dim, x.ndim, "dim")
    return jax.nn.log_softmax(x, axis) if x.ndim else jnp.zeros_like(x)


@op(test=lambda t: [t.case(t.positive(2, 3), t.normal(3), grad=False, tolerance=1e-5, expect=np.float_power),
                    t.case(np.array([1, 2, 3], np.int32), 2, expect=np.float_power)])  # fmt: skip
def float_power_ext(input: Operand, exponent: Operand):
    """``input`` to the power of ``exponent``, computed and returned in float64.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.float_power_ext(Tensor([1, 2, 3]), 2))
        [1. 4. 9.]
    """
    pair = [jnp.asarray(value) for value in (input, exponent)]
    text = "the 'input' and 'exponent' must be real numbers, but got complex ones."
    require(not any(jnp.iscomplexobj(value) for value in pair), text, TypeError)
    check_broadcast(*pair)
    return jnp.power(*(value.astype(jnp.float64) for value in pair))


def isnan_ext(tensor: Tensor) -> Tensor:
    """Where the elements are not a number.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.isnan_ext(Tensor([1.0, float("nan")])))
        [False  True]
    """
    return isnan(tensor)


def bernoulli_ext(input: Tensor, *, generator: Generator | None = None) -> Tensor:
    """Ones with the probabilities given, zeros elsewhere.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.bernoulli_ext(Tensor([1.0, 0.0])))
        [1. 0.]
    """
    if not isinstance(input, Tensor):
        raise refused(WrongObject, f"For 'bernoulli_ext', the 'input' must be a Tensor, but got {shown(input)}.")
    if generator is not None and not isinstance(generator, Generator):
        text = f"For 'bernoulli_ext', the 'generator' must be a mindspore.Generator, but got {shown(generator)}."
        raise TypeError(text)
    return (generator or default_generator).run(bernoulli, input)


def deepcopy(input_x: Tensor) -> Tensor:
    """A tensor of its own with the same elements.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.deepcopy(Tensor([1, 2])))
        [1 2]
    """
    if not isinstance(input_x, Tensor):
        raise refused(WrongObject, f"For 'deepcopy', the 'input_x' must be a Tensor, but got {shown(input_x)}.")
    return input_x.copy()


def inplace_sigmoid(input: Tensor) -> Tensor:
    """Stores the sigmoid of a tensor in the tensor itself.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.inplace_sigmoid(Tensor([0.0])))
        [0.5]
    """
    if not isinstance(input, Tensor):
        raise refused(WrongObject, f"For 'inplace_sigmoid', the 'input' must be a Tensor, but got {shown(input)}.")
    return keep("inplace_sigmoid", input, input.sigmoid())


def stop_gradient_(input: Tensor) -> None:
    """Cuts a tensor off from what it was computed of: no gradient goes through it any more.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> def f(x):
        ...     y = x * x
        ...     ops.stop_gradient_(y)
        ...     return x * y
        >>> print(ms.grad(f)(Tensor(3.0)))
        9.0
    """
    if not isinstance(input, Tensor):
        raise refused(WrongObject, f"For 'stop_gradient_', the 'input' must be a Tensor, but got {shown(input)}.")
    input._become(stop_gradient(input))


for _function in (isnan_ext, bernoulli_ext, deepcopy, inplace_sigmoid, stop_gradient_):
    register_function(_function)
