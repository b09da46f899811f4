"""``mindspore.nn.transformer`` of MindSpore 1.5 to 1.9, against NumPy and against itself."""

from __future__ import annotations

import math

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, context, nn, ops
from mindspore.nn import transformer as tf
from mindspore.nn.transformer import layers
from mindspore.nn.transformer.moe import MoE, TopkRouter
from mindspore.nn.transformer.op_parallel_config import MoEParallelConfig, _check_config
from mindspore.parallel import nn as parallel_nn

RANDOM = np.random.default_rng(5)
HALF = 5e-3  # how far results in Float16 are from those in Float64
# The same sizes everywhere: what was compiled for one test serves the others.
BATCH, SOURCE, TARGET, HIDDEN, INNER, HEADS = 2, 4, 3, 6, 8, 2


@pytest.fixture(autouse=True)
def _parallel_context():
    yield
    context.reset_auto_parallel_context()


def normal(*shape: int) -> np.ndarray:
    return RANDOM.normal(size=shape).astype(np.float32)


def assert_close(found: Tensor, wanted: np.ndarray, tolerance: float = HALF) -> None:
    assert found.shape == wanted.shape
    np.testing.assert_allclose(found.asnumpy().astype(np.float64), wanted, tolerance, tolerance)


def larger(net: nn.Cell, scale: float = 0.3) -> nn.Cell:
    """With weights that make a difference."""
    for parameter in net.trainable_params():
        if not parameter.name.endswith(("gamma", "key_past", "value_past")):
            parameter.set_data(Tensor(normal(*parameter.shape) * scale, parameter.dtype))
    return net


# -- the same in NumPy -----------------------------------------------------------------------------------------------
def values(net: nn.Cell) -> dict[str, np.ndarray]:
    return {name: p.asnumpy().astype(np.float64) for name, p in net.parameters_and_names()}


def part(weights: dict[str, np.ndarray], prefix: str) -> dict[str, np.ndarray]:
    return {name[len(prefix) + 1 :]: value for name, value in weights.items() if name.startswith(prefix + ".")}


def softmax(x: np.ndarray) -> np.ndarray:
    exponentials = np.exp(x - x.max(-1, keepdims=True))
    return exponentials / exponentials.sum(-1, keepdims=True)


def gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def norm(x: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + 1e-5) * weights["gamma"] + weights["beta"]


def attend(weights, query, key, value, mask, heads=HEADS):
    def split(x, name):
        projected = x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]
        return projected.reshape(*x.shape[:2], HEADS, -1).transpose(0, 2, 1, 3)

    q, k, v = split(query, "dense1"), split(key, "dense2"), split(value, "dense3")
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1])
    if mask is not None:
        scores = scores + (1 - mask[:, None]) * -10000
    gathered = (softmax(scores) @ v).transpose(0, 2, 1, 3).reshape(query.shape)
    return gathered @ weights["projection.weight"] + weights["projection.bias"]


def feed(weights, x):
    hidden = gelu(x @ weights["mapping.weight"] + weights["mapping.bias"])
    return hidden @ weights["projection.weight"] + weights["projection.bias"]


def encode(weights, x, mask):
    y = norm(x, part(weights, "layernorm1"))
    x = x + attend(part(weights, "attention"), y, y, y, mask)
    return x + feed(part(weights, "output"), norm(x, part(weights, "layernorm2")))


def causal(length: int) -> np.ndarray:
    return np.tile(np.tril(np.ones((length, length), np.float32)), (BATCH, 1, 1))


def source() -> np.ndarray:
    return normal(BATCH, SOURCE, HIDDEN)


def target() -> np.ndarray:
    return normal(BATCH, TARGET, HIDDEN)


def encoder_layer(**options) -> nn.Cell:
    return larger(tf.TransformerEncoderLayer(BATCH, HIDDEN, INNER, HEADS, SOURCE, **options))


def transformer(encoder_layers: int, decoder_layers: int, **options) -> nn.Cell:
    return larger(
        tf.Transformer(HIDDEN, BATCH, INNER, SOURCE, TARGET, encoder_layers, decoder_layers, HEADS, **options)
    )


