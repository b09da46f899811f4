"""Activations as Cells, and the table of their names."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import (
    check_bool,
    check_float_range,
    check_int,
    check_one_of,
    check_positive_int,
    shown,
    suggestion,
)
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import CHANNELS, Width
from mindspore.nn.cell.primitives import primitives
from mindspore.nn.layer._implementation.plain_activation import (
    FastGelu,
    HSigmoid,
    HSwish,
    LogSigmoid,
    Mish,
    ReLU,
    ReLU6,
    SeLU,
    Sigmoid,
    SiLU,
    Softsign,
    Tanh,
    Tanhshrink,
)
from mindspore.nn.layer._implementation.softmax import LogSoftmax, LogSoftmaxExt, Softmax, Softmax2d, Softmin
from mindspore.nn.layer._implementation.softmax import SoftmaxExt as SoftmaxExt  # not public in nn, but of this module
from mindspore.ops.primitive import Primitive

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "LRN",
    "FastGelu",
    "HShrink",
    "HSigmoid",
    "HSwish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "LogSoftmaxExt",
    "Mish",
    "PReLU",
    "PReLUExt",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SeLU",
    "SiLU",
    "Sigmoid",
    "SoftShrink",
    "Softmax",
    "Softmax2d",
    "Softmin",
    "Softsign",
    "Tanh",
    "Tanhshrink",
    "Threshold",
    "get_activation",
]

_INFINITY = float("inf")


def _number(owner: str, name: str, value: Any) -> float:
    return check_float_range(owner, name, value, -_INFINITY, _INFINITY)


@primitives(celu=lambda net: ops.CeLU(net.alpha))
class CELU(Cell):
    """The input where positive, ``alpha * (exp(x / alpha) - 1)`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.CELU(2.0)(Tensor([0.0, 2.0])))
        [0. 2.]
    """

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = _number("CELU", "alpha", alpha)
        if self.alpha == 0:
            raise refused(ValueError, "For 'CELU', the 'alpha' must not be 0, but got 0.")

    def construct(self, x: Tensor) -> Tensor:
        return self.celu(x)


@primitives(elu=lambda net: ops.Elu(net.alpha))
class ELU(Cell):
    """The input where positive, ``alpha * (exp(x) - 1)`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.ELU()(Tensor([0.0, 2.0])))
        [0. 2.]
    """

    def __init__(self, alpha: float = 1.0):
        super().__init__()
        self.alpha = _number("ELU", "alpha", alpha)

    def construct(self, x: Tensor) -> Tensor:
        return self.elu(x)


class GELU(Cell):
    """The input times the normal distribution function at it.

    Args:
        approximate: True takes the faster formula with tanh.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.GELU()(Tensor([0.0, 100.0])))
        [  0. 100.]
    """

    def __init__(self, approximate: bool = True):
        super().__init__()
        self.approximate = "tanh" if check_bool("GELU", "approximate", approximate) else "none"

    def construct(self, x: Tensor) -> Tensor:
        return ops.gelu(x, self.approximate)


@primitives(sigmoid=ops.Sigmoid, spilt=lambda net: ops.Split(net.dim, 2))
class GLU(Cell):
    """The first half of an axis times the sigmoid of the second half.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.GLU()(Tensor([1.0, 2.0, 0.0, 0.0])))
        [0.5 1. ]
    """

    def __init__(self, axis: int = -1):
        super().__init__()
        self.dim = check_int("GLU", "axis", axis)

    def construct(self, x: Tensor) -> Tensor:
        return ops.glu(x, self.dim)


@primitives(hshrink=lambda net: ops.HShrink(net.lambd))
class HShrink(Cell):
    """0 where the absolute value is at most ``lambd``, the input elsewhere.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.HShrink()(Tensor([-5.0, 0.5, 5.0])))
        [-5.  0.  5.]
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = _number("HShrink", "lambd", lambd)

    def construct(self, input: Tensor) -> Tensor:
        return self.hshrink(input)


class Hardtanh(Cell):
    """The input limited to the interval from ``min_val`` to ``max_val``.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Hardtanh()(Tensor([-5.0, 0.5, 5.0])))
        [-1.   0.5  1. ]
    """

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0):
        super().__init__()
        self.min_val = _number("Hardtanh", "min_val", min_val)
        self.max_val = _number("Hardtanh", "max_val", max_val)
        if self.min_val >= self.max_val:
            raise refused(
                ValueError,
                f"For 'Hardtanh', the 'min_val' must be less than the 'max_val', but got {min_val} and {max_val}.",
            )

    def construct(self, x: Tensor) -> Tensor:
        return ops.hardtanh(x, self.min_val, self.max_val)


