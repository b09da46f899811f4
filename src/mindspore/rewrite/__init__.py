"""Networks changed as programs: their ``construct`` as a list of statements that can be inserted, replaced and erased."""

from mindspore._utils.documented import claim as _claim
from mindspore.rewrite.node import Node
from mindspore.rewrite.node_type import NodeType
from mindspore.rewrite.scoped_value import ScopedValue, ValueType
from mindspore.rewrite.symbol_tree import SymbolTree

__all__ = ["Node", "NodeType", "ScopedValue", "SymbolTree", "ValueType"]

_claim(__name__)
