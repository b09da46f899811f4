"""``mindspore.ops.auto_generate.gen_ops_def``: the operators as functions."""

from mindspore.ops import function


def __getattr__(name: str) -> object:
    return getattr(function, name)
