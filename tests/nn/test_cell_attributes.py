"""Attributes in graphs: what construct reads, what it assigns, and when a graph is made anew."""

from __future__ import annotations

import copy
import inspect

import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, nn, ops

X, Y = Tensor([2.0], ms.float32), Tensor([5.0], ms.float32)


def numbers(value):
    return [numbers(v) for v in value] if isinstance(value, (tuple, list)) else value.asnumpy().tolist()


def compilations(net):
    return net.__dict__["_cell_graphs"].compilations


class Times(nn.Cell):
    def __init__(self, factor=1):
        super().__init__()
        self.factor = factor

    def construct(self, x):
        return x * self.factor


class Count(nn.Cell):
    def __init__(self):
        super().__init__()
        self.count = 0

    def construct(self, x):
        self.count = self.count + 1
        return x * self.count


# -- changed by the program -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 5, 1], [[2.0], [10.0], [2.0]]),
        ([1, 2.5, 3], [[2.0], [5.0], [6.0]]),
        ([True, False], [[2.0], [0.0]]),
        ([Tensor([3.0]), Tensor([4.0]), Tensor([1.0, 2.0])], [[6.0], [8.0], [2.0, 4.0]]),
    ],
)
def test_attributes_set_between_calls_are_seen(mode, values, expected):
    net = Times()
    found = []
    for value in values:
        net.factor = value
        found.append(numbers(net(X)))
    assert found == expected


def test_setting_a_value_back_finds_the_first_graph_again():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Times(1)
    for factor in (1, 2, 1, 2, 1):
        net.factor = factor
        net(X)
    assert compilations(net) == 2


def test_attributes_that_construct_does_not_read_cause_no_new_graph():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Times()
    for step in range(3):
        net.step = step
        net(X)
    assert compilations(net) == 1


def test_a_cell_may_read_attributes_of_another(mode):
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = nn.SequentialCell()
            self.inner.flag = 1

        def construct(self, x):
            return self.inner(x) * self.inner.flag

    net = Outer()
    first = numbers(net(X))
    net.inner.flag = 4
    assert (first, numbers(net(X))) == ([2.0], [8.0])


def test_replaced_parameters_and_cells_are_seen(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0], ms.float32), name="w")
            self.inner = Times(1)

        def construct(self, x):
            return self.inner(x) * self.w

    net = Net()
    found = [numbers(net(X))]
    net.w = Parameter(Tensor([7.0], ms.float32), name="w")
    found.append(numbers(net(X)))
    net.inner = Times(3)
    found.append(numbers(net(X)))
    net.w.set_data(Tensor([1.0]))
    found.append(numbers(net(X)))
    assert found == [[2.0], [14.0], [42.0], [6.0]]


def test_training_is_seen_however_it_is_set(mode):
    class Net(nn.Cell):
        def construct(self, x):
            return x if self.training else x * 10

    net = Net()
    found = [numbers(net(X)), numbers(net.set_train()(X))]
    net.training = False
    assert [*found, numbers(net(X))] == [[20.0], [2.0], [20.0]]


