"""SequentialCell, CellList and CellDict: members, keys, names of Parameters, errors. Facts as MindSpore 2.10 has them."""

from __future__ import annotations

from collections import OrderedDict

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn


class Add(nn.Cell):
    def __init__(self, number=1.0):
        super().__init__()
        self.w = Parameter(Tensor([number], ms.float32), name="w")
        self.number = number

    def construct(self, x):
        return x + self.w

    def extend_repr(self):
        return f"{self.number}"


class Identity(nn.Cell):
    def construct(self, x):
        return x


X = Tensor([0.0], ms.float32)


def keys(cell):
    return list(cell._cells)


def members(cell):
    return [member.number for member in cell.cells()]


def names(cell):
    return [p.name for p in cell.get_parameters()]


def three(kind):
    cells = [Add(1), Add(2), Add(3)]
    return nn.SequentialCell(*cells) if kind is nn.SequentialCell else nn.CellList(cells)


ROWS = pytest.mark.parametrize("kind", [nn.SequentialCell, nn.CellList])


# -- making -----------------------------------------------------------------------------------------------------------
def test_sequential_cell_from_cells_a_list_or_an_ordered_dict():
    for net in (nn.SequentialCell(Add(1), Add(2)), nn.SequentialCell([Add(1), Add(2)])):
        assert (keys(net), members(net), names(net)) == (["0", "1"], [1, 2], ["0.w", "1.w"])
    net = nn.SequentialCell(OrderedDict(a=Add(1), b=Add(2)))
    assert (keys(net), names(net)) == (["a", "b"], ["a.w", "b.w"])
    assert len(nn.SequentialCell()) == len(nn.SequentialCell([])) == 0


@pytest.mark.parametrize(
    ("args", "error"),
    [((3,), TypeError), ((None,), TypeError), (((Add(),),), TypeError), (({"a": Add()},), TypeError), (([3],), TypeError),
     ((Add(), 3), TypeError), (([Add()], [Add()]), TypeError), ((OrderedDict(a=3),), TypeError),
     ((OrderedDict([(1, Add())]),), TypeError), ((OrderedDict([("a.b", Add())]),), KeyError),
     ((OrderedDict(construct=Add()),), KeyError)],
)  # fmt: skip
def test_sequential_cell_refuses_other_members(args, error):
    with pytest.raises(error, match="For 'SequentialCell'"):
        nn.SequentialCell(*args)


def test_cell_list_from_any_iterable_of_cells():
    for cells in ([Add(1), Add(2)], (Add(1), Add(2)), iter([Add(1), Add(2)]), nn.CellList([Add(1), Add(2)])):
        net = nn.CellList(cells)
        assert (members(net), names(net)) == ([1, 2], ["0.w", "1.w"])
    assert names(nn.CellList([Add(1)], auto_prefix=False)) == ["w"]
    assert len(nn.CellList()) == 0


@pytest.mark.parametrize(
    "args", [(3,), (None,), ([3],), (Add(),), ({"a": Add()},), ("ab",), ([Add()], [Add()]), (Add(), Add())]
)
def test_cell_list_refuses_other_members(args):
    with pytest.raises(TypeError, match="For 'CellList'"):
        nn.CellList(*args)


# -- index, slice, assignment, deletion ---------------------------------------------------------------------------------
@ROWS
def test_index_and_slice(kind):
    net = three(kind)
    assert (net[0].number, net[-1].number, net[True].number, len(net)) == (1, 3, 2, 3)
    assert [cell.number for cell in net] == [1, 2, 3] and net[1] in net
    assert [cell.number for cell in reversed(net)] == [3, 2, 1]
    part = net[1:]
    assert type(part) is kind and members(part) == [2, 3] and part[0] is net[1]
    assert members(net[::-1]) == [3, 2, 1] and len(net[5:]) == 0
    assert names(net) == ["0.w", "1.w", "2.w"]  # taking a part renames nothing


def test_a_part_of_a_sequential_cell_keeps_its_keys():
    assert keys(three(nn.SequentialCell)[1:]) == ["1", "2"]
    assert keys(nn.SequentialCell(OrderedDict(a=Add(), b=Add(), c=Add()))[1:]) == ["b", "c"]
    assert keys(three(nn.CellList)[1:]) == ["0", "1"]


@ROWS
@pytest.mark.parametrize("index", [3, -4])
def test_an_index_outside_names_the_range(kind, index):
    net = three(kind)
    message = rf"'{kind.__name__}', the value of 'index' must be a number in range \[-3, 3\), but got {index}"
    with pytest.raises(IndexError, match=message):
        net[index]
    with pytest.raises(IndexError, match=message):
        net[index] = Add()
    with pytest.raises(IndexError, match=message):
        del net[index]
    assert members(net) == [1, 2, 3]


