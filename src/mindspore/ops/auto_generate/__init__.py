"""``mindspore.ops.auto_generate``: another path to the operators, functions and classes; in MindSpore they are generated.

>>> from mindspore.ops.auto_generate import Add, add
>>> from mindspore import Tensor
>>> print(add(Tensor(1.0), Tensor(2.0)), Add()(Tensor(1.0), Tensor(2.0)))
3.0 3.0
"""

from mindspore.ops import operations
from mindspore.ops._extended import extended

_FORMS = {"clamp_scalar": "clamp", "clamp_tensor": "clamp"}  # of the same function, by the type of its bounds


def __getattr__(name: str) -> object:
    if name.startswith("__"):
        raise AttributeError(name)
    return getattr(operations, name) if hasattr(operations, name) else extended(_FORMS.get(name, name))