def test_attributes_of_cells_in_plain_lists_are_seen(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cells_in_a_list = [Times(1), Times(1)]

        def construct(self, x):
            for cell in self.cells_in_a_list:
                x = cell(x)
            return x

    net = Net()
    first = numbers(net(X))
    net.cells_in_a_list[0].factor = 3
    assert (first, numbers(net(X))) == ([2.0], [6.0])


# -- assigned by construct ----------------------------------------------------------------------------------------------
def test_an_int_that_counts_calls(mode):
    net = Count()
    found = [(numbers(net(X)), net.count) for _ in range(6)]
    assert found == [([2.0 * n], n) for n in range(1, 7)]
    assert type(net.count) is int
    net.count = 10
    assert (numbers(net(X)), net.count) == ([22.0], 11)


def test_a_counter_becomes_an_input_of_the_graph():
    ms.set_context(mode=ms.GRAPH_MODE)
    net = Count()
    for _ in range(10):
        net(X)
    assert net.count == 10 and compilations(net) == 3


def test_python_code_that_needs_the_number_gets_it(mode):
    class Repeat(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = 0

        def construct(self, x):
            self.count += 1
            for _ in range(self.count):
                x = x + 1
            return ops.reshape(x, (1,) * self.count)

    net = Repeat()
    assert [net(X).shape for _ in range(5)] == [(1,) * n for n in range(1, 6)]
    assert net.count == 5


def test_conditions_on_a_counter(mode):
    class Warm(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = 0

        def construct(self, x):
            self.count += 1
            if self.count > 3:
                return x * 100
            return x * self.count

    net = Warm()
    assert [numbers(net(X)) for _ in range(6)] == [[2.0], [4.0], [6.0], [200.0], [200.0], [200.0]]


def test_counters_in_nested_cells_called_twice(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Count()

        def construct(self, x):
            return self.inner(x) + self.inner(x)

    net = Net()
    assert [(numbers(net(X)), net.inner.count) for _ in range(4)] == [([6.0], 2), ([14.0], 4), ([22.0], 6), ([30.0], 8)]


def test_a_cell_may_assign_attributes_of_another(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Times(1)

        def construct(self, x):
            self.inner.factor = self.inner.factor + 1
            return self.inner(x)

    net = Net()
    assert [(numbers(net(X)), net.inner.factor) for _ in range(5)] == [([2.0 * n], n) for n in range(2, 7)]


def test_counters_move_with_gradients(mode):
    net = Count()
    gradient = ops.GradOperation()(net)
    assert [(numbers(gradient(X)), net.count) for _ in range(5)] == [([float(n)], n) for n in range(1, 6)]


def test_counters_move_inside_jit():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = Count()

    @ms.jit
    def call(x):
        return net(x)

    assert [(numbers(call(X)), net.count) for _ in range(5)] == [([2.0 * n], n) for n in range(1, 6)]
    assert numbers(net(X)) == [12.0] and net.count == 6


def test_a_cached_tensor(mode):
    class Cache(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cache = Tensor([0.0])

        def construct(self, x):
            before = self.cache
            self.cache = x
            return before + x

    net, start = Cache(), None
    start = net.cache
    assert [(numbers(net(v)), numbers(net.cache)) for v in (X, Y, Y, X)] == [
        ([2.0], [2.0]), ([7.0], [5.0]), ([10.0], [5.0]), ([7.0], [2.0])
    ]  # fmt: skip
    assert numbers(start) == [0.0]  # the Tensor that was there is not touched
    net.cache = Tensor([100.0])
    assert numbers(net(X)) == [102.0]


def test_a_cached_tensor_compiles_at_most_twice():
    ms.set_context(mode=ms.GRAPH_MODE)

    class Cache(nn.Cell):
        def __init__(self):
            super().__init__()
            self.cache = None
            self.seen = None

        def construct(self, x):
            self.cache = x if self.cache is None else self.cache + x
            self.seen = x
            return self.cache * 2

    net = Cache()
    assert [(numbers(net(v)), numbers(net.cache), numbers(net.seen)) for v in (X, Y, Y, X)] == [
        ([4.0], [2.0], [2.0]), ([14.0], [7.0], [5.0]), ([24.0], [12.0], [5.0]), ([28.0], [14.0], [2.0])
    ]  # fmt: skip
    assert compilations(net) == 2
    net.cache = None
    assert numbers(net(X)) == [4.0] and compilations(net) == 2


def test_a_tensor_that_is_only_written_depends_on_nothing():
    ms.set_context(mode=ms.GRAPH_MODE)

    class Record(nn.Cell):
        def construct(self, x):
            self.features = x * 2
            return x

    net = Record()
    for _ in range(3):
        for value in (X, Tensor([1.0, 1.0])):
            net(value)
            assert net.features.shape == value.shape
    assert compilations(net) == 2


def test_elements_of_a_cached_tensor_can_be_written(mode):
    class Write(nn.Cell):
        def __init__(self):
            super().__init__()
            self.table = Tensor([0.0, 0.0])

        def construct(self, x, i):
            self.table = self.table * 1
            self.table[i] = x[0]
            return self.table.sum()

    net = Write()
    assert numbers(net(X, 0)) == 2.0 and numbers(net.table) == [2.0, 0.0]
    assert numbers(net(Y, 1)) == 7.0 and numbers(net.table) == [2.0, 5.0]


def test_states_in_a_tuple_are_inputs_and_outputs(mode):
    class Recurrent(nn.Cell):
        def __init__(self):
            super().__init__()
            self.state = None

        def construct(self, x):
            if self.state is None:
                self.state = (x * 0, {"steps": x * 0, "name": "h"})
            hidden, rest = self.state
            self.state = (hidden + x, {"steps": rest["steps"] + 1, "name": "h"})
            return self.state[0] * 10

    net = Recurrent()
    assert [numbers(net(v)) for v in (X, Y, X, X)] == [[20.0], [70.0], [90.0], [110.0]]
    assert numbers(net.state[0]) == [11.0] and numbers(net.state[1]["steps"]) == [4.0] and net.state[1]["name"] == "h"
    net.state = (Tensor([100.0]), {"steps": Tensor([0.0]), "name": "h"})
    assert numbers(net(X)) == [1020.0]
    net.state = None
    assert numbers(net(X)) == [20.0]
    if mode == ms.GRAPH_MODE:
        assert compilations(net) == 2


def test_states_given_by_init_or_of_another_form(mode):
    class Switch(nn.Cell):
        def __init__(self):
            super().__init__()
            self.state = [Tensor([1.0])]

        def construct(self, x, grow):
            if grow:
                self.state = [*self.state, x]
            else:
                self.state = [state + x for state in self.state]
            return sum(self.state)

    net = Switch()
    found = [numbers(net(X, grow)) for grow in (False, True, False, False)]
    assert found == [[3.0], [5.0], [9.0], [13.0]]
    assert [numbers(state) for state in net.state] == [[7.0], [6.0]]


def test_attributes_assigned_in_a_loop_on_a_tensor(mode):
    class Loop(nn.Cell):
        def __init__(self):
            super().__init__()
            self.steps = 0
            self.last = Tensor([0.0])

        def construct(self, x):
            while x.sum() < 10:
                x = x * 2
                self.steps = self.steps + 1
                self.last = x
            return x

    net = Loop()
    found = [(numbers(net(v)), net.steps, numbers(net.last)) for v in (X, Y, X)]
    assert found == [([16.0], 3, [16.0]), ([10.0], 4, [10.0]), ([16.0], 7, [16.0])]


def test_flags_change_inside_jit_under_a_gradient():
    ms.set_context(mode=ms.PYNATIVE_MODE)

    class Once(nn.Cell):
        def __init__(self):
            super().__init__()
            self.calls = "none"

        def construct(self, x):
            self.calls = self.calls + "+"
            return x * x

    net = Once()
    call = ms.jit(net)
    assert numbers(ms.grad(lambda x: call(x))(X)) == [4.0]
    assert net.calls == "none+"
    assert numbers(call(X)) == [4.0] and net.calls == "none++"


def test_attributes_assigned_where_a_tensor_decides(mode):
    class Decide(nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = 0
            self.last = Tensor([0.0])
            self.large = False
            self.sum = 0.0

        def construct(self, x):
            if x.sum() > 3:
                self.count = self.count + 1
                self.last = x
                self.large = True
                self.sum = self.sum + 0.5
            return self.last * self.count

    net = Decide()
    found = [(numbers(net(v)), net.count, net.large, net.sum) for v in (X, Y, X, Y, Y)]
    assert found == [([0.0], 0, False, 0.0), ([5.0], 1, True, 0.5), ([5.0], 1, True, 0.5), ([10.0], 2, True, 1.0),
                     ([15.0], 3, True, 1.5)]  # fmt: skip
    assert (type(net.count), type(net.large), type(net.sum)) == (int, bool, float)


def test_flags_and_texts_assigned_by_construct(mode):
    class Once(nn.Cell):
        def __init__(self):
            super().__init__()
            self.ready = False
            self.text = "a"

        def construct(self, x):
            self.text = self.text + "b"
            if not self.ready:
                self.ready = True
                return x * 100
            return x * len(self.text)

    net = Once()
    found = [(numbers(net(X)), net.ready, net.text) for _ in range(3)]
    assert found == [([200.0], True, "ab"), ([6.0], True, "abb"), ([8.0], True, "abbb")]


def test_shapes_noted_by_construct_settle(mode):
    class Note(nn.Cell):
        def __init__(self):
            super().__init__()
            self.width = 0

        def construct(self, x):
            self.width = x.shape[0]
            return ops.reshape(x, (self.width, 1))

    net = Note()
    for _ in range(4):
        for value in (X, Tensor([1.0, 1.0])):
            assert net(value).shape == (*value.shape, 1)
            assert net.width == value.shape[0]
    if mode == ms.GRAPH_MODE:
        assert compilations(net) <= 4


def test_a_new_attribute_made_by_construct(mode):
    class New(nn.Cell):
        def construct(self, x):
            if not hasattr(self, "fresh"):
                self.fresh = x * 2
            return self.fresh

    net = New()
    assert [numbers(net(v)) for v in (X, Y)] == [[4.0], [4.0]]
    assert numbers(net.fresh) == [4.0]


def test_parameters_assigned_by_construct(mode):
    class Update(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0], ms.float32), name="w")

        def construct(self, x):
            if x.sum() > 3:
                self.w = self.w + x
            self.w += 1
            return self.w * 10

    net = Update()
    w = net.w
    assert [numbers(net(v)) for v in (X, Y, X)] == [[20.0], [80.0], [90.0]]
    assert net.w is w and numbers(w) == [9.0]


def test_a_parameter_takes_the_converted_value(mode):
    class Update(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0], ms.float32), name="w")

        def construct(self, x):
            self.w = x.astype(ms.int32)
            return self.w

    net = Update()
    assert numbers(net(Tensor([2.5]))) == [2.0] and net.w.dtype == ms.float32


def test_another_shape_for_a_parameter_in_pynative_mode_is_taken():
    class Growing(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0], ms.float32), name="w")

        def construct(self, x):
            self.w = ops.concat((self.w, x))
            return self.w * 2

    ms.set_context(mode=ms.PYNATIVE_MODE)
    net = Growing()
    assert numbers(net(X)) == [2.0, 4.0] and numbers(net.w) == [1.0, 2.0]
    assert net.w is net.trainable_params()[0]
    net.w = Tensor([4.0, 5.0, 6.0])
    assert numbers(net.w) == [4.0, 5.0, 6.0]
    assert numbers(ms.grad(lambda x: net(x).sum())(X)) == [0.0]


def test_a_wrong_shape_for_a_parameter_of_a_graph_changes_nothing():
    ms.set_context(mode=ms.GRAPH_MODE)

    class Wrong(nn.Cell):
        def __init__(self):
            super().__init__()
            self.w = Parameter(Tensor([1.0], ms.float32), name="w")
            self.count = 0

        def construct(self, x):
            self.count = self.count + 1
            self.w = ops.concat((x, x))
            return x

    net = Wrong()
    with pytest.raises(ValueError, match="cannot be assigned a Tensor of shape"):
        net(X)
    assert numbers(net.w) == [1.0] and net.count == 0


# -- errors -----------------------------------------------------------------------------------------------------------
def test_other_values_cannot_depend_on_a_tensor():
    ms.set_context(mode=ms.GRAPH_MODE)

    class Decide(nn.Cell):
        def __init__(self):
            super().__init__()
            self.text = "a"

        def construct(self, x):
            if x.sum() > 3:
                self.text = "b"
            return x

    net = Decide()
    ms.set_context(jit_syntax_level=ms.STRICT)
    with pytest.raises(
        RuntimeError, match="The attribute 'text' of Decide is 'a' and becomes 'b' where a Tensor decides"
    ):
        net(X)
    assert net.text == "a"
    ms.set_context(jit_syntax_level=ms.LAX)
    net(X + 10)
    assert net.text == "b"


def test_attributes_of_the_class_cannot_be_assigned_in_a_graph():
    ms.set_context(mode=ms.GRAPH_MODE)

    class OnClass(nn.Cell):
        count = 0

        def construct(self, x):
            self.count = self.count + 1
            return x

    ms.set_context(jit_syntax_level=ms.STRICT)
    with pytest.raises(RuntimeError, match=r"defined on the class OnClass. Define it in __init__: self.count"):
        OnClass()(X)
    ms.set_context(jit_syntax_level=ms.LAX)
    net = OnClass()
    net(X), net(X)
    assert net.count == 2
    assert OnClass.count == 0


# -- copies -----------------------------------------------------------------------------------------------------------
def test_copies_take_the_present_values_along(mode):
    net = Count()
    for _ in range(4):
        net(X)
    other = copy.deepcopy(net)
    other(X)
    assert (net.count, other.count) == (4, 5)
    assert numbers(net(X)) == [10.0]


def test_arguments_of_a_cell_and_of_a_data_set_may_be_called_cls():
    class Weighted(nn.Cell):
        def __init__(self, box, cls):
            super().__init__()
            self.weights = (box, cls)

    class Source(ds.GeneratorDataset):
        def __init__(self, cls):
            super().__init__([cls], "data", shuffle=False)

    assert Weighted(1, cls=2).weights == (1, 2)
    assert [int(row[0]) for row in Source(cls=3).create_tuple_iterator(output_numpy=True)] == [3]


@pytest.mark.parametrize("name", ["buffers", "state_dict", "to", "apply", "recompute", "shard", "offload"])
@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_names_that_methods_got_later_may_be_given_to_members(name, mode):
    """MindSpore 1.0 has no such methods, and its programs use their names."""
    ms.set_context(mode=mode)

    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            setattr(self, name, nn.Dense(2, 3))

        def construct(self, x):
            return getattr(self, name)(x)

    net, other = Net(), nn.Cell()
    assert isinstance(getattr(net, name), nn.Dense) and net(Tensor([[1.0, 2.0]])).shape == (1, 3)
    assert [parameter.name for parameter in net.get_parameters()] == [f"{name}.weight", f"{name}.bias"]
    setattr(other, name, Parameter(Tensor([1.0]), name="p"))
    assert isinstance(getattr(other, name), Parameter)
    delattr(net, name)
    assert callable(getattr(net, name)) and not isinstance(getattr(net, name), nn.Cell)
    assert inspect.isfunction(getattr(nn.Cell, name))


def test_names_of_old_and_own_methods_stay_theirs():
    class Net(nn.Cell):
        def buffers(self):
            return ()

    for net, name in ((Net(), "buffers"), (nn.Cell(), "construct"), (nn.Cell(), "trainable_params")):
        with pytest.raises(KeyError, match="already exists"):
            setattr(net, name, nn.ReLU())
