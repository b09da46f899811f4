"""Attention with several heads. The module to import it from is ``transformer``."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._ops.attention.attention import additive_masks, append_position, attend, scaled_scores, split_heads
from mindspore._utils.checks import check_bool, check_float_range, check_positive_int
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import XavierNormal, XavierUniform, initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.cell.inputs import Width
from mindspore.nn.layer.basic import Dense


class MultiheadAttention(Cell):
    """For every query the mean of the values, weighted by how well their keys fit it; in several heads at once.

    Args:
        embed_dim: the number of features of a query and of the result.
        num_heads: the number of heads; divides ``embed_dim``.
        dropout: the probability of setting a weight to 0, in training.
        has_bias: whether the projections have biases.
        add_bias_kv: whether a trained key and value are appended to the input.
        add_zero_attn: whether a key and value of zeros are appended to the input.
        kdim, vdim: the number of features of a key and of a value; None means ``embed_dim``.
        batch_first: whether inputs are (batch, length, features); otherwise they are (length, batch, features).
        dtype: the dtype of the Parameters.

    Inputs:
        - **query**, **key**, **value**: as above, or (length, features) without a batch.
        - **key_padding_mask**: (batch, keys): True leaves a key out; floats are added to the scores.
        - **need_weights**: whether the weights are returned too.
        - **attn_mask**: (queries, keys) or (batch * num_heads, queries, keys), meant likewise.
        - **average_attn_weights**: whether the weights returned are the mean over the heads.

    Outputs:
        A tuple: the result, and the weights if asked for.

    Examples:
        >>> from mindspore import nn, ops
        >>> net = nn.MultiheadAttention(8, 2)
        >>> x = ops.ones((5, 3, 8))
        >>> result, weights = net(x, x, x)
        >>> print(result.shape, weights.shape)
        (5, 3, 8) (3, 5, 5)
    """

    _cell_widths = (Width("embed_dim"), Width("kdim", input_index=1), Width("vdim", input_index=2))

    def __init__(self, embed_dim: int, num_heads: int, dropout: float = 0.0, has_bias: bool = True,
                 add_bias_kv: bool = False, add_zero_attn: bool = False, kdim: int | None = None,
                 vdim: int | None = None, batch_first: bool = False, dtype: Any = mstype.float32):  # fmt: skip
        super().__init__()
        owner = type(self).__name__
        self.embed_dim = check_positive_int(owner, "embed_dim", embed_dim)
        self.num_heads = check_positive_int(owner, "num_heads", num_heads)
        self.kdim = embed_dim if kdim is None else check_positive_int(owner, "kdim", kdim)
        self.vdim = embed_dim if vdim is None else check_positive_int(owner, "vdim", vdim)
        self.dropout = check_float_range(owner, "dropout", dropout, 0, 1, include_high=False)
        self.batch_first = check_bool(owner, "batch_first", batch_first)
        self.add_zero_attn = check_bool(owner, "add_zero_attn", add_zero_attn)
        check_bool(owner, "has_bias", has_bias)
        check_bool(owner, "add_bias_kv", add_bias_kv)
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise refused(
                ValueError,
                f"For '{owner}', the 'embed_dim' must be divisible by 'num_heads', but got {embed_dim} and {num_heads}.",
            )
        self._make_parameters(has_bias, add_bias_kv, dtype)

    def _make_parameters(self, has_bias: bool, add_bias_kv: bool, dtype: Any) -> None:
        size = self.embed_dim

        def drawn(name: str, init: Any, *shape: int) -> Parameter:
            return Parameter(initializer(init, shape, dtype), name=name)

        alike = self.kdim == self.vdim == size
        self.in_proj_weight = drawn("in_proj_weight", XavierUniform(), 3 * size, size) if alike else None
        self.q_proj_weight = None if alike else drawn("q_proj_weight", XavierUniform(), size, size)
        self.k_proj_weight = None if alike else drawn("k_proj_weight", XavierUniform(), size, self.kdim)
        self.v_proj_weight = None if alike else drawn("v_proj_weight", XavierUniform(), size, self.vdim)
        self.in_proj_bias = drawn("in_proj_bias", "zeros", 3 * size) if has_bias else None
        self.out_proj = Dense(size, size, has_bias=has_bias, dtype=dtype)
        self.bias_k = drawn("bias_k", XavierNormal(), 1, 1, size) if add_bias_kv else None
        self.bias_v = drawn("bias_v", XavierNormal(), 1, 1, size) if add_bias_kv else None

    def construct(self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None,
                  need_weights: bool = True, attn_mask: Tensor | None = None,
                  average_attn_weights: bool = True) -> tuple[Any, ...]:  # fmt: skip
        batched = self._check_inputs(query, key, value)
        inputs: tuple[Any, ...] = query, key, value
        if not batched:
            inputs = tuple(x.expand_dims(1) for x in inputs)
            key_padding_mask = None if key_padding_mask is None else key_padding_mask.expand_dims(0)
        elif self.batch_first:
            inputs = tuple(x.swapaxes(0, 1) for x in inputs)
        queries, batch, keys = inputs[0].shape[0], inputs[0].shape[1], inputs[1].shape[0]
        extra = (self.bias_k is not None) + self.add_zero_attn
        masks = additive_masks("MultiheadAttention", query.dtype, key_padding_mask, attn_mask, (batch, self.num_heads, queries, keys),
                               extra, wrong_dtype=ValueError)  # fmt: skip
        result, weights = self._attend(self._project(inputs, query is key and key is value), masks)
        if not batched:
            result, weights = result.squeeze(1), weights.squeeze(0)
        elif self.batch_first:
            result = result.swapaxes(0, 1)
        if not need_weights:
            return (result,)
        return result, weights.mean(-3) if average_attn_weights else weights

    def _check_inputs(self, query: Tensor, key: Tensor, value: Tensor) -> bool:
        """Whether the inputs are batches; refuses inputs that do not fit together."""
        shapes = f"but got shapes {query.shape}, {key.shape} and {value.shape}."
        if query.ndim not in (2, 3) or not query.ndim == key.ndim == value.ndim:
            raise refused(
                ValueError,
                "For 'MultiheadAttention', the 'query', 'key' and 'value' must have 3 dimensions, or 2 without a batch, "
                + shapes,
            )
        features = query.shape[-1], key.shape[-1], value.shape[-1]
        if features != (self.embed_dim, self.kdim, self.vdim):
            raise refused(
                ValueError,
                f"For 'MultiheadAttention', the 'query', 'key' and 'value' must have {self.embed_dim}, {self.kdim} and "
                f"{self.vdim} features, " + shapes,
            )
        batch_axis = 0 if self.batch_first else 1
        if key.shape[:-1] != value.shape[:-1] or (query.ndim == 3 and query.shape[batch_axis] != key.shape[batch_axis]):
            raise refused(
                ValueError,
                "For 'MultiheadAttention', the 'key' and 'value' must have one length, and all one batch size, "
                + shapes,
            )
        return query.ndim == 3

    def _project(self, inputs: tuple[Tensor, ...], self_attention: bool) -> tuple[Tensor, ...]:
        """Queries, keys and values as the heads see them, each (length, batch, embed_dim)."""
        weight, bias = self.in_proj_weight, self.in_proj_bias
        weights: tuple[Any, ...]
        if weight is not None and self_attention:  # one product instead of three
            return tuple(ops.chunk(ops.dense(inputs[0], weight, bias), 3, -1))
        weights = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight) if weight is None else weight.chunk(3)
        biases = (None, None, None) if bias is None else bias.chunk(3)
        return tuple(map(ops.dense, inputs, weights, biases))

    def _attend(self, projected: tuple[Any, ...], masks: list[Tensor]) -> tuple[Tensor, Tensor]:
        """The result (queries, batch, embed_dim) and the weights (batch, heads, queries, keys)."""
        query, key, value = projected
        if self.bias_k is not None and self.bias_v is not None:
            key, value = append_position(key, self.bias_k), append_position(value, self.bias_v)
        if self.add_zero_attn:
            zeros = ops.zeros((1, 1, self.embed_dim), key.dtype)
            key, value = append_position(key, zeros), append_position(value, zeros)
        query, key, value = (split_heads(x, self.num_heads) for x in (query, key, value))
        result, weights = attend(scaled_scores(query, key), value, masks, self.dropout, self.training)
        return self.out_proj(result), weights