@ROWS
@pytest.mark.parametrize("index", ["0", 1.0, None, (0, 1), np.int64(1)])
def test_an_index_of_another_type_is_refused(kind, index):
    net = three(kind)
    with pytest.raises(TypeError, match=f"For '{kind.__name__}', the type of 'index' must be int"):
        net[index]
    with pytest.raises(TypeError, match="the type of 'index' must be int"):
        net[index] = Add()
    with pytest.raises(TypeError, match="the type of 'index' must be int or slice"):
        del net[index]
    assert members(net) == [1, 2, 3]


@ROWS
def test_assignment_names_the_new_member(kind):
    net = three(kind)
    net[1], net[-1] = Add(8), Add(9)
    assert (members(net), names(net)) == ([1, 8, 9], ["0.w", "1.w", "2.w"])
    for wrong in (3, [Add()], None):
        with pytest.raises(TypeError, match="each cell must be a subclass of Cell"):
            net[0] = wrong
    assert members(net) == [1, 8, 9]


@ROWS
@pytest.mark.parametrize(
    ("index", "left"), [(0, [2, 3]), (-1, [1, 2]), (slice(1, 3), [1]), (slice(None, None, 2), [2])]
)
def test_deletion_numbers_the_rest_anew(kind, index, left):
    net = three(kind)
    del net[index]
    assert members(net) == left
    assert keys(net) == [str(i) for i in range(len(left))]
    assert names(net) == [f"{i}.w" for i in range(len(left))]


def test_deletion_keeps_keys_the_program_gave():
    net = nn.SequentialCell(OrderedDict(a=Add(1), b=Add(2), c=Add(3)))
    del net[0]
    net.append(Add(4))
    assert (keys(net), names(net)) == (["b", "c", "2"], ["b.w", "c.w", "2.w"])


# -- growing ----------------------------------------------------------------------------------------------------------
def test_append_extend_insert_and_iadd():
    net = nn.CellList([Add(1)])
    net.append(Add(2))
    assert net.extend([Add(3)]) is net
    net.insert(0, Add(0))
    net.insert(-1, Add(9))
    net.insert(5, Add(10))
    net += [Add(11)]
    assert members(net) == [0, 1, 2, 9, 3, 10, 11]
    assert names(net) == [f"{i}.w" for i in range(7)]


def test_wrong_additions_change_nothing():
    net = nn.CellList([Add(1)])
    for wrong in (3, None, [3], [Add(), 3], Add(), {"a": Add()}):
        with pytest.raises(TypeError, match="For 'CellList'"):
            net.extend(wrong)
    for wrong in (3, None, [Add()]):
        with pytest.raises(TypeError, match="For 'CellList'"):
            net.append(wrong)
        with pytest.raises(TypeError, match="For 'CellList'"):
            net.insert(0, wrong)
    with pytest.raises(IndexError, match=r"in range \[-1, 1\], but got 2"):
        net.insert(2, Add())
    with pytest.raises(TypeError, match="'index' must be int"):
        net.insert("a", Add())
    assert members(net) == [1] and names(net) == ["0.w"]


def test_sequential_append():
    net = nn.SequentialCell(Add(1))
    assert net.append(Add(2)) is None
    assert (keys(net), names(net)) == (["0", "1"], ["0.w", "1.w"])
    with pytest.raises(TypeError, match="each cell must be a subclass of Cell"):
        net.append(3)


def test_append_never_takes_the_place_of_a_given_key():
    net = nn.SequentialCell(OrderedDict([("1", Add(1))]))
    net.append(Add(2))
    assert members(net) == [1, 2]


# -- names below other Cells --------------------------------------------------------------------------------------------
def test_names_follow_the_attribute_also_for_members_that_come_later():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.row = nn.SequentialCell(Add(), nn.SequentialCell(Add(), Add()))
            self.listed = nn.CellList([Add()])
            self.by_key = nn.CellDict({"a": Add()})
            self.row.append(Add())
            self.listed.append(Add())
            self.listed.insert(0, Add())
            self.by_key["b"] = Add()
            self.row[0] = Add()

    net = Net()
    expected = [
        "row.0.w",
        "row.1.0.w",
        "row.1.1.w",
        "row.2.w",
        "listed.0.w",
        "listed.1.w",
        "listed.2.w",
        "by_key.a.w",
        "by_key.b.w",
    ]
    assert names(net) == expected
    assert [path for path, _ in net.parameters_and_names()] == expected
    del net.row[0]
    assert names(net)[:3] == ["row.0.0.w", "row.0.1.w", "row.1.w"]
    outer = nn.SequentialCell(net)
    net.listed.append(Add())
    assert "0.listed.3.w" in names(outer)


