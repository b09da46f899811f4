"""A layer of an encoder or decoder. The module to import it from is ``transformer``."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool, check_positive_int, shown
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.attention import MultiheadAttention
from mindspore.nn.layer.basic import Dense, Dropout
from mindspore.nn.layer.normalization import LayerNorm

Activation = str | Cell | Callable[[Tensor], Tensor]
Mask = Tensor | None

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": ops.relu, "gelu": ops.gelu}


def _activation_function(owner: str, activation: Any) -> Callable[[Tensor], Any]:
    if isinstance(activation, str) and activation in _ACTIVATIONS:
        return _ACTIVATIONS[activation]
    if isinstance(activation, str) or not callable(activation):
        raise refused(
            ValueError,
            f"For '{owner}', the 'activation' must be 'relu', 'gelu', a Cell or a function, but got {shown(activation)}.",
        )
    return activation


class TransformerLayer(Cell):
    """What layers of encoders and decoders share. Subclasses make their parts in MindSpore's order.

    That is the order of the Parameters in a checkpoint, and in which initial values are drawn.
    """

    self_attn: MultiheadAttention
    dropout1: Dropout

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int, dropout: float, activation: Activation,
                 layer_norm_eps: float, batch_first: bool, norm_first: bool, dtype: Any):  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.d_model = check_positive_int(owner, "d_model", d_model)
        self.nhead = check_positive_int(owner, "nhead", nhead)
        self.dim_feedforward = check_positive_int(owner, "dim_feedforward", dim_feedforward)
        self.dropout_num = dropout
        self.activation1 = activation
        self.layernorm_eps = layer_norm_eps
        self.batch_first = check_bool(owner, "batch_first", batch_first)
        self.norm_first = check_bool(owner, "norm_first", norm_first)
        self.dtype = dtype

    def renewed(self) -> TransformerLayer:
        """Another layer with the same arguments, and initial values of its own."""
        return type(self)(self.d_model, self.nhead, self.dim_feedforward, self.dropout_num, self.activation1,
                          self.layernorm_eps, self.batch_first, self.norm_first, self.dtype)  # fmt: skip

    def _attention(self) -> MultiheadAttention:
        return MultiheadAttention(self.d_model, self.nhead, self.dropout_num, batch_first=self.batch_first,
                                  dtype=self.dtype)  # fmt: skip

    def _norm(self) -> LayerNorm:
        return LayerNorm((self.d_model,), epsilon=self.layernorm_eps, dtype=self.dtype)

    def _make_feed_forward(self) -> None:
        self.dense1 = Dense(self.d_model, self.dim_feedforward, dtype=self.dtype)
        self.dropout = Dropout(p=self.dropout_num)
        self.dense2 = Dense(self.dim_feedforward, self.d_model, dtype=self.dtype)
        self.activation = _activation_function(type(self).__name__, self.activation1)

    def _feed_forward(self, x: Tensor) -> Tensor:
        return self.dense2(self.dropout(self.activation(self.dense1(x))))

    def _attend(self, x: Tensor, mask: Mask, padding: Mask) -> Tensor:
        return self.dropout1(self.self_attn(x, x, x, padding, False, mask)[0])


class TransformerEncoderLayer(TransformerLayer):
    """One layer of an encoder: attention of a sequence to itself, then a feed-forward part, each added to its input.

    Args:
        d_model: the number of features.
        nhead: the number of heads; divides ``d_model``.
        dim_feedforward: the number of features inside the feed-forward part.
        dropout: the probability of setting an element to 0, in training.
        activation: 'relu', 'gelu', a Cell or a function.
        layer_norm_eps: epsilon of the normalizations.
        batch_first: whether sequences are (batch, length, features); otherwise they are (length, batch, features).
        norm_first: whether the inputs of the two parts are normalized; otherwise the sums are.
        dtype: the dtype of the Parameters.

    Inputs:
        - **src**: the sequences.
        - **src_mask**: as ``attn_mask`` of MultiheadAttention.
        - **src_key_padding_mask**: as ``key_padding_mask`` of MultiheadAttention.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.TransformerEncoderLayer(8, 2, 16)(ops.ones((5, 3, 8))).shape)
        (5, 3, 8)
    """

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
                 activation: Activation = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
                 norm_first: bool = False, dtype: Any = mstype.float32):  # fmt: skip
        super().__init__(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                         dtype)  # fmt: skip
        self.self_attn = self._attention()
        self._make_feed_forward()
        self.norm1 = self._norm()
        self.norm2 = self._norm()
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)

    def construct(self, src: Tensor, src_mask: Mask = None, src_key_padding_mask: Mask = None) -> Tensor:
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self.dropout2(self._feed_forward(self.norm2(x)))
        x = self.norm1(x + self._attend(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self.dropout2(self._feed_forward(x)))


class TransformerDecoderLayer(TransformerLayer):
    """One layer of a decoder: attention to itself, attention to the encoder's result, then a feed-forward part.

    The arguments are those of TransformerEncoderLayer.

    Inputs:
        - **tgt**: the sequences.
        - **memory**: the encoder's result.
        - **tgt_mask**, **memory_mask**: as ``attn_mask`` of MultiheadAttention.
        - **tgt_key_padding_mask**, **memory_key_padding_mask**: as ``key_padding_mask`` of MultiheadAttention.

    Examples:
        >>> from mindspore import nn, ops
        >>> print(nn.TransformerDecoderLayer(8, 2, 16)(ops.ones((4, 3, 8)), ops.ones((5, 3, 8))).shape)
        (4, 3, 8)
    """

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
                 activation: Activation = "relu", layer_norm_eps: float = 1e-5, batch_first: bool = False,
                 norm_first: bool = False, dtype: Any = mstype.float32):  # fmt: skip
        super().__init__(d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first,
                         dtype)  # fmt: skip
        self.self_attn = self._attention()
        self.multihead_attn = self._attention()
        self._make_feed_forward()
        self.norm1 = self._norm()
        self.norm2 = self._norm()
        self.norm3 = self._norm()
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)
        self.dropout3 = Dropout(p=dropout)

    def construct(self, tgt: Tensor, memory: Tensor, tgt_mask: Mask = None, memory_mask: Mask = None,
                  tgt_key_padding_mask: Mask = None, memory_key_padding_mask: Mask = None) -> Tensor:  # fmt: skip
        x = tgt
        if self.norm_first:
            x = x + self._attend(self.norm1(x), tgt_mask, tgt_key_padding_mask)
            x = x + self._attend_memory(self.norm2(x), memory, memory_mask, memory_key_padding_mask)
            return x + self.dropout3(self._feed_forward(self.norm3(x)))
        x = self.norm1(x + self._attend(x, tgt_mask, tgt_key_padding_mask))
        x = self.norm2(x + self._attend_memory(x, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(x + self.dropout3(self._feed_forward(x)))

    def _attend_memory(self, x: Tensor, memory: Tensor, mask: Mask, padding: Mask) -> Tensor:
        return self.dropout2(self.multihead_attn(x, memory, memory, padding, False, mask)[0])
