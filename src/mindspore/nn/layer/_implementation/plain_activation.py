"""Activations without arguments, as Cells. The module to import them from is ``activation``."""

from __future__ import annotations

from mindspore import ops
from mindspore.common.tensor import Tensor
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.plain import PlainCell


@primitives(fast_gelu=ops.FastGeLU)
class FastGelu(PlainCell):
    """``x * sigmoid(1.702 * x)``, close to GELU.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.FastGelu()(Tensor([0.0, 100.0])))
        [  0. 100.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return self.fast_gelu(x)


@primitives(hsigmoid=ops.HSigmoid)
class HSigmoid(PlainCell):
    """``(x + 3) / 6``, limited to the interval from 0 to 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.HSigmoid()(Tensor([-5.0, 0.0, 5.0])))
        [0.  0.5 1. ]
    """

    def construct(self, input: Tensor) -> Tensor:
        return self.hsigmoid(input)


@primitives(hswish=ops.HSwish)
class HSwish(PlainCell):
    """The input times its hard sigmoid.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.HSwish()(Tensor([-5.0, 0.0, 5.0])))
        [0. 0. 5.]
    """

    def construct(self, input: Tensor) -> Tensor:
        return self.hswish(input)


@primitives(add=ops.Add, exp=ops.Exp, log=ops.Log, mul=ops.Mul, rec=ops.Reciprocal)
class LogSigmoid(PlainCell):
    """The logarithm of the sigmoid.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LogSigmoid()(Tensor([0.0])))
        [-0.6931472]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.logsigmoid(input_x)


@primitives(mish=ops.Mish)
class Mish(PlainCell):
    """``x * tanh(log(1 + exp(x)))``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Mish()(Tensor([0.0, 100.0])))
        [  0. 100.]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return self.mish(input_x)


@primitives(relu=ops.ReLU)
class ReLU(PlainCell):
    """The input where positive, 0 elsewhere.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ReLU()(Tensor([-1.0, 2.0])))
        [0. 2.]
    """

    def construct(self, input: Tensor) -> Tensor:
        return self.relu(input)


@primitives(relu6=ops.ReLU6)
class ReLU6(PlainCell):
    """The input limited to the interval from 0 to 6.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ReLU6()(Tensor([-1.0, 2.0, 8.0])))
        [0. 2. 6.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return self.relu6(x)


@primitives(selu=ops.SeLU)
class SeLU(PlainCell):
    """The scaled ELU that keeps mean 0 and variance 1.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.SeLU()(Tensor([0.0, 1.0])))
        [0.       1.050701]
    """

    def construct(self, input_x: Tensor) -> Tensor:
        return self.selu(input_x)


class SiLU(PlainCell):
    """The input times its sigmoid, also known as Swish.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.SiLU()(Tensor([0.0, 100.0])))
        [  0. 100.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.silu(x)


@primitives(sigmoid=ops.Sigmoid)
class Sigmoid(PlainCell):
    """``1 / (1 + exp(-x))``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Sigmoid()(Tensor([0.0, 100.0])))
        [0.5 1. ]
    """

    def construct(self, x: Tensor) -> Tensor:
        return self.sigmoid(x)


@primitives(softsign=ops.Softsign)
class Softsign(PlainCell):
    """``x / (1 + abs(x))``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Softsign()(Tensor([-1.0, 0.0, 3.0])))
        [-0.5   0.    0.75]
    """

    def construct(self, x: Tensor) -> Tensor:
        return self.softsign(x)


@primitives(tanh=ops.Tanh)
class Tanh(PlainCell):
    """The hyperbolic tangent.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Tanh()(Tensor([0.0, 100.0])))
        [0. 1.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return self.tanh(x)


class Tanhshrink(PlainCell):
    """The input minus its hyperbolic tangent.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Tanhshrink()(Tensor([0.0, 100.0])))
        [ 0. 99.]
    """

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanhshrink(x)
