"""Networks changed as programs: their ``construct`` as a list of statements that can be inserted, replaced and erased."""

from mindspore._utils.documented import claim as _claim
from mindspore.rewrite.node import Node
from mindspore.rewrite.node_type import NodeType
from mindspore.rewrite.pattern_engine import PatternEngine, PatternNode, Replacement, VarNode
from mindspore.rewrite.scoped_value import ScopedValue, ValueType
from mindspore.rewrite.symbol_tree import SymbolTree

__all__ = [
    "Node",
    "NodeType",
    "PatternEngine",
    "PatternNode",
    "Replacement",
    "ScopedValue",
    "SymbolTree",
    "ValueType",
    "VarNode",
]

_claim(__name__)
