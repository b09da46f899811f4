"""Quantization-aware training."""

from mindspore.compression.quant.qat import QuantizationAwareTraining, create_quant_config
from mindspore.compression.quant.quant_utils import load_nonquant_param_into_quant_net, query_quant_layers
from mindspore.compression.quant.quantizer import OptimizeOption

__all__ = [
    "OptimizeOption",
    "QuantizationAwareTraining",
    "create_quant_config",
    "load_nonquant_param_into_quant_net",
    "query_quant_layers",
]
