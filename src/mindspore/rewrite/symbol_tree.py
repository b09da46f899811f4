"""A network as a list of statements."""

from __future__ import annotations

import ast
import copy
import inspect
import itertools
import linecache
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mindspore._engine.operator.primitive import Primitive
from mindspore._utils.checks import check_bool, check_str, check_type
from mindspore.nn.cell import Cell
from mindspore.nn.layer.container import CellDict, CellList, SequentialCell
from mindspore.rewrite._flatten import Flattener, Names, is_comparison
from mindspore.rewrite._static_branches import decided
from mindspore.rewrite.common.namespace import is_subtree
from mindspore.rewrite.node import Node, name_of, rename_callee
from mindspore.rewrite.node_type import NodeType
from mindspore.rewrite.scoped_value import ScopedValue

__all__ = ["SymbolTree"]

_numbers = itertools.count(1)
_COMPUTING = (ast.BinOp, ast.UnaryOp, ast.BoolOp)
_TAKING = (ast.Tuple, ast.List, ast.Dict, ast.Name, ast.Attribute, ast.Constant, ast.Subscript)
_FLOW = (ast.If, ast.For, ast.While, ast.With, ast.Try)
_HEAD = """class {name}Opt({name}, nn.Cell):

    def __init__(self, obj):
        nn.Cell.__init__(self)
        self.__dict__.update(obj.__dict__)
"""


class Position(NamedTuple):
    """Where a node is inserted."""

    tree: SymbolTree
    node: Node
    after: bool


def _function_of(network: Cell) -> ast.FunctionDef:
    """The syntax tree of ``construct``."""
    construct = inspect.unwrap(type(network).construct)
    try:
        text = textwrap.dedent(inspect.getsource(construct))
    except (OSError, TypeError) as error:
        raise RuntimeError(
            f"For 'SymbolTree.create', the source of {type(network).__name__}.construct must be readable, but {error}. "
            "Write the network in a file."
        ) from None
    function = ast.parse(text).body[0]
    if not isinstance(function, ast.FunctionDef):
        raise RuntimeError(f"For 'SymbolTree.create', {type(network).__name__}.construct must be written with def.")
    function.decorator_list = []
    return function