def inputs_of_both() -> list[Tensor]:
    seen = Tensor(np.ones((BATCH, TARGET, SOURCE), np.float32))
    return [Tensor(source()), Tensor(causal(SOURCE)), Tensor(target()), Tensor(causal(TARGET)), seen]


# -- configurations --------------------------------------------------------------------------------------------------
def test_parts_of_a_configuration_agree_and_the_context_is_told():
    config = tf.TransformerOpParallelConfig(2, 4, expert_parallel=2, pipeline_stage=3, optimizer_shard=True)
    assert context.get_auto_parallel_context("pipeline_stages") == 3
    assert context.get_auto_parallel_context("enable_parallel_optimizer") is True
    config.model_parallel = 8
    parts = (
        config.dp_mp_config,
        config.embedding_dp_mp_config,
        config.moe_parallel_config,
        config.moe_parallel_config.dpmp,
    )
    assert [(p.data_parallel, p.model_parallel) for p in parts] == [(2, 8)] * 4
    assert config.expert_parallel == 2 and config.micro_batch_num == 1 and config.vocab_emb_dp is True
    assert str(tf.OpParallelConfig(2)) == "[ParallelConfig]\n_data_parallel:2\n_model_parallel:1\n"


@pytest.mark.parametrize(
    "make",
    [
        lambda: tf.OpParallelConfig(0),
        lambda: tf.OpParallelConfig(1, 2.0),
        lambda: setattr(tf.OpParallelConfig(), "data_parallel", -1),
        lambda: tf.EmbeddingOpParallelConfig(vocab_emb_dp=1),
        lambda: tf.TransformerRecomputeConfig(recompute="yes"),
        lambda: tf.TransformerOpParallelConfig(recompute=None),
        lambda: tf.TransformerOpParallelConfig(pipeline_stage=3, micro_batch_num=0),
        lambda: tf.TransformerOpParallelConfig(pipeline_stage=3, optimizer_shard=1),
        lambda: tf.MoEConfig(expert_num=2, num_experts_chosen=3),
        lambda: tf.MoEConfig(capacity_factor=0.5),
        lambda: tf.MoEConfig(aux_loss_factor=1.0),
    ],
)
def test_wrong_settings_are_refused_and_change_nothing(make):
    with pytest.raises((TypeError, ValueError), match="For '"):
        make()
    assert context.get_auto_parallel_context("pipeline_stages") == 1


def test_configuration_must_fit_the_context():
    config = tf.TransformerOpParallelConfig(pipeline_stage=2)
    context.set_auto_parallel_context(pipeline_stages=4)
    with pytest.raises(ValueError, match="pipeline_stages=4, but got 2"):
        _check_config(config)
    context.reset_auto_parallel_context()
    context.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=2)
    with pytest.raises(ValueError, match="must not be greater than the number of devices 2"):
        tf.FeedForward(8, 8, 0.0, parallel_config=tf.OpParallelConfig(2, 2))


def test_layers_are_told_stage_and_fusion_group():
    config = tf.TransformerOpParallelConfig(pipeline_stage=2, gradient_aggregation_group=2)
    net = tf.Transformer(4, 1, 4, 2, 2, encoder_layers=1, decoder_layers=3, parallel_config=config)
    blocks = [*net.encoder.blocks, *net.decoder.blocks]
    assert [block.pipeline_stage for block in blocks] == [0, 0, 1, 1]
    assert [block.layernorm1.gamma.comm_fusion for block in blocks] == [1, 1, 2, 2]
    context.reset_auto_parallel_context()
    told = []
    tf.TransformerEncoder(1, 2, 4, 4, 2, 2, lambda_func=lambda cell, **named: told.append(named), offset=5)
    assert [(one["layer_id"], one["layers"], one["offset"]) for one in told] == [(0, 2, 5), (1, 2, 5)]


