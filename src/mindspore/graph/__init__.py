"""The compiler of graphs, as far as programs can extend it."""

from mindspore._utils.documented import claim as _claim
from mindspore.graph.extension import (
    CustomPassType,
    clear_op_infer,
    clear_op_wrapper,
    register_custom_backend,
    register_custom_pass,
    register_op_infer,
    register_op_wrapper,
)

__all__ = [
    "CustomPassType",
    "clear_op_infer",
    "clear_op_wrapper",
    "register_custom_backend",
    "register_custom_pass",
    "register_op_infer",
    "register_op_wrapper",
]

_claim(__name__)
