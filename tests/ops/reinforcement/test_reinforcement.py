"""Buffers of experience, arrays and queues of Tensors: what they keep, in both modes."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.ops.operations import _rl_inner_ops as inner
from mindspore.ops.operations import _tensor_array as arrays

SHAPES, TYPES = [(2,), (1,)], [ms.float32, ms.int32]
pytestmark = pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])


@pytest.fixture(autouse=True)
def in_mode(mode):
    ms.set_context(mode=mode)


def transition(number):
    return Tensor([number, number], ms.float32), Tensor([number], ms.int32)


class Buffer(nn.Cell):
    """A buffer of four transitions and one operator on it."""

    def __init__(self, operator, like=None):
        super().__init__()
        self.operator = operator
        if like is not None:
            self.rows, self.count, self.head = like.rows, like.count, like.head
            return
        states = Parameter(ops.zeros((4, 2), ms.float32), name="states")
        self.rows = ParameterTuple([states, Parameter(ops.zeros((4, 1), ms.int32), name="actions")])
        self.count, self.head = (Parameter(Tensor(0, ms.int32), name=name) for name in ("count", "head"))

    def construct(self, *given):
        if isinstance(self.operator, ops.BufferAppend):
            return self.operator(self.rows, given, self.count, self.head)
        return self.operator(self.rows, self.count, self.head, *given)

    def kept(self):
        return int(self.count.asnumpy()), int(self.head.asnumpy()), self.rows[1].asnumpy().ravel().tolist()


def test_a_buffer_keeps_the_last_transitions():
    net = Buffer(ops.BufferAppend(4, SHAPES, TYPES))
    seen = []
    for number in range(1, 7):
        net(*transition(number))
        seen.append(net.kept())
    # recorded from MindSpore 2.0 on a CPU
    assert seen == [(1, 0, [1, 0, 0, 0]), (2, 0, [1, 2, 0, 0]), (3, 0, [1, 2, 3, 0]), (4, 0, [1, 2, 3, 4]),
                    (4, 1, [5, 2, 3, 4]), (4, 2, [5, 6, 3, 4])]  # fmt: skip
    net(Tensor(np.full((3, 2), 9), ms.float32), Tensor([[7], [8], [9]], ms.int32))
    assert net.kept() == (4, 1, [9, 6, 7, 8])
    get = Buffer(ops.BufferGetItem(4, SHAPES, TYPES), net)
    assert [int(get(Tensor(index, ms.int64))[1].asnumpy()[0]) for index in (0, 1, 3, 4, -1, -4)] == [6, 7, 9, 6, 9, 6]
    sample = Buffer(ops.BufferSample(4, 4, SHAPES, TYPES, unique=True), net)
    states, actions = sample()
    assert states.shape == (4, 2) and sorted(actions.asnumpy().ravel()) == [6, 7, 8, 9]


def test_samples_come_from_what_is_used_and_repeat_with_a_seed():
    net = Buffer(ops.BufferAppend(4, SHAPES, TYPES))
    net(*transition(3))
    assert set(Buffer(ops.BufferSample(4, 4, SHAPES, TYPES), net)()[1].asnumpy().ravel()) == {3}
    for number in (4, 5, 6):
        net(*transition(number))
    drawn = [Buffer(ops.BufferSample(4, 3, SHAPES, TYPES, seed=5), net)()[1].asnumpy().tolist() for _ in range(2)]
    assert drawn[0] == drawn[1]
    seen = {one for _ in range(20) for one in Buffer(ops.BufferSample(4, 4, SHAPES, TYPES), net)()[1].asnumpy().flat}
    assert seen == {3, 4, 5, 6}


def test_wrong_transitions_are_named():
    net = Buffer(ops.BufferAppend(4, SHAPES, TYPES))
    with pytest.raises(ValueError, match="must have 2 Tensors"):
        net(Tensor([1.0, 2.0]))
    with pytest.raises(ValueError, match="must have the shape"):
        net(Tensor([1.0]), Tensor([1], ms.int32))
    with pytest.raises(TypeError, match="must be Int32"):
        net(Tensor([1.0, 2.0]), Tensor([1.0]))
    with pytest.raises(ValueError, match="at most the capacity 4"):
        ops.BufferSample(4, 5, SHAPES, TYPES)


def test_an_array_grows():
    class Written(nn.Cell):
        def __init__(self):
            super().__init__()
            self.array = nn.TensorArray(ms.int64, ())

        def construct(self, x):
            self.array.write(0, x)
            self.array.write(1, x + 1)
            return self.array.read(1) * 10

    net = Written()
    for number in (1, 5):
        assert net(Tensor(number, ms.int64)).asnumpy() == 10 * (number + 1)
        assert net.array.stack().asnumpy().tolist() == [number, number + 1]
    assert net.array.write(20, 7) and net.array.size().asnumpy() == 21
    assert net.array.stack().asnumpy()[[0, 1, 2, 20]].tolist() == [5, 6, 0, 7]
    with pytest.raises(RuntimeError, match=r"in \[0, 21\), but got 21"):
        net.array.read(21)
    assert net.array.clear() and net.array.stack().shape == (0,)
    with pytest.raises(RuntimeError, match="must have dtype Int64"):
        net.array.write(0, Tensor(1.5))
    assert net.array.close()
    with pytest.raises(RuntimeError, match="has been closed"):
        net.array.size()


def test_an_array_of_fixed_size_is_written_in_a_loop():
    class Squares(nn.Cell):
        def __init__(self):
            super().__init__()
            self.array = nn.TensorArray(ms.float32, (2,), dynamic_size=False, size=3)

        def construct(self, x):
            index = Tensor(0, ms.int64)
            while index < 2:
                x = x * x
                self.array.write(index, x)
                index = index + 1
            return self.array.stack()

    net = Squares()
    assert net(Tensor([2.0, 3.0])).asnumpy().tolist() == [[4, 9], [16, 81], [0, 0]]
    assert net.array.size().asnumpy() == 2
    with pytest.raises(RuntimeError, match=r"in \[0, 3\)"):
        net.array.write(3, Tensor([1.0, 2.0]))


def test_values_of_several_indices():
    handle = arrays.TensorArray(ms.int32, (), False, 3)()
    for index in range(3):
        arrays.TensorArrayWrite()(handle, index, Tensor(index * 10, ms.int32))
    found = arrays.TensorArrayGather(ms.int32, ())(handle, Tensor([2, 0, 2], ms.int32))
    assert found.asnumpy().tolist() == [20, 0, 20]


def test_a_queue_gives_the_first_element_back():
    class Queue(nn.Cell):
        def __init__(self):
            super().__init__()
            shapes = ((), (1, 2))
            self.handle = inner.TensorsQueueCreate(ms.float32, shapes, 2, "q")()
            self.put = inner.TensorsQueuePut(ms.float32, shapes)
            self.pop = inner.TensorsQueueGet(ms.float32, shapes, True)
            self.count = inner.TensorsQueueSize()

        def construct(self, x):
            self.put(self.handle, (x, x * ops.ones((1, 2), ms.float32)))
            self.put(self.handle, (x + 1, x * ops.ones((1, 2), ms.float32)))
            first = self.pop(self.handle)[0]
            second = self.pop(self.handle)[0]
            return first, second, self.count(self.handle)

    net = Queue()
    for number in (1.0, 5.0):
        assert [float(one) for one in net(Tensor(number, ms.float32))] == [number, number + 1, 0]
    element = (Tensor(1.0), Tensor([[1.0, 1.0]]))
    net.put(net.handle, element)
    net.put(net.handle, element)
    with pytest.raises(RuntimeError, match="the queue is full: it holds 2"):
        net.put(net.handle, element)
    inner.TensorsQueueClear()(net.handle)
    with pytest.raises(RuntimeError, match="the queue is empty"):
        net.pop(net.handle)[0].asnumpy()
    with pytest.raises(ValueError, match="must be Tensors of Float32"):
        net.put(net.handle, element[:1])
    inner.TensorsQueueClose()(net.handle)


def test_priorities_decide_what_is_drawn():
    handle = int(inner.PriorityReplayBufferCreate(8, 1.0, SHAPES, TYPES, 1, 2)().asnumpy()[0])
    push, sample = inner.PriorityReplayBufferPush(handle), inner.PriorityReplayBufferSample(handle, 4, SHAPES, TYPES)
    for number in range(5):
        push(transition(number)) if number % 2 else push(*transition(number))  # in a tuple, too
    with pytest.raises(ValueError, match="must have 2 Tensors, but got 1"):
        push(Tensor([1.0, 1.0]))
    places, weights, states, actions = sample(Tensor(1.0))
    assert weights.asnumpy().tolist() == [1.0] * 4
    assert len(set(places.asnumpy())) >= 3 and (np.diff(places.asnumpy()) >= 0).all()  # one in each part
    assert actions.asnumpy().ravel().tolist() == places.asnumpy().tolist() == states.asnumpy()[:, 0].tolist()
    update = inner.PriorityReplayBufferUpdate(handle)
    update(Tensor([0, 1, 2, 3, 4], ms.int64), Tensor([0.0, 0.0, 100.0, 0.0, 0.0]))
    places, weights, *_ = sample(Tensor(1.0))
    assert places.asnumpy().tolist() == [2] * 4
    assert np.allclose(weights.asnumpy(), 1e-9)  # recorded from MindSpore 2.0
    assert np.allclose(sample(Tensor(0.5))[1].asnumpy(), 3.162277789670043e-05)
    inner.PriorityReplayBufferDestroy(handle)()
    with pytest.raises(RuntimeError, match="has been closed"):
        sample(Tensor(1.0))


def test_a_reservoir_is_a_fair_sample():
    handle = int(inner.ReservoirReplayBufferCreate(50, SHAPES, TYPES, 1, 2)().asnumpy()[0])
    push = inner.ReservoirReplayBufferPush(handle)
    for number in range(200):
        push(*transition(number))
    drawn = inner.ReservoirReplayBufferSample(handle, 400, SHAPES, TYPES)()[1].asnumpy().ravel()
    assert 70 < drawn.mean() < 130 and 20 < len(set(drawn)) <= 50
    inner.ReservoirReplayBufferDestroy(handle)()


def test_returns_end_with_their_episode():
    reward, done = ops.ones((3, 2), ms.float32), Tensor([[False, True], [False, False], [False, False]])
    found = inner.DiscountedReturn(0.5)(reward, done, Tensor([8.0, 8.0]))
    assert found.asnumpy().tolist() == [[2.75, 1.0], [3.5, 3.5], [5.0, 5.0]]


def test_a_network_takes_the_values_of_another():
    one, other = nn.Dense(2, 3), nn.Dense(2, 3)
    inner.BatchAssign()(one.trainable_params(), other.trainable_params())
    assert np.array_equal(one.weight.asnumpy(), other.weight.asnumpy())
    with pytest.raises(ValueError, match="same shape"):
        inner.BatchAssign()(one.trainable_params()[:1], one.trainable_params()[1:])
