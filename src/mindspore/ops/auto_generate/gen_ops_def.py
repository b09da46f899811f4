"""``mindspore.ops.auto_generate.gen_ops_def``: the operators as functions."""

from mindspore.ops import function
from mindspore.ops._gradients import gradient_function


def __getattr__(name: str) -> object:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return gradient_function(name) or getattr(function, name)
