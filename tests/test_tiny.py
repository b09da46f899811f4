"""A minute is too long after each edit: what must always work, once each, in a few seconds (`make smoke`)."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, nn, ops

X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)
WEIGHT = np.array([[0.5, -0.25, 0.75], [-0.5, 0.25, 0.5]], np.float32)
LABELS = np.array([0, 1, 0, 1], np.int32)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 2, weight_init=Tensor(WEIGHT), bias_init=Tensor([0.5, 0.25]))

    def construct(self, x):
        return ops.relu(self.dense(x))


def batches():
    return ds.NumpySlicesDataset({"x": X, "y": LABELS}, shuffle=False).batch(2)


def trained(net, steps=3):
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.CrossEntropyLoss()), nn.Adam(net.trainable_params(), 0.1))
    return [float(step(Tensor(X), Tensor(LABELS))) for _ in range(steps)]


def test_it_is_imported_with_a_version():
    assert ms.__version__ and callable(ms.run_check)


def test_a_tensor_is_made_and_read():
    assert Tensor(X).shape == (4, 3) and Tensor(X).dtype == ms.float32
    np.testing.assert_array_equal(Tensor(X).asnumpy(), X)


def test_operators_take_numbers_and_tensors():
    np.testing.assert_allclose((2 * Tensor(X) + Tensor(X)).asnumpy(), 3 * X, rtol=1e-6)


def test_indexing_reads_and_writes():
    x = Tensor(X)
    x[0] = 5.0
    assert x[0].asnumpy().tolist() == [5.0, 5.0, 5.0] and x[1:, 0].shape == (3,)


def test_a_layer_computes(mode):
    net = Net()
    weight, bias = net.dense.weight.asnumpy(), net.dense.bias.asnumpy()
    np.testing.assert_allclose(net(Tensor(X)).asnumpy(), np.maximum(X @ weight.T + bias, 0), 1e-5, 1e-6)


def test_a_gradient_is_right(mode):
    np.testing.assert_allclose(ms.grad(lambda x: (x**2).sum())(Tensor(X)).asnumpy(), 2 * X, rtol=1e-6)


def test_value_and_gradients_of_parameters(mode):
    net = Net()
    value, gradients = ms.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())(Tensor(X))
    assert value.shape == () and [g.shape for g in gradients] == [(2, 3), (2,)]


def test_training_steps_lower_the_loss(mode):
    losses = trained(Net(), 4)
    assert losses[-1] < losses[0]


def test_the_seed_decides():
    first = (ms.set_seed(7), ops.standard_normal((3,)).asnumpy())[1]
    second = (ms.set_seed(7), ops.standard_normal((3,)).asnumpy())[1]
    assert first.tolist() == second.tolist() != ops.standard_normal((3,)).asnumpy().tolist()


def test_jit_branches_on_a_tensor():
    @ms.jit
    def larger(x):
        if x.sum() > 0:
            return x * 2
        return x - 1

    assert float(larger(Tensor(3.0))) == 6 and float(larger(Tensor(-3.0))) == -4


def test_jit_loops_until_a_tensor_says_so():
    @ms.jit
    def doubled(x):
        while x < 10:
            x = x * 2
        return x

    assert float(doubled(Tensor(3.0))) == 12


def test_parameters_are_written(mode):
    class Counter(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor(0.0), name="count")

        def construct(self, x):
            ops.assign_add(self.count, x)
            return self.count * 1

    net = Counter()
    net(Tensor(2.0))
    assert float(net(Tensor(2.0))) == 4 and float(net.count) == 4


def test_hooks_see_outputs_and_gradients():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    seen = []
    net = Net()
    net.register_forward_hook(lambda cell, inputs, output: seen.append(output.shape))

    def loss(x):
        hidden = x * 2
        hidden.register_hook(lambda gradient: seen.append(gradient.shape))
        return net(hidden).sum()

    ms.grad(loss)(Tensor(X))
    assert seen == [(4, 2), (4, 3)]


def test_vmap_maps_the_first_axis():
    assert ms.vmap(lambda x: x.sum())(Tensor(X)).shape == (4,)


def test_a_pipeline_gives_batches():
    rows = list(batches().map(lambda x: x * 2, "x").create_dict_iterator(output_numpy=True, num_epochs=1))
    np.testing.assert_array_equal(np.concatenate([row["x"] for row in rows]), X * 2)


def test_a_model_trains_and_evaluates():
    net = Net()
    model = ms.Model(net, nn.CrossEntropyLoss(), nn.Momentum(net.trainable_params(), 0.1, 0.9), metrics={"accuracy"})
    model.train(1, batches())
    assert 0 <= model.eval(batches())["accuracy"] <= 1


def test_mixed_precision_computes_in_half():
    net = ms.amp.auto_mixed_precision(Net(), "O2")
    result = net(Tensor(X)).asnumpy()
    assert result.dtype == np.float32 and np.array_equal(result, result.astype(np.float16).astype(np.float32))
    assert all(np.isfinite(trained(Net().to_float(ms.float16), 1)))


def test_a_checkpoint_is_read_back(tmp_path):
    net, other = Net(), Net()
    net.dense.weight.set_data(Tensor(WEIGHT + 1))
    ms.save_checkpoint(net, str(tmp_path / "net.ckpt"))
    assert ms.load_param_into_net(other, ms.load_checkpoint(str(tmp_path / "net.ckpt"))) == ([], [])
    np.testing.assert_array_equal(other.dense.weight.asnumpy(), WEIGHT + 1)


def test_an_exported_network_answers_alike(tmp_path):
    net = Net()
    ms.export(net, Tensor(X), file_name=str(tmp_path / "net"), file_format="MINDIR")
    again = nn.GraphCell(ms.load(str(tmp_path / "net.mindir")))
    np.testing.assert_allclose(again(Tensor(X)).asnumpy(), net(Tensor(X)).asnumpy(), 1e-5, 1e-6)


def test_an_error_names_operator_and_argument():
    with pytest.raises(TypeError, match="For 'Add', the 'other' must be"):
        ops.add(Tensor(X), "text")


def test_an_error_in_a_graph_names_the_users_line():
    @ms.jit
    def wrong(x):
        return ops.matmul(x, x)  # shapes that do not fit

    with pytest.raises(ValueError) as caught:
        wrong(Tensor(X))
    notes = str(caught.value) + "".join(getattr(caught.value, "__notes__", []))
    assert "test_tiny.py" in notes and "ops.matmul(x, x)" in notes
