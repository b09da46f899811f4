"""Attention, its mask, and the embedding of words. The module to import them from is ``transformer``."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._utils.checks import check_bool
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.initializer import initializer
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer.activation import Softmax
from mindspore.nn.layer.basic import Dropout
from mindspore.nn.transformer._checks import (
    FLOATS,
    _check_input_dtype,
    check_config,
    check_float_types,
    check_mask,
    check_multiples,
    check_past,
    check_rates,
    check_rows,
    check_sizes,
)
from mindspore.nn.transformer.layers import _Linear
from mindspore.nn.transformer.op_parallel_config import (
    EmbeddingOpParallelConfig,
    OpParallelConfig,
    _check_config,
    default_dpmp_config,
    default_embedding_parallel_config,
)

_MASKED = -10000.0  # added where a position must not be seen


class AttentionMask(Cell):
    """Which position may see which: itself and earlier positions, when both are words and not padding.

    Args:
        seq_length: the length of the sequences.
        parallel_config: how it is to be spread over devices.

    Inputs:
        input_mask: Tensor (batch, seq_length), 0 for padding.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.nn.transformer import AttentionMask
        >>> print(AttentionMask(seq_length=3)(Tensor([[1.0, 1.0, 0.0]])))
        [[[1. 0. 0.]
          [1. 1. 0.]
          [0. 0. 0.]]]
    """

    def __init__(self, seq_length: int, parallel_config: OpParallelConfig = default_dpmp_config):
        super().__init__()
        check_sizes(self.cls_name, seq_length=seq_length)
        check_config(self.cls_name, parallel_config, OpParallelConfig)
        self.seq_length = seq_length
        self.lower_triangle_mask = Tensor(np.tril(np.ones((seq_length, seq_length))), mstype.float32)

    def construct(self, input_mask: Tensor) -> Tensor:
        """1 where a position may be seen, of shape (batch, seq_length, seq_length)."""
        _check_input_dtype(input_mask.dtype, "input_mask", FLOATS, self.cls_name)
        if input_mask.ndim != 2 or input_mask.shape[1] != self.seq_length:
            raise refused(
                ValueError,
                f"For '{self.cls_name}', the 'input_mask' must have shape (batch, {self.seq_length}), but got "
                f"{input_mask.shape}.",
            )
        words = (input_mask != 0).astype(mstype.float32)
        return words.expand_dims(2) * words.expand_dims(1) * self.lower_triangle_mask


class VocabEmbedding(Cell):
    """A vector for each number of a word.

    Args:
        vocab_size: how many words there are.
        embedding_size: the length of a vector.
        parallel_config: how it is to be spread over devices.
        param_init: Tensor, initializer, its name, or a number.

    Inputs:
        input_ids: Tensor (batch, seq_length) of Int32.

    Outputs:
        The vectors (batch, seq_length, embedding_size), and the table of all of them.

    Examples:
        >>> from mindspore import Tensor, int32
        >>> from mindspore.nn.transformer import VocabEmbedding
        >>> vectors, table = VocabEmbedding(vocab_size=30, embedding_size=5)(Tensor([[1, 2, 3]], int32))
        >>> print(vectors.shape, table.shape)
        (1, 3, 5) (30, 5)
    """

    def __init__(
        self,
        vocab_size: int,
        embedding_size: int,
        parallel_config: EmbeddingOpParallelConfig = default_embedding_parallel_config,
        param_init: Any = "normal",
    ):
        super().__init__()
        owner = self.cls_name
        check_sizes(owner, vocab_size=vocab_size, embedding_size=embedding_size)
        check_config(owner, parallel_config, EmbeddingOpParallelConfig)
        _check_config(parallel_config)
        data, weights = parallel_config.data_parallel, parallel_config.model_parallel
        if not parallel_config.vocab_emb_dp:
            check_multiples(owner, "'model_parallel'", weights, vocab_size=vocab_size)
        self.vocab_size, self.embedding_size = vocab_size, embedding_size
        table = initializer(param_init, [vocab_size, embedding_size])
        self.embedding_table = Parameter(table, name="embedding_table")
        self.gather = ops.Gather()
        self.gather.shard(((1 if parallel_config.vocab_emb_dp else weights, 1), (data, 1)))

    def construct(self, input_ids: Tensor) -> tuple[Tensor, Tensor]:
        """The vectors, and the table."""
        _check_input_dtype(input_ids.dtype, "input_ids", (mstype.int32,), self.cls_name)
        return self.gather(self.embedding_table, input_ids, 0), self.embedding_table


class MultiHeadAttention(Cell):
    """Every position of the query gathers values, weighted by how well its vector fits the keys; in several heads.

    With ``use_past`` a sequence can be continued word by word: the first call (``add_flags_recursive(
    is_first_iteration=True)``) takes whole sequences, the others (``is_first_iteration=False``) one position each; the
    keys and values returned by a call are the ``key_past`` and ``value_past`` of the next.

    Args:
        batch_size: the number of sequences; needed with ``use_past``, else it may be None.
        src_seq_length, tgt_seq_length: the length of the query, and of key and value.
        hidden_size: the length of a vector.
        num_heads: into how many parts a vector is split.
        hidden_dropout_rate, attention_dropout_rate: the probability to drop an element of the result, and a weight.
        compute_dtype, softmax_compute_type, param_init_type: the dtype of the products, the weights and the Parameters.
        use_past: whether sequences are continued.
        parallel_config: how it is to be spread over devices.

    Inputs:
        query_tensor, key_tensor, value_tensor: Tensors (batch, length, hidden_size) or (batch * length, hidden_size).
        attention_mask: Tensor (batch, src_seq_length, tgt_seq_length), 1 where a position may be seen, or None.
        key_past, value_past, batch_valid_length: for ``use_past``, the keys (batch, num_heads, hidden_size / num_heads,
            tgt_seq_length) and values (batch, num_heads, tgt_seq_length, hidden_size / num_heads) of Float16 up to now,
            and the lengths of the sequences, of Int32.

    Outputs:
        A Tensor like the query, and the pair of keys and values.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import MultiHeadAttention
        >>> net = MultiHeadAttention(2, src_seq_length=4, tgt_seq_length=4, hidden_size=6, num_heads=3)
        >>> x = ops.ones((2, 4, 6))
        >>> output, (keys, values) = net(x, x, x, ops.ones((2, 4, 4)))
        >>> print(output.shape, keys.shape, values.shape)
        (2, 4, 6) (2, 3, 2, 4) (2, 3, 4, 2)
    """

    def __init__(
        self,
        batch_size: int | None,
        src_seq_length: int,
        tgt_seq_length: int,
        hidden_size: int,
        num_heads: int,
        hidden_dropout_rate: float = 0.1,
        attention_dropout_rate: float = 0.1,
        compute_dtype: Any = mstype.float16,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        use_past: bool = False,
        parallel_config: OpParallelConfig = default_dpmp_config,
    ):
        super().__init__()
        owner = self.cls_name
        check_sizes(owner, src_seq_length=src_seq_length, tgt_seq_length=tgt_seq_length, hidden_size=hidden_size,
                    num_heads=num_heads)  # fmt: skip
        check_rates(owner, hidden_dropout_rate=hidden_dropout_rate, attention_dropout_rate=attention_dropout_rate)
        check_float_types(owner, compute_dtype=compute_dtype, softmax_compute_type=softmax_compute_type)
        check_config(owner, parallel_config, OpParallelConfig)
        _check_config(parallel_config)
        check_multiples(owner, "'num_heads'", num_heads, hidden_size=hidden_size)
        data, weights = parallel_config.data_parallel, parallel_config.model_parallel
        check_multiples(owner, "'model_parallel'", weights, num_heads=num_heads)
        self.use_past = check_bool(owner, "use_past", use_past)
        if batch_size is not None or use_past:
            check_sizes(owner, batch_size=batch_size)
        self.batch_size, self.hidden_size = batch_size, hidden_size
        self.src_seq_length, self.tgt_seq_length = src_seq_length, tgt_seq_length
        self.n_head, self.size_per_head = num_heads, hidden_size // num_heads
        self.dtype, self.softmax_dtype = compute_dtype, softmax_compute_type
        self.is_first_iteration = True
        types = {"compute_dtype": compute_dtype, "param_init_type": param_init_type}
        self.projection = _Linear(hidden_size, hidden_size, transpose_b=False, **types)
        self.projection.shard(((data, weights), (weights, 1)), ((data, 1), (1,)))
        self.dropout = Dropout(1.0 - hidden_dropout_rate)
        self.prob_dropout = Dropout(1.0 - attention_dropout_rate)
        self.softmax = Softmax().to_float(softmax_compute_type)
        for name in ("dense1", "dense2", "dense3"):  # of query, key and value
            dense = _Linear(hidden_size, hidden_size, **types)
            setattr(self, name, dense.shard(((data, 1), (weights, 1)), ((data, weights), (weights,))))
        if use_past:
            self.range = Tensor(np.arange(tgt_seq_length).reshape(1, 1, -1), mstype.int32)

    def construct(
        self,
        query_tensor: Tensor,
        key_tensor: Tensor,
        value_tensor: Tensor,
        attention_mask: Tensor | None,
        key_past: Tensor | None = None,
        value_past: Tensor | None = None,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        """What the positions of the query gather, and the pair of keys and values."""
        one_position = self.use_past and not self.is_first_iteration
        source = 1 if one_position else self.src_seq_length
        target = 1 if one_position else self.tgt_seq_length
        self._check_inputs(query_tensor, key_tensor, value_tensor, attention_mask, source, target)
        self._check_past(key_past, value_past, batch_valid_length)
        query = self._heads(self.dense1(query_tensor.astype(self.dtype)), source)
        key = self._heads(self.dense2(key_tensor.astype(self.dtype)), target).swapaxes(2, 3)
        value = self._heads(self.dense3(value_tensor.astype(self.dtype)), target)
        present = key, value
        if one_position:
            key, value, attention_mask = self._continued(key, value, key_past, value_past)
            present = key, value
        elif self.use_past:
            valid = (self.range < batch_valid_length.reshape(-1, 1, 1)).astype(self.dtype)
            present = key * valid.expand_dims(2), value * valid.expand_dims(3)
        attention = self._attend(query, key, value, attention_mask)
        output = self.dropout(self.projection(attention))
        return output.reshape(query_tensor.shape).astype(query_tensor.dtype), present

    def _heads(self, x: Tensor, length: int) -> Tensor:
        """(batch, head, position, element)"""
        return x.reshape(-1, length, self.n_head, self.size_per_head).transpose(0, 2, 1, 3)

    def _continued(self, key: Tensor, value: Tensor, key_past: Any, value_past: Any) -> tuple[Tensor, Tensor, Tensor]:
        """Keys and values with those of one more position, and a mask for what is still to come."""
        # Positions that were not used yet are 0.
        length = (key_past[:, 0, 0] != 0).astype(mstype.int32).sum(1).reshape(-1, 1, 1)
        here = (self.range == length).astype(self.dtype)
        seen = (self.range <= length).expand_dims(2)
        return key_past + key * here.expand_dims(2), value_past + value * here.expand_dims(3), seen

    def _attend(self, query: Tensor, key: Tensor, value: Tensor, attention_mask: Tensor | None) -> Tensor:
        """The weighted sum of values, of shape (batch * length, hidden_size)."""
        factor = math.sqrt(math.sqrt(self.size_per_head))  # on both sides, so that Float16 does not overflow
        scores = ops.matmul(query / factor, (key / factor).astype(query.dtype)).astype(self.softmax_dtype)
        if attention_mask is not None:
            mask = attention_mask.expand_dims(1) if attention_mask.ndim == 3 else attention_mask
            scores = (1 - mask.astype(self.softmax_dtype)) * _MASKED + scores
        weights = self.prob_dropout(self.softmax(scores).astype(query.dtype))
        return ops.matmul(weights, value.astype(query.dtype)).transpose(0, 2, 1, 3).reshape(-1, self.hidden_size)

    def _check_inputs(self, query: Tensor, key: Tensor, value: Tensor, mask: Any, source: int, target: int) -> None:
        owner = self.cls_name
        check_rows(owner, "query_tensor", query, source, self.hidden_size)
        check_rows(owner, "key_tensor", key, target, self.hidden_size)
        check_rows(owner, "value_tensor", value, target, self.hidden_size)
        check_mask(owner, "attention_mask", mask, source, self.tgt_seq_length)

    def _check_past(self, key_past: Any, value_past: Any, batch_valid_length: Any) -> None:
        owner = self.cls_name
        check_past(owner, self.use_past, "key_past", key_past, None, mstype.float16)
        check_past(owner, self.use_past, "value_past", value_past, None, mstype.float16)
        check_past(owner, self.use_past, "batch_valid_length", batch_valid_length, None, mstype.int32)
