"""``mindspore.ops.auto_generate.gen_ops_def``: the operators as functions."""

from mindspore.ops import function


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return getattr(function, name)
