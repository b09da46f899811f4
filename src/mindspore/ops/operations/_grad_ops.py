"""``mindspore.ops.operations._grad_ops``: the gradient primitives, with MindSpore's order of arguments.

>>> from mindspore import Tensor
>>> from mindspore.ops.operations import _grad_ops as G
>>> print(G.ReluGrad()(Tensor([1.0, 2.0]), Tensor([-1.0, 1.0])))
[0. 2.]
"""

from typing import Any

from mindspore._engine.operator.primitive import Primitive as Primitive
from mindspore._ops.functional.custom_primitive import PrimitiveWithInfer as PrimitiveWithInfer
from mindspore._ops.functional.custom_primitive import prim_attr_register as prim_attr_register
from mindspore._ops.gradients.catalogue import GRADIENTS as _GRADIENTS
from mindspore._utils.documented import claim as _claim
from mindspore.ops import operations as _operations

globals().update(_GRADIENTS.primitives)
_claim(__name__, "mindspore.ops.auto_generate")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return getattr(_operations, name)
