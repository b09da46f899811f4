"""Networks are changed statement by statement, and the changed network computes what its statements say."""

from __future__ import annotations

import types

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.rewrite import Node, NodeType, ScopedValue, SymbolTree, ValueType

X = Tensor(np.array([[1.0, -2.0, 3.0], [0.5, 0.5, -1.0]], np.float32))


class Sub(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.relu(x)
        return x


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Dense(3, 4, weight_init="ones")
        self.relu = nn.ReLU()
        self.sub = Sub()
        self.add = ops.Add()
        self.flag = True
        self.seq = nn.SequentialCell(nn.ReLU(), nn.Dense(4, 2, weight_init="ones"))

    def construct(self, x, y=None):
        """Documented, which is no statement."""
        x = self.relu(self.fc1(x))
        x = self.sub(x)
        z = self.add(x, x) * 2
        if self.flag:
            z = ops.abs(z)
        z = z.reshape((-1, 4))
        a, b = z, x
        return self.seq(a + b)


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield
    ms.set_context(mode=before)


def names(nodes):
    return [one.get_name() for one in nodes]


def test_every_simple_statement_is_a_node():
    tree = SymbolTree.create(Net())
    assert names(tree.nodes()) == [
        "input_x", "input_y", "fc1", "relu", "sub", "add", "binop_mult", "if_node", "reshape", "tuple", "binop_add",
        "seq", "return_1",
    ]  # fmt: skip
    kinds = {one.get_name(): one.get_node_type() for one in tree.nodes()}
    assert kinds["fc1"] == NodeType.CallCell and kinds["add"] == NodeType.CallPrimitive
    assert kinds["sub"] == NodeType.Tree and kinds["seq"] == NodeType.CellContainer
    assert kinds["if_node"] == NodeType.ControlFlow and kinds["binop_add"] == NodeType.MathOps
    assert tree.get_node("fc1").get_instance_type() is nn.Dense and tree.get_node("nothing") is None
    assert names(tree.nodes(all_nodes=True))[-3:] == ["input_x", "relu", "return_1"]


def test_nodes_know_where_their_values_come_from():
    tree = SymbolTree.create(Net())
    relu = tree.get_node("relu")
    assert (relu.get_args(), relu.get_targets()) == (
        [ScopedValue.create_naming_value("fc1_var")],
        [ScopedValue.create_naming_value("x")],
    )
    assert names(relu.get_inputs()) == ["fc1"] and names(relu.get_users()) == ["sub"]
    assert names(tree.get_node("sub").get_users()) == ["add", "tuple"]
    assert tree.get_node("binop_mult").get_args()[1].type == ValueType.ConstantValue


def test_the_unchanged_network_computes_the_same(mode):
    net = Net()
    wanted = net(X).asnumpy()
    again = SymbolTree.create(net).get_network()
    np.testing.assert_array_equal(again(X).asnumpy(), wanted)
    assert again is not net and isinstance(again, Net)
    assert [one.name for one in again.get_parameters()] == [one.name for one in net.get_parameters()]
    assert next(again.get_parameters()) is next(net.get_parameters())


def test_an_inserted_layer_computes_and_the_original_stays(mode):
    net = Net()
    tree = SymbolTree.create(net)
    new = Node.create_call_cell(
        nn.Dense(3, 3, weight_init="ones"), ["x"], [ScopedValue.create_naming_value("x")], name="relu"
    )
    tree.insert(tree.before("fc1"), new)
    assert new.get_name() == "relu_1"  # the name is taken
    changed = tree.get_network()
    np.testing.assert_allclose(changed(X).asnumpy(), net(changed.relu_1(X)).asnumpy(), 1e-5)
    assert not hasattr(net, "relu_1") and len(changed.trainable_params()) == len(net.trainable_params()) + 2


def test_functions_are_inserted_and_nodes_erased(mode):
    net = Net()
    tree = SymbolTree.create(net)
    tree.erase("if_node")
    negate = Node.create_call_function(ops.neg, ["z"], [ScopedValue.create_naming_value("z")])
    tree.insert(tree.after("reshape"), negate)
    x = net.sub(net.relu(net.fc1(X)))
    np.testing.assert_allclose(tree.get_network()(X).asnumpy(), net.seq(x - 4 * x).asnumpy(), 1e-5)
    with pytest.raises(ValueError, match="must be in this tree"):
        tree.erase("if_node")


def test_a_called_network_is_changed_through_its_own_tree(mode):
    net = Net()
    tree = SymbolTree.create(net)
    sub = tree.get_node("sub").get_sub_tree()
    new = Node.create_call_cell(nn.Tanh(), ["x"], [ScopedValue.create_naming_value("x")], name="tanh")
    assert sub.replace(sub.get_node("relu"), [new]) is new
    x = ops.tanh(net.relu(net.fc1(X)))
    np.testing.assert_allclose(tree.get_network()(X).asnumpy(), net.seq(5 * x).asnumpy(), 1e-5)
    assert "self.sub = SubOpt(self.sub)" in tree.get_code()


def test_arguments_are_exchanged():
    tree = SymbolTree.create(Net())
    total = tree.get_node("binop_add")
    total.set_arg(1, "a")
    assert "a + a" in tree.get_code()
    total.set_arg_by_node(0, tree.get_node("relu"))  # x is another value by then
    assert repr(total.get_args()[0]) == "relu_var" and "relu_var = x" in tree.get_code()
    assert tree.get_network()(X).shape == (2, 2)
    with pytest.raises(ValueError, match="the 'index' must be in range"):
        total.set_arg(2, "a")


def test_the_program_of_the_changed_network_runs(tmp_path):
    net = Net()
    tree = SymbolTree.create(net)
    tree.erase("if_node")
    tree.set_saved_file_name(str(tmp_path / "changed"))
    tree.save_network_to_file()
    text = (tmp_path / "changed.py").read_text()
    assert text == tree.get_code()
    scope = {"Net": Net, "ops": ops, "nn": nn}
    exec(text[text.index("class") :], scope)
    np.testing.assert_array_equal(scope["NetOpt"](net)(X).asnumpy(), tree.get_network()(X).asnumpy())


def test_what_cannot_be_rewritten_is_refused():
    with pytest.raises(TypeError, match="the 'network' must be 'Cell'"):
        SymbolTree.create(ops.abs)
    with pytest.raises(TypeError, match="must be 'list'"):
        Node.create_call_cell(nn.ReLU(), "x")
    tree, other = SymbolTree.create(Net()), SymbolTree.create(Net())
    with pytest.raises(ValueError, match="must be one in this tree"):
        tree.insert(other.after("fc1"), Node.create_call_cell(nn.ReLU(), ["x"]))
    with pytest.raises(TypeError, match="must call a network"):
        tree.get_node("fc1").get_sub_tree()


class Decided(nn.Cell):
    """Branches that attributes decide, and one that a call decides."""

    def __init__(self, flag, other=None):
        super().__init__()
        self.flag, self.other = flag, other
        self.a, self.b = nn.ReLU(), nn.Tanh()
        self.row = nn.SequentialCell(nn.ReLU(), nn.Sigmoid())

    def construct(self, x, y=None):
        if self.flag and SCALE > 0:
            x = self.a(self.b(x))
        else:
            return self.b(x)
        if self.other is not None:
            x = self.other(x)
        if y is not None:
            x = x + y
        x = self.row(x)
        return x


SCALE = 2


def test_branches_that_attributes_decide_become_their_statements():
    x = Tensor(np.array([-1.0, 2.0], np.float32))
    kept = ["boolop_and", "b_2", "a_1", "compare_isnot", "compare_isnot_1", "if_node_2", "row", "return_1"]
    for flag, names in ((True, kept), (False, ["boolop_and", "b_2", "return_2"])):
        net = Decided(flag)
        tree = SymbolTree.create(net)
        tree.flatten_static_if_control_flow()
        assert [node.get_name() for node in tree.nodes()][2:] == names
        np.testing.assert_array_equal(tree.get_network()(x).asnumpy(), net(x).asnumpy())


def test_nodes_tell_where_arguments_come_from_and_who_takes_results(capsys):
    tree = SymbolTree.create(Decided(True))
    tree.flatten_static_if_control_flow()
    inner, outer = tree.get_node("b_2"), tree.get_node("a_1")
    assert outer.get_arg_providers() == {0: (inner, 0)} and inner.get_target_users(0) == [(outer, 0)]
    assert inner.get_target_users() == {0: [(outer, 0)]}
    assert type(tree)(inner.get_handler().get_belong_symbol_tree()) is tree.get_handler() is tree
    assert type(inner)(inner) is inner and [n.get_instance_type() for n in tree.get_node("row").nodes()] == [
        nn.ReLU,
        nn.Sigmoid,
    ]
    tree.dump()
    assert "ReLU(" in capsys.readouterr().out
    assert list(tree.all_nodes(False)) == list(tree.nodes())


def test_the_output_of_a_tree_can_be_another_variable():
    tree = SymbolTree.create(Decided(True))
    tree.flatten_static_if_control_flow()
    assert tree.set_output(0, "y").get_name().startswith("return")
    one = Tensor(np.ones(2, np.float32))
    assert tree.get_network()(one, one * 3).asnumpy().tolist() == [3.0, 3.0]


def test_attributes_of_a_node_are_those_of_its_layer_and_what_was_noted():
    node = Node.create_call_cell(nn.Conv2d(3, 8, 3, pad_mode="valid"), ["y"], [ScopedValue.create_naming_value("x")])
    assert node.get_attribute("kernel_size") == (3, 3) and node.get_attribute("cls") is nn.Conv2d
    assert node.get_attribute("no_such") is None and node.get_attributes()["out_channels"] == 8
    node.set_attribute("out_channels", 9)
    assert node.get_attribute("out_channels") == node.get_attributes()["out_channels"] == 9


def test_nodes_are_shown_as_a_table(capsys):
    tree = SymbolTree.create(nn.SequentialCell(nn.ReLU()))
    tree.print_node_tabulate()
    header, line, *rows = capsys.readouterr().out.splitlines()
    assert header.split() == ["node", "type", "name", "arguments", "targets"] and set(line) == {"-", " "}
    assert len(rows) == len(list(tree.nodes()))


class Doubling(nn.Cell):
    def __init__(self):
        super().__init__()
        self.relu = nn.ReLU()

    def construct(self, x):
        x = self.relu(x)
        y = ops.abs(x)
        z = self.twice(y)
        return z

    def twice(self, x):
        return x * 2


def test_nodes_say_what_they_call():
    tree = SymbolTree.create(Doubling())
    assert tree.get_node("abs").get_instance_type() is ops.abs
    assert tree.get_node("twice").get_instance_type() is types.MethodType
    assert tree.get_node("relu").get_instance_type() is nn.ReLU


def test_an_operator_is_inserted_and_cells_are_named_after_their_class():
    tree = SymbolTree.create(Doubling())
    value = ScopedValue.create_naming_value("y")
    added = Node.create_call_cell(ops.Neg(), ["y"], [value])
    assert (added.get_name(), added.get_node_type()) == ("Neg", NodeType.CallPrimitive)
    tree.insert(tree.before("twice"), added)
    tree.insert(tree.after("Neg"), Node.create_call_cell(nn.Tanh(), ["y"], [value]))
    result = tree.get_network()(Tensor([1.0, -2.0])).asnumpy()
    np.testing.assert_allclose(result, np.tanh([-1.0, 0.0]) * 2, atol=1e-6)
    assert "self.Tanh(y)" in tree.get_code()
    with pytest.raises(IndexError, match="at least one node"):
        tree.replace(tree.get_node("twice"), [])


class Mixed(nn.Cell):
    """Comparisons, conditions and elements."""

    def __init__(self):
        super().__init__()
        self.relu, self.top = nn.ReLU(), True

    def construct(self, x):
        small = x < 1
        first, table = x[0], {"a": x}  # noqa: F841 - nodes are made of them
        if not self.top:
            return x
        for _ in range(2):
            x = self.relu(x)
        x += 1
        if x.max() > 5 and small.all():
            x = x / 2
        return x


def test_nodes_have_mindspores_names_and_kinds():
    tree = SymbolTree.create(Mixed())
    assert names(tree.nodes()) == [
        "input_x", "compare_lt", "tuple", "unaryop_not", "if_node", "range", "for_node", "AugAssign", "boolop_and", "if_node_1",
        "return_1",
    ]  # fmt: skip
    assert tree.get_node("compare_lt").get_node_type() == NodeType.MathOps
    assert tree.get_node("if_node").get_inputs() == [tree.get_node("unaryop_not")]
    assert tree.get_node("AugAssign").get_node_type() == NodeType.Python
    for value in (0.5, 9.0):
        x = Tensor([value, -3.0])
        np.testing.assert_array_equal(tree.get_network()(x).asnumpy(), Mixed()(x).asnumpy())


def test_an_argument_may_come_from_a_node_that_is_inserted_later():
    tree = SymbolTree.create(Net())
    node = tree.get_node("reshape")
    position = tree.before(node)
    new = Node.create_call_cell(nn.ReLU(), ["z_1"], [ScopedValue.create_naming_value("z")], name="late")
    tree.get_node("tuple").set_arg_by_node(0, new, 0)
    tree.insert(position, new)
    assert new.get_users() == [tree.get_node("tuple")]
    assert tree.unique_name("z") == "z_2"