@primitives(lrn_op=lambda net: ops.LRN(net.depth_radius, net.bias, net.alpha, net.beta))
class LRN(Cell):
    """Divide by ``(bias + alpha * s) ** beta``, where s sums the squares of the channels up to ``depth_radius`` away.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LRN(depth_radius=1)(Tensor([[[[1.0]], [[1.0]], [[1.0]]]])).reshape(-1))
        [0.57735026 0.5        0.57735026]
    """

    def __init__(self, depth_radius: int = 5, bias: float = 1.0, alpha: float = 1.0, beta: float = 0.5,
                 norm_region: str = "ACROSS_CHANNELS"):  # fmt: skip
        super().__init__()
        self.depth_radius = check_int("LRN", "depth_radius", depth_radius, low=0)
        self.bias = _number("LRN", "bias", bias)
        self.alpha = _number("LRN", "alpha", alpha)
        self.beta = _number("LRN", "beta", beta)
        check_one_of("LRN", "norm_region", norm_region, ("ACROSS_CHANNELS",))

    def construct(self, input_x: Tensor) -> Tensor:
        return self.lrn_op(input_x)


class LeakyReLU(Cell):
    """The input where positive, ``alpha`` times the input elsewhere.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.LeakyReLU()(Tensor([-10.0, 2.0])))
        [-2.  2.]
    """

    def __init__(self, alpha: float = 0.2):
        super().__init__()
        self.alpha = _number("LeakyReLU", "alpha", alpha)

    def construct(self, x: Tensor) -> Tensor:
        return ops.leaky_relu(x, self.alpha)


@primitives(prelu=ops.PReLU)
class PReLU(Cell):
    """The input where positive, a trained multiple of it elsewhere.

    Args:
        channel: the number of multiples: 1, or one per channel (axis 1).
        w: their initial value: a float for all, or a list or Tensor with a value for each.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.PReLU(w=0.5)(Tensor([[-1.0, 2.0]])))
        [[-0.5  2. ]]
    """

    _cell_widths = (Width("channel", CHANNELS, size=lambda cell: cell.w.size if cell.w.size > 1 else None),)

    def __init__(self, channel: int = 1, w: Any = 0.25):
        super().__init__()
        check_positive_int("PReLU", "channel", channel)
        self.w = Parameter(_slopes(channel, w), name="a")

    def construct(self, x: Tensor) -> Tensor:
        return self.prelu(x, self.w)


def _slopes(channel: int, w: Any) -> Tensor:
    """The initial multiples of PReLU."""
    if isinstance(w, float):
        return initializer(w, [channel])
    if not isinstance(w, (list, Tensor)):
        raise refused(TypeError, f"For 'PReLU', the 'w' must be a float, a list or a Tensor, but got {shown(w)}.")
    slopes = w if isinstance(w, Tensor) else Tensor(w, mstype.float32)
    if slopes.dtype not in (mstype.float16, mstype.float32):
        raise refused(ValueError, f"For 'PReLU', the dtype of 'w' must be float16 or float32, but got {slopes.dtype}.")
    if slopes.shape != (channel,):
        raise refused(
            ValueError,
            f"For 'PReLU', the 'w' must have one element per channel, shape ({channel},), but got shape {slopes.shape}.",
        )
    return slopes


class PReLUExt(Cell):
    """The input where positive, a trained multiple of it elsewhere.

    Args:
        num_parameters: the number of multiples: 1, or one per channel (axis 1).
        init: their initial value.
        dtype: their dtype; None means float32.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.PReLUExt(init=0.5)(Tensor([[-1.0, 2.0]])))
        [[-0.5  2. ]]
    """

    _cell_widths = (
        Width("num_parameters", CHANNELS, size=lambda cell: cell.weight.size if cell.weight.size > 1 else None),
    )

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None):
        super().__init__()
        check_positive_int("PReLUExt", "num_parameters", num_parameters)
        slope = _number("PReLUExt", "init", init)
        self.weight = Parameter(
            initializer(slope, [num_parameters], mstype.float32 if dtype is None else dtype), name="weight"
        )

    def construct(self, input: Tensor) -> Tensor:
        return ops.prelu(input, self.weight)


