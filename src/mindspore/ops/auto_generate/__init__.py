"""``mindspore.ops.auto_generate``: operators under the names that MindSpore generates for all of them.

>>> from mindspore.ops.auto_generate import AddExt, Add, add, add_ext_op
>>> from mindspore import Tensor
>>> print(add(Tensor(1.0), Tensor(2.0)), Add()(Tensor(1.0), Tensor(2.0)))
3.0 3.0
>>> print(AddExt()(Tensor(1.0), Tensor(2.0), 3), add_ext_op(Tensor(1.0), Tensor(2.0)))
7.0 3.0
"""

from importlib import import_module
from typing import Any as _Any  # an operator is called Any, too

from mindspore._utils.submodules import submodule


def __getattr__(name: str) -> _Any:
    if name.startswith("__"):
        raise AttributeError(name)
    return submodule(__name__, name) or import_module(f"{__name__}._names").found(name)  # loaded when first asked


def __dir__() -> list[str]:
    return sorted({*globals(), *import_module(f"{__name__}._names").listed()})
