"""Encoders, decoders, and transformers of both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore._utils.checks import check_non_negative_int, check_positive_int
from mindspore._utils.refusals import refused
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.layer.container import CellList
from mindspore.nn.transformer._attention import AttentionMask, MultiHeadAttention, VocabEmbedding
from mindspore.nn.transformer._blocks import TransformerDecoderLayer, TransformerEncoderLayer
from mindspore.nn.transformer._checks import check_config
from mindspore.nn.transformer._feed_forward import FeedForward
from mindspore.nn.transformer.moe import MoEConfig, _check_moe_config, default_moe_config
from mindspore.nn.transformer.op_parallel_config import (
    EmbeddingOpParallelConfig,
    MoEParallelConfig,
    OpParallelConfig,
    TransformerOpParallelConfig,
    TransformerRecomputeConfig,
    _check_config,
    default_transformer_config,
)
from mindspore.nn.transformer.op_parallel_config import (
    default_embedding_parallel_config as default_embedding_parallel_config,
)
from mindspore.nn.transformer.op_parallel_config import (
    default_transformer_recompute_config as default_transformer_recompute_config,
)

__all__ = [
    "AttentionMask",
    "EmbeddingOpParallelConfig",
    "FeedForward",
    "MultiHeadAttention",
    "Transformer",
    "TransformerDecoder",
    "TransformerDecoderLayer",
    "TransformerEncoder",
    "TransformerEncoderLayer",
    "TransformerOpParallelConfig",
    "TransformerRecomputeConfig",
    "VocabEmbedding",
]


def _get_lambda_func(total_layer: int | None = None) -> Callable[..., None]:
    """The function that sets a layer's pipeline stage, its fusion group of gradients, and recomputation.

    Args:
        total_layer: the number of layers of the whole model, when it is not that of the encoder or decoder alone.
    """

    def tell(network: Cell, layer_id: int, offset: int, parallel_config: Any, layers: int) -> None:
        layers = total_layer or layers
        stages = parallel_config.pipeline_stage
        if layers < stages:
            raise ValueError(f"The number of layers must not be less than 'pipeline_stage' {stages}, but got {layers}.")
        layer = layer_id + offset
        network.pipeline_stage = min(layer // (layers // stages), stages - 1)
        network.set_comm_fusion(layer // max(layers // parallel_config.gradient_aggregation_group, 1) + 1)
        recompute = parallel_config.recompute
        if isinstance(recompute, TransformerRecomputeConfig) and recompute.recompute:
            network.recompute(
                parallel_optimizer_comm_recompute=recompute.parallel_optimizer_comm_recompute,
                mp_comm_recompute=recompute.mp_comm_recompute,
                recompute_slice_activation=recompute.recompute_slice_activation,
            )
        elif recompute is True:
            network.recompute()

    return tell


class _Stack(Cell):
    """Layers called one after the other, each on the output of its predecessor."""

    def __init__(
        self,
        make: Callable[[OpParallelConfig | MoEParallelConfig], Cell],
        num_layers: int,
        lambda_func: Callable[..., None] | None,
        offset: int,
        moe_config: MoEConfig,
        parallel_config: TransformerOpParallelConfig,
    ):
        super().__init__()
        check_positive_int(self.cls_name, "num_layers", num_layers)
        check_non_negative_int(self.cls_name, "offset", offset)
        check_config(self.cls_name, parallel_config, TransformerOpParallelConfig)
        _check_config(parallel_config)
        _check_moe_config(moe_config, parallel_config)
        self.use_moe = moe_config.expert_num > 1
        self.num_layers = num_layers
        self.blocks = CellList()
        tell = lambda_func or _get_lambda_func()
        for number in range(num_layers):
            block = make(parallel_config.moe_parallel_config if self.use_moe else parallel_config.dp_mp_config)
            tell(block, layer_id=number, layers=num_layers, offset=offset, parallel_config=parallel_config)
            self.blocks.append(block)

    def _run(self, hidden_states: Tensor, *inputs: Any) -> tuple[Any, ...]:
        """The last layer's output, the keys and values of all layers, and with experts the sum of their losses."""
        presents: tuple[Any, ...] = ()
        losses: tuple[Tensor, ...] = ()
        for block in self.blocks:
            hidden_states, present, *loss = block(hidden_states, *inputs)
            presents = (*presents, present)
            losses = (*losses, *loss)
        return (hidden_states, presents, sum(losses)) if self.use_moe else (hidden_states, presents)


