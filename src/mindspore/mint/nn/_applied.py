"""Layers without Parameters: a function of ``mint.nn.functional`` with its settings."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mindspore.common.tensor import Tensor
from mindspore.mint.nn import functional
from mindspore.nn.cell import Cell


class Applied(Cell):
    """A function of the inputs and of settings that stay the same."""

    def __init__(self, function: Callable[..., Any], *settings: Any):
        super().__init__()
        self.function = function
        self.settings = settings

    def construct(self, input: Tensor) -> Any:
        return self.function(input, *self.settings)


class AppliedToX(Applied):
    """The same; the input is called ``x``."""

    def construct(self, x: Tensor) -> Any:  # type: ignore[override]
        return self.function(x, *self.settings)


class AppliedToPair(Applied):
    """A function of predictions and what they should be."""

    def construct(self, input: Tensor, target: Tensor) -> Any:  # type: ignore[override]
        return self.function(input, target, *self.settings)


_EXAMPLES = {  # by layer: a call, and what it prints
    "ELU": ("ELU()(Tensor([-1.0, 2.0])).round(4)", "[-0.6321  2.    ]"),
    "GELU": ("GELU()(Tensor([-1.0, 2.0])).round(4)", "[-0.1587  1.9545]"),
    "GLU": ("GLU()(Tensor([2.0, 0.0]))", "[1.]"),
    "Hardtanh": ("Hardtanh()(Tensor([-3.0, 0.5]))", "[-1.   0.5]"),
    "LogSigmoid": ("LogSigmoid()(Tensor([0.0])).round(4)", "[-0.6931]"),
    "ReLU6": ("ReLU6()(Tensor([-1.0, 8.0]))", "[0. 6.]"),
    "SiLU": ("SiLU()(Tensor([0.0, 2.0])).round(4)", "[0.     1.7616]"),
    "Threshold": ("Threshold(1.0, 0.0)(Tensor([0.5, 2.0]))", "[0. 2.]"),
    "BCEWithLogitsLoss": ("BCEWithLogitsLoss()(Tensor([0.0]), Tensor([1.0])).round(4)", "0.6931"),
    "CrossEntropyLoss": ("CrossEntropyLoss()(Tensor([[1.0, 1.0]]), Tensor([0])).round(4)", "0.6931"),
    "KLDivLoss": ('KLDivLoss(reduction="sum")(Tensor([-1.0]), Tensor([1.0]))', "1.0"),
    "NLLLoss": ("NLLLoss()(Tensor([[-0.5, -1.0]]), Tensor([1]))", "1.0"),
    "SmoothL1Loss": ("SmoothL1Loss()(Tensor([1.0]), Tensor([3.0]))", "1.5"),
    "PixelShuffle": ("PixelShuffle(2)(Tensor([[[[1.0]], [[2.0]], [[3.0]], [[4.0]]]])).shape", "(1, 1, 2, 2)"),
    "UpsamplingBilinear2d": ("UpsamplingBilinear2d(size=(1, 3))(Tensor([[[[1.0, 3.0]]]]))", "[[[[1. 2. 3.]]]]"),
    "UpsamplingNearest2d": ("UpsamplingNearest2d(size=(1, 4))(Tensor([[[[1.0, 3.0]]]]))", "[[[[1. 1. 3. 3.]]]]"),
    "ZeroPad1d": ("ZeroPad1d(1)(Tensor([[[5.0]]]))", "[[[0. 5. 0.]]]"),
    "ZeroPad3d": ("ZeroPad3d(1)(Tensor([[[[[5.0]]]]])).shape", "(1, 1, 3, 3, 3)"),
}
_TEXTS = {
    "GELU": "The input times the share of a normal distribution below it.",
    "UpsamplingBilinear2d": "Images in another size by linear interpolation; the corners stay where they are.",
    "UpsamplingNearest2d": "Images in another size; every pixel is the nearest one.",
    "ZeroPad1d": "Zeros at both ends of the last axis.",
    "ZeroPad3d": "Zeros around the last three axes.",
}


def layer(
    function: Callable[..., Any], name: str, base: type[Applied] = Applied, **defaults: Any
) -> Callable[..., Any]:
    """A layer class whose constructor takes the settings of a function, in order; ``...`` marks those without default."""
    names = tuple(defaults)
    either = inspect.Parameter.POSITIONAL_OR_KEYWORD
    taken = [
        inspect.Parameter(key, either, default=inspect.Parameter.empty if value is ... else value)
        for key, value in {"self": ..., **defaults}.items()
    ]

    def start(self: Applied, *args: Any, **kwargs: Any) -> None:
        settings = {**defaults, **dict(zip(names, args)), **kwargs}
        unknown = [key for key in kwargs if key not in defaults]
        missing = [key for key in names if settings[key] is ...]
        if unknown or missing or len(args) > len(names):
            shown = ", ".join(key if defaults[key] is ... else f"{key}={defaults[key]!r}" for key in names)
            raise TypeError(f"For '{name}', the arguments must be ({shown}), but got {args} {kwargs or ''}.")
        Applied.__init__(self, function, *[settings[key] for key in names])
        for key in names:
            setattr(self, key, settings[key])

    start.__signature__ = inspect.Signature(taken)  # type: ignore[attr-defined]
    call, printed = _EXAMPLES[name]
    text = _TEXTS.get(name) or f"``mint.nn.functional.{getattr(function, '__name__', name)}`` as a layer."
    document = (
        f"{text}\n\n    Examples:\n        >>> from mindspore import Tensor, mint\n"
        f"        >>> print(mint.nn.{call})\n        {printed}\n    "
    )
    return type(name, (base,), {"__init__": start, "__doc__": document, "__module__": "mindspore.mint.nn"})


def _zero_pad(input: Tensor, padding: Any, sides: int) -> Tensor:
    widths = (padding,) * sides if isinstance(padding, int) else tuple(padding)
    return functional.pad(input, widths)


def _zero_pad1d(input: Tensor, padding: Any) -> Tensor:
    return _zero_pad(input, padding, 2)


def _zero_pad3d(input: Tensor, padding: Any) -> Tensor:
    return _zero_pad(input, padding, 6)


def _bilinear(input: Tensor, size: Any, scale_factor: Any) -> Tensor:
    return functional.interpolate(input, size, scale_factor, "bilinear", True)


def _nearest(input: Tensor, size: Any, scale_factor: Any) -> Tensor:
    return functional.interpolate(input, size, scale_factor, "nearest")


def _gelu(input: Tensor, approximate: str) -> Tensor:
    return functional.gelu(input, approximate=approximate)


class Mish(Cell):
    """``mint.nn.functional.mish`` as a layer.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> print(mint.nn.Mish()(Tensor([0.0, 1.0])).round(4))
        [0.     0.8651]
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.mish(input)


