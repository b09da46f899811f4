"""Lower break, continue, return and loop-else to flag assignments and `if`.

A jump sets a flag, and the statements it would skip are guarded by `if not flag`. If one side of an `if` always jumps, the
statements after it move into the other side, which needs no flag.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import NamedTuple

from mindspore._engine.syntax.names import own_nodes

RETURNED = "ag__returned"  # flag: the function has returned
RESULT = "ag__result"  # the returned value


class Block(NamedTuple):
    """Lowered statements, the flags they may set, and whether their end is unreachable."""

    body: list[ast.stmt]
    flags: frozenset[str] = frozenset()
    leaves: bool = False


def lower_exits(function: ast.FunctionDef) -> None:
    """Lower the body of a function in place; nested functions are left for later."""
    constructs = [n for n in own_nodes(function.body) if isinstance(n, (ast.If, ast.While, ast.For))]
    inside = [n for construct in constructs for n in own_nodes([*construct.body, *construct.orelse])]
    has_else = any(n.orelse for n in constructs if not isinstance(n, ast.If))
    if not has_else and not any(isinstance(n, (ast.Return, ast.Break, ast.Continue)) for n in inside):
        return
    lowering = _Lowering(any(isinstance(n, ast.Return) for n in inside))
    first, last = function.body[0], function.body[-1]
    block = lowering.block(function.body)
    body = block.body
    if lowering.returns:
        if not block.leaves:
            lowering.tested.add(RETURNED)
        flag = "True" if block.leaves else RETURNED
        start = _parse_like(f"{RESULT} = ag__.NO_RESULT\n{RETURNED} = False", first)
        body = [*start, *body, *_parse_like(f"return ag__.returned({RESULT}, {flag})", last)]
    function.body = _Prune(lowering.tested).visit_all(body)


class _Lowering:
    def __init__(self, returns: bool):
        self.returns = returns  # whether return statements are lowered
        self.tested: set[str] = set()  # flags that are read
        self.loops: list[tuple[str, str]] = []  # break and continue flags of the enclosing loops
        self.count = 0

    def block(self, statements: Sequence[ast.stmt]) -> Block:
        """Lower a sequence of statements; those after a possible jump are guarded."""
        done: list[ast.stmt] = []
        for index, statement in enumerate(statements):
            lowered = self.statement(statement)
            if not lowered.flags and not lowered.leaves:
                done += lowered.body
                continue
            if lowered.leaves and not isinstance(statement, ast.If):
                return Block([*done, *lowered.body], lowered.flags, True)
            rest = self.block(statements[index + 1 :])
            joined = self._after_if(lowered, rest) if isinstance(statement, ast.If) else self._guarded(lowered, rest)
            return Block([*done, *joined.body], joined.flags, joined.leaves)
        return Block(done)

    def _after_if(self, lowered: Block, rest: Block) -> Block:
        """Place the statements after an `if` that may jump: into the side that continues, or guarded."""
        node = lowered.body[-1]
        then, other = node.lowered  # type: ignore[attr-defined]
        if then.leaves and then.flags:
            other = self._guarded(other, rest)
        elif other.leaves and other.flags:
            then = self._guarded(then, rest)
        else:
            return self._guarded(lowered, rest)
        node.body, node.orelse = then.body, other.body  # type: ignore[attr-defined]
        return Block(lowered.body, then.flags | other.flags, then.leaves and other.leaves)

    def _guarded(self, lowered: Block, rest: Block) -> Block:
        if lowered.leaves:
            return lowered
        if not lowered.flags or not rest.body:
            return Block([*lowered.body, *rest.body], lowered.flags | rest.flags, rest.leaves)
        guard = ast.copy_location(ast.If(self._none_of(lowered.flags, rest.body[0]), rest.body, []), rest.body[0])
        return Block([*lowered.body, guard], lowered.flags | rest.flags, rest.leaves)

    def _none_of(self, flags: frozenset[str], like: ast.stmt) -> ast.expr:
        self.tested |= flags
        text = " and ".join(f"not {flag}" for flag in sorted(flags))
        return _parse_like(text, like)[0].value  # type: ignore[attr-defined]

    # -- statements -----------------------------------------------------------------------------------------------
    def statement(self, node: ast.stmt) -> Block:
        method = getattr(self, f"_{type(node).__name__.lower()}", None)
        return method(node) if method is not None else Block([node])

    def _return(self, node: ast.Return) -> Block:
        if not self.returns:
            return Block([node], frozenset(), True)
        value = node.value or ast.Constant(None)
        store = ast.copy_location(ast.Assign([ast.Name(RESULT, ast.Store())], value), node)
        return Block(
            [ast.fix_missing_locations(store), *_parse_like(f"{RETURNED} = True", node)], frozenset([RETURNED]), True
        )

    def _break(self, node: ast.Break) -> Block:
        flag = self.loops[-1][0]
        return Block(_parse_like(f"{flag} = True", node), frozenset([flag]), True)

    def _continue(self, node: ast.Continue) -> Block:
        flag = self.loops[-1][1]
        return Block(_parse_like(f"{flag} = True", node), frozenset([flag]), True)

    def _raise(self, node: ast.Raise) -> Block:
        return Block([node], frozenset(), True)

    def _if(self, node: ast.If) -> Block:
        then, other = self.block(node.body), self.block(node.orelse)
        node.body, node.orelse = then.body, other.body
        node.lowered = (then, other)  # type: ignore[attr-defined]
        return Block([node], then.flags | other.flags, then.leaves and other.leaves)

    def _while(self, node: ast.While) -> Block:
        flags, start = self._loop_body(node)
        block = self._loop(node, flags, start)
        if flags:
            values = [self._none_of(flags, node), node.test]
            node.test = ast.copy_location(ast.BoolOp(ast.And(), values), node.test)
        return block

    def _for(self, node: ast.For) -> Block:
        flags, start = self._loop_body(node)
        if flags:
            node.goes_on = self._none_of(flags, node)  # type: ignore[attr-defined]
        return self._loop(node, flags, start)

    def _loop_body(self, node: ast.While | ast.For) -> tuple[frozenset[str], list[ast.stmt]]:
        """Lower the body; returns the flags that end the loop, and the statements before it."""
        self.count += 1
        broke, skipped = f"ag__broke_{self.count}", f"ag__skipped_{self.count}"
        self.loops.append((broke, skipped))
        block = self.block(node.body)
        self.loops.pop()
        node.body = block.body
        if skipped in block.flags:
            node.body = [*_parse_like(f"{skipped} = False", block.body[0]), *block.body]
        start = _parse_like(f"{broke} = False", node) if broke in block.flags else []
        return block.flags - {skipped}, start

    def _loop(self, node: ast.While | ast.For, flags: frozenset[str], start: list[ast.stmt]) -> Block:
        """The loop with its else clause, which runs unless the loop was left by break."""
        otherwise = self.block(node.orelse)
        node.orelse = []
        after = self._guarded(Block([*start, node], flags), otherwise)
        own = flags - {RETURNED}
        endless = isinstance(node, ast.While) and isinstance(node.test, ast.Constant) and bool(node.test.value)
        return Block(after.body, after.flags - own, not own and bool(after.flags) and (after.leaves or endless))

    def _with(self, node: ast.With) -> Block:
        block = self.block(node.body)
        node.body = block.body
        return Block([node], block.flags, block.leaves and bool(block.flags))

    def _try(self, node: ast.Try) -> Block:
        body, final = self.block(node.body), self.block(node.finalbody)
        handlers = [self.block(handler.body) for handler in node.handlers]
        otherwise = self._guarded(Block([], body.flags), self.block(node.orelse))
        node.body, node.finalbody, node.orelse = body.body, final.body, otherwise.body
        for handler, block in zip(node.handlers, handlers, strict=True):
            handler.body = block.body
        flags = frozenset().union(body.flags, final.flags, otherwise.flags, *[b.flags for b in handlers])
        leaves = (body.leaves or otherwise.leaves) and all(b.leaves for b in handlers)
        return Block([node], flags, bool(flags) and (leaves or final.leaves))

    def _match(self, node: ast.Match) -> Block:
        blocks = [self.block(case.body) for case in node.cases]
        for case, block in zip(node.cases, blocks, strict=True):
            case.body = block.body
        complete = any(
            isinstance(c.pattern, ast.MatchAs) and c.pattern.pattern is None and c.guard is None for c in node.cases
        )
        flags = frozenset().union(*[b.flags for b in blocks])
        return Block([node], flags, bool(flags) and complete and all(b.leaves for b in blocks))


class _Prune(ast.NodeTransformer):
    """Dead store elimination of unread flags."""

    def __init__(self, tested: set[str]):
        self.tested = tested

    def visit_all(self, body: list[ast.stmt]) -> list[ast.stmt]:
        kept = [self.visit(statement) for statement in body]
        return [statement for statement in kept if statement is not None]

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | None:
        name = node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""
        return None if name.startswith("ag__") and name != RESULT and name not in self.tested else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        return node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.expr):
            return node
        super().generic_visit(node)
        for part in ("body", "finalbody"):
            if part in node._fields and not getattr(node, part) and (part == "body" or not node.handlers):  # type: ignore
                setattr(node, part, [ast.copy_location(ast.Pass(), node)])
        return node


def _parse_like(text: str, like: ast.AST) -> list[ast.stmt]:
    """Parse statements and give them the source position of another node."""
    body = ast.parse(text).body
    for statement in body:
        for node in ast.walk(statement):
            if "lineno" in node._attributes:
                ast.copy_location(node, like)
    return body