# -- small layers ----------------------------------------------------------------------------------------------------
def test_mask_lets_words_see_earlier_words(mode):
    words = np.array([[1, 1, 1, 0], [1, 1, 0, 0]], np.float32)
    wanted = words[:, :, None] * words[:, None] * np.tril(np.ones((4, 4)))
    assert_close(tf.AttentionMask(4)(Tensor(words)), wanted, 0)
    with pytest.raises(ValueError, match=r"'input_mask' must have shape \(batch, 3\), but got \(2, 4\)"):
        tf.AttentionMask(3)(Tensor(words))
    with pytest.raises(TypeError, match="dtype of 'input_mask'"):
        tf.AttentionMask(4)(Tensor(words, ms.int32))


def test_embedding_and_its_table_train_together(mode):
    net = tf.VocabEmbedding(5, 3, param_init=Tensor(normal(5, 3)))
    ids = Tensor([[1, 4], [0, 1]], ms.int32)
    vectors, _ = net(ids)
    assert_close(vectors, net.embedding_table.asnumpy()[ids.asnumpy()], 0)

    def both(ids):
        vectors, table = net(ids)
        return vectors.sum() + 10 * table.sum()

    (gradient,) = ms.grad(both, None, [net.embedding_table])(ids)
    assert gradient.asnumpy()[:, 0].tolist() == [11, 12, 10, 10, 11]
    with pytest.raises(ValueError, match="'vocab_size' must be a multiple of 'model_parallel', but got 5 and 2"):
        tf.VocabEmbedding(5, 3, tf.EmbeddingOpParallelConfig(model_parallel=2, vocab_emb_dp=False))
    with pytest.raises(TypeError, match="dtype of 'input_ids'"):
        net(ids.astype(ms.int64))


def test_linear_computes_in_its_own_type_and_experts_take_their_rows(mode):
    x = normal(6, 4)
    net = larger(layers._Linear(4, 3, activation="relu", compute_dtype=ms.float32))
    weights = values(net)
    assert_close(net(Tensor(x)), np.maximum(x @ weights["weight"].T + weights["bias"], 0), 1e-5)
    assert layers._Linear(4, 3)(Tensor(x)).dtype == ms.float32
    net = larger(layers._Linear(4, 3, transpose_b=False, expert_num=2, compute_dtype=ms.float32))
    weights = values(net)
    rows = [x[3 * e : 3 * e + 3] @ weights["weight"][e] + weights["bias"][0, e] for e in range(2)]
    assert_close(net(Tensor(x)), np.concatenate(rows), 1e-5)
    with pytest.raises(ValueError, match=r"'weight_init' must have shape \(3, 4\)"):
        layers._Linear(4, 3, weight_init=Tensor(normal(4, 3)))
    with pytest.raises(TypeError, match="'compute_dtype' must be one of Float32, Float16, but got Int32"):
        layers._Linear(4, 3, compute_dtype=ms.int32)


def test_activation_of_ones_own_is_told_how_it_is_split():
    class Shifted(nn.Cell):
        def construct(self, x):
            return x + 1

        def activation_shard(self, config):
            self.told = config.data_parallel, config.model_parallel

    net = larger(tf.FeedForward(4, 6, 0.0, hidden_act=Shifted, parallel_config=tf.OpParallelConfig(1, 2)))
    assert net.mapping.activation.told == (1, 2)
    x, weights = normal(2, 4), values(net)
    hidden = x @ weights["mapping.weight"] + weights["mapping.bias"] + 1
    assert_close(net(Tensor(x)), hidden @ weights["projection.weight"] + weights["projection.bias"], 1e-2)


def test_norm_and_dropout_of_old_programs(mode):
    net = larger(layers._LayerNorm((6,)))
    x = normal(2, 3, 6)
    assert_close(net(Tensor(x)), norm(x, values(net)), 1e-5)
    dropout = layers._Dropout(0.5)
    assert (dropout(Tensor(x)) == Tensor(x)).all()
    kept = dropout.set_train()(ops.ones((100,)))
    assert set(kept.asnumpy().tolist()) == {0.0, 2.0}


