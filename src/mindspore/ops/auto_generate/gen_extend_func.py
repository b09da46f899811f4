"""``mindspore.ops.auto_generate.gen_extend_func``: functions of the ``Ext`` primitives without that ending.

>>> from mindspore import Tensor
>>> from mindspore.ops.auto_generate import gen_extend_func
>>> print(gen_extend_func.sum(Tensor([1.0, 2.0])))
3.0
"""

from mindspore.ops.auto_generate._names import found

_OTHERS = {"inplace_add": "inplace_add_ext", "inplace_adds": "inplace_adds_ext", "sub_tensor_": "sub_tensor_"}


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return found(_OTHERS.get(name, f"{name}_ext"))
