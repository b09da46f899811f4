"""An old path to the operators of :mod:`mindspore.ops.operations`."""

from mindspore.ops import operations


def __getattr__(name: str) -> object:
    return getattr(operations, name)
