"""Mixed precision: which layers and operators really compute in which float type."""

import re

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, amp, nn, ops
from mindspore.ops import operations as P


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 2, 3)
        self.bn = nn.BatchNorm2d(2)
        self.relu = nn.ReLU()
        self.flatten = nn.Flatten()
        self.fc = nn.Dense(32, 4)
        self.softmax = nn.Softmax()
        self.matmul = P.MatMul()
        self.scale = ms.Parameter(Tensor(np.eye(4, dtype=np.float32)), name="scale")

    def construct(self, x):
        conv = self.conv(x)
        norm = self.bn(conv)
        fc = self.fc(self.flatten(self.relu(norm)))
        product = self.matmul(fc, self.scale)
        return conv, norm, fc, product, self.softmax(product)


@pytest.fixture
def x():
    return Tensor(np.random.RandomState(0).rand(2, 1, 4, 4).astype(np.float32))


def inner_dtypes(net, x):
    """dtypes inside the network, noted by hooks on the way (which compiled graphs do not call)."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    found = {}

    def note(name):
        def hook(cell, inputs, output):
            found[name] = output.dtype

        return hook

    handles = [cell.register_forward_hook(note(name)) for name, cell in net.name_cells().items()]
    net(x)
    for handle in handles:
        handle.remove()
    return found


HALF = [ms.float16, ms.bfloat16]


@pytest.mark.parametrize("half", HALF, ids=str)
class TestLevels:
    def test_o0_changes_nothing(self, x, half):
        net = amp.auto_mixed_precision(Net(), "O0", half)
        assert set(inner_dtypes(net, x).values()) == {ms.float32}

    def test_o1_runs_listed_layers_in_half_precision_and_returns_float32(self, x, half):
        net, same = Net(), Net()
        for one, two in zip(net.get_parameters(), same.get_parameters(), strict=True):
            two.set_data(one)
        amp.auto_mixed_precision(net, "O1", half)
        assert set(inner_dtypes(net, x).values()) == {ms.float32}
        full, low = same(x)[0].asnumpy(), net(x)[0].asnumpy()
        assert not np.array_equal(full, low)
        np.testing.assert_allclose(full, low, atol=3e-2)
        # every value is one that half precision has
        assert np.array_equal(low, Tensor(low).astype(half).astype(ms.float32).asnumpy())

    def test_o2_keeps_normalization_in_float32(self, x, half):
        net = amp.auto_mixed_precision(Net(), "O2", half)
        found = inner_dtypes(net, x)
        assert found["conv"] == found["bn"] == found["relu"] == found["fc"] == half
        assert {one.dtype for one in net(x)} == {ms.float32}
        # the normalization itself ran in float32
        assert net.bn(Tensor(np.ones((1, 2, 2, 2)), half)).dtype == half
        assert net.bn._cell_dtype == ms.float32

    def test_o3_runs_everything_in_half_precision(self, x, half):
        net = amp.auto_mixed_precision(Net(), "O3", half)
        assert set(inner_dtypes(net, x).values()) == {half}
        assert {one.dtype for one in net(x)} == {ms.float32}

    def test_auto_chooses_by_operator(self, x, half):
        net = amp.auto_mixed_precision(Net(), "auto", half)
        found = inner_dtypes(net, x)
        assert found["conv"] == found["fc"] == half
        assert found["bn"] == found["softmax"] == ms.float32

    @pytest.mark.parametrize("level", ["O1", "O2", "O3", "auto"])
    def test_both_modes_agree(self, x, half, level):
        net = amp.auto_mixed_precision(Net(), level, half)
        results = []
        for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
            ms.set_context(mode=mode)
            results.append([one.asnumpy() for one in net(x)])
        for graph, eager in zip(*results, strict=True):
            assert graph.dtype == eager.dtype == np.float32
            np.testing.assert_allclose(graph, eager, atol=2e-2 if half == ms.bfloat16 else 2e-3)

    def test_parameters_and_their_gradients_stay_float32(self, mode, x, half):
        net = amp.auto_mixed_precision(Net().set_train(), "O3", half)

        def loss(data):
            return net(data)[3].sum()

        gradients = ms.grad(loss, None, net.trainable_params())(x)
        assert {one.dtype for one in net.get_parameters()} == {ms.float32}
        assert {one.dtype for one in gradients} == {ms.float32}
        assert all(np.isfinite(one.asnumpy()).all() for one in gradients)


def test_the_graph_really_computes_in_float16(x, tmp_path):
    """What XLA is given: matrix products of half precision; a convolution of it, or our kernel on its numbers, rounded to it."""
    ms.set_context(save_graphs=True, save_graphs_path=str(tmp_path))
    amp.auto_mixed_precision(Net(), "O3")(x)
    lines = "".join(path.read_text() for path in tmp_path.rglob("*.stablehlo.txt")).splitlines()
    products = [line for line in lines if "dot_general" in line]
    assert len(products) == 2 and all("f16>" in line for line in products)
    convolutions = [line for line in lines if "stablehlo.convolution" in line]
    if convolutions:
        assert len(convolutions) == 1 and "f16>" in convolutions[0]
        return
    ((weight, result, position),) = [
        (*re.search(r"(%\w+) = .*@mycelium_convolution\(%\w+, (%\w+)\)", line).group(2, 1), index)
        for index, line in enumerate(lines)
        if "@mycelium_convolution" in line
    ]
    assert any(re.search(rf"{weight} = stablehlo.convert .*f16>\) -> .*f32>", line) for line in lines[:position])
    assert any(re.search(rf"stablehlo.convert {result} : .*f32>\) -> .*f16>", line) for line in lines[position:])


class TestCustom:
    def test_white_list(self):
        net = amp.custom_mixed_precision(Net(), white_list=[nn.Dense, P.MatMul])
        plain = Net()
        assert net.conv._cell_dtype is None and net.fc._cell_dtype == ms.float16
        assert plain.fc._cell_dtype is None

    def test_black_list(self, x):
        net = amp.custom_mixed_precision(Net(), black_list=[nn.Dense])
        found = inner_dtypes(net, x)
        assert found["conv"] == found["bn"] == found["fc"] == ms.float16
        assert net.fc._cell_dtype == ms.float32 and net.bn._cell_dtype == ms.float16

    def test_an_operator_of_the_list_runs_in_half_precision(self, mode):
        class Product(nn.Cell):
            def construct(self, a, b):
                return ops.matmul(a, b), a + b

        a = Tensor(np.full((2, 2), 1.0001, np.float32))
        net = amp.custom_mixed_precision(Product(), white_list=[P.MatMul])
        product, total = net(a, a)
        assert product.dtype == ms.float32 and product.asnumpy()[0, 0] == 2.0
        assert total.asnumpy()[0, 0] > 2.0001

    def test_refuses(self):
        net = Net()
        with pytest.raises(ValueError, match="must be provided"):
            amp.custom_mixed_precision(net)
        with pytest.raises(ValueError, match="at the same time"):
            amp.custom_mixed_precision(net, white_list=[nn.Dense], black_list=[nn.Dense])
        for wrong in (nn.Dense, [3], [int]):
            with pytest.raises(TypeError, match="white_list"):
                amp.custom_mixed_precision(net, white_list=wrong)
        with pytest.raises(ValueError, match="dtype"):
            amp.custom_mixed_precision(net, white_list=[nn.Dense], dtype=ms.float64)


def test_what_to_float_said_before_stays(x):
    net = nn.SequentialCell(nn.Flatten(), nn.Dense(16, 4), nn.Dense(4, 4))
    net[1].to_float(ms.float32)
    amp.auto_mixed_precision(net, "O3")
    found = inner_dtypes(net, x)
    assert found["1"] == ms.float32 and found["2"] == ms.float16


def test_to_float_changes_a_compiled_network(mode, x):
    net = nn.Dense(4, 2)
    assert net(x).dtype == ms.float32
    assert net.to_float(ms.float16)(x).dtype == ms.float16


def test_lists_are_copies():
    amp.get_white_list().clear()
    amp.get_black_list().clear()
    assert nn.Dense in amp.get_white_list() and nn.BatchNorm2d in amp.get_black_list()


def test_level_and_network_are_checked():
    with pytest.raises(ValueError, match="O9"):
        amp.auto_mixed_precision(Net(), "O9")
    with pytest.raises(TypeError, match="Cell"):
        amp.auto_mixed_precision(3, "O1")
    with pytest.raises(ValueError, match="dtype"):
        amp.auto_mixed_precision(Net(), "O1", ms.int32)


class TestBuildTrainNetwork:
    @pytest.mark.parametrize("level", ["O0", "O1", "O2", "O3", "auto"])
    def test_trains(self, mode, level):
        net = nn.SequentialCell(nn.Dense(3, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Dense(8, 1))
        step = amp.build_train_network(net, nn.Adam(net.trainable_params(), 0.05), nn.MSELoss(), level=level)
        random = np.random.RandomState(0)
        data = random.rand(16, 3).astype(np.float32)
        x, y = Tensor(data), Tensor(data.sum(1, keepdims=True))
        losses = []
        for _ in range(30):
            result = step(x, y)
            losses.append(float((result[0] if isinstance(result, tuple) else result).asnumpy()))
        assert losses[-1] < 0.3 * losses[0]
        assert isinstance(step, nn.TrainOneStepWithLossScaleCell) == (level == "O2")

    def test_options_go_before_the_level(self):
        net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4))

        def build(**kwargs):
            return amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss(), **kwargs)

        plain = build(level="O2", loss_scale_manager=None)
        assert type(plain) is nn.TrainOneStepCell
        fixed = build(level="O2", loss_scale_manager=amp.FixedLossScaleManager(2.0, drop_overflow_update=False))
        assert type(fixed) is nn.TrainOneStepCell and fixed.sens == 2.0
        assert isinstance(build(loss_scale_manager=amp.FixedLossScaleManager(2.0)), nn.TrainOneStepWithLossScaleCell)

    def test_normalization_may_be_lowered_too(self):
        net = nn.SequentialCell(nn.Dense(3, 4), nn.BatchNorm1d(4))
        amp.build_train_network(net, nn.SGD(net.trainable_params(), 0.1), level="O2", keep_batchnorm_fp32=False)
        assert net[1]._cell_dtype == ms.float16

    def test_refuses(self):
        net = nn.Dense(3, 4)
        optimizer = nn.SGD(net.trainable_params(), 0.1)
        with pytest.raises(ValueError, match="Unsupported arg 'foo'"):
            amp.build_train_network(net, optimizer, foo=1)
        with pytest.raises(ValueError, match="level"):
            amp.build_train_network(net, optimizer, level="O4")
        with pytest.raises(TypeError, match="loss_scale_manager"):
            amp.build_train_network(net, optimizer, loss_scale_manager=3)


def test_scalers_of_ones_own_find_their_maps(mode):
    scale, tensors = Tensor(2.0), (Tensor([3.0]), Tensor([4.0], ms.float16))
    scaled, back = amp._grad_scale_map(scale, tensors), amp._grad_unscale_map(scale, tensors)
    assert [float(one[0]) for one in scaled] == [6, 8] and [float(one[0]) for one in back] == [1.5, 2]
    assert scaled[1].dtype == back[1].dtype == ms.float16
    own = amp._hypermap(amp._partial(amp._grad_scale, scale), tensors)
    assert [float(one[0]) for one in own] == [6, 8]
