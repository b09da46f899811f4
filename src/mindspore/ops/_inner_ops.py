"""An old path to the operators of :mod:`mindspore.ops.operations`."""

from mindspore.ops import operations


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return getattr(operations, name)
