"""Layers of ``nn`` whose inputs have PyTorch's names here: ``input``, ``target``."""

from __future__ import annotations

import re
from typing import Any

from mindspore import nn
from mindspore._utils.documents import parameters_of
from mindspore.common.tensor import Tensor
from mindspore.nn.layer.basic import UpsampleExt


def _of_input(base: type[Any], name: str = "") -> type[Any]:
    """The same layer; its input is called ``input``."""

    def construct(self: Any, input: Tensor) -> Any:
        return base.construct(self, input)

    return _layer(base, construct, name)


def _of_pair(base: type[Any]) -> type[Any]:
    """The same loss; its inputs are called ``input`` and ``target``."""

    def construct(self: Any, input: Tensor, target: Tensor) -> Any:
        return base.construct(self, input, target)

    return _layer(base, construct)


def _layer(base: type[Any], construct: Any, name: str = "") -> type[Any]:
    text = base.__doc__ or ""
    for (before, *_), (after, *_) in zip(parameters_of(base.construct), parameters_of(construct)):
        text = re.sub(rf"(?<=\n        ){before}(?= \(|:)|(?<=`){before}(?=`)", after, text)
    members = {"construct": construct, "__doc__": text, "__module__": "mindspore.mint.nn"}
    return type(name or base.__name__, (base,), members)


class CosineEmbeddingLoss(nn.CosineEmbeddingLoss):
    """How far pairs are from being alike (target 1) or different (target -1), by the angle between them.

    Examples:
        >>> from mindspore import Tensor, mint
        >>> print(mint.nn.CosineEmbeddingLoss()(Tensor([[1.0, 0.0]]), Tensor([[0.0, 1.0]]), Tensor([1.0])))
        1.0
    """

    def construct(self, input1: Tensor, input2: Tensor, target: Tensor) -> Tensor:  # type: ignore[override]
        return super().construct(input1, input2, target)


class MaxUnpool2d(nn.MaxUnpool2d):
    """Elements of images put back to where ``indices`` say, zeros elsewhere.

    Examples:
        >>> import mindspore
        >>> from mindspore import Tensor, mint
        >>> print(mint.nn.MaxUnpool2d(2)(Tensor([[[[4.0]]]]), Tensor([[[[3]]]], mindspore.int64)))
        [[[[0. 0.]
           [0. 4.]]]]
    """

    def construct(self, input: Tensor, indices: Tensor, output_size: Any = None) -> Tensor:  # type: ignore[override]
        return super().construct(input, indices, output_size)


BCELoss = _of_pair(nn.BCELoss)
MSELoss = _of_pair(nn.MSELoss)
Flatten = _of_input(nn.Flatten)
Sigmoid = _of_input(nn.Sigmoid)
Tanh = _of_input(nn.Tanh)
Upsample = _of_input(UpsampleExt, "Upsample")
ConstantPad1d = _of_input(nn.ConstantPad1d)
ConstantPad2d = _of_input(nn.ConstantPad2d)
ConstantPad3d = _of_input(nn.ConstantPad3d)
ReflectionPad1d = _of_input(nn.ReflectionPad1d)
ReflectionPad2d = _of_input(nn.ReflectionPad2d)
ReflectionPad3d = _of_input(nn.ReflectionPad3d)
ReplicationPad1d = _of_input(nn.ReplicationPad1d)
ReplicationPad2d = _of_input(nn.ReplicationPad2d)
ReplicationPad3d = _of_input(nn.ReplicationPad3d)
ZeroPad2d = _of_input(nn.ZeroPad2d)
