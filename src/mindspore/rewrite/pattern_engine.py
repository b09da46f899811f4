"""Patterns of nodes, found in a network and replaced."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

from mindspore._utils.checks import check_str, check_type
from mindspore.rewrite.node import Node
from mindspore.rewrite.node_type import NodeType
from mindspore.rewrite.symbol_tree import SymbolTree

__all__ = ["PatternEngine", "PatternNode", "Replacement", "VarNode"]


class PatternNode:
    """Stands for a node that calls an object of a class and takes results of nodes that match the inputs.

    Args:
        pattern_node_name: the key of what matches among the matched nodes.
        match_type: the class.
        inputs: what the results taken must match; whatever they are without.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.rewrite import PatternNode
        >>> pattern = PatternNode.create_pattern_from_list([nn.Conv2d, nn.ReLU])
        >>> pattern.type().__name__
        'ReLU'
    """

    def __init__(
        self,
        pattern_node_name: str,
        match_type: Any = type[None],
        inputs: Sequence[PatternNode] | None = None,
    ):
        self._name = check_str("PatternNode", "pattern_node_name", pattern_node_name)
        self._type = match_type
        self._inputs: list[PatternNode] = []
        if inputs is not None:
            self.set_inputs(inputs)

    @staticmethod
    def from_node(node: Node) -> PatternNode:
        """A pattern like a node, without its inputs."""
        check_type("PatternNode", "node", node, Node)
        return PatternNode(node.get_name(), node.get_instance_type())

    @staticmethod
    def create_pattern_from_node(node: Node) -> PatternNode:
        """A pattern like a node and those it takes results of, as far as they call something."""
        made = PatternNode.from_node(node)
        for source in node.get_inputs():
            called = source.get_node_type() != NodeType.Input
            made.add_input(PatternNode.create_pattern_from_node(source) if called else VarNode())
        return made

    @staticmethod
    def create_pattern_from_list(type_list: Sequence[Any]) -> PatternNode | None:
        """A chain: each class takes the result of the one before; the last is the root."""
        last = None
        for index, kind in enumerate(type_list):
            last = PatternNode(f"{index}-{kind}", kind, None if last is None else [last])
        return last

    def add_input(self, node: PatternNode) -> None:
        """Add what one more input must match."""
        self._inputs.append(check_type("PatternNode", "node", node, PatternNode))

    def set_inputs(self, inputs: Sequence[PatternNode]) -> None:
        """Set what the inputs must match."""
        for node in check_type("PatternNode", "inputs", inputs, (list, tuple)):
            check_type("PatternNode", "inputs", node, PatternNode)
        self._inputs = list(inputs)

    def match(self, node: Node) -> bool:
        """Whether a node, looked at without its inputs, is what this stands for."""
        check_type("PatternNode", "node", node, Node)
        return node.get_instance_type() == self._type

    def get_inputs(self) -> list[PatternNode]:
        """What the inputs must match."""
        return self._inputs

    def name(self) -> str:
        """The key of what matches."""
        return self._name

    def type(self) -> Any:
        """The class of what matches."""
        return self._type


class VarNode(PatternNode):
    """Stands for any node.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.rewrite import PatternNode, VarNode
        >>> pattern = PatternNode("dense", nn.Dense, [VarNode()])
        >>> len(pattern.get_inputs())
        1
    """

    def __init__(self) -> None:
        super().__init__("placeholder", None)

    def match(self, node: Node) -> bool:
        """True."""
        return True


class Replacement(ABC):
    """Makes the nodes that come in the place of matched ones.

    Examples:
        >>> from mindspore.rewrite import Replacement
        >>> class Keep(Replacement):
        ...     def build(self, pattern, is_chain_pattern, matched):
        ...         return list(matched.values())
        >>> isinstance(Keep(), Replacement)
        True
    """

    @abstractmethod
    def build(self, pattern: PatternNode, is_chain_pattern: bool, matched: OrderedDict[str, Node]) -> list[Node]:
        """The new nodes in their order; the last gives what the root of the pattern gave. None of them: nothing changes.

        Args:
            pattern: the root of the pattern.
            is_chain_pattern: whether every node of the pattern has one input at most.
            matched: the nodes by the names in the pattern, the root last.
        """

    def __call__(self, pattern: PatternNode, is_chain_pattern: bool, matched: OrderedDict[str, Node]) -> list[Node]:
        return self.build(pattern, is_chain_pattern, matched)


class PatternEngine:
    """Finds a pattern in a network and replaces what it finds.

    Args:
        pattern: the root of the pattern, or a list of classes that follow each other.
        replacement: makes the new nodes.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.rewrite import Node, PatternEngine, Replacement, SymbolTree
        >>> class Smooth(Replacement):
        ...     def build(self, pattern, is_chain_pattern, matched):
        ...         old = matched[pattern.name()]
        ...         return [Node.create_call_cell(nn.GELU(), old.get_targets(), old.get_args(), name="gelu")]
        >>> tree = SymbolTree.create(nn.WithLossCell(nn.ReLU(), nn.L1Loss()))
        >>> PatternEngine([nn.ReLU], Smooth()).apply(tree)
        True
        >>> [node.get_name() for node in tree.nodes()]
        ['input_data', 'input_label', 'gelu', '_loss_fn', 'return_1']
    """

    def __init__(self, pattern: PatternNode | Sequence[Any], replacement: Replacement | None = None):
        self._replacement: Replacement = check_type("PatternEngine", "replacement", replacement, Replacement)  # type: ignore[assignment]
        check_type("PatternEngine", "pattern", pattern, (PatternNode, list, tuple))
        chain = pattern if isinstance(pattern, PatternNode) else PatternNode.create_pattern_from_list(pattern)
        if chain is None:
            raise ValueError("For 'PatternEngine', the 'pattern' must hold at least one class, but got none.")
        self._pattern = chain
        self._is_chain = _is_chain(chain)

    def pattern(self) -> PatternNode:
        """The root of the pattern."""
        return self._pattern

    def apply(self, stree: SymbolTree) -> bool:
        """Replace what the pattern finds, in called networks too; returns whether anything was."""
        check_type("PatternEngine", "stree", stree, SymbolTree)
        changed = False
        replaced: set[int] = set()
        for node in list(stree.nodes()):
            if node.get_node_type() == NodeType.Tree and not self._pattern.match(node):
                changed |= self.apply(node.get_sub_tree())
                continue
            found, matched = self._match(self._pattern, node)
            overlapping = any(id(each) in replaced for each in matched.values())
            if not found or overlapping or not self._check_match(self._pattern, matched):
                continue
            new = self._replacement(self._pattern, self._is_chain, matched)
            if new:
                replaced |= {id(each) for each in (*matched.values(), *new)}
                self._multi_to_multi_replace(stree, node, matched, new)
                changed = True
        return changed

    def _match(self, pattern: PatternNode, node: Node) -> tuple[bool, OrderedDict[str, Node]]:
        """Whether a node matches with all inputs, and the nodes that did by their names in the pattern."""
        matched: OrderedDict[str, Node] = OrderedDict()
        if isinstance(pattern, VarNode):
            return True, matched
        if not pattern.match(node):
            return False, matched
        wanted = pattern.get_inputs()
        given = node.get_inputs()
        if wanted and len(wanted) != len(given):
            return False, matched
        for expected, source in zip(wanted, given, strict=False):
            found, inner = self._match(expected, source)
            if not found:
                return False, OrderedDict()
            matched.update(inner)
        matched[pattern.name()] = node
        return True, matched

    @staticmethod
    def _check_match(pattern: PatternNode, match_dict: OrderedDict[str, Node]) -> bool:
        """Whether what is inside the match is used there alone, so that it can go."""
        inside = {id(node) for node in match_dict.values()}
        return all(
            id(user) in inside
            for name, node in match_dict.items()
            if name != pattern.name()
            for user in node.get_users()
        )

    @staticmethod
    def _multi_to_multi_replace(
        stree: SymbolTree, old_root: Node, matched_dict: OrderedDict[str, Node], new_nodes: list[Node]
    ) -> Node:
        """Put the new nodes in the place of the root, and take the other matched nodes out."""
        last = stree.replace(old_root, new_nodes)
        for node in reversed([node for node in matched_dict.values() if node is not old_root]):
            stree.erase(node)
        return last


def _is_chain(pattern: PatternNode) -> bool:
    inputs = pattern.get_inputs()
    return len(inputs) <= 1 and all(map(_is_chain, inputs))
