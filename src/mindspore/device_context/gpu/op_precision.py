"""How exact operators are on a GPU; XLA decides it by itself, the settings are kept in the context."""

from mindspore._engine.runtime.context import set_context
from mindspore._utils.checks import check_bool

__all__ = ["conv_allow_tf32", "matmul_allow_tf32"]


def conv_allow_tf32(value: bool) -> None:
    """Whether convolutions may round float32 to 19 bits."""
    set_context(gpu_config={"conv_allow_tf32": check_bool("conv_allow_tf32", "value", value)})


def matmul_allow_tf32(value: bool) -> None:
    """Whether products of matrices may round float32 to 19 bits."""
    set_context(gpu_config={"matmul_allow_tf32": check_bool("matmul_allow_tf32", "value", value)})