def test_members_added_to_an_empty_container_are_named_by_their_keys_alone():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.a = nn.CellList()
            self.b = nn.SequentialCell([Identity()])
            self.c = nn.CellDict()
            self.a.append(Add())
            self.b.append(Add())
            self.c["k"] = Add()

    assert names(Net()) == ["0.w", "1.w", "k.w"]


def test_a_cell_in_an_attribute_of_a_sequence_is_a_member_but_not_called(mode):
    class Head(nn.SequentialCell):
        def __init__(self):
            super().__init__(Add(1), Add(10))
            self.extra = Add(100)

    net = Head()
    assert (net(X).asnumpy(), len(net), len(net.cell_list)) == (11, 3, 2)
    setattr(net, "0", Add(5))
    assert net(X).asnumpy() == 15
    net.append(Add(1000))  # from here on all are called, as in MindSpore
    assert net(X).asnumpy() == 1115
    net.cell_list = [Add(2)]
    assert net(X).asnumpy() == 2


def test_without_auto_prefix_members_keep_their_names():
    net = nn.CellList([Add()], auto_prefix=False)
    net.append(Add())
    assert names(net) == ["w", "w"]
    assert names(nn.CellDict({"a": Add()}, auto_prefix=False)) == ["w"]


def test_a_cell_that_is_a_member_twice():
    cell = Add(1.0)
    net = nn.SequentialCell(cell, cell)
    assert (len(net), names(net), len(net.cells())) == (2, ["1.w"], 1)
    assert repr(net) == "SequentialCell(\n  (0): Add(1.0)\n  (1): Add(1.0)\n)"


# -- calls ------------------------------------------------------------------------------------------------------------
def test_sequential_cell_calls_its_members_in_order(mode):
    net = nn.SequentialCell(Add(1), Add(2))
    assert net(X).asnumpy().tolist() == [3.0]
    assert net(input_data=X).asnumpy().tolist() == [3.0]
    assert nn.SequentialCell()(X).asnumpy().tolist() == [0.0]
    with pytest.raises(TypeError, match="requires 1 positional argument, but got 2"):
        net(X, X)


def test_a_changed_sequential_cell_computes_what_it_now_holds(mode):
    net = nn.SequentialCell(Add(1), Add(5))
    results = [net(X)]
    net.append(Add(10))
    results.append(net(X))
    net[1] = Add(7)
    results.append(net(X))
    del net[0]
    results.append(net(X))
    assert [r.asnumpy().tolist() for r in results] == [[6.0], [16.0], [18.0], [17.0]]


def test_tuples_pass_from_member_to_member(mode):
    class Split(nn.Cell):
        def construct(self, x):
            return x, x + 1

    class Join(nn.Cell):
        def construct(self, pair):
            return pair[0] + pair[1]

    assert nn.SequentialCell(Split(), Join())(X).asnumpy().tolist() == [1.0]


def test_lists_and_dicts_are_used_inside_construct(mode):
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.listed = nn.CellList([Add(1), Add(2), Add(3)])
            self.by_key = nn.CellDict({"a": Add(10), "b": Add(20)})

        def construct(self, x):
            for cell in self.listed:
                x = cell(x)
            for cell in self.listed[1:]:
                x = cell(x)
            for i in range(len(self.listed)):
                x = self.listed[i](x)
            for key in self.by_key:
                x = self.by_key[key](x)
            for _, cell in self.by_key.items():
                x = cell(x)
            return x

    net = Net()
    assert net(X).asnumpy().tolist() == [77.0]
    assert names(net)[:3] == ["listed.0.w", "listed.1.w", "listed.2.w"]


@pytest.mark.parametrize("net", [nn.CellList([Add()]), nn.CellDict({"a": Add()})])
def test_lists_and_dicts_cannot_be_called(mode, net):
    with pytest.raises(NotImplementedError, match="call its members"):
        net(X)


def test_set_grad_reaches_the_members():
    for net in (nn.SequentialCell(Add()), nn.CellList([Add()])):
        net.set_grad()
        assert net.requires_grad and net[0].requires_grad


# -- CellDict ---------------------------------------------------------------------------------------------------------
def test_cell_dict_from_dict_pairs_or_cell_dict():
    for cells in ({"a": Add(1)}, OrderedDict(a=Add(1)), [("a", Add(1))], [["a", Add(1)]], nn.CellDict({"a": Add(1)})):
        assert (keys(nn.CellDict(cells)), names(nn.CellDict(cells))) == (["a"], ["a.w"])


