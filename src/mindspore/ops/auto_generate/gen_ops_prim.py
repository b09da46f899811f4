"""``mindspore.ops.auto_generate.gen_ops_prim``: the operators as classes."""

from mindspore.ops import operations


def __getattr__(name: str) -> object:
    return getattr(operations, name)
