"""``mindspore.ops.auto_generate.gen_ops_prim``: the operators as classes."""

from mindspore.ops import operations


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return getattr(operations, name)