@primitives(sign=ops.Sign)
class RReLU(Cell):
    """The input where not negative, a random fraction between ``lower`` and ``upper`` of it elsewhere.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.RReLU(0.5, 0.5)(Tensor([-4.0, 2.0])))
        [-2.  2.]
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3):
        super().__init__()
        self.lower = _number("RReLU", "lower", lower)
        self.upper = _number("RReLU", "upper", upper)
        if self.upper < self.lower:
            raise refused(
                ValueError,
                f"For 'RReLU', the 'upper' must be greater than or equal to the 'lower', but got {upper} and {lower}.",
            )

    def construct(self, x: Tensor) -> Tensor:
        return ops.rrelu(x, self.lower, self.upper)


@primitives(softshrink=lambda net: ops.SoftShrink(net.lambd))
class SoftShrink(Cell):
    """The input moved towards 0 by ``lambd``, at most to 0.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.SoftShrink()(Tensor([-5.0, 0.5, 5.0])))
        [-4.5  0.   4.5]
    """

    def __init__(self, lambd: float = 0.5):
        super().__init__()
        self.lambd = check_float_range("SoftShrink", "lambd", lambd, 0.0, _INFINITY)

    def construct(self, input: Tensor) -> Tensor:
        return self.softshrink(input)


class Threshold(Cell):
    """The input where it exceeds ``threshold``, ``value`` elsewhere.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> print(nn.Threshold(1.5, 0)(Tensor([1.0, 2.0, 3.0])))
        [0. 2. 3.]
    """

    def __init__(self, threshold: float, value: float):
        super().__init__()
        self.threshold = _number("Threshold", "threshold", threshold)
        self.value = _number("Threshold", "value", value)

    def construct(self, input_x: Tensor) -> Tensor:
        return ops.threshold(input_x, self.threshold, self.value)


_activation: dict[str, type[Cell]] = {
    "softmin": Softmin,
    "softmax": Softmax,
    "softmax2d": Softmax2d,
    "logsoftmax": LogSoftmax,
    "logsoftmaxExt": LogSoftmaxExt,
    "relu": ReLU,
    "relu6": ReLU6,
    "rrelu": RReLU,
    "silu": SiLU,
    "tanh": Tanh,
    "tanhshrink": Tanhshrink,
    "hardtanh": Hardtanh,
    "gelu": GELU,
    "fast_gelu": FastGelu,
    "elu": ELU,
    "sigmoid": Sigmoid,
    "softsign": Softsign,
    "prelu": PReLU,
    "preluExt": PReLUExt,
    "leakyrelu": LeakyReLU,
    "hswish": HSwish,
    "hsigmoid": HSigmoid,
    "logsigmoid": LogSigmoid,
    "softshrink": SoftShrink,
    "hshrink": HShrink,
    "threshold": Threshold,
    "mish": Mish,
}


def activation_of(owner: str, activation: Any) -> Any:
    """The activation that a layer was given: by its name, as a Cell or a Primitive; None for None."""
    if isinstance(activation, str):
        return get_activation(activation, owner)
    if activation is not None and not isinstance(activation, (Cell, Primitive)):
        raise refused(
            TypeError, f"For '{owner}', the 'activation' must be a str, Cell or Primitive, but got {shown(activation)}."
        )
    return activation


def get_activation(name: str | None, prim_name: str | None = None) -> Cell | None:
    """A new activation Cell by its name, e.g. 'relu', 'gelu' or 'leakyrelu'; None for None.

    Args:
        name: the name in lower case.
        prim_name: who asks, for the error message.

    Raises:
        KeyError: If `name` is none of the words that it can be.
        TypeError: If `name` is a list, dict or set.

    Examples:
        >>> from mindspore import nn
        >>> nn.get_activation("relu")
        ReLU()
    """
    if name is None:
        return None
    if isinstance(name, (list, dict, set)):
        raise TypeError(f"For '{prim_name or 'get_activation'}', the 'name' must be a str, but got {shown(name)}.")
    if not isinstance(name, str) or name not in _activation:
        whose = f"For '{prim_name}', the" if prim_name else "The"
        given = f"{name}.{suggestion(name, _activation)}" if isinstance(name, str) else f"{shown(name)}."
        raise KeyError(f"{whose} 'name' must be in {list(_activation)}, but got {given}")
    return _activation[name]()
