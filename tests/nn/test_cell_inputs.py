"""A layer that cannot take its input says which layer it is, what it was made for, what it got, and where it stands."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint, nn, ops


def ones(*shape, dtype=np.float32):
    return Tensor(np.ones(shape, dtype))


class Block(nn.Cell):
    def __init__(self, layer):
        super().__init__()
        self.fc = layer

    def construct(self, *x):
        return self.fc(*x)


class Net(nn.Cell):
    def __init__(self, layer):
        super().__init__()
        self.blocks = nn.CellList([nn.ReLU(), Block(layer)])

    def construct(self, *x):
        return self.blocks[1](*x)


# the layer; its inputs; what is said; the kind of error, which is that of real MindSpore
CASES = [
    (lambda: nn.Dense(10, 3), [ones(4, 12)], "Dense(in_channels=10) got 12 features", ValueError),
    (lambda: nn.Dense(10, 3, activation="relu"), [ones(4, 2, 12)], "Dense(in_channels=10) got 12 features", ValueError),
    (lambda: nn.BiDense(3, 4, 5), [ones(2, 6), ones(2, 4)], "BiDense(in1_channels=3) got 6 features", ValueError),
    (lambda: nn.BiDense(3, 4, 5), [ones(2, 3), ones(2, 5)], "BiDense(in2_channels=4) got 5 features", ValueError),
    (lambda: nn.Conv1d(3, 4, 3), [ones(1, 5, 8)], "Conv1d(in_channels=3) got 5 channels", RuntimeError),
    (lambda: nn.Conv2d(3, 4, 3), [ones(1, 5, 8, 8)], "Conv2d(in_channels=3) got 5 channels", RuntimeError),
    (lambda: nn.Conv3d(3, 4, 3), [ones(1, 5, 8, 8, 8)], "Conv3d(in_channels=3) got 5 channels", ValueError),
    (lambda: nn.Conv1dTranspose(3, 4, 3), [ones(1, 5, 8)], "Conv1dTranspose(in_channels=3) got 5 channels", RuntimeError),
    (lambda: nn.Conv2dTranspose(3, 4, 3), [ones(1, 5, 8, 8)], "Conv2dTranspose(in_channels=3) got 5 channels", RuntimeError),
    (lambda: nn.BatchNorm1d(3), [ones(4, 5)], "BatchNorm1d(num_features=3) got 5 channels", ValueError),
    (lambda: nn.BatchNorm2d(3), [ones(1, 5, 8, 8)], "BatchNorm2d(num_features=3) got 5 channels", ValueError),
    (lambda: nn.BatchNorm3d(3), [ones(1, 5, 2, 2, 2)], "BatchNorm2d(num_features=3) got 5 channels", ValueError),
    (lambda: nn.LayerNorm((3,)), [ones(4, 5)], "LayerNorm(normalized_shape=(3,)) got (5,)", ValueError),
    (lambda: nn.LayerNorm([2, 3], 1, 1), [ones(4, 2, 5)], "LayerNorm(normalized_shape=(2, 3)) got (2, 5)", ValueError),
    (lambda: nn.GroupNorm(2, 4), [ones(1, 6, 8, 8)], "GroupNorm(num_channels=4) got 6 channels", ValueError),
    (lambda: nn.InstanceNorm2d(3), [ones(1, 5, 8, 8)], "InstanceNorm2d(num_features=3) got 5 channels", ValueError),
    (lambda: nn.Embedding(10, 3), [ones(4)], "Embedding(vocab_size=10) got dtype Float32", TypeError),
    (lambda: nn.EmbeddingLookup(10, 3), [ones(4)], "EmbeddingLookup(vocab_size=10) got dtype Float32", TypeError),
    (lambda: nn.LSTM(3, 4), [ones(5, 2, 6)], "LSTM(input_size=3) got 6 features", ValueError),
    (lambda: nn.GRU(3, 4), [ones(5, 2, 6)], "GRU(input_size=3) got 6 features", ValueError),
    (lambda: nn.RNN(3, 4), [ones(5, 2, 6)], "RNN(input_size=3) got 6 features", ValueError),
    (lambda: nn.GRUCell(3, 4), [ones(2, 6), ones(2, 4)], "GRUCell(input_size=3) got 6 features", ValueError),
    (lambda: nn.MultiheadAttention(4, 2), [ones(3, 2, 6)] * 3, "MultiheadAttention(embed_dim=4) got 6 features", ValueError),
    (lambda: nn.MultiheadAttention(4, 2, kdim=5), [ones(3, 2, 4)] * 3, "MultiheadAttention(kdim=5) got 4 features", ValueError),
    (lambda: nn.TransformerEncoderLayer(4, 2), [ones(3, 2, 6)], "MultiheadAttention(embed_dim=4) got 6 features", ValueError),
    (lambda: nn.PReLU(3), [ones(2, 5, 4, 4)], "PReLU(channel=3) got 5 channels", ValueError),
    (lambda: mint.nn.Linear(10, 3), [ones(4, 12)], "Linear(in_features=10) got 12 features", ValueError),
    (lambda: mint.nn.Conv2d(3, 4, 3), [ones(1, 5, 8, 8)], "Conv2d(in_channels=3) got 5 channels", (ValueError, RuntimeError)),
    (lambda: mint.nn.BatchNorm2d(3), [ones(1, 5, 8, 8)], "BatchNorm2d(num_features=3) got 5 channels", ValueError),
    (lambda: mint.nn.LayerNorm((3,)), [ones(4, 5)], "LayerNormExt(normalized_shape=(3,)) got (5,)", ValueError),
    (lambda: mint.nn.GroupNorm(2, 4), [ones(1, 6, 8, 8)], "GroupNorm(num_channels=4) got 6 channels", ValueError),
]  # fmt: skip


@pytest.mark.parametrize(("make", "inputs", "text", "kind"), CASES)
def test_the_layer_its_argument_what_it_got_and_its_place(mode, make, inputs, text, kind):
    with pytest.raises(kind) as caught:
        Net(make())(*inputs)
    assert text in str(caught.value)
    assert "Cell path: Net.blocks.1.fc" in str(caught.value)


def test_in_a_training_step_and_a_gradient(mode):
    net = Net(nn.Dense(10, 3))
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params()))
    with pytest.raises(ValueError, match=r"got 12 features.*Cell path: TrainOneStepCell\..*\.blocks\.1\.fc"):
        step(ones(4, 12), ones(4, 3))
    with pytest.raises(ValueError, match=r"got 12 features.*Cell path: Net\.blocks\.1\.fc"):
        ms.grad(lambda x: net(x).sum())(ones(4, 12))


def test_an_input_with_another_number_of_axes_is_called_that(mode):
    with pytest.raises(ValueError, match=r"must have 4 dimensions, but got 3.*Cell path: Net\.blocks\.1\.fc"):
        Net(nn.Conv2d(3, 4, 3))(ones(5, 8, 8))


def test_another_error_in_a_layer_keeps_its_words_and_tells_the_place(mode):
    with pytest.raises(TypeError, match=r"same dtype.*Cell path: Net\.blocks\.1\.fc"):
        Net(nn.Dense(10, 3))(ones(4, 10, dtype=np.int32))


def test_errors_of_the_program_itself_are_left_alone(mode):
    class Refuses(nn.Dense):
        def construct(self, words, x):
            raise KeyError("mine", 3)

    class Adds(nn.Cell):
        def construct(self, x):
            return ops.add(x, ones(5))

    with pytest.raises(KeyError) as caught:
        Net(Refuses(3, 4))(ones(5, 5), ones(2))
    assert "Cell path" not in str(caught.value)
    with pytest.raises(ValueError, match="For 'Add'") as other:
        Adds()(ones(4))
    assert "Cell path" not in str(other.value)


def test_a_layer_after_an_error_works(mode):
    net = Net(nn.Dense(10, 3))
    for _ in range(2):
        with pytest.raises(ValueError, match=r"fc\."):
            net(ones(4, 12))
    assert net(ones(4, 10)).shape == (4, 3)
