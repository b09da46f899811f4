"""The layers transformers are made of, and the checks of their inputs."""

from mindspore.nn.transformer.layers import (
    FixedSparseAttention,
    _args_type_validator_check,
    _check_input_dtype,
    _Dropout,
    _LayerNorm,
    _Linear,
    _valid_type_checks,
    _valid_value_checks,
)
from mindspore.parallel._transformer._input_checks import (
    _check_input_shape,
    _check_input_shape_value,
    _check_past_none_input_none,
    _check_shape_equal,
    _LayerInputCheck,
)

__all__ = [
    "FixedSparseAttention",
    "_Dropout",
    "_LayerInputCheck",
    "_LayerNorm",
    "_Linear",
    "_args_type_validator_check",
    "_check_input_dtype",
    "_check_input_shape",
    "_check_input_shape_value",
    "_check_past_none_input_none",
    "_check_shape_equal",
    "_valid_type_checks",
    "_valid_value_checks",
]
