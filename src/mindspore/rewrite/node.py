"""A statement of a network."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from mindspore._utils.checks import check_callable, check_int, check_str, check_type
from mindspore.nn.cell import Cell
from mindspore.ops import Primitive
from mindspore.rewrite._flatten import is_comparison, statement_name
from mindspore.rewrite.node_type import NodeType
from mindspore.rewrite.scoped_value import ScopedValue, to_expression, to_value

if TYPE_CHECKING:
    from mindspore.rewrite.symbol_tree import SymbolTree

__all__ = ["Node"]


class Node:
    """A statement of ``construct``: what it calls, what it takes, what it gives. Made by the methods ``create_...``.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.rewrite import Node, ScopedValue
        >>> node = Node.create_call_cell(nn.ReLU(), ["y"], [ScopedValue.create_naming_value("x")], name="new_relu")
        >>> node.get_name(), node.get_args(), node.get_targets()
        ('new_relu', [x], [y])
    """

    def __new__(cls, statement: Any, *_: Any, **__: Any) -> Node:
        """The node itself where one is given: libraries wrap what ``get_handler`` returns again."""
        return statement if isinstance(statement, Node) else object.__new__(cls)

    def __init__(
        self,
        statement: ast.stmt | Node | None,
        node_type: NodeType = NodeType.Unknown,
        name: str = "",
        instance: Any = None,
    ):
        if isinstance(statement, Node):
            return
        self.statement = statement
        self._type = node_type
        self._name = name
        self._instance = instance
        self._tree: SymbolTree | None = None
        self._sub_tree: SymbolTree | None = None
        self._attributes: dict[str, Any] = {}
        self._function: Any = None  # what the program's own statement calls, where it is no part of the network
        self._input: str = ""  # the name of an argument of construct

    # -- making --------------------------------------------------------------------------------------------------------
    @staticmethod
    def create_call_cell(cell: Cell | Primitive, targets: Sequence[ScopedValue | str], args: Sequence[ScopedValue] | None = None,
                         kwargs: dict[str, ScopedValue] | None = None, name: str = "",
                         is_sub_net: bool = False) -> Node:  # fmt: skip
        """A statement ``targets = self.name(*args, **kwargs)`` that calls a Cell or an operator; named after its class."""
        check_type("Node.create_call_cell", "cell", cell, (Cell, Primitive))
        name = check_str("Node.create_call_cell", "name", name) or type(cell).__name__
        call = _call("Node.create_call_cell", f"self.{name}", targets, args, kwargs)
        kind = NodeType.Tree if is_sub_net else NodeType.CallCell
        return Node(call, NodeType.CallPrimitive if isinstance(cell, Primitive) else kind, name, cell)

    @staticmethod
    def create_call_function(function: Callable[..., Any], targets: Sequence[ScopedValue | str],
                             args: Sequence[ScopedValue] | None = None,
                             kwargs: dict[str, ScopedValue] | None = None) -> Node:  # fmt: skip
        """A statement ``targets = function(*args, **kwargs)`` that calls a function."""
        check_callable("Node.create_call_function", "function", function)
        name = getattr(function, "__name__", "function")
        return Node(
            _call("Node.create_call_function", name, targets, args, kwargs), NodeType.CallFunction, name, function
        )

    @staticmethod
    def create_input(param_name: str, default: ScopedValue | None = None) -> Node:
        """An argument of ``construct``."""
        node = Node(None, NodeType.Input, f"input_{check_str('Node.create_input', 'param_name', param_name)}")
        node._input = param_name
        return node

    # -- what it is ----------------------------------------------------------------------------------------------------
    def get_name(self) -> str:
        """The name, unique in its tree."""
        return self._name

    def get_node_type(self) -> NodeType:
        """What it does."""
        return self._type

    def get_instance_type(self) -> Any:
        """The class of the Cell, operator or method it calls; a function it calls itself; NoneType for others."""
        if self._type == NodeType.CallFunction:
            called = self._instance or self._function
            return called if inspect.isroutine(called) and not inspect.ismethod(called) else type(called)
        return type(self.get_instance())

    def get_instance(self) -> Any:
        """The Cell or operator it calls; None for others."""
        return None if self._type == NodeType.CallFunction else self._instance

    def get_symbol_tree(self) -> SymbolTree | None:
        """The tree it is in; None before it is inserted."""
        return self._tree

    def get_sub_tree(self) -> SymbolTree:
        """The tree of the network that it calls; what is changed there becomes part of the new network."""
        if self._type != NodeType.Tree or self._tree is None:
            raise TypeError(
                f"For 'Node.get_sub_tree', the node must call a network, but {self._name!r} is {self._type}."
            )
        if self._sub_tree is None:
            self._sub_tree = self._tree.create(self._instance)
        return self._sub_tree

    # -- what it takes and gives ---------------------------------------------------------------------------------------
    def _value(self) -> Any:
        return getattr(self.statement, "value", None)

    def _positional(self) -> list[ast.expr]:
        """The expressions it takes by position."""
        value = self._value()
        if isinstance(self.statement, (ast.If, ast.While)):
            return [self.statement.test]
        if isinstance(self.statement, ast.For):
            return [self.statement.iter]
        if isinstance(value, ast.Call):
            return value.args
        if isinstance(value, ast.BinOp):
            return [value.left, value.right]
        if isinstance(value, ast.UnaryOp):
            return [value.operand]
        if isinstance(value, ast.BoolOp):
            return value.values
        if is_comparison(value):
            return [value.left, *value.comparators]
        if isinstance(value, (ast.Tuple, ast.List)):
            return value.elts
        return [] if value is None else [value]

    def get_args(self) -> list[ScopedValue]:
        """What it takes by position."""
        return [to_value(argument) for argument in self._positional()]

    def get_kwargs(self) -> dict[str, ScopedValue]:
        """What it takes by name."""
        value = self._value()
        return (
            {keyword.arg: to_value(keyword.value) for keyword in value.keywords if keyword.arg}
            if isinstance(value, ast.Call)
            else {}
        )

    def get_targets(self) -> list[ScopedValue]:
        """What it gives."""
        if self._type == NodeType.Input:
            return [ScopedValue.create_naming_value(self._input)]
        if not isinstance(self.statement, ast.Assign):
            return []
        first = self.statement.targets[0]
        return [to_value(target) for target in (first.elts if isinstance(first, (ast.Tuple, ast.List)) else [first])]

    def set_arg(self, index: int, arg: ScopedValue | str) -> None:
        """Take something else by position."""
        count = len(self._positional())
        check_int("Node.set_arg", "index", index, 0, max(count - 1, 0))
        self._put(index, to_expression("Node.set_arg", "arg", arg))

    def _put(self, index: int, expression: ast.expr) -> None:
        value = self._value()
        if isinstance(value, ast.Call):
            value.args[index] = expression
        elif isinstance(value, (ast.Tuple, ast.List)):
            value.elts[index] = expression
        elif isinstance(value, ast.BinOp):
            setattr(value, ("left", "right")[index], expression)
        elif isinstance(value, ast.UnaryOp):
            value.operand = expression
        elif isinstance(value, ast.BoolOp):
            value.values[index] = expression
        elif is_comparison(value) and index:
            value.comparators = [expression]
        elif is_comparison(value):
            value.left = expression
        elif isinstance(self.statement, (ast.If, ast.While)):
            self.statement.test = expression
        elif isinstance(self.statement, ast.For):
            self.statement.iter = expression
        elif isinstance(self.statement, (ast.Assign, ast.Return, ast.Expr)):
            self.statement.value = expression
        else:
            raise TypeError(f"For 'Node.set_arg', the node must take values, but {self._name!r} is {self._type}.")

    def set_arg_by_node(self, arg_idx: int, src_node: Node, out_idx: int | None = None) -> None:
        """Take what another node gives."""
        check_type("Node.set_arg_by_node", "src_node", src_node, Node)
        targets = src_node.get_targets()
        if out_idx is None and len(targets) != 1:
            raise ValueError(
                f"For 'Node.set_arg_by_node', the 'out_idx' must be given: {src_node._name!r} gives {targets}."
            )
        index = 0 if out_idx is None else check_int("Node.set_arg_by_node", "out_idx", out_idx, 0, len(targets) - 1)
        tree = self._tree
        placed = tree is not None and src_node.get_symbol_tree() is tree
        name = tree.value_at(src_node, index, self) if placed else targets[index]
        self.set_arg(arg_idx, name)

    def get_inputs(self) -> list[Node]:
        """The nodes whose results it takes."""
        if self._tree is None:
            return []
        wanted = [*self.get_args(), *self.get_kwargs().values()]
        function = getattr(self._value(), "func", None)
        if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
            wanted.insert(0, to_value(function.value))  # the value whose method is called
        found = [self._tree.source_of(value, self) for value in wanted]
        return [source for source in found if source is not None]

    def get_users(self) -> list[Node]:
        """The nodes that take its results."""
        return [] if self._tree is None else [node for node in self._tree.nodes() if self in node.get_inputs()]

    def get_arg_providers(self) -> dict[int, tuple[Node, int]]:
        """By position, where an argument comes from: the node, and which of its targets."""
        found = {}
        for index, value in enumerate(self.get_args()):
            source = None if self._tree is None else self._tree.source_of(value, self)
            if source is not None:
                found[index] = (source, source.get_targets().index(value))
        return found

    def get_target_users(self, index: int = -1) -> dict[int, list[tuple[Node, int]]] | list[tuple[Node, int]]:
        """Who takes a target, and at which position; by default of all targets, by their positions."""
        found: dict[int, list[tuple[Node, int]]] = {place: [] for place in range(len(self.get_targets()))}
        for user in self.get_users():
            for position, (source, place) in user.get_arg_providers().items():
                if source is self:
                    found[place].append((user, position))
        return found if index == -1 else found.get(index, [])

    # -- by the names of what MindSpore's nodes hold -------------------------------------------------------------------
    def get_handler(self) -> Node:
        """What holds the statement: the node itself."""
        return self

    def get_belong_symbol_tree(self) -> SymbolTree | None:
        """The tree it is in."""
        return self._tree

    @property
    def symbol_tree(self) -> SymbolTree:
        """The tree of the network that it calls."""
        return self.get_sub_tree()

    def nodes(self) -> list[Node]:
        """The layers of the container that it calls, each as a node that takes what the one before gives."""
        if self._type != NodeType.CellContainer:
            raise TypeError(
                f"For 'Node.nodes', the node must call a container of Cells, but {self._name!r} is {self._type}."
            )
        names = [
            *self.get_args()[:1],
            *(ScopedValue.create_naming_value(f"{self._name}_{i}") for i in range(len(self._instance))),
        ]
        made = []
        for position, cell in enumerate(self._instance.cells()):
            node = Node.create_call_cell(
                cell, [names[position + 1]], [names[position]], name=f"{self._name}_{position}"
            )
            made.append(node)
        return made

    # -- notes of the program ------------------------------------------------------------------------------------------
    def set_attribute(self, key: str, value: Any) -> None:
        """Note something about it."""
        self._attributes[check_str("Node.set_attribute", "key", key)] = value

    def get_attribute(self, key: str) -> Any:
        """What was noted, else the attribute of the layer or operator it calls; None without."""
        if key in self._attributes or key.startswith("_") or not self._calls_layer():
            return self._attributes.get(key)
        return type(self._instance) if key == "cls" else getattr(self._instance, key, None)

    def get_attributes(self) -> dict[str, Any]:
        """Everything that was noted, and the public attributes of the layer or operator it calls."""
        if not self._calls_layer():
            return dict(self._attributes)
        own = {key: value for key, value in vars(self._instance).items() if not key.startswith("_")}
        return {**own, "cls": type(self._instance), **self._attributes}

    def _calls_layer(self) -> bool:
        return self._type in (NodeType.CallCell, NodeType.CallPrimitive) and self._instance is not None

    def __repr__(self) -> str:
        text = f"input {self._input}" if self._type == NodeType.Input else "else:"
        if self.statement is not None:
            text = ast.unparse(self.statement).splitlines()[0]
        return f"Node({self._name!r}, {self._type}, {text!r})"


def _call(owner: str, callee: str, targets: Any, args: Any, kwargs: Any) -> ast.Assign:
    check_type(owner, "targets", targets, list)
    check_type(owner, "args", args, (list, tuple, type(None)))
    check_type(owner, "kwargs", kwargs, (dict, type(None)))
    names: list[ast.expr] = [to_expression(owner, "targets", each) for each in targets]
    for name in names:
        name.ctx = ast.Store()  # type: ignore[attr-defined]
    target = names[0] if len(names) == 1 else ast.Tuple(names, ast.Store())
    call = ast.Call(
        func=ast.parse(callee, mode="eval").body,
        args=[to_expression(owner, "args", argument) for argument in args or ()],
        keywords=[ast.keyword(key, to_expression(owner, "kwargs", value)) for key, value in (kwargs or {}).items()],
    )
    return ast.Assign(targets=[target], value=call, lineno=0)


def rename_callee(node: Node, name: str, callee: str) -> None:
    """Give a node its final name, and have it call what is stored by that name."""
    node._name = name
    node._value().func = ast.parse(callee, mode="eval").body


def name_of(statement: ast.stmt, kind: NodeType) -> str:
    """The name of a statement before it is made unique."""
    if isinstance(statement, ast.Return):
        return "return"
    if isinstance(statement, (ast.Assign, ast.Expr)):
        value = statement.value
        if isinstance(value, (ast.Name, ast.Attribute, ast.Constant)):
            return f"{type(value).__name__.lower()}_assign"
        return statement_name(value) if kind != NodeType.Python else type(statement).__name__
    return f"{type(statement).__name__.lower()}_node" if kind != NodeType.Python else type(statement).__name__
