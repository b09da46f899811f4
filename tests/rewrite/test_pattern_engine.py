"""Patterns of layers are found in networks and replaced, as libraries of compression fuse layers."""

from __future__ import annotations

import numpy as np
import pytest

from mindspore import Tensor, nn, ops
from mindspore.rewrite import Node, NodeType, PatternEngine, PatternNode, Replacement, SymbolTree, VarNode
from mindspore.rewrite.common import namespace

X = Tensor(np.random.default_rng(0).normal(size=(1, 1, 4, 4)).astype(np.float32))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.bn, self.relu = nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.ReLU()
        self.conv2, self.bn2 = nn.Conv2d(2, 2, 3), nn.BatchNorm2d(2)
        self.add = ops.Add()

    def construct(self, x):
        x = self.conv(x)
        x = self.bn(x)
        x = self.relu(x)
        y = self.conv2(x)
        y = self.bn2(y)
        return self.add(x, y)


class Outer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.inner = Net()

    def construct(self, x):
        return self.inner(x)


class Fuse(Replacement):
    """One layer in the place of two, with their weights."""

    def __init__(self):
        self.seen = []

    def build(self, pattern, is_chain_pattern, matched):
        self.seen.append((is_chain_pattern, [node.get_name() for node in matched.values()]))
        norm, conv = matched[pattern.name()], matched[pattern.get_inputs()[0].name()]
        fused = nn.SequentialCell(conv.get_instance(), norm.get_instance())
        return [Node.create_call_cell(fused, norm.get_targets(), conv.get_args(), name=f"fused_{conv.get_name()}")]


class Nothing(Fuse):
    def build(self, pattern, is_chain_pattern, matched):
        self.seen.append((is_chain_pattern, list(matched)))
        return []


def test_a_chain_of_layers_is_replaced_wherever_it_stands():
    net, fuse = Net(), Fuse()
    tree = SymbolTree.create(net)
    engine = PatternEngine([nn.Conv2d, nn.BatchNorm2d], fuse)
    assert engine.apply(tree) is True
    assert fuse.seen == [(True, ["conv", "bn"]), (True, ["conv2", "bn2"])]
    assert [node.get_name() for node in tree.nodes()][1:5] == ["fused_conv", "relu", "fused_conv2", "add"]
    np.testing.assert_allclose(tree.get_network()(X).asnumpy(), net(X).asnumpy(), atol=1e-6)
    assert engine.apply(tree) is False


def test_patterns_are_found_in_called_networks():
    net, fuse = Outer(), Fuse()
    tree = SymbolTree.create(net)
    assert PatternEngine([nn.Conv2d, nn.BatchNorm2d], fuse).apply(tree) is True
    changed = tree.get_network()
    assert "fused_conv2" in dict(changed.inner.name_cells())
    np.testing.assert_allclose(changed(X).asnumpy(), net(X).asnumpy(), atol=1e-6)


def test_what_is_used_elsewhere_too_stays():
    fuse = Fuse()
    assert PatternEngine([nn.ReLU, nn.Conv2d], fuse).apply(SymbolTree.create(Net())) is False
    assert not fuse.seen


def test_a_replacement_without_nodes_changes_nothing():
    tree, nothing = SymbolTree.create(Net()), Nothing()
    before = tree.get_code()
    assert PatternEngine([nn.Conv2d, nn.BatchNorm2d, nn.ReLU], nothing).apply(tree) is False
    assert len(nothing.seen) == 1
    assert tree.get_code() == before


def test_a_pattern_may_have_several_inputs_and_any_node():
    root = PatternNode("sum", ops.Add, [VarNode(), PatternNode("norm", nn.BatchNorm2d, [VarNode()])])
    nothing = Nothing()
    PatternEngine(root, nothing).apply(SymbolTree.create(Net()))
    assert nothing.seen == [(False, ["norm", "sum"])]


def test_a_pattern_is_made_of_a_node_or_of_classes():
    chain = PatternNode.create_pattern_from_list([nn.Conv2d, nn.ReLU])
    assert (chain.type(), chain.get_inputs()[0].type()) == (nn.ReLU, nn.Conv2d)
    assert PatternNode.create_pattern_from_list([]) is None
    node = SymbolTree.create(Net()).get_node("bn")
    made = PatternNode.create_pattern_from_node(node)
    assert made.match(node)
    assert made.get_inputs()[0].type() is nn.Conv2d
    assert isinstance(made.get_inputs()[0].get_inputs()[0], VarNode)


def test_cells_of_a_listed_class_are_not_looked_into():
    namespace._subtree_black_list.append(Net)
    try:
        assert SymbolTree.create(Outer()).get_node("inner").get_node_type() == NodeType.CallCell
    finally:
        namespace._subtree_black_list.remove(Net)
    assert SymbolTree.create(Outer()).get_node("inner").get_node_type() == NodeType.Tree


@pytest.mark.parametrize(("call", "name"), [
    (lambda: PatternNode(3), "pattern_node_name"),
    (lambda: PatternNode("a").add_input(3), "node"),
    (lambda: PatternNode("a").set_inputs(3), "inputs"),
    (lambda: PatternNode("a").match(3), "node"),
    (lambda: PatternEngine([nn.ReLU]), "replacement"),
    (lambda: PatternEngine([nn.ReLU], Nothing()).apply(3), "stree"),
])  # fmt: skip
def test_wrong_arguments_are_refused(call, name):
    with pytest.raises(TypeError, match=name):
        call()
