"""``mindspore.ops.auto_generate.gen_ops_def``: the operators as functions."""

from typing import Any as _Any  # an operator is called Any, too

from mindspore.ops.auto_generate._names import found, listed


def __getattr__(name: str) -> _Any:
    if name.startswith("__"):  # `__path__` would make it a package
        raise AttributeError(name)
    return found(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *listed()})
