"""``mindspore.nn.functional``: another path to the functions of :mod:`mindspore.ops`, for programs that write it.

>>> from mindspore import Tensor
>>> import mindspore.nn.functional as F
>>> print(F.relu(Tensor([-1.0, 2.0])))
[0. 2.]
"""

from mindspore.ops import functional


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return getattr(functional, name)
