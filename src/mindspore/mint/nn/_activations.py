"""Activations by PyTorch's argument names; ``inplace`` stores the result in the input too."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._engine.base.dtype import DType
from mindspore._engine.operator.checked import check_numbers, check_tensors
from mindspore.common.tensor import Tensor


def _stored(input: Tensor, result: Tensor, inplace: bool = True) -> Tensor:
    return input.copy_(result) if inplace else result


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Zero instead of negative elements.

    >>> print(relu(Tensor([-1.0, 2.0])))
    [0. 2.]
    """
    return _stored(input, ops.relu(input), inplace)


def relu_(input: Tensor) -> Tensor:
    """:func:`relu`, stored in the input.

    >>> print(relu_(Tensor([-1.0, 2.0])))
    [0. 2.]
    """
    return relu(input, True)


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """Elements limited to [0, 6].

    >>> print(relu6(Tensor([-1.0, 8.0])))
    [0. 6.]
    """
    return _stored(input, ops.relu6(input), inplace)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """``alpha * (exp(x) - 1)`` instead of negative elements.

    >>> print(elu(Tensor([0.0, 2.0])))
    [0. 2.]
    """
    check_tensors("elu", input=input)
    check_numbers("elu", alpha=alpha)
    return _stored(input, ops.where(input > 0, input, alpha * ops.expm1(ops.minimum(input, 0))), inplace)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """:func:`elu`, stored in the input.

    >>> print(elu_(Tensor([0.0, 2.0])))
    [0. 2.]
    """
    return elu(input, alpha, True)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """``x * sigmoid(x)``.

    >>> print(silu(Tensor([0.0])))
    [0.]
    """
    return _stored(input, ops.silu(input), inplace)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Elements limited to [min_val, max_val].

    >>> print(hardtanh(Tensor([-3.0, 0.5])))
    [-1.   0.5]
    """
    return _stored(input, ops.hardtanh(input, min_val, max_val), inplace)


def hardtanh_(input: Tensor, min_val: float = -1, max_val: float = 1) -> Tensor:
    """:func:`hardtanh`, stored in the input.

    >>> print(hardtanh_(Tensor([-3.0, 0.5])))
    [-1.   0.5]
    """
    return hardtanh(input, min_val, max_val, True)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """``value`` instead of elements that are not above the threshold.

    >>> print(threshold(Tensor([1.0, 3.0]), 2, 9))
    [9. 3.]
    """
    return _stored(input, ops.threshold(input, threshold, value), inplace)


def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """:func:`threshold`, stored in the input.

    >>> print(threshold_(Tensor([1.0, 3.0]), 2, 9))
    [9. 3.]
    """
    return _stored(input, ops.threshold(input, threshold, value))


def sigmoid_(input: Tensor) -> Tensor:
    """The sigmoid, stored in the input.

    >>> print(sigmoid_(Tensor([0.0])))
    [0.5]
    """
    return _stored(input, ops.sigmoid(input))


def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
    """``x`` times the probability that a standard normal number is below it.

    >>> print(gelu(Tensor([0.0])))
    [0.]
    """
    return ops.gelu(input, approximate)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """The first half of an axis times the sigmoid of the second.

    >>> print(glu(Tensor([2.0, 0.0])))
    [1.]
    """
    return ops.glu(input, dim)


def leaky_relu(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """Negative elements times a small number.

    >>> print(leaky_relu(Tensor([-100.0, 2.0])))
    [-1.  2.]
    """
    return ops.leaky_relu(input, negative_slope)


def logsigmoid(input: Tensor) -> Tensor:
    """The logarithm of the sigmoid.

    >>> print(logsigmoid(Tensor([100.0])) > -1)
    [ True]
    """
    return ops.logsigmoid(input)


def mish(input: Tensor) -> Tensor:
    """``x * tanh(softplus(x))``.

    >>> print(mish(Tensor([0.0])))
    [0.]
    """
    return ops.mish(input)


def selu(input: Tensor) -> Tensor:
    """The scaled exponential linear unit.

    >>> print(selu(Tensor([0.0])))
    [0.]
    """
    return ops.selu(input)


def softmax(input: Tensor, dim: int | None = None, dtype: DType | None = None) -> Tensor:
    """Softmax along an axis; without ``dim`` the second, or the first of 0, 1 or 3.

    >>> print(softmax(Tensor([1.0, 1.0])))
    [0.5 0.5]
    """
    check_tensors("softmax", input=input)
    return _over(ops.softmax, input if dtype is None else input.astype(dtype), dim)


def log_softmax(input: Tensor, dim: int | None = None, *, dtype: DType | None = None) -> Tensor:
    """The logarithm of the softmax.

    >>> print(log_softmax(Tensor([1.0])))
    [0.]
    """
    check_tensors("log_softmax", input=input)
    return _over(ops.log_softmax, input if dtype is None else input.astype(dtype), dim)


def _over(function: Callable[[Tensor, int], Tensor], input: Tensor, dim: int | None) -> Tensor:
    if input.ndim == 0 and dim in (None, 0, -1):  # a single number, as a vector of one
        return function(input.reshape(1), 0).reshape(())
    return function(input, _axis(input, dim))


def _axis(input: Tensor, dim: int | None) -> int:
    return dim if dim is not None else 0 if input.ndim in (0, 1, 3) else 1


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Elements left out at random, the others scaled up.

    >>> print(dropout(Tensor([1.0]), training=False))
    [1.]
    """
    return _stored(input, ops.dropout(input, p, training), inplace)


def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Whole channels left out at random, the others scaled up.

    >>> dropout2d(Tensor([[[[1.0]]]]), training=False).shape
    (1, 1, 1, 1)
    """
    return _stored(input, ops.dropout2d(input, p, training), inplace)


def normalize(input: Tensor, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Tensor:
    """Divided by the norm along an axis.

    >>> print(normalize(Tensor([[3.0, 4.0]])))
    [[0.6 0.8]]
    """
    return input / ops.maximum(ops.vector_norm(input, p, dim, True), eps)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """For each class index, a row of zeros with a 1 at that index; without ``num_classes`` as long as the largest needs.

    >>> print(one_hot(Tensor([0, 2])))
    [[1 0 0]
     [0 0 1]]
    """
    check_tensors("one_hot", tensor=tensor)
    depth = num_classes if num_classes != -1 else int(tensor.max()) + 1
    return ops.one_hot(tensor, depth, 1, 0).long()


def prelu(input: Tensor, weight: Any) -> Tensor:
    """Negative elements times a number of their channel.

    >>> print(prelu(Tensor([[-2.0]]), Tensor([0.5])))
    [[-1.]]
    """
    return ops.prelu(input, weight)
