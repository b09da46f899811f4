"""Encoders, decoders and their parts."""

from mindspore.nn.transformer import transformer as _transformer
from mindspore.nn.transformer.op_parallel_config import default_transformer_config, default_transformer_recompute_config
from mindspore.nn.transformer.transformer import *  # noqa: F403
from mindspore.nn.transformer.transformer import _get_lambda_func

__all__ = ["_get_lambda_func", "default_transformer_config", "default_transformer_recompute_config"]
__all__ += _transformer.__all__
