"""``mindspore.ops.functional_overload``: functions of several forms, which are those of ``mindspore.mint`` where it has them.

>>> from mindspore import Tensor, mint
>>> from mindspore.ops import functional_overload
>>> functional_overload.add is mint.add, print(functional_overload.lt(Tensor(1), Tensor(2)))
True
(True, None)
"""

from importlib import import_module

from mindspore.ops import function

_OPERATORS = {"__add__": "add", "__mul__": "mul", "__sub__": "sub", "__truediv__": "div"}


def __getattr__(name: str) -> object:
    name = _OPERATORS.get(name, name)
    if name.startswith("__"):
        raise AttributeError(name)
    mint = vars(import_module("mindspore.mint"))  # a layer above, so only when asked
    return mint[name] if name in mint else getattr(function, name)