def test_cell_dict_behaves_like_a_dict():
    net = nn.CellDict({"a": Add(1), "b": Add(2)})
    assert list(net) == list(net.keys()) == ["a", "b"] and len(net) == 2 and "a" in net and "z" not in net
    assert [cell.number for cell in net.values()] == [1, 2]
    assert [(key, cell.number) for key, cell in net.items()] == [("a", 1), ("b", 2)]
    net["c"], net["a"] = Add(3), Add(4)
    net.update({"b": Add(5), "d": Add(6)})
    assert [(key, cell.number) for key, cell in net.items()] == [("a", 4), ("b", 5), ("c", 3), ("d", 6)]
    assert net.pop("a").number == 4
    del net["b"]
    assert list(net) == ["c", "d"] and names(net) == ["c.w", "d.w"]
    net.clear()
    assert len(net) == 0


@pytest.mark.parametrize(
    ("cells", "error"),
    [(3, TypeError), (None, TypeError), ([Add()], TypeError), ([("a",)], ValueError), ([("a", Add(), 1)], ValueError),
     ({"a": 3}, TypeError), ({1: Add()}, TypeError), ({"": Add()}, KeyError), ({"a.b": Add()}, KeyError),
     ({"keys": Add()}, KeyError), ({"training": Add()}, KeyError), ({"x": nn.CellList([Add()])}, TypeError),
     ({"x": nn.SequentialCell()}, TypeError), ({"good": Add(), "bad": 3}, TypeError)],
)  # fmt: skip
def test_cell_dict_refuses_other_members_and_stays_as_it_was(cells, error):
    net = nn.CellDict({"a": Add(1)})
    with pytest.raises(error, match="For 'CellDict'"):
        net.update(cells)
    assert list(net) == ["a"]


def test_missing_keys_are_named():
    net = nn.CellDict({"a": Add()})
    for act in (lambda: net["z"], lambda: net.pop("z"), lambda: net.__delitem__("z")):
        with pytest.raises(KeyError, match=r"no cell under the key 'z'. The keys are \['a'\]"):
            act()


# -- module -----------------------------------------------------------------------------------------------------------
def test_old_import_paths():
    assert ms.nn.cell.Cell is nn.Cell
    assert ms.nn.layer.container.CellList is ms.nn.layer.CellList is nn.CellList


def test_unknown_names_of_the_module_get_a_suggestion():
    with pytest.raises(
        AttributeError, match=r"module 'mindspore.nn' has no attribute 'SequentialCel'. Did you mean 'SequentialCell'\?"
    ):
        nn.SequentialCel  # noqa: B018


def test_the_members_of_a_dict_of_cells_are_in_order():
    cells = nn.CellDict([["a", nn.ReLU()], ["b", nn.Tanh()]])
    assert str(cells.keys()) == "odict_keys(['a', 'b'])"
    assert [name for name, _ in cells.items()] == ["a", "b"]
    assert [type(cell) for cell in cells.values()] == [nn.ReLU, nn.Tanh]


def test_the_list_of_a_sequence_may_be_set(mode):
    net = nn.SequentialCell(nn.ReLU())
    net._cells["0"] = nn.Sigmoid()
    net.cell_list = list(net.cells())
    assert net(Tensor([0.0])).asnumpy().tolist() == [0.5]


class Routed(nn.Cell):
    def __init__(self):
        super().__init__()
        self.ways = nn.CellList([nn.Dense(2, 2, weight_init=float(way), bias_init=0.5) for way in (1, 2, 3)])

    def construct(self, index, x):
        return self.ways[index](x)


@pytest.mark.parametrize("index", [0, 2, -2])
def test_a_tensor_chooses_a_cell_of_a_list_inside_a_graph(index):
    ms.set_context(mode=ms.GRAPH_MODE)
    net, x = Routed(), Tensor([[1.0, 4.0]])
    expected = net.ways[index](x).asnumpy()
    for chosen in (Tensor(index, ms.int32), Tensor([index], ms.int64)):
        np.testing.assert_allclose(net(chosen, x).asnumpy(), expected)
    gradients = ms.grad(net, None, net.trainable_params())(Tensor(index, ms.int32), x)
    used = {name for name, value in zip([p.name for p in net.trainable_params()], gradients) if value.asnumpy().any()}
    assert used == {f"ways.{index % 3}.weight", f"ways.{index % 3}.bias"}


def test_a_tensor_that_chooses_no_cell_is_refused():
    ms.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(RuntimeError, match=r"must be in \[-3, 3\), but got 7"):
        Routed()(Tensor(7, ms.int32), Tensor([[1.0, 4.0]])).asnumpy()
    with pytest.raises(TypeError, match="one element of an integer dtype"):
        Routed()(Tensor([0.5, 1.5]), Tensor([[1.0, 4.0]]))
