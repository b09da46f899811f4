"""The layers of encoders and decoders. The module to import them from is ``transformer``."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._utils.checks import check_bool
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.transformer._attention import MultiHeadAttention
from mindspore.nn.transformer._checks import (
    check_activation,
    check_config,
    check_float_types,
    check_mask,
    check_multiples,
    check_past,
    check_rates,
    check_rows,
    check_sizes,
)
from mindspore.nn.transformer._feed_forward import FeedForward
from mindspore.nn.transformer.layers import _LayerNorm
from mindspore.nn.transformer.moe import MoE, MoEConfig, _check_moe_config, _expert_config, default_moe_config
from mindspore.nn.transformer.op_parallel_config import (
    MoEParallelConfig,
    OpParallelConfig,
    _check_config,
    default_dpmp_config,
)


class _Block(Cell):
    """What the layers of encoders and decoders share: normalization, attention, feed-forward network."""

    def __init__(
        self,
        sizes: dict[str, int],
        batch_size: int | None,
        rates: dict[str, float],
        types: dict[str, Any],
        post_layernorm_residual: bool,
        use_past: bool,
        hidden_act: Any,
        moe_config: MoEConfig,
        parallel_config: OpParallelConfig | MoEParallelConfig,
    ):
        super().__init__()
        owner = self.cls_name
        check_sizes(owner, **sizes)
        check_rates(owner, **rates)
        check_float_types(owner, **types)
        check_activation(owner, "hidden_act", hidden_act)
        check_config(owner, parallel_config, OpParallelConfig, MoEParallelConfig)
        _check_config(parallel_config)
        _check_moe_config(moe_config, parallel_config)
        split = {name: sizes[name] for name in ("num_heads", "hidden_size", "ffn_hidden_size")}
        check_multiples(owner, "'model_parallel'", parallel_config.model_parallel, **split)
        self.use_past = check_bool(owner, "use_past", use_past)
        if batch_size is not None or use_past:
            check_sizes(owner, batch_size=batch_size)
        self.post_layernorm_residual = check_bool(owner, "post_layernorm_residual", post_layernorm_residual)
        self.batch_size, self.hidden_size = batch_size, sizes["hidden_size"]
        self.use_moe = moe_config.expert_num > 1
        self.is_first_iteration = True
        self.dtype = mstype.float16
        self._sizes, self._rates, self._types = sizes, rates, types
        self._config = parallel_config
        self.layernorm1 = self._norm()
        self.layernorm2 = self._norm()

    def _norm(self) -> Cell:
        norm = _LayerNorm((self.hidden_size,))
        norm.shard(((self._config.data_parallel, 1),))
        return norm.to_float(self._types["layernorm_compute_type"])

    def _attention(self, source: int, target: int) -> MultiHeadAttention:
        config = self._config.dpmp if isinstance(self._config, MoEParallelConfig) else self._config
        return MultiHeadAttention(
            self.batch_size, source, target, self.hidden_size, self._sizes["num_heads"], **self._rates,
            softmax_compute_type=self._types["softmax_compute_type"], param_init_type=self._types["param_init_type"],
            use_past=self.use_past, parallel_config=config,
        )  # fmt: skip

    def _network(self, hidden_act: Any, moe_config: MoEConfig) -> FeedForward | MoE:
        arguments = self.hidden_size, self._sizes["ffn_hidden_size"], self._rates["hidden_dropout_rate"], hidden_act
        kept = self._types["param_init_type"]
        if self.use_moe:
            return MoE(*arguments, kept, moe_config, _expert_config(self._config))
        return FeedForward(*arguments, param_init_type=kept, parallel_config=self._config)

    def _added(self, residual: Tensor, normed: Tensor, change: Tensor) -> Tensor:
        """The sum behind a sublayer: with what went into the normalization, or with what came out of it."""
        return (normed if self.post_layernorm_residual else residual) + change

    def _feed_forward(self, x: Tensor) -> tuple[Tensor, tuple[Tensor, ...]]:
        """The feed-forward sublayer, and the router's loss, if there are experts."""
        normed = self.layernorm2(x).astype(self.dtype)
        result = self.output(normed)
        change, losses = (result[0], result[1:]) if self.use_moe else (result, ())
        return self._added(x, normed, change), losses


