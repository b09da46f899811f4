"""Networks trained on a mesh of devices, or alone; each training gives its losses."""

from __future__ import annotations

import numpy as np

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import Normal, initializer
from mindspore.nn.transformer import CrossEntropyLoss, TransformerEncoder, TransformerOpParallelConfig, VocabEmbedding

BATCH, LENGTH, WIDTH, WORDS = 8, 6, 16, 24
STEPS = 4


class Language(nn.Cell):
    """An encoder between an embedding and the same table again, as language models are built."""

    def __init__(self, data: int, model: int):
        super().__init__()
        config = TransformerOpParallelConfig(data_parallel=data, model_parallel=model)
        self.embedding = VocabEmbedding(WORDS, WIDTH, config.embedding_dp_mp_config)
        self.encoder = TransformerEncoder(
            batch_size=BATCH,
            num_layers=1,
            hidden_size=WIDTH,
            ffn_hidden_size=4 * WIDTH,
            seq_length=LENGTH,
            num_heads=4,
            attention_dropout_rate=0.0,
            hidden_dropout_rate=0.0,
            parallel_config=config,
            lambda_func=lambda *_, **__: None,
        )
        self.mask = Tensor(np.tril(np.ones((BATCH, LENGTH, LENGTH), np.float32)))
        self.head = ops.MatMul(transpose_b=True).shard(((data, 1), (model, 1)))
        self.loss = CrossEntropyLoss(config.dp_mp_config)

    def construct(self, words, following):
        values, table = self.embedding(words)
        values, _ = self.encoder(values, self.mask)
        logits = self.head(values.reshape((-1, WIDTH)), table)
        weights = ops.ones((BATCH * LENGTH,), ms.float32)
        return self.loss(logits, following.reshape((-1,)), weights)


class LeNet(nn.Cell):
    """Convolutions with data divided, dense layers with weights divided."""

    def __init__(self, data: int, model: int):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, pad_mode="valid", weight_init=Normal(0.1))
        self.conv2 = nn.Conv2d(4, 8, 3, pad_mode="same", weight_init=Normal(0.1))
        self.conv1.conv2d.shard(((data * model, 1, 1, 1), (1, 1, 1, 1)))
        self.pool = nn.MaxPool2d(2, 2)
        self.flatten = nn.Flatten()
        self.hidden = Parameter(initializer(Normal(0.1), (32, 16)), name="hidden")
        self.output = nn.Dense(16, 4, weight_init=Normal(0.1))
        self.dense = ops.MatMul().shard(((data, 1), (1, model)))
        self.loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")

    def construct(self, images, labels):
        values = self.pool(ops.relu(self.conv1(images)))
        values = self.flatten(self.pool(ops.relu(self.conv2(values))))
        return self.loss(self.output(ops.relu(self.dense(values, self.hidden))), labels)


def batches(kind: str) -> list[tuple[np.ndarray, np.ndarray]]:
    """The same data in every process."""
    random = np.random.default_rng(4)
    if kind == "language":
        words = random.integers(0, WORDS, (BATCH, LENGTH + 1)).astype(np.int32)
        return [(words[:, :-1], words[:, 1:])] * STEPS  # the same again, so that the loss falls
    images = random.normal(size=(STEPS, BATCH, 1, 12, 12)).astype(np.float32)
    return list(zip(images, random.integers(0, 4, (STEPS, BATCH)).astype(np.int32)))


def training(kind: str, data: int = 1, model: int = 1) -> nn.Cell:
    """One step of training the network as a Cell."""
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_seed(7)
    if kind == "language":
        network: nn.Cell = Language(data, model)
        optimizer: nn.Cell = nn.Adam(network.trainable_params(), 0.02)
    else:
        network = LeNet(data, model)
        optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
    return nn.TrainOneStepCell(network, optimizer).set_train()


def losses(step: nn.Cell, kind: str, part: int = 0, parts: int = 1) -> list[float]:
    """Train on one of so many parts of each batch."""
    found = []
    for batch in batches(kind):
        own = [np.split(column, parts)[part] for column in batch]
        found.append(float(step(*map(Tensor, own)).asnumpy().mean()))
    return found
