"""Cell: what it owns, in which order and under which names, how it is called, copied and printed.

Facts marked "as MindSpore" were observed on MindSpore 2.10.
"""

from __future__ import annotations

import copy
import pickle

import pytest

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, nn, ops
from mindspore.common.initializer import initializer


def parameter(value, name=None, **flags):
    return Parameter(Tensor(value, ms.float32), name=name, **flags)


class Linear(nn.Cell):
    """Two Parameters, one with a name of its own."""

    def __init__(self):
        super().__init__()
        self.weight = parameter([1.0, 2.0], "w")
        self.bias = parameter([0.5, 0.5])

    def construct(self, x):
        return x * self.weight + self.bias


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first = Linear()
        self.own = parameter([1.0], "given")
        self.second = Linear()
        self.auto = parameter([1.0])

    def construct(self, x):
        return self.second(self.first(x)) * self.own


def names(cell):
    return [(path, p.name) for path, p in cell.parameters_and_names()]


def numbers(tensor):
    return tensor.asnumpy().tolist()


# -- names and order --------------------------------------------------------------------------------------------------
def test_own_parameters_come_first_then_children_in_order_of_assignment():
    assert names(Net()) == [
        ("own", "given"), ("auto", "auto"), ("first.weight", "first.weight"), ("first.bias", "first.bias"),
        ("second.weight", "second.weight"), ("second.bias", "second.bias"),
    ]  # fmt: skip
    assert list(Net().parameters_dict()) == [name for _, name in names(Net())]


def test_given_names_survive_only_on_the_root():
    assert names(Linear()) == [("weight", "w"), ("bias", "bias")]
    assert Net().first.weight.name == "first.weight"