class SELU(Cell):
    """``mint.nn.functional.selu`` as a layer.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> print(mint.nn.SELU()(Tensor([0.0, 1.0])).round(4))
        [0.     1.0507]
    """

    def construct(self, input: Tensor) -> Tensor:
        return functional.selu(input)


ELU = layer(functional.elu, "ELU", alpha=1.0, inplace=False)
GELU = layer(_gelu, "GELU", approximate="none")
GLU = layer(functional.glu, "GLU", dim=-1)
Hardtanh = layer(functional.hardtanh, "Hardtanh", min_val=-1.0, max_val=1.0, inplace=False)
LogSigmoid = layer(functional.logsigmoid, "LogSigmoid")
ReLU6 = layer(functional.relu6, "ReLU6", inplace=False)
SiLU = layer(functional.silu, "SiLU", AppliedToX, inplace=False)
Threshold = layer(functional.threshold, "Threshold", threshold=..., value=..., inplace=False)

BCEWithLogitsLoss = layer(
    functional.binary_cross_entropy_with_logits,
    "BCEWithLogitsLoss",
    AppliedToPair,
    weight=None,
    reduction="mean",
    pos_weight=None,
)
CrossEntropyLoss = layer(
    functional.cross_entropy,
    "CrossEntropyLoss",
    AppliedToPair,
    weight=None,
    ignore_index=-100,
    reduction="mean",
    label_smoothing=0.0,
)
KLDivLoss = layer(functional.kl_div, "KLDivLoss", AppliedToPair, reduction="mean", log_target=False)
NLLLoss = layer(functional.nll_loss, "NLLLoss", AppliedToPair, weight=None, ignore_index=-100, reduction="mean")
SmoothL1Loss = layer(functional.smooth_l1_loss, "SmoothL1Loss", AppliedToPair, reduction="mean", beta=1.0)

PixelShuffle = layer(functional.pixel_shuffle, "PixelShuffle", upscale_factor=...)
UpsamplingBilinear2d = layer(_bilinear, "UpsamplingBilinear2d", size=None, scale_factor=None)
UpsamplingNearest2d = layer(_nearest, "UpsamplingNearest2d", size=None, scale_factor=None)
ZeroPad1d = layer(_zero_pad1d, "ZeroPad1d", padding=...)
ZeroPad3d = layer(_zero_pad3d, "ZeroPad3d", padding=...)