def test_checks_that_old_programs_borrow():
    @layers._args_type_validator_check(size=layers._valid_type_checks([int], "Net"),
                                       kind=layers._valid_value_checks([ms.float32], "Net"))  # fmt: skip
    def make(size, *rest, **kwargs):
        return size

    assert make(2, kind=ms.float32, other=None) == 2
    with pytest.raises(TypeError, match="For 'Net', the type of 'size' must be one of int, but got 'a'"):
        make("a")
    with pytest.raises(TypeError, match="For 'Net', the 'kind' must be one of Float32, but got Int8"):
        make(2, kind=ms.int8)


# -- attention -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("masked", [True, False])
def test_attention_is_the_formula(masked, mode):
    net = larger(tf.MultiHeadAttention(None, TARGET, SOURCE, HIDDEN, HEADS, compute_dtype=ms.float32))
    query, key, value = target(), source(), source()
    mask = (RANDOM.uniform(size=(BATCH, TARGET, SOURCE)) > 0.3).astype(np.float32) if masked else None
    given = None if mask is None else Tensor(mask)
    output, (keys, found) = net(Tensor(query), Tensor(key), Tensor(value), given)
    weights = values(net)
    assert_close(output, attend(weights, query, key, value, mask), 1e-5)
    wanted = key @ weights["dense2.weight"].T + weights["dense2.bias"]
    assert_close(keys, wanted.reshape(BATCH, SOURCE, HEADS, -1).transpose(0, 2, 3, 1), 1e-5)
    assert found.shape == (BATCH, HEADS, SOURCE, HIDDEN // HEADS)
    flat = net(*(Tensor(x.reshape(-1, HIDDEN)) for x in (query, key, value)), given)[0]
    assert_close(flat, output.asnumpy().reshape(-1, HIDDEN), 1e-5)


def test_attention_refuses_inputs_that_do_not_fit():
    net = tf.MultiHeadAttention(BATCH, SOURCE, SOURCE, HIDDEN, HEADS)
    x, mask = Tensor(source()), Tensor(causal(SOURCE))
    with pytest.raises(ValueError, match=r"'query_tensor' must have shape \(batch, 4, 6\)"):
        net(Tensor(normal(BATCH, SOURCE, 2 * HIDDEN)), x, x, mask)
    with pytest.raises(ValueError, match=r"'attention_mask' must have shape \(batch, 4, 4\)"):
        net(x, x, x, Tensor(causal(TARGET)))
    with pytest.raises(TypeError, match="'key_past' must be None when 'use_past' is False"):
        net(x, x, x, mask, x)
    with pytest.raises(ValueError, match="'hidden_size' must be a multiple of 'num_heads', but got 6 and 4"):
        tf.MultiHeadAttention(BATCH, SOURCE, SOURCE, HIDDEN, 4)
    with pytest.raises(ValueError, match="'attention_dropout_rate'"):
        tf.MultiHeadAttention(BATCH, SOURCE, SOURCE, HIDDEN, HEADS, attention_dropout_rate=1.0)
    with pytest.raises(TypeError, match="'batch_size'"):
        tf.MultiHeadAttention(None, SOURCE, SOURCE, HIDDEN, HEADS, use_past=True)


def test_word_by_word_is_the_same_as_all_at_once(mode):
    """Two sequences, of which 1 and 2 positions are known at first; then one position at a time."""
    known = np.array([1, 2])
    sizes = BATCH, 1, HIDDEN, INNER, SOURCE, HEADS
    net, whole = larger(tf.TransformerEncoder(*sizes, use_past=True)), tf.TransformerEncoder(*sizes)
    for name, parameter in whole.parameters_and_names():
        parameter.set_data(dict(net.parameters_and_names())[name].value())
    x, mask = source(), Tensor(causal(SOURCE))
    wanted = whole(Tensor(x), mask)[0].asnumpy()
    valid, keep, forget = Tensor(known, ms.int32), Tensor([True]), Tensor([False])
    net.add_flags_recursive(is_first_iteration=True)
    for _ in range(2):  # the second time what was remembered is forgotten
        first = net(Tensor(x), mask, forget, valid)[0].asnumpy()
    np.testing.assert_allclose(first, wanted, HALF, HALF)
    net.add_flags_recursive(is_first_iteration=False)
    for step in range(2):
        at = np.arange(BATCH), known + step
        found = net(Tensor(x[at][:, None]), Tensor(np.ones((BATCH, 1, SOURCE), np.float32)), keep, valid)[0].asnumpy()
        np.testing.assert_allclose(found[:, 0], wanted[at], HALF, HALF)


def test_past_needs_its_inputs():
    net = encoder_layer(use_past=True)
    x, mask = Tensor(source()), Tensor(causal(SOURCE))
    with pytest.raises(TypeError, match="'init_reset' must be a Tensor when 'use_past' is True"):
        net(x, mask)
    with pytest.raises(TypeError, match="dtype of 'batch_valid_length' must be one of Int32"):
        net(x, mask, Tensor([True]), Tensor([1.0, 2.0]))
    own = [(p.name, p.dtype) for p in net.get_parameters()][:2]
    assert own == [("key_past", ms.float16), ("value_past", ms.float16)]


def test_sparse_attention_is_dense_attention_with_a_mask():
    heads, size, length = 5, 64, 1024
    q, k, v = (normal(1, length, heads * size) * scale for scale in (6, 6, 1))
    padding = (np.arange(length) < 1000).astype(np.float32)
    mask = np.broadcast_to(padding, (1, length, length))
    net = tf.FixedSparseAttention(1, heads, size, 64)
    found = net(*(Tensor(x, ms.float16) for x in (q, k, v)), Tensor(mask))
    positions = np.arange(length)
    same = positions[:, None] // 64 == positions[None] // 64
    near = same & (positions[:, None] >= positions[None]) & (padding[:, None] * padding > 0)
    wanted = []
    for head in range(heads):
        part_of = slice(head * size, head * size + size)
        a, b, c = (x[0, :, part_of].astype(np.float16).astype(np.float64) for x in (q, k, v))
        far = (positions[None] // 64 < positions[:, None] // 64) & (positions[None] % 64 // 16 == 3 - head % 4)
        # what is masked is still there with a weight of e ** -10000 each, but rows of padding see nothing else
        scores = np.where(near | far, a @ b.T / size, -np.inf)
        wanted.append(softmax(scores[:1000]) @ c)
    assert_close(found[0, :1000], np.concatenate(wanted, 1), 2e-2)
    with pytest.raises(ValueError, match="'size_per_head' must be 64 or 128, but got 32"):
        tf.FixedSparseAttention(1, heads, 32, 64)
    with pytest.raises(TypeError, match="dtype of 'q' must be one of Float16"):
        net(Tensor(q), Tensor(k), Tensor(v), Tensor(mask))


# -- layers and stacks -----------------------------------------------------------------------------------------------
def test_encoder_layer_is_the_formula(mode):
    net = encoder_layer()
    x, mask = source(), causal(SOURCE)
    output, _ = net(Tensor(x), Tensor(mask))
    assert output.dtype == ms.float32
    assert_close(output, encode(values(net), x, mask), 2e-2)
    assert_close(net(Tensor(x.reshape(-1, HIDDEN)), Tensor(mask))[0], output.asnumpy().reshape(-1, HIDDEN), 1e-6)


def test_normalization_behind_the_sums(mode):
    net = encoder_layer(post_layernorm_residual=True)
    x, mask, weights = source(), causal(SOURCE), values(net)
    y = norm(x + attend(part(weights, "attention"), x, x, x, mask), part(weights, "layernorm2"))
    wanted = norm(y + feed(part(weights, "output"), y), part(weights, "layernorm1"))
    assert_close(net(Tensor(x), Tensor(mask))[0], wanted, 2e-2)


@pytest.mark.parametrize(("post", "run"), [(False, ms.GRAPH_MODE), (False, ms.PYNATIVE_MODE), (True, ms.PYNATIVE_MODE)])
def test_decoder_layer_is_the_formula(post, run):
    ms.set_context(mode=run)
    net = larger(tf.TransformerDecoderLayer(HIDDEN, INNER, HEADS, BATCH, SOURCE, TARGET, post_layernorm_residual=post))
    x, memory, mask = target(), source(), causal(TARGET)
    memory_mask = np.ones((BATCH, TARGET, SOURCE), np.float32)
    memory_mask[..., 2:] = 0
    weights = values(net)
    y = norm(x, part(weights, "layernorm1"))
    middle = (y if post else x) + attend(part(weights, "attention"), y, y, y, mask)
    y = norm(middle, part(weights, "cross_attention_layernorm"))
    seen = (y if post else middle) + attend(part(weights, "cross_attention"), y, memory, memory, memory_mask)

    def finished(rows):
        y = norm(rows, part(weights, "layernorm2"))
        return (y if post else rows) + feed(part(weights, "output"), y)

    output, past = net(Tensor(x), Tensor(mask), Tensor(memory), Tensor(memory_mask))
    assert_close(output, finished(seen), 2e-2)
    assert len(past) == 4
    alone, past = net(Tensor(x), Tensor(mask))
    assert_close(alone, finished(middle), 2e-2)
    assert len(past) == 2


def test_transformer_is_encoder_and_decoder():
    ms.set_context(mode=ms.PYNATIVE_MODE)  # in a graph the layers are tested, which takes less time
    net = transformer(2, 1)
    given = inputs_of_both()
    output, encoded, decoded = net(*given)
    memory = net.encoder(*given[:2])[0]
    weights = values(net)
    x, mask = (one.asnumpy() for one in given[:2])
    wanted = encode(part(weights, "encoder.blocks.1"), encode(part(weights, "encoder.blocks.0"), x, mask), mask)
    assert_close(memory, wanted, 2e-2)
    assert_close(output, net.decoder(*given[2:4], memory, given[4])[0].asnumpy(), 1e-6)
    assert (len(encoded), len(decoded)) == (2, 1)
    assert transformer(1, 0)(*given[:2])[2] is None


def test_names_of_parameters_are_those_of_old_checkpoints():
    linear = ["weight", "bias"]
    attention = [f"{name}.{one}" for name in ("projection", "dense1", "dense2", "dense3") for one in linear]
    norms = [f"layernorm{number}.{one}" for number in (1, 2) for one in ("gamma", "beta")]
    network = [f"output.{name}.{one}" for name in ("mapping", "projection") for one in linear]
    net = tf.Transformer(4, 1, 8, 2, 2, encoder_layers=1, decoder_layers=1)
    names = [*norms, *(f"attention.{one}" for one in attention)]
    crossed = [f"cross_attention.{one}" for one in attention]
    crossed += ["cross_attention_layernorm.gamma", "cross_attention_layernorm.beta"]
    assert [p.name for p in net.get_parameters()] == [
        *(f"encoder.blocks.0.{one}" for one in (*names, *network)),
        *(f"decoder.blocks.0.{one}" for one in (*names, *crossed, *network)),
    ]
    shapes = {name.rpartition("blocks.0.")[2]: p.shape for name, p in net.parameters_and_names()}
    assert shapes["output.mapping.weight"] == (4, 8) and shapes["attention.dense1.weight"] == (4, 4)


def test_every_parameter_learns():
    rates = {"attention_dropout_rate": 0.0, "hidden_dropout_rate": 0.0}
    net = larger(tf.TransformerDecoderLayer(HIDDEN, INNER, HEADS, BATCH, SOURCE, TARGET, **rates)).set_train()
    memory, _, x, mask, seen = inputs_of_both()
    parameters = net.trainable_params()
    gradients = ms.grad(lambda *given: (net(*given)[0] ** 2).sum(), None, parameters)(x, mask, memory, seen)
    for parameter, gradient in zip(parameters, gradients, strict=True):
        assert gradient.shape == parameter.shape and np.isfinite(gradient.asnumpy()).all()
        # a bias of keys moves all scores of a position alike
        assert (gradient.asnumpy() != 0).any() or parameter.name.endswith("dense2.bias"), parameter.name


def test_types_of_parameters_and_stages_can_be_chosen():
    names = "layernorm_compute_type", "softmax_compute_type", "param_init_type"
    net = encoder_layer(**dict.fromkeys(names, ms.float16))
    assert net.attention.dense1.weight.dtype == net.output.mapping.weight.dtype == ms.float16
    assert net(Tensor(source(), ms.float16), None)[0].dtype == ms.float16
    with pytest.raises(TypeError, match="'softmax_compute_type' must be one of Float32, Float16"):
        encoder_layer(softmax_compute_type=ms.float64)


def test_what_layers_cannot_do_is_said():
    with pytest.raises(ValueError, match="'use_past' must be False"):
        tf.TransformerDecoderLayer(4, 8, 2, 1, 3, 3, use_past=True)
    with pytest.raises(ValueError, match="'use_past' must be False with a decoder"):
        tf.Transformer(4, 1, 8, 3, 3, use_past=True)
    with pytest.raises(TypeError, match="'hidden_act' must be a str or a class of Cells"):
        tf.FeedForward(4, 8, 0.1, hidden_act=nn.ReLU())
    with pytest.raises(ValueError, match="'num_heads' must be a multiple of 'model_parallel', but got 2 and 4"):
        tf.TransformerEncoderLayer(1, 4, 8, 2, 3, parallel_config=tf.OpParallelConfig(1, 4))
    with pytest.raises(TypeError, match="'parallel_config' must be one of TransformerOpParallelConfig"):
        tf.TransformerEncoder(1, 1, 4, 8, 3, 2, parallel_config=tf.OpParallelConfig())
    with pytest.raises(ValueError, match="number of layers must not be less than 'pipeline_stage' 2, but got 1"):
        tf.TransformerEncoder(1, 1, 4, 8, 3, 2, parallel_config=tf.TransformerOpParallelConfig(pipeline_stage=2))


# -- experts ---------------------------------------------------------------------------------------------------------
ROOMY = tf.MoEConfig(expert_num=2, capacity_factor=2.0)


def routed(fits: np.ndarray, chosen: int, capacity: int) -> np.ndarray:
    """How much (token, expert, place) counts, one token after the other."""
    tokens, experts = fits.shape
    result, used, had = np.zeros((tokens, experts, capacity)), np.zeros(experts, int), np.zeros((tokens, experts), bool)
    for _ in range(chosen):
        wanted = np.where(had, 0, fits).argmax(-1)
        before = used.copy()
        for token, expert in enumerate(wanted):
            place = before[expert] + (wanted[:token] == expert).sum()
            if place < capacity:
                result[token, expert, place] = fits[token, expert]
                had[token, expert] = True
                used[expert] += 1
    return result / (result.sum((1, 2), keepdims=True) + 1e-9)


@pytest.mark.parametrize("chosen", [1, 2])
def test_router_gives_places_as_long_as_there_are_some(chosen, mode):
    config = tf.MoEConfig(expert_num=3, num_experts_chosen=chosen, capacity_factor=1.0)
    logits = normal(2, 6, 3)
    dispatch, combine, loss = TopkRouter(4, config, parallel_config=MoEParallelConfig(2))(Tensor(logits))
    capacity = 2 * chosen
    wanted = np.stack([routed(softmax(group.astype(np.float64)), chosen, capacity) for group in logits])
    assert_close(combine, wanted, 1e-5)
    assert (dispatch.asnumpy() == (wanted > 0)).all()
    if chosen == 1:
        parts = np.eye(3)[logits.argmax(-1)].mean(1) * softmax(logits).mean(1)
        assert_close(loss, parts.mean() * 9, 1e-5)


@pytest.mark.parametrize("config", [MoEParallelConfig(), MoEParallelConfig(2)])
def test_experts_with_room_for_all_are_networks_of_which_one_is_chosen(config):
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = larger(MoE(HIDDEN, INNER, 0.0, moe_config=ROOMY, parallel_config=config))
    rows = source().reshape(-1, HIDDEN).astype(np.float16)
    output, loss = net(Tensor(rows))
    weights = values(net)
    chosen = (rows @ weights["router.dense.weight"].T).argmax(-1)
    wanted = []
    for row, expert in zip(rows, chosen, strict=True):
        own = {name: weights[f"ffn.{name}.weight"][expert] for name in ("mapping", "projection")}
        biases = {name: weights[f"ffn.{name}.bias"][0, expert, 0] for name in own}
        wanted.append(gelu(row @ own["mapping"] + biases["mapping"]) @ own["projection"] + biases["projection"])
    assert_close(output, np.stack(wanted), 1e-2)
    assert float(loss) > 0


def test_layers_with_experts_return_the_sum_of_their_losses():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = transformer(2, 0, moe_config=ROOMY)
    x, mask = inputs_of_both()[:2]
    output, encoded, decoded, loss = net(x, mask)
    first, second = net.encoder.blocks
    middle, _, loss_of_first = first(x, mask)
    wanted, _, loss_of_second = second(middle, mask)
    assert_close(output, wanted.asnumpy(), 1e-6)
    assert_close(loss, (loss_of_first + loss_of_second).asnumpy(), 1e-6)
    assert (len(encoded), decoded) == (2, None)
    experts = [
        "ffn.mapping.weight",
        "ffn.mapping.bias",
        "ffn.projection.weight",
        "ffn.projection.bias",
        "router.dense.weight",
    ]
    assert [p.name for p in first.output.get_parameters()] == [f"encoder.blocks.0.output.{one}" for one in experts]
    with pytest.raises(ValueError, match="'expert_num' must be a multiple of 'expert_parallel', but got 2 and 3"):
        MoE(HIDDEN, INNER, 0.0, moe_config=ROOMY, parallel_config=MoEParallelConfig(3, 1, 3))


# -- loss ------------------------------------------------------------------------------------------------------------
def test_loss_is_the_mean_over_the_positions_that_count(mode):
    logits, labels, mask = normal(4, 5), np.array([0, 4, 2, 1], np.int32), np.float32([1, 0, 1, 1])
    each = -np.log(softmax(logits.astype(np.float64))[np.arange(4), labels])
    net = tf.CrossEntropyLoss()
    given = Tensor(logits), Tensor(labels), Tensor(mask)
    assert_close(net(*given), np.array([(each * mask).sum() / 3]), 1e-5)
    gradient = ms.grad(lambda *inputs: net(*inputs).sum())(*given)
    wanted = (softmax(logits) - np.eye(5)[labels]) * mask[:, None] / (3 + 1e-5)
    assert_close(gradient, wanted, 1e-5)
    assert net(Tensor(logits, ms.float16), *given[1:]).dtype == ms.float32


def test_no_position_counts_without_limit_but_it_still_learns():
    logits, label, mask = Tensor([[100.0, 0.0]]), Tensor([1], ms.int32), Tensor([1.0])
    net = tf.CrossEntropyLoss()
    assert_close(net(logits, label, mask), np.array([-math.log(1e-24) / (1 + 1e-5)]), 1e-5)
    assert_close(ms.grad(lambda x: net(x, label, mask).sum())(logits), np.array([[1.0, -1.0]]), 1e-4)
    with pytest.raises(TypeError, match="dtype of 'label' must be one of Int32"):
        net(logits, label.astype(ms.int64), mask)
    with pytest.raises(ValueError, match="'logits' must have 2 dimensions"):
        net(Tensor([1.0]), label, mask)
    with pytest.raises(TypeError, match="'parallel_config' must be one of OpParallelConfig"):
        tf.CrossEntropyLoss(None)


def test_transformers_are_also_where_1_5_has_them():
    assert parallel_nn.Transformer is tf.Transformer and parallel_nn.MoEConfig is tf.MoEConfig
