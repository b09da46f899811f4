"""How exact operators are on an Ascend device; XLA decides it by itself, the settings are kept in the context."""

from mindspore._engine.runtime.context import set_context
from mindspore._utils.checks import check_bool, check_str

__all__ = ["conv_allow_hf32", "matmul_allow_hf32", "op_precision_mode", "precision_mode"]


def precision_mode(mode: str) -> None:
    """How float32 is treated: 'must_keep_origin_dtype', 'allow_mix_precision' and others."""
    set_context(ascend_config={"precision_mode": check_str("precision_mode", "mode", mode)})


def op_precision_mode(path: str) -> None:
    """A file with the precision of single operators."""
    set_context(ascend_config={"op_precision_mode": check_str("op_precision_mode", "path", path)})


def matmul_allow_hf32(value: bool) -> None:
    """Whether products of matrices may round float32."""
    set_context(ascend_config={"matmul_allow_hf32": check_bool("matmul_allow_hf32", "value", value)})


def conv_allow_hf32(value: bool) -> None:
    """Whether convolutions may round float32."""
    set_context(ascend_config={"conv_allow_hf32": check_bool("conv_allow_hf32", "value", value)})