def test_without_auto_prefix_names_stay():
    class Wrapper(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.inner = Linear()

    assert names(Wrapper()) == [("inner.weight", "w"), ("inner.bias", "bias")]


def test_a_cell_assigned_twice_is_listed_once_under_the_first_path_with_the_last_name():
    class Twice(nn.Cell):
        def __init__(self):
            super().__init__()
            inner = Linear()
            self.a = inner
            self.b = inner

    net = Twice()
    assert names(net) == [("a.weight", "b.weight"), ("a.bias", "b.bias")]
    assert list(net.name_cells()) == ["a"]
    assert [path for path, _ in net.cells_and_names()] == ["", "a"]
    assert len(net.cells()) == 1


def test_a_shared_parameter_keeps_the_name_of_its_first_owner():
    class Shared(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Linear()
            self.b = Linear()
            self.b.weight = self.a.weight

    assert names(Shared()) == [("a.weight", "a.weight"), ("a.bias", "a.bias"), ("b.bias", "b.bias")]


def test_members_of_a_parameter_tuple_are_registered_under_their_own_names():
    class Tuple(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weights = ParameterTuple([parameter([1.0], "p"), parameter([2.0], "q")])

    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Tuple()

    assert names(Tuple()) == [("p", "p"), ("q", "q")]
    assert names(Outer()) == [("inner.p", "inner.p"), ("inner.q", "inner.q")]
    assert isinstance(Tuple().weights, ParameterTuple)


def test_plain_lists_and_tuples_of_parameters_or_cells_are_not_tracked():
    class Lists(nn.Cell):
        def __init__(self):
            super().__init__()
            self.parameters = [parameter([1.0])]
            self.pair = (parameter([1.0]),)
            self.layers = [Linear()]

    assert names(Lists()) == []


def test_what_is_added_to_a_child_later_keeps_its_name():
    net = Net()
    net.first.late = parameter([1.0])
    net.first.inner = Linear()
    assert ("first.late", "late") in names(net)
    assert ("first.inner.weight", "inner.weight") in names(net)


def test_the_first_call_renames_by_path_when_two_parameters_share_a_name(mode):
    class Clash(nn.Cell):
        def __init__(self):
            super().__init__(auto_prefix=False)
            self.a = Linear()
            self.b = Linear()

        def construct(self, x):
            return self.a(x) + self.b(x)

    net = Clash()
    with pytest.raises(ValueError, match="name 'w' already exists"):
        net.check_names()
    net(Tensor([1.0, 1.0]))
    assert [name for _, name in names(net)] == ["a.weight", "a.bias", "b.weight", "b.bias"]
    net.check_names()


def test_replacing_a_parameter_keeps_its_place():
    net = Linear()
    net.weight = parameter([7.0, 7.0], "new")
    assert names(net) == [("weight", "new"), ("bias", "bias")]


def test_prefix_and_expand_arguments():
    net = Net()
    assert [path for path, _ in net.parameters_and_names("pre")][:3] == ["pre.own", "pre.auto", "pre.first.weight"]
    assert [path for path, _ in net.parameters_and_names("pre", False)] == ["pre.own", "pre.auto"]
    assert [p.name for p in net.get_parameters(expand=False)] == ["given", "auto"]
    assert list(net.parameters_dict(recurse=False)) == ["given", "auto"]
    assert [path for path, _ in net.cells_and_names(name_prefix="q")] == ["q", "q.first", "q.second"]


def test_trainable_and_untrainable_parameters():
    net = Net()
    net.own.requires_grad = False
    assert [p.name for p in net.untrainable_params()] == ["given"]
    assert [p.name for p in net.trainable_params(recurse=False)] == ["auto"]
    assert len(net.trainable_params()) == 5


def test_broadcast_dict_leaves_layerwise_parallel_parameters_out():
    net = Linear()
    net.weight.layerwise_parallel = True
    assert list(net.parameters_broadcast_dict()) == ["bias"]
    net.bias.layerwise_parallel = True
    assert net.parameters_broadcast_dict() is None


def test_update_parameters_name():
    net = Net()
    net.update_parameters_name("pre.")
    assert net.own.name == "pre.own" and net.first.weight.name == "pre.first.weight"
    net.update_parameters_name("z.", recurse=False)
    assert net.own.name == "z.own" and net.first.weight.name == "pre.first.weight"
    with pytest.raises(ValueError, match="prefix"):
        net.update_parameters_name("!")
    with pytest.raises(TypeError, match="'prefix' must be 'str'"):
        net.update_parameters_name(3)
    assert net.own.name == "z.own"


def test_update_cell_prefix():
    net = Net()
    assert net.first.param_prefix == ""
    net.update_cell_prefix()
    assert (net.param_prefix, net.first.param_prefix) == ("", "first")


def test_init_parameters_data_returns_every_parameter():
    net = nn.Cell()
    net.lazy = Parameter(initializer("ones", [2]), name="lazy")
    assert net.init_parameters_data() == {net.lazy: net.lazy}
    assert numbers(net.lazy) == [1.0, 1.0]


# -- assignment -------------------------------------------------------------------------------------------------------
def test_a_tensor_assigned_to_a_parameter_becomes_its_value():
    net = Linear()
    weight = net.weight
    net.weight = Tensor([5, 6], ms.int32)
    assert net.weight is weight and weight.dtype == ms.float32 and numbers(weight) == [5.0, 6.0]
    net.weight = Tensor([1.0, 2.0, 3.0])  # of another shape: the Parameter takes it, as in MindSpore
    assert net.weight is weight and weight.shape == (3,) and numbers(weight) == [1.0, 2.0, 3.0]


def test_none_empties_a_place_and_a_parameter_fills_it_again():
    net = Linear()
    net.weight = None
    assert names(net) == [("bias", "bias")] and net.weight is None
    net.weight = parameter([1.0])
    assert names(net) == [("weight", "weight"), ("bias", "bias")]


def test_none_over_a_cell():
    net = Net()
    net.first = None
    assert net.first is None and "(first): None" in repr(net)
    assert "first.weight" not in net.parameters_dict()


@pytest.mark.parametrize("value", [3, "text", [1.0]])
def test_other_values_over_a_parameter_or_cell_are_refused(value):
    net = Net()
    with pytest.raises(TypeError, match=r"'own' holds a Parameter.*del cell\.own"):
        net.own = value
    with pytest.raises(TypeError, match=r"'first' holds the Cell Linear.*del cell\.first"):
        net.first = value
    assert names(net)[0] == ("own", "given") and isinstance(net.first, Linear)


def test_a_parameter_over_a_cell_and_the_reverse_are_refused():
    net = Net()
    with pytest.raises(KeyError, match="'first' already exists"):
        net.first = parameter([1.0])
    with pytest.raises(KeyError, match="'own' already exists"):
        net.own = Linear()
    assert isinstance(net.first, Linear) and isinstance(net.own, Parameter)


def test_plain_attributes_give_way_to_parameters_and_cells():
    net = nn.Cell()
    net.a = 3
    net.b = None
    net.a = Linear()
    net.b = parameter([1.0])
    assert names(net) == [("b", "b"), ("a.weight", "a.weight"), ("a.bias", "a.bias")]


def test_deleting_attributes():
    net = Net()
    net.number = 1
    for name in ("first", "own", "number"):
        delattr(net, name)
        assert not hasattr(net, name)
    assert [name for name, _ in names(net)] == ["auto", "second.weight", "second.bias"]
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        del net.nothing


def test_unknown_attributes_name_the_nearest():
    with pytest.raises(AttributeError, match=r"The 'Linear' object has no attribute 'wieght'. Did you mean 'weight'\?"):
        Linear().wieght  # noqa: B018


def test_properties_of_the_class_keep_their_setters(mode):
    class Net(nn.Cell):
        @property
        def size(self):
            return self.stored * 2

        @size.setter
        def size(self, value):
            self.stored = value

        def construct(self, x):
            return x * self.size

    class Other(Net):
        pass

    net = Net()
    net.size = 3
    assert numbers(net(Tensor([1.0]))) == [6.0]
    net.size = 4
    net.__class__ = Other
    assert type(net) is Other and numbers(net(Tensor([1.0]))) == [8.0]


def test_an_error_inside_a_property_is_not_hidden():
    class Net(nn.Cell):
        @property
        def size(self):
            return self.missing

    with pytest.raises(AttributeError, match="no attribute 'missing'"):
        Net().size  # noqa: B018


def test_asking_for_an_attribute_that_is_not_there_is_cheap(monkeypatch):
    monkeypatch.setattr("mindspore._utils.hints.suggestion", lambda *_: pytest.fail("no message was asked for"))
    assert not hasattr(Linear(), "nothing") and getattr(Linear(), "nothing", 3) == 3


def test_forgotten_super_init_is_named(mode):
    class Forgot(nn.Cell):
        def __init__(self, value=None):
            if value is not None:
                self.value = value

        def construct(self, x):
            return x

    message = r"For 'Forgot', please use 'super\(\).__init__\(\)' as the first line"
    for value in (Linear(), parameter([1.0]), ParameterTuple([parameter([1.0], "a")])):
        with pytest.raises(AttributeError, match=message):
            Forgot(value)
    with pytest.raises(AttributeError, match=message):
        Forgot()(Tensor([1.0]))
    with pytest.raises(AttributeError, match=message):
        Forgot().anything  # noqa: B018
    with pytest.raises(AttributeError, match=message):
        Forgot().insert_param_to_cell("p", parameter([1.0]))


def test_primitives_learn_the_name_of_their_attribute():
    net = nn.Cell()
    net.activation = ops.ReLU()
    assert net.activation.instance_name == "activation"


# -- insertion --------------------------------------------------------------------------------------------------------
def test_insert_child_leaves_names_and_replaces():
    net, child = nn.Cell(), Linear()
    net.insert_child_to_cell("inner", child)
    assert names(net) == [("inner.weight", "w"), ("inner.bias", "bias")]
    net.insert_child_to_cell("inner", None)
    assert net.inner is None


@pytest.mark.parametrize(
    ("name", "child", "error"),
    [(1, Linear(), TypeError), ("", Linear(), KeyError), ("a.b", Linear(), KeyError), ("weight", Linear(), KeyError),
     ("construct", Linear(), KeyError), ("number", Linear(), KeyError), ("good", 3, TypeError)],
)  # fmt: skip
def test_insert_child_errors_change_nothing(name, child, error):
    net = Linear()
    net.number = 1
    with pytest.raises(error, match="insert_child_to_cell"):
        net.insert_child_to_cell(name, child)
    assert list(net.name_cells()) == [] and len(names(net)) == 2


@pytest.mark.parametrize(
    ("name", "value", "error"),
    [(1, 2.0, TypeError), ("", 2.0, KeyError), ("a.b", 2.0, KeyError), ("construct", 2.0, KeyError),
     ("number", 2.0, KeyError), ("good", None, TypeError)],
)  # fmt: skip
def test_insert_param_errors_change_nothing(name, value, error):
    net = Linear()
    net.number = 1
    with pytest.raises(error, match="insert_param_to_cell"):
        net.insert_param_to_cell(name, parameter(value) if value else 3)
    assert len(names(net)) == 2


def test_insert_param():
    net = Linear()
    net.insert_param_to_cell("weight", parameter([9.0]))
    net.insert_param_to_cell("a.b", parameter([1.0], "n"), check_name_contain_dot=False)
    net.insert_param_to_cell("empty", None)
    assert names(net) == [("weight", "weight"), ("bias", "bias"), ("a.b", "n")] and net.empty is None


# -- the tree ---------------------------------------------------------------------------------------------------------
def test_apply_visits_children_first_and_returns_the_cell():
    seen = []
    net = Net()
    assert net.apply(lambda cell: seen.append(type(cell).__name__)) is net
    assert seen == ["Linear", "Linear", "Net"]


def test_get_sub_cell():
    net = nn.SequentialCell(Net())
    assert net.get_sub_cell("0.first") is net[0].first and net.get_sub_cell("") is net
    with pytest.raises(AttributeError, match="no attribute 'third'"):
        net.get_sub_cell("0.third")
    with pytest.raises(AttributeError, match="'own' is no Cell"):
        net.get_sub_cell("0.own")


def test_repr_shows_arguments_then_children():
    class Layer(nn.Cell):
        def extend_repr(self):
            return "size=3"

    class Top(nn.Cell):
        def __init__(self):
            super().__init__()
            self.layer = Layer()
            self.row = nn.SequentialCell(Layer(), nn.Cell())

        def extend_repr(self):
            return "top=True"

    assert str(Layer()) == "Layer(size=3)"
    assert str(nn.Cell()) == "Cell()"
    assert repr(Top()) == (
        "Top(\n  top=True\n  (layer): Layer(size=3)\n  (row): SequentialCell(\n    (0): Layer(size=3)\n    (1): Cell()\n  )\n)"
    )


def test_dir_lists_members_for_completion():
    assert {"first", "own", "construct"} <= set(dir(Net()))


# -- modes and flags --------------------------------------------------------------------------------------------------
def test_set_train_reaches_all_cells_and_changes_the_phase():
    net = Net()
    assert (net.training, net.phase) == (False, "train")
    assert net.set_train() is net and net.second.training and net.phase == "train"
    assert net.set_train(False).first.phase == "predict" and not net.training
    with pytest.raises(TypeError, match="set_train"):
        net.set_train("yes")


def test_set_grad_marks_one_cell():
    net = Net()
    assert not net.requires_grad
    assert net.set_grad() is net and net.requires_grad and not net.first.requires_grad
    net.requires_grad = False
    assert not net.requires_grad


def test_flags_are_attributes():
    net = nn.Cell(flags={"a": 1})
    assert net.a == 1 and net.get_flags() == {"a": 1}
    outer = nn.SequentialCell(net)
    assert outer.add_flags_recursive(b=2) is outer
    assert net.get_flags() == {"a": 1, "b": 2} and net.b == 2


def test_small_properties():
    net = Linear()
    assert (net.cls_name, net.cell_type, net.param_prefix) == ("Linear", None, "")
    net.update_cell_type("kind")
    assert net.cell_type == "kind"
    net.set_inputs(1, 2)
    assert net.get_inputs() == (1, 2)


# -- the call ---------------------------------------------------------------------------------------------------------
class Default(nn.Cell):
    def construct(self, x, y=3, *, scale=1):
        return x * y * scale


class Collect(nn.Cell):
    def construct(self, first, *rest, **named):
        total = first
        for tensor in rest:
            total = total + tensor
        for name in named:
            total = total + named[name]
        return total


def test_positional_keyword_and_default_arguments(mode):
    x, y = Tensor([2.0]), Tensor([5.0])
    assert numbers(Default()(x)) == [6.0]
    assert numbers(Default()(x, 5)) == [10.0]
    assert numbers(Default()(y=5, x=x)) == [10.0]
    assert numbers(Default()(x, scale=2)) == [12.0]
    assert numbers(Collect()(x, y, x, a=x, b=y)) == [16.0]


def test_nested_arguments_and_results(mode):
    class Nested(nn.Cell):
        def construct(self, pair, listed, named, nothing, text):
            total = pair[0] * listed[1] + named["a"]
            if nothing is None:
                total = total + 1
            if text == "twice":
                total = total * 2
            return total, [total, 3], {"k": total}, None, "text", 1.5

    x, y = Tensor([2.0]), Tensor([5.0])
    result = Nested()((x, y), [x, y], {"a": x}, None, "twice")
    assert numbers(result[0]) == [26.0] and result[1][1] == 3 and numbers(result[2]["k"]) == [26.0]
    assert result[3:] == (None, "text", 1.5)


@pytest.mark.parametrize(
    ("args", "kwargs", "message"),
    [
        ((), {}, r"construct requires 1 positional argument and 1 default argument, total 2, but got 0"),
        ((1, 2, 3), {}, r"total 2, but got 3. It is written as Default.construct\(x, y=3, \*, scale=1\)"),
        ((1,), {"z": 1}, "unexpected keyword argument 'z'"),
        ((1,), {"x": 1}, "multiple values for argument 'x'"),
        ((), {"y": 1}, "missing a required argument: 'x'"),
    ],
)
def test_calls_that_construct_cannot_take(mode, args, kwargs, message):
    with pytest.raises(TypeError, match=message):
        Default()(*args, **kwargs)


def test_missing_keyword_only_argument(mode):
    class Needs(nn.Cell):
        def construct(self, x, *, k):
            return x * k

    assert numbers(Needs()(Tensor([2.0]), k=3)) == [6.0]
    with pytest.raises(TypeError, match="missing a required argument: 'k'"):
        Needs()(Tensor([2.0]))


def test_a_cell_without_construct(mode):
    class Empty(nn.Cell):
        pass

    with pytest.raises(AttributeError, match="the method 'construct' is not defined"):
        Empty()(Tensor([1.0]))


def test_construct_without_return_gives_none(mode):
    class Nothing(nn.Cell):
        def construct(self, x):
            pass

    assert Nothing()(Tensor([1.0])) is None


def test_construct_assigned_to_one_object(mode):
    net = Linear()
    net(Tensor([1.0, 1.0]))

    def other(x, y):
        return x - y

    net.construct = other
    assert numbers(net(Tensor([3.0]), Tensor([1.0]))) == [2.0]
    with pytest.raises(TypeError, match="requires 2 positional arguments, but got 1"):
        net(Tensor([3.0]))


def test_compile_and_run_works_in_both_modes(mode):
    net = Linear()
    net.compile(Tensor([1.0, 1.0]))
    assert numbers(net.compile_and_run(Tensor([1.0, 1.0]))) == [1.5, 2.5]


# -- copies -----------------------------------------------------------------------------------------------------------
def test_deepcopy_is_independent_and_keeps_names(mode):
    x = Tensor([1.0, 1.0])
    net = nn.SequentialCell(Linear(), Linear())
    net.numbers = [1]
    before = numbers(net(x))
    other = copy.deepcopy(net)
    other[0].weight.set_data(Tensor([9.0, 9.0]))
    other.numbers.append(2)
    assert names(other) == names(net) and net.numbers == [1]
    assert numbers(net(x)) == before and numbers(other(x)) != before


def test_deepcopy_keeps_shared_parameters_shared():
    class Tied(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = Linear()
            self.b = Linear()
            self.b.weight = self.a.weight

    net = copy.deepcopy(Tied())
    assert net.a.weight is net.b.weight


def test_shallow_copy_registers_on_its_own():
    net = Linear()
    other = copy.copy(net)
    other.extra = parameter([1.0])
    assert "extra" not in net.parameters_dict() and other.weight is net.weight


def test_pickle_after_a_compiled_call(mode):
    net = nn.SequentialCell(Linear())
    expected = numbers(net(Tensor([1.0, 1.0])))
    loaded = pickle.loads(pickle.dumps(net))
    assert names(loaded) == names(net) and numbers(loaded(Tensor([1.0, 1.0]))) == expected


# -- precision --------------------------------------------------------------------------------------------------------
class Mixed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = parameter([3.0])
        self.fixed = parameter([1.0], requires_grad=False)
        self.count = Parameter(Tensor([1], ms.int32), name="count")
        self.table = Tensor([2.0], ms.float32)

    def construct(self, x):
        return x, x * self.weight, x * self.fixed, x * self.table, self.weight * 2, x * self.count, self.weight


def test_to_float_converts_inputs_parameters_and_held_tensors(mode):
    net = Mixed()
    assert net.to_float(ms.float16) is net
    outputs = net(Tensor([2.0]))
    assert [o.dtype for o in outputs] == [ms.float16] * 6 + [ms.float32]
    assert numbers(outputs[1]) == [6.0]
    assert net.weight.dtype == ms.float32 and net.table.dtype == ms.float32
    assert net.get_flags() == {"fp16": True, "fp32": False, "bf16": False}
    assert net.to_float(ms.float32)(Tensor([2.0]))[1].dtype == ms.float32


def test_to_float_of_a_child_and_of_the_parent(mode):
    class Outer(nn.Cell):
        def __init__(self):
            super().__init__()
            self.inner = Mixed()
            self.weight = parameter([3.0])

        def construct(self, x):
            return self.inner(x)[1], x * self.weight

    child, parent = Outer(), Outer()
    child.inner.to_float(ms.float16)
    assert [o.dtype for o in child(Tensor([2.0]))] == [ms.float16, ms.float32]
    parent.to_float(ms.float16)
    parent.inner.to_float(ms.float32)
    assert [o.dtype for o in parent(Tensor([2.0]))] == [ms.float32, ms.float16]


def test_gradients_of_to_float_have_the_stored_dtype(mode):
    class Scale(nn.Cell):
        def __init__(self):
            super().__init__()
            self.weight = parameter([3.0])

        def construct(self, x):
            return x * self.weight

    net = Scale().to_float(ms.float16)
    inputs, weights = ops.GradOperation(get_all=True, get_by_list=True)(net, net.trainable_params())(Tensor([2.0]))
    assert (inputs[0].dtype, numbers(inputs[0])) == (ms.float32, [3.0])
    assert (weights[0].dtype, numbers(weights[0])) == (ms.float32, [2.0])


def test_assignments_under_to_float_reach_the_stored_parameter(mode):
    class Update(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = parameter([3.0])
            self.b = parameter([3.0])

        def construct(self, x):
            ops.assign(self.a, self.a * 2)
            self.b = self.b * 2
            return self.a * x, self.b * x

    net = Update().to_float(ms.float16)
    assert [numbers(o) for o in net(Tensor([2.0]))] == [[12.0], [12.0]]
    assert (numbers(net.a), numbers(net.b), net.a.dtype) == ([6.0], [6.0], ms.float32)


@pytest.mark.parametrize("wanted", [ms.int32, ms.float64, "float16", None])
def test_to_float_refuses_other_types(wanted):
    net = Linear()
    with pytest.raises(ValueError, match="to_float"):
        net.to_float(wanted)
    assert net.get_flags() == {}