class TransformerEncoder(_Stack):
    """Layers of :class:`TransformerEncoderLayer`, one after the other.

    Args:
        num_layers: how many.
        lambda_func: called for each layer as ``lambda_func(layer, layer_id=, layers=, offset=, parallel_config=)``; tells
            it its pipeline stage, which gradients are reduced together, and whether it is computed again.
        offset: how many layers of the model come before.
        parallel_config: how it is to be spread over devices. The others are those of the layer.

    Inputs:
        hidden_states, attention_mask, init_reset, batch_valid_length: as for the layer.

    Outputs:
        A Tensor like hidden_states, a tuple of the layers' keys and values, and with experts their loss.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import TransformerEncoder
        >>> net = TransformerEncoder(2, 3, hidden_size=8, ffn_hidden_size=16, seq_length=4, num_heads=2)
        >>> output, past = net(ops.ones((2, 4, 8)), ops.ones((2, 4, 4)))
        >>> print(output.shape, len(past))
        (2, 4, 8) 3
    """

    def __init__(
        self,
        batch_size: int | None,
        num_layers: int,
        hidden_size: int,
        ffn_hidden_size: int,
        seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: Any = "gelu",
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        lambda_func: Callable[..., None] | None = None,
        offset: int = 0,
        use_past: bool = False,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: TransformerOpParallelConfig = default_transformer_config,
    ):
        def make(config: Any) -> Cell:
            return TransformerEncoderLayer(
                batch_size, hidden_size, ffn_hidden_size, num_heads, seq_length, attention_dropout_rate,
                hidden_dropout_rate, post_layernorm_residual, layernorm_compute_type, softmax_compute_type,
                param_init_type, hidden_act, use_past, moe_config, config,
            )  # fmt: skip

        super().__init__(make, num_layers, lambda_func, offset, moe_config, parallel_config)

    def construct(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        """The output, the keys and values of all layers, and with experts their loss."""
        return self._run(hidden_states, attention_mask, init_reset, batch_valid_length)


class TransformerDecoder(_Stack):
    """Layers of :class:`TransformerDecoderLayer`, one after the other.

    Args:
        num_layers, lambda_func, offset, parallel_config: as for :class:`TransformerEncoder`. The others are those of the
            layer.

    Inputs:
        hidden_states, attention_mask, encoder_output, memory_mask, init_reset, batch_valid_length: as for the layer.

    Outputs:
        A Tensor like hidden_states, a tuple of the layers' keys and values, and with experts their loss.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import TransformerDecoder
        >>> net = TransformerDecoder(2, 2, 8, 16, src_seq_length=5, tgt_seq_length=3, num_heads=2)
        >>> output, past = net(ops.ones((2, 3, 8)), ops.ones((2, 3, 3)), ops.ones((2, 5, 8)), ops.ones((2, 3, 5)))
        >>> print(output.shape, len(past), len(past[0]))
        (2, 3, 8) 2 4
    """

    def __init__(
        self,
        num_layers: int,
        batch_size: int | None,
        hidden_size: int,
        ffn_hidden_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        num_heads: int,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        hidden_act: Any = "gelu",
        lambda_func: Callable[..., None] | None = None,
        use_past: bool = False,
        offset: int = 0,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: TransformerOpParallelConfig = default_transformer_config,
    ):
        def make(config: Any) -> Cell:
            return TransformerDecoderLayer(
                hidden_size, ffn_hidden_size, num_heads, batch_size, src_seq_length, tgt_seq_length,
                attention_dropout_rate, hidden_dropout_rate, post_layernorm_residual, use_past, layernorm_compute_type,
                softmax_compute_type, param_init_type, hidden_act, moe_config, config,
            )  # fmt: skip

        super().__init__(make, num_layers, lambda_func, offset, moe_config, parallel_config)

    def construct(
        self,
        hidden_states: Tensor,
        attention_mask: Tensor | None,
        encoder_output: Tensor | None = None,
        memory_mask: Tensor | None = None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        """The output, the keys and values of all layers, and with experts their loss."""
        return self._run(hidden_states, attention_mask, encoder_output, memory_mask, init_reset, batch_valid_length)


class Transformer(Cell):
    """An encoder, and a decoder that looks at its output.

    Args:
        hidden_size, batch_size, ffn_hidden_size, num_heads, attention_dropout_rate, hidden_dropout_rate, hidden_act,
            post_layernorm_residual, layernorm_compute_type, softmax_compute_type, param_init_type, moe_config: as for the
            layers.
        src_seq_length, tgt_seq_length: the length of the encoder's sequences, and of the decoder's.
        encoder_layers, decoder_layers: how many layers they have; 0 for no decoder.
        lambda_func, parallel_config: as for :class:`TransformerEncoder`.
        use_past: whether sequences are continued word by word; without a decoder only.

    Inputs:
        encoder_inputs, encoder_masks: what the encoder gets.
        decoder_inputs, decoder_masks, memory_mask: what the decoder gets; its last input is the encoder's output.
        init_reset, batch_valid_length: for ``use_past``, as for the layers.

    Outputs:
        The output of the decoder, or of the encoder if there is none; a tuple of keys and values of the encoder's layers;
        one of the decoder's, or None; and with experts their loss.

    Examples:
        >>> from mindspore import ops
        >>> from mindspore.nn.transformer import Transformer
        >>> net = Transformer(8, 2, 16, src_seq_length=5, tgt_seq_length=3, encoder_layers=1, decoder_layers=2)
        >>> source, target = (ops.ones((2, 5, 8)), ops.ones((2, 5, 5))), (ops.ones((2, 3, 8)), ops.ones((2, 3, 3)))
        >>> output, encoder_past, decoder_past = net(*source, *target, ops.ones((2, 3, 5)))
        >>> print(output.shape, len(encoder_past), len(decoder_past))
        (2, 3, 8) 1 2
    """

    def __init__(
        self,
        hidden_size: int,
        batch_size: int | None,
        ffn_hidden_size: int,
        src_seq_length: int,
        tgt_seq_length: int,
        encoder_layers: int = 3,
        decoder_layers: int = 3,
        num_heads: int = 2,
        attention_dropout_rate: float = 0.1,
        hidden_dropout_rate: float = 0.1,
        hidden_act: Any = "gelu",
        post_layernorm_residual: bool = False,
        layernorm_compute_type: Any = mstype.float32,
        softmax_compute_type: Any = mstype.float32,
        param_init_type: Any = mstype.float32,
        lambda_func: Callable[..., None] | None = None,
        use_past: bool = False,
        moe_config: MoEConfig = default_moe_config,
        parallel_config: TransformerOpParallelConfig = default_transformer_config,
    ):
        super().__init__()
        check_positive_int(self.cls_name, "encoder_layers", encoder_layers)
        check_non_negative_int(self.cls_name, "decoder_layers", decoder_layers)
        check_config(self.cls_name, parallel_config, TransformerOpParallelConfig)
        if use_past and decoder_layers:
            raise refused(
                ValueError,
                f"For '{self.cls_name}', the 'use_past' must be False with a decoder, but got decoder_layers: "
                f"{decoder_layers}.",
            )
        self.batch_size, self.hidden_size, self.use_past = batch_size, hidden_size, use_past
        self.src_seq_length, self.tgt_seq_length = src_seq_length, tgt_seq_length
        options: dict[str, Any] = {
            "batch_size": batch_size, "hidden_size": hidden_size, "ffn_hidden_size": ffn_hidden_size,
            "num_heads": num_heads, "attention_dropout_rate": attention_dropout_rate,
            "hidden_dropout_rate": hidden_dropout_rate, "hidden_act": hidden_act,
            "post_layernorm_residual": post_layernorm_residual, "layernorm_compute_type": layernorm_compute_type,
            "softmax_compute_type": softmax_compute_type, "param_init_type": param_init_type,
            "lambda_func": lambda_func or _get_lambda_func(encoder_layers + decoder_layers), "use_past": use_past,
            "moe_config": moe_config, "parallel_config": parallel_config,
        }  # fmt: skip
        self.encoder = TransformerEncoder(num_layers=encoder_layers, seq_length=src_seq_length, **options)
        self.use_moe = self.encoder.use_moe
        self.decoder = None
        if decoder_layers:
            lengths = {"src_seq_length": src_seq_length, "tgt_seq_length": tgt_seq_length}
            self.decoder = TransformerDecoder(num_layers=decoder_layers, offset=encoder_layers, **lengths, **options)

    def construct(
        self,
        encoder_inputs: Tensor,
        encoder_masks: Tensor | None,
        decoder_inputs: Tensor | None = None,
        decoder_masks: Tensor | None = None,
        memory_mask: Tensor | None = None,
        init_reset: Tensor | bool = True,
        batch_valid_length: Tensor | None = None,
    ) -> tuple[Any, ...]:
        """The output, keys and values of both, and with experts their loss."""
        output, encoded, *losses = self.encoder(encoder_inputs, encoder_masks, init_reset, batch_valid_length)
        decoded = None
        if self.decoder is not None:
            output, decoded, *more = self.decoder(
                decoder_inputs,  # type: ignore[arg-type]
                decoder_masks,
                output,
                memory_mask,
                init_reset,
                batch_valid_length,
            )
            losses = [*losses, *more]
        return (output, encoded, decoded, sum(losses)) if self.use_moe else (output, encoded, decoded)
