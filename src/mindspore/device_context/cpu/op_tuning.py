"""How operators are computed on a CPU."""

from mindspore._engine.runtime.context import set_context
from mindspore._utils.checks import check_positive_int

__all__ = ["threads_num"]


def threads_num(num: int) -> None:
    """How many threads compute; XLA decides it by itself, the number is kept in the context.

    Examples:
        >>> from mindspore.device_context import cpu
        >>> cpu.op_tuning.threads_num(2)
    """
    set_context(runtime_num_threads=check_positive_int("threads_num", "num", num))
