"""Activations without arguments, as Cells. The module to import them from is ``activation``."""

from __future__ import annotations

from mindspore import ops
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell


class PlainActivation(Cell):
    """An activation without arguments: none of Cell's either."""

    def __init__(self) -> None:
        super().__init__()


class FastGelu(PlainActivation):
    """``x * sigmoid(1.702 * x)``, close to GELU.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.FastGelu()(Tensor([0.0, 100.0])))
        [  0. 100.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.fast_gelu(x)


class HSigmoid(PlainActivation):
    """``(x + 3) / 6``, limited to the interval from 0 to 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.HSigmoid()(Tensor([-5.0, 0.0, 5.0])))
        [0.  0.5 1. ]
    """

    def construct(self, input: Tensor) -> Tensor:
        return ops.hardsigmoid(input)


class HSwish(PlainActivation):
    """The input times its hard sigmoid.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.HSwish()(Tensor([-5.0, 0.0, 5.0])))
        [0. 0. 5.]
    """

    def construct(self, input: Tensor) -> Tensor:
        return ops.hardswish(input)


class LogSigmoid(PlainActivation):
    """The logarithm of the sigmoid.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LogSigmoid()(Tensor([0.0])))
        [-0.6931472]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.logsigmoid(input_x)


class Mish(PlainActivation):
    """``x * tanh(log(1 + exp(x)))``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Mish()(Tensor([0.0, 100.0])))
        [  0. 100.]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.mish(input_x)


class ReLU(PlainActivation):
    """The input where positive, 0 elsewhere.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ReLU()(Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def construct(self, input: Tensor) -> Tensor:
        return ops.relu(input)


class ReLU6(PlainActivation):
    """The input limited to the interval from 0 to 6.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ReLU6()(Tensor([-1.0, 2.0, 8.0])))
        [0. 2. 6.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.relu6(x)


class SeLU(PlainActivation):
    """The scaled ELU that keeps mean 0 and variance 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.SeLU()(Tensor([0.0, 1.0])))
        [0.       1.050701]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.selu(input_x)


class SiLU(PlainActivation):
    """The input times its sigmoid, also known as Swish.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.SiLU()(Tensor([0.0, 100.0])))
        [  0. 100.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.silu(x)


class Sigmoid(PlainActivation):
    """``1 / (1 + exp(-x))``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Sigmoid()(Tensor([0.0, 100.0])))
        [0.5 1. ]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.sigmoid(x)


class Softsign(PlainActivation):
    """``x / (1 + abs(x))``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Softsign()(Tensor([-1.0, 0.0, 3.0])))
        [-0.5   0.    0.75]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.softsign(x)


class Tanh(PlainActivation):
    """The hyperbolic tangent.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Tanh()(Tensor([0.0, 100.0])))
        [0. 1.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanh(x)


class Tanhshrink(PlainActivation):
    """The input minus its hyperbolic tangent.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Tanhshrink()(Tensor([0.0, 100.0])))
        [ 0. 99.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanhshrink(x)