class TransformerEncoderLayer(_Block):
    """Self-attention and a feed-forward network, each with normalization and a sum around it.

    Args:
        batch_size: the number of sequences; needed with ``use_past``, else it may be None.
        hidden_size, ffn_hidden_size: the length of a vector, and its length inside the feed-forward network.
        num_heads: the number of heads of the attention.
        seq_length: the length of a sequence.
        attention_dropout_rate, hidden_dropout_rate: the probability to drop a weight of the attention, and an element of
            a result.
        post_layernorm_residual: whether normalization comes behind the sums rather than before the sublayers.
        layernorm_compute_type, softmax_compute_type, param_init_type: the dtype of normalization, weights of the
            attention, and Parameters. All else is computed in Float16.
        hidden_act: the activation: a name, or a class of Cells.
        use_past: whether sequences are continued word by word; see :class:`MultiHeadAttention`.
        moe_config: how many experts there are, and how they are found.
        parallel_config: how it is to be spread over devices.

    Inputs:
        x: Tensor (batch, seq_length, hidden_size) or (batch * seq_length, hidden_size).
        input_mask: Tensor (batch, seq_length, seq_length), 1 where a position may be seen, or None.
        init_reset: for ``use_past``, a bool Tensor of shape (1,); False forgets what was remembered.
        batch_valid_length: for ``use_past``, the lengths of the sequences, of Int32.

    Outputs:
        A Tensor like x, the pair of keys and values, and with experts their loss.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import TransformerEncoderLayer
        >>> net = TransformerEncoderLayer(2, hidden_size=8, ffn_hidden_size=64, num_heads=2, seq_length=16)
        >>> output, (keys, values) = net(ops.ones((2, 16, 8)), ops.ones((2, 16, 16)))
        >>> print(output.shape, keys.shape, values.shape)
        (2, 16, 8) (2, 2, 4, 16) (2, 2, 16, 4)
    """

    def __init__(
        self,
        batch_size: int | None,
        hidden_size: int,
        ffn_hidden_size: int,
        num_heads: int,
        seq_length: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        hidden_act: Any = "gelu",
        use_past: bool = False,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: OpParallelConfig | MoEParallelConfig = default_dpmp_config,
    ):
        sizes = {"hidden_size": hidden_size, "ffn_hidden_size": ffn_hidden_size, "num_heads": num_heads,
                 "seq_length": seq_length}  # fmt: skip
        rates = {"attention_dropout_rate": attention_dropout_rate, "hidden_dropout_rate": hidden_dropout_rate}
        types = {"layernorm_compute_type": layernorm_compute_type, "softmax_compute_type": softmax_compute_type,
                 "param_init_type": param_init_type}  # fmt: skip
        super().__init__(sizes, batch_size, rates, types, post_layernorm_residual, use_past, hidden_act, moe_config,
                         parallel_config)  # fmt: skip
        self.seq_length = seq_length
        self.attention = self._attention(seq_length, seq_length)
        self.output = self._network(hidden_act, moe_config)
        size = hidden_size // num_heads
        self.key_past: Any = self._memory("key_past", size, seq_length)
        self.value_past: Any = self._memory("value_past", seq_length, size)

    def construct(
        self,
        x: Tensor,
        input_mask: Tensor | None = None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        """The layer's output, its keys and values, and with experts their loss."""
        self._check_inputs(x, input_mask, init_reset, batch_valid_length)
        rows = x.reshape(-1, self.hidden_size)
        normed = rows if self.post_layernorm_residual else self.layernorm1(rows)
        normed = normed.astype(self.dtype)
        if self.use_past:
            kept = init_reset.astype(self.dtype)  # type: ignore[union-attr]
            ops.assign(self.key_past, self.key_past * kept)
            ops.assign(self.value_past, self.value_past * kept)
        attention, present = self.attention(
            normed, normed, normed, input_mask, self.key_past, self.value_past, batch_valid_length
        )
        if self.use_past:
            ops.assign(self.key_past, present[0])
            ops.assign(self.value_past, present[1])
        output, losses = self._feed_forward(self._added(rows, normed, attention))
        if self.post_layernorm_residual:
            output = self.layernorm1(output)
        return output.reshape(x.shape), present, *losses

    def _memory(self, name: str, *shape: int) -> Parameter | None:
        if self.batch_size is None or not self.use_past:
            return None
        return Parameter(ops.zeros((self.batch_size, self._sizes["num_heads"], *shape), self.dtype), name=name)

    def _check_inputs(self, x: Tensor, input_mask: Any, init_reset: Any, batch_valid_length: Any) -> None:
        owner = self.cls_name
        length = self.seq_length if not self.use_past or self.is_first_iteration else 1
        check_rows(owner, "x", x, length, self.hidden_size)
        check_mask(owner, "input_mask", input_mask, length, self.seq_length)
        check_past(owner, self.use_past, "init_reset", init_reset, True, mstype.bool_)
        check_past(owner, self.use_past, "batch_valid_length", batch_valid_length, None, mstype.int32)


class TransformerDecoderLayer(_Block):
    """Self-attention, cross-attention if there is an encoder output, and a feed-forward network.

    Args:
        hidden_size, ffn_hidden_size, num_heads, batch_size, attention_dropout_rate, hidden_dropout_rate,
            layernorm_compute_type, softmax_compute_type, param_init_type, hidden_act, moe_config, parallel_config: as for
            :class:`TransformerEncoderLayer`.
        src_seq_length, tgt_seq_length: the length of the encoder's sequences, and of the decoder's.
        post_layernorm_residual: whether the sums are made with what was normalized.
        use_past: must be False.

    Inputs:
        hidden_stats: Tensor (batch, tgt_seq_length, hidden_size) or (batch * tgt_seq_length, hidden_size).
        decoder_mask: Tensor (batch, tgt_seq_length, tgt_seq_length), 1 where a position may be seen, or None.
        encoder_output: Tensor (batch, src_seq_length, hidden_size), or None.
        memory_mask: Tensor (batch, tgt_seq_length, src_seq_length), or None.
        init_reset, batch_valid_length: must be True and None.

    Outputs:
        A Tensor like hidden_stats; the keys and values of both attentions; and with experts their loss.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import TransformerDecoderLayer
        >>> net = TransformerDecoderLayer(8, 16, num_heads=2, batch_size=2, src_seq_length=5, tgt_seq_length=3)
        >>> output, past = net(ops.ones((2, 3, 8)), ops.ones((2, 3, 3)), ops.ones((2, 5, 8)), ops.ones((2, 3, 5)))
        >>> print(output.shape, [one.shape for one in past])
        (2, 3, 8) [(2, 2, 4, 3), (2, 2, 3, 4), (2, 2, 4, 5), (2, 2, 5, 4)]
    """

    def __init__(
        self,
        hidden_size: int,
        ffn_hidden_size: int,
        num_heads: int,
        batch_size: int | None,
        src_seq_length: int,
        tgt_seq_length: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        use_past: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        hidden_act: Any = "gelu",
        moe_config: MoEConfig = default_moe_config,
        parallel_config: OpParallelConfig | MoEParallelConfig = default_dpmp_config,
    ):
        sizes = {"hidden_size": hidden_size, "ffn_hidden_size": ffn_hidden_size, "num_heads": num_heads,
                 "src_seq_length": src_seq_length, "tgt_seq_length": tgt_seq_length}  # fmt: skip
        rates = {"attention_dropout_rate": attention_dropout_rate, "hidden_dropout_rate": hidden_dropout_rate}
        types = {"layernorm_compute_type": layernorm_compute_type, "softmax_compute_type": softmax_compute_type,
                 "param_init_type": param_init_type}  # fmt: skip
        if use_past is True:
            raise refused(
                ValueError, f"For '{type(self).__name__}', the 'use_past' must be False: a decoder is not continued."
            )
        super().__init__(sizes, batch_size, rates, types, post_layernorm_residual, use_past, hidden_act, moe_config,
                         parallel_config)  # fmt: skip
        self.src_seq_length, self.tgt_seq_length = src_seq_length, tgt_seq_length
        self.softmax_compute_type = softmax_compute_type
        self.attention = self._attention(tgt_seq_length, tgt_seq_length)
        self.cross_attention = self._attention(tgt_seq_length, src_seq_length)
        self.cross_attention_layernorm = self._norm()
        self.output = self._network(hidden_act, moe_config)

    def construct(
        self,
        hidden_stats: Tensor,
        decoder_mask: Tensor | None,
        encoder_output: Tensor | None = None,
        memory_mask: Tensor | None = None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        """The layer's output, its keys and values, and with experts their loss."""
        self._check_inputs(hidden_stats, decoder_mask, encoder_output, memory_mask, init_reset, batch_valid_length)
        rows = hidden_stats.reshape(-1, self.hidden_size)
        normed = self.layernorm1(rows).astype(self.dtype)
        attention, present = self.attention(normed, normed, normed, decoder_mask)
        x = self._added(rows, normed, attention)
        if encoder_output is not None:
            normed = self.cross_attention_layernorm(x).astype(self.dtype)
            memory = encoder_output.astype(self.dtype)
            attention, seen = self.cross_attention(normed, memory, memory, memory_mask)
            present = (*present, *seen)
            x = self._added(x, normed, attention)
        output, losses = self._feed_forward(x)
        return output.reshape(hidden_stats.shape), present, *losses

    def _check_inputs(
        self, hidden: Tensor, mask: Any, memory: Any, memory_mask: Any, init_reset: Any, batch_valid_length: Any
    ) -> None:
        owner = self.cls_name
        check_rows(owner, "hidden_stats", hidden, self.tgt_seq_length, self.hidden_size)
        check_mask(owner, "decoder_mask", mask, self.tgt_seq_length, self.tgt_seq_length)
        if memory is not None:
            check_rows(owner, "encoder_output", memory, self.src_seq_length, self.hidden_size)
        check_mask(owner, "memory_mask", memory_mask, self.tgt_seq_length, self.src_seq_length)
        check_past(owner, False, "init_reset", init_reset, True)
        check_past(owner, False, "batch_valid_length", batch_valid_length, None)