class SymbolTree:
    """The statements of a network's ``construct``, which can be changed; :meth:`get_network` gives the changed network.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> from mindspore.rewrite import Node, ScopedValue, SymbolTree
        >>> tree = SymbolTree.create(nn.WithLossCell(nn.ReLU(), nn.L1Loss()))
        >>> [node.get_name() for node in tree.nodes()]
        ['input_data', 'input_label', '_backbone', '_loss_fn', 'return_1']
        >>> _ = tree.replace(tree.get_node("_backbone"), [
        ...     Node.create_call_cell(nn.LeakyReLU(1.0), ["out"], [ScopedValue.create_naming_value("data")], name="same")])
        >>> print(tree.get_network()(Tensor([-2.0]), Tensor([0.0])))
        2.0
    """

    def __new__(cls, network: Any) -> SymbolTree:
        """The tree itself where one is given: libraries wrap what ``get_handler`` returns again."""
        return network if isinstance(network, SymbolTree) else object.__new__(cls)

    def __init__(self, network: Cell | SymbolTree):
        if isinstance(network, SymbolTree):
            return
        self._network = check_type("SymbolTree.create", "network", network, Cell)
        self._function = _function_of(network)
        arguments = self._function.args
        listed = [*arguments.posonlyargs, *arguments.args[1:], *arguments.kwonlyargs]
        names = {part.id for part in ast.walk(self._function) if isinstance(part, ast.Name)} | {
            argument.arg for argument in listed
        }
        self._variables = Names(names)
        self._node_names = Names(["return"])  # no name in Python
        self._tests: dict[str, ast.expr] = {}  # conditions of branches by the variables that hold them
        self._added: dict[str, Any] = {}  # Cells by the attribute they become
        self._functions: dict[str, Any] = {}  # functions by the name they are called by
        self._saved_file = ""
        self._nodes = [Node.create_input(argument.arg) for argument in listed]
        body = self._function.body
        first = body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            body = body[1:]  # the docstring
        stored = (part for part in ast.walk(self._function) if isinstance(part, ast.Name))
        self._locals = {a.arg for a in listed} | {part.id for part in stored if isinstance(part.ctx, ast.Store)}
        for node in self._nodes:
            node._tree = self
            node._name = self._node_names.unique(node._name)
        self._nodes += self._made_of(body)

    @classmethod
    def create(cls, network: Cell) -> SymbolTree:
        """The statements of a network's ``construct``."""
        return cls(network)

    def _made(self, statement: ast.stmt) -> Node:
        value = getattr(statement, "value", None)
        instance = None
        if isinstance(statement, ast.Return):
            kind = NodeType.Output
        elif isinstance(statement, _FLOW):
            kind = NodeType.ControlFlow
        elif isinstance(value, ast.Call):
            kind, instance = self._called(value)
        elif isinstance(statement, ast.Assign) and (isinstance(value, _COMPUTING) or is_comparison(value)):
            kind = NodeType.MathOps
        elif isinstance(statement, ast.Assign) and isinstance(value, _TAKING):
            kind = NodeType.CallMethod
        else:
            kind = NodeType.Python
        node = Node(statement, kind, name_of(statement, kind), instance)
        if kind == NodeType.CallFunction and isinstance(value, ast.Call):
            node._function = self._function_called(value.func)
        return node

    def _function_called(self, callee: ast.expr) -> Any:
        """The method or function that a statement names; None where it is not known before the statement runs."""
        construct = inspect.unwrap(type(self._network).construct)
        names = [part.id for part in ast.walk(callee) if isinstance(part, ast.Name)]
        if not all(isinstance(part, (ast.Name, ast.Attribute, ast.Load)) for part in ast.walk(callee)):
            return None
        found = self._network if names == ["self"] else construct.__globals__.get(names[0])
        for name in ast.unparse(callee).split(".")[1:]:
            found = getattr(found, name, None)
        return found

    def _called(self, call: ast.Call) -> tuple[NodeType, Any]:
        """What a call calls: a member of the network, or a function."""
        function = call.func
        own = (
            isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name) and function.value.id == "self"
        )
        member = getattr(self._network, function.attr, None) if own and isinstance(function, ast.Attribute) else None
        if isinstance(member, (SequentialCell, CellList, CellDict)):
            return NodeType.CellContainer, member
        if isinstance(member, Cell):
            return (NodeType.Tree if is_subtree(member) else NodeType.CallCell), member
        if isinstance(member, Primitive):
            return NodeType.CallPrimitive, member
        return NodeType.CallFunction, None

    # -- finding -------------------------------------------------------------------------------------------------------
    def nodes(self, all_nodes: bool = False) -> Iterator[Node]:
        """The nodes in their order; with ``all_nodes`` those of called networks too."""
        check_bool("SymbolTree.nodes", "all_nodes", all_nodes)
        found = list(self._nodes)
        if all_nodes:
            for node in self._nodes:
                if node.get_node_type() == NodeType.Tree:
                    found += node.get_sub_tree().nodes(True)
        return iter(found)

    def all_nodes(self, subtree_nodes: bool = True) -> Iterator[Node]:
        """The nodes, by default with those of called networks."""
        return self.nodes(subtree_nodes)

    def get_handler(self) -> SymbolTree:
        """What holds the statements: the tree itself."""
        return self

    def get_node(self, node_name: str) -> Node | None:
        """The node of a name; None without."""
        check_str("SymbolTree.get_node", "node_name", node_name)
        return next((node for node in self._nodes if node.get_name() == node_name), None)

    def get_inputs(self) -> list[Node]:
        """The nodes of arguments."""
        return [node for node in self._nodes if node.get_node_type() == NodeType.Input]

    def source_of(self, value: ScopedValue, user: Node) -> Node | None:
        """The last node before another node that defines a value."""
        before = self._nodes[: self._nodes.index(user)]
        return next((node for node in reversed(before) if value in node.get_targets()), None)

    def value_at(self, source: Node, index: int, user: Node) -> ScopedValue:
        """A name by which a node can use another node's output: a fresh name if the old name was rebound."""
        value = source.get_targets()[index]
        if self.source_of(value, user) is source:
            return value
        name = self._variables.unique(f"{source.get_name()}_var")
        assignment = self._made(ast.parse(f"{name} = {value!r}").body[0])
        self.insert(self.after(source), assignment)
        return ScopedValue.create_naming_value(name)

    def unique_name(self, name: str = "output") -> str:
        """A name for a variable that is not taken yet."""
        return self._variables.unique(check_str("SymbolTree.unique_name", "name", name, allow_empty=False))

    # -- changing ------------------------------------------------------------------------------------------------------
    def _known(self, owner: str, node: Any) -> Node:
        check_type(owner, "node", node, (Node, str))
        found = self.get_node(node) if isinstance(node, str) else node
        if found is None or found not in self._nodes:
            raise ValueError(
                f"For '{owner}', the 'node' must be in this tree: {[known.get_name() for known in self._nodes]}, but got {node!r}."
            )
        return found

    def before(self, node: Node | str) -> Position:
        """The position before a node, for :meth:`insert`."""
        return Position(self, self._known("SymbolTree.before", node), False)

    def after(self, node: Node | str) -> Position:
        """The position after a node, for :meth:`insert`."""
        return Position(self, self._known("SymbolTree.after", node), True)

    def insert(self, position: Position, node: Node) -> Node:
        """Insert a node at a position; returns it, with a name that is unique here."""
        check_type("SymbolTree.insert", "position", position, Position)
        check_type("SymbolTree.insert", "node", node, Node)
        if position.tree is not self or position.node not in self._nodes:
            raise ValueError(
                "For 'SymbolTree.insert', the 'position' must be one in this tree: use its before() or after()."
            )
        if node in self._nodes:
            raise ValueError(f"For 'SymbolTree.insert', the node {node.get_name()!r} is in this tree already.")
        self._adopt(node)
        self._nodes.insert(self._nodes.index(position.node) + position.after, node)
        return node

    def _adopt(self, node: Node) -> None:
        """Give a node a unique name, and the network what it calls."""
        node._tree = self
        self._variables.taken |= {str(target) for target in node.get_targets()}
        name = self._node_names.unique(node.get_name())
        new = node._instance is not None
        if new and node.get_node_type() in (NodeType.CallCell, NodeType.CallPrimitive, NodeType.Tree):
            while hasattr(self._network, name) or name in self._added:
                name = self._node_names.unique(node.get_name())
            rename_callee(node, name, f"self.{name}")
            self._added[name] = node._instance
        elif new and node.get_node_type() == NodeType.CallFunction:
            scope = inspect.unwrap(type(self._network).construct).__globals__
            callee = node.get_name()
            if scope.get(callee) is not node._instance:
                callee = self._variables.unique(f"{callee}_function")
                self._functions[callee] = node._instance
            rename_callee(node, name, callee)
        else:
            node._name = name

    def erase(self, node: Node | str) -> Node:
        """Take a node out; what used its results must be given something else."""
        found = self._known("SymbolTree.erase", node)
        if isinstance(found.statement, ast.If) and found.statement.orelse:
            del self._nodes[self._nodes.index(found) + 1]  # the node of its else
        self._nodes.remove(found)
        found._tree = None
        return found

    def replace(self, old_node: Node, new_nodes: Sequence[Node]) -> Node:
        """Replace a node by other nodes; returns the last of them."""
        old = self._known("SymbolTree.replace", old_node)
        check_type("SymbolTree.replace", "new_nodes", new_nodes, (list, tuple))
        if not new_nodes:
            raise IndexError(
                "For 'SymbolTree.replace', the 'new_nodes' must hold at least one node; use erase() for none."
            )
        position = self.before(old)
        for node in new_nodes:
            self.insert(position, node)
        self.erase(old)
        return new_nodes[-1]

    def set_output(self, index: int, return_value: str) -> Node:
        """Return another variable; gives the node of the statement ``return``."""
        output = next((node for node in reversed(self._nodes) if node.get_node_type() == NodeType.Output), None)
        if output is None:
            raise RuntimeError("For 'SymbolTree.set_output', the network must end with 'return', but there is none.")
        output.set_arg(index, check_str("SymbolTree.set_output", "return_value", return_value, allow_empty=False))
        return output

    def flatten_static_if_control_flow(self) -> None:
        """Replace branches that the network's attributes decide by the statements of the branch that is taken."""
        scope = {
            name: value
            for name, value in inspect.unwrap(type(self._network).construct).__globals__.items()
            if name not in self._locals
        }
        position = 0
        while position < len(self._nodes):
            statement = self._nodes[position].statement
            held = statement.test.id if isinstance(statement, ast.If) and isinstance(statement.test, ast.Name) else ""
            test = self._tests.get(held)
            asked = statement if test is None else ast.If(test, statement.body, statement.orelse)  # type: ignore
            chosen = None if asked is None else decided(asked, self._network, scope)
            if chosen is None:
                position += 1
                continue
            otherwise = bool(asked.orelse)  # type: ignore[union-attr]  # it has a node of its own, after the branch's
            self._nodes[position : position + 1 + otherwise] = self._made_of(chosen)
        self._end_at_return()

    def flatten_nodes(self, node: Node, erase_nodes_after_return: bool = False) -> None:
        """Replace a node whose expressions compute something by a row of simple statements."""
        found = self._known("SymbolTree.flatten_nodes", node)
        if found.statement is not None:
            position = self._nodes.index(found)
            self._nodes[position : position + 1] = self._made_of([found.statement])
        if erase_nodes_after_return:
            self._end_at_return()

    def _made_of(self, statements: Sequence[ast.stmt]) -> list[Node]:
        flattener = Flattener(self._variables)
        for statement in statements:
            if not isinstance(statement, ast.Pass):
                flattener.add(statement)
        made = []
        for statement in flattener.statements:
            made.append(self._made(statement))
            if isinstance(statement, ast.If) and statement.orelse:
                made.append(Node(None, NodeType.ControlFlow, "else_node"))
        for node in made:
            node._tree = self
            node._name = self._node_names.unique(node._name)
            self._name_inside(node.statement)
        self._tests.update(flattener.tests)
        return made

    def _name_inside(self, statement: ast.stmt | None) -> None:
        """Statements inside of branches and loops are no nodes, but have names."""
        for part in ("body", "orelse", "finalbody"):
            flattener = Flattener(Names())
            for inner in copy.deepcopy(getattr(statement, part, [])):
                flattener.add(inner)
            for inner in flattener.statements:
                if not isinstance(inner, ast.Return):
                    self._node_names.unique(self._made(inner)._name)
                self._name_inside(inner)

    def _end_at_return(self) -> None:
        """Drop what stands after the first ``return`` that is always reached."""
        kinds = [node.get_node_type() for node in self._nodes]
        if NodeType.Output in kinds:
            del self._nodes[kinds.index(NodeType.Output) + 1 :]

    # -- the new network -----------------------------------------------------------------------------------------------
    def _construct(self) -> str:
        function = ast.FunctionDef("construct", self._function.args, [], [], lineno=0)
        statements = [node.statement for node in self._nodes if node.statement is not None]
        function.body = statements or [ast.Pass()]
        return ast.unparse(ast.fix_missing_locations(function))

    def _sub_trees(self) -> dict[str, SymbolTree]:
        """The trees of called networks that were looked at, by attribute."""
        return {node.get_name(): node._sub_tree for node in self._nodes if node._sub_tree is not None}

    def get_code(self) -> str:
        """The changed network as a program."""
        name = type(self._network).__name__
        parts = [tree.get_code() for tree in self._sub_trees().values()]
        used = {part.id for part in ast.walk(ast.parse(self._construct())) if isinstance(part, ast.Name)}
        imported = sorted(
            {name} | (used & set(inspect.unwrap(type(self._network).construct).__globals__) - self._locals - {"nn"})
        )
        parts.append(
            f"from mindspore import nn\nfrom {type(self._network).__module__} import {', '.join(imported)}\n\n\n"
        )
        lines = [
            f"        self.{key} = {type(tree._network).__name__}Opt(self.{key})\n"
            for key, tree in self._sub_trees().items()
        ]
        lines += [f"        self.{key} = obj.{key}\n" for key in self._added]
        body = textwrap.indent(self._construct(), "    ")
        return "".join([*parts, _HEAD.format(name=name), *lines, "\n", body, "\n"])

    def get_network(self) -> Cell:
        """The changed network: it has the same Parameters and layers, and the original stays as it is."""
        original = type(self._network)
        text = self._construct() + "\n"
        file = f"<rewritten {original.__name__} {next(_numbers)}>"
        # the compiler of graphs reads the source of what it compiles
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        scope = {**inspect.unwrap(original.construct).__globals__, **self._functions}
        exec(compile(text, file, "exec"), scope)
        changed = type(f"{original.__name__}Opt", (original,), {"construct": scope["construct"]})
        network = object.__new__(changed)
        network.__dict__.update({key: _own(value) for key, value in self._network.__getstate__().items()})
        for key, tree in self._sub_trees().items():
            setattr(network, key, tree.get_network())
        for key, cell in self._added.items():
            setattr(network, key, cell)
        return network

    def get_origin_network(self) -> Cell:
        """The network as it was."""
        return self._network

    # -- files and tables ----------------------------------------------------------------------------------------------
    def set_saved_file_name(self, file_name: str) -> None:
        """The file that :meth:`save_network_to_file` writes."""
        name = check_str("SymbolTree.set_saved_file_name", "file_name", file_name, allow_empty=False)
        self._saved_file = name if name.endswith(".py") else f"{name}.py"

    def get_saved_file_name(self) -> str:
        """The file that :meth:`save_network_to_file` writes."""
        return self._saved_file

    def save_network_to_file(self) -> None:
        """Write the program of the changed network."""
        if not self._saved_file:
            raise ValueError(
                "For 'SymbolTree.save_network_to_file', the file must be named first: set_saved_file_name()."
            )
        with open(self._saved_file, "w", encoding="utf-8") as file:
            file.write(self.get_code())

    def print_node_tabulate(self, all_nodes: bool = False) -> None:
        """Print the nodes as a table."""
        rows = [("node type", "name", "arguments", "targets")]
        for node in self.nodes(all_nodes):
            rows.append((node.get_node_type().name, node.get_name(), str(node.get_args()), str(node.get_targets())))
        widths = [max(len(row[column]) for row in rows) for column in range(4)]
        rows.insert(1, ("-" * widths[0], "-" * widths[1], "-" * widths[2], "-" * widths[3]))
        for row in rows:
            print("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())

    def dump(self) -> None:
        """Print the nodes, one in a line: number, targets, what is called, arguments, name."""
        print(f"SymbolTree of {type(self._network).__name__}: {len(self.get_inputs())} inputs")
        for number, node in enumerate(self._nodes):
            called = node.get_instance_type().__name__ if node.get_instance() is not None else node.get_node_type().name
            targets = ", ".join(map(str, node.get_targets()))
            print(f"  %{number}({targets}) = {called}({', '.join(map(str, node.get_args()))}) {{{node.get_name()}}}")


def _own(value: Any) -> Any:
    """Tables of the network are its own; what they hold is shared."""
    return copy.copy(value) if isinstance(value, (dict, list, set)) else value
