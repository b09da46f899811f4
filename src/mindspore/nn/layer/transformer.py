"""Attention, and the Transformer made of it."""

from __future__ import annotations

import copy
from typing import Any

from mindspore._utils.checks import check_non_negative_int, check_type
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import XavierUniform, initializer
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.attention import MultiheadAttention
from mindspore.nn.layer._implementation.transformer_layer import (
    Activation,
    Mask,
    TransformerDecoderLayer,
    TransformerEncoderLayer,
)
from mindspore.nn.layer.container import CellList
from mindspore.nn.layer.normalization import LayerNorm

__all__ = [
    "MultiheadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
]


def _copies(owner: str, name: str, layer: Any, count: Any) -> CellList:
    check_type(owner, name, layer, Cell)
    check_non_negative_int(owner, "num_layers", count)
    # As in MindSpore the layers are copies of a new layer with the same arguments, not of the given layer.
    first = layer.renewed() if type(layer) in (TransformerEncoderLayer, TransformerDecoderLayer) else layer
    return CellList([copy.deepcopy(first) for _ in range(count)])


class TransformerEncoder(Cell):
    """Encoder layers, one after the other.

    Args:
        encoder_layer: a layer with the arguments of all layers.
        num_layers: how many there are.
        norm: a Cell for the result, such as LayerNorm.

    Inputs:
        - **src**, **src_mask**, **src_key_padding_mask**: as those of TransformerEncoderLayer.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16), 2)
        >>> print(net(ops.ones((5, 3, 8))).shape)
        (5, 3, 8)
    """

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__()
        self.layers = _copies("TransformerEncoder", "encoder_layer", encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(self, src: Tensor, src_mask: Mask = None, src_key_padding_mask: Mask = None) -> Tensor:
        x = src
        for layer in self.layers:
            x = layer(x, src_mask, src_key_padding_mask)
        return x if self.norm is None else self.norm(x)


class TransformerDecoder(Cell):
    """Decoder layers, one after the other.

    Args:
        decoder_layer: a layer with the arguments of all layers.
        num_layers: how many there are.
        norm: a Cell for the result, such as LayerNorm.

    Inputs:
        - **tgt**, **memory**: as those of TransformerDecoderLayer.
        - **tgt_mask**, **memory_mask**, **tgt_key_padding_mask**, **memory_key_padding_mask**: the masks, as there.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16), 2)
        >>> print(net(ops.ones((4, 3, 8)), ops.ones((5, 3, 8))).shape)
        (4, 3, 8)
    """

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None = None):
        super().__init__()
        self.layers = _copies("TransformerDecoder", "decoder_layer", decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def construct(self, tgt: Tensor, memory: Tensor, tgt_mask: Mask = None, memory_mask: Mask = None,
                  tgt_key_padding_mask: Mask = None, memory_key_padding_mask: Mask = None) -> Tensor:  # fmt: skip
        x = tgt
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return x if self.norm is None else self.norm(x)


class Transformer(Cell):
    """An encoder, and a decoder that attends to its result.

    Args:
        d_model: the number of features.
        nhead: the number of heads; divides ``d_model``.
        num_encoder_layers, num_decoder_layers: the numbers of layers.
        dim_feedforward: the number of features inside the feed-forward parts.
        dropout: the probability of setting an element to 0, in training.
        activation: 'relu', 'gelu', a Cell or a function.
        custom_encoder, custom_decoder: Cells that replace the default encoder and decoder.
        layer_norm_eps: epsilon of the normalizations.
        batch_first: whether sequences are (batch, length, features); otherwise they are (length, batch, features).
        norm_first: whether the inputs of the parts of a layer are normalized; otherwise their results are.
        dtype: the dtype of the Parameters.

    Inputs:
        - **src**, **tgt**: the sequences for encoder and decoder.
        - **src_mask**, **tgt_mask**, **memory_mask**: as ``attn_mask`` of MultiheadAttention.
        - **src_key_padding_mask**, **tgt_key_padding_mask**, **memory_key_padding_mask**: as its ``key_padding_mask``.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.Transformer(8, 2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16)
        >>> print(net(ops.ones((5, 3, 8)), ops.ones((4, 3, 8))).shape)
        (4, 3, 8)
    """

    def __init__(self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
                 dim_feedforward: int = 2048, dropout: float = 0.1, activation: Activation = "relu",
                 custom_encoder: Cell | None = None, custom_decoder: Cell | None = None, layer_norm_eps: float = 1e-5,
                 batch_first: bool = False, norm_first: bool = False, dtype: Any = mstype.float32):  # fmt: skip
        super().__init__()
        settings = (
            d_model,
            nhead,
            dim_feedforward,
            dropout,
            activation,
            layer_norm_eps,
            batch_first,
            norm_first,
            dtype,
        )
        check_type("Transformer", "custom_encoder", custom_encoder, (Cell, type(None)))
        check_type("Transformer", "custom_decoder", custom_decoder, (Cell, type(None)))

        def norm() -> LayerNorm:
            return LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)

        self.encoder = custom_encoder or TransformerEncoder(
            TransformerEncoderLayer(*settings), num_encoder_layers, norm()
        )
        self.decoder = custom_decoder or TransformerDecoder(
            TransformerDecoderLayer(*settings), num_decoder_layers, norm()
        )
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first
        for parameter in self.get_parameters():
            if parameter.ndim > 1:
                parameter.set_data(initializer(XavierUniform(), parameter.shape, parameter.dtype))

    def construct(self, src: Tensor, tgt: Tensor, src_mask: Mask = None, tgt_mask: Mask = None,
                  memory_mask: Mask = None, src_key_padding_mask: Mask = None, tgt_key_padding_mask: Mask = None,
                  memory_key_padding_mask: Mask = None) -> Tensor:  # fmt: skip
        self._check_inputs(src, tgt)
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)

    def _check_inputs(self, src: Tensor, tgt: Tensor) -> None:
        shapes = f"but got shapes {src.shape} and {tgt.shape}."
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise refused(
                ValueError, f"For 'Transformer', the 'src' and 'tgt' must have {self.d_model} features, {shapes}"
            )
        batch_axis = 0 if self.batch_first else 1
        if src.ndim == 3 and tgt.ndim == 3 and src.shape[batch_axis] != tgt.shape[batch_axis]:
            raise refused(ValueError, f"For 'Transformer', the 'src' and 'tgt' must have one batch size, {shapes}")
