"""What a class or function refuses, read from its source: the exceptions it raises, in the words of their messages.

Checks that it calls (`check_int(owner, "group", group, low=1)`) are followed with the arguments they are called with, so that their messages
name the parameter and its bounds. What depends on the values of a call is left out of the sentence.
"""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from docstrings import entries, parse

from mindspore._utils.documented import written_in

DEPTH = 4
_SHOWN = {"WrongObject": "TypeError", "_TypeOrValue": "ValueError"}
_KINDS = {name for name, one in vars(builtins).items() if isinstance(one, type) and issubclass(one, Exception)}
_FOLLOWED = re.compile(r"check|valid|require|sizes?$|pair$|refuse|ensure")
_PURE = {"len", "list", "tuple", "sorted", "str", "repr", "type", "join", "format", "getattr", "isinstance", "callable"}
UNKNOWN = object()
Environment = dict[str, Any]


@functools.cache
def refusals(thing: Any) -> list[tuple[str, str]]:
    """Pairs of exception and sentence, in the order of the checks."""
    name = getattr(thing, "__name__", "")
    found: dict[tuple[str, str], None] = {}
    for function in _functions(thing):
        stand_in = type(name, (), {"cls_name": name, "owner": name})()
        for pair in _Walk(thing, stand_in).of(function, {"self": stand_in}):
            found.setdefault(pair)
    return list(found)


def _functions(thing: Any) -> Iterator[Callable[..., Any]]:
    if isinstance(thing, type):
        for name in ("__init__", "construct", "__call__"):
            member = getattr(thing, name, None)
            if inspect.isfunction(member) and "Cell.__call__" not in member.__qualname__:
                yield _written(member)
    else:
        forms = getattr(thing, "forms", ()) or (thing,)
        yield from (_written(one) for one in forms if callable(one))


def _written(function: Any) -> Any:
    """The function under its decorators, also those that do not say what they wrap."""
    function = inspect.unwrap(function)
    inner = [cell.cell_contents for cell in getattr(function, "__closure__", None) or () if _is_set(cell)]
    same = [one for one in inner if inspect.isfunction(one) and one.__name__ == "__init__"]
    return _written(same[0]) if same else function


def _is_set(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


@functools.cache
def _tree(function: Callable[..., Any]) -> ast.FunctionDef | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, IndentationError):
        return None
    return tree.body[0] if tree.body and isinstance(tree.body[0], ast.FunctionDef) else None


class _Walk:
    """One walk through a function and the checks it calls."""

    def __init__(self, thing: Any, stand_in: Any):
        self.thing, self.stand_in = thing, stand_in
        self.seen: set[tuple[Any, ...]] = set()

    def of(self, function: Callable[..., Any], known: Environment, depth: int = 0) -> Iterator[tuple[str, str]]:
        tree = _tree(function)
        if tree is not None and depth <= DEPTH:
            yield from self._block(tree.body, function, dict(known), depth)

    def _block(self, body: list[ast.stmt], function: Any, known: Environment, depth: int) -> Iterator[tuple[str, str]]:
        for one in body:
            yield from self._statement(one, function, known, depth)

    def _statement(self, one: ast.stmt, function: Any, known: Environment, depth: int) -> Iterator[tuple[str, str]]:
        if isinstance(one, ast.Raise):
            yield from _raised(one, function, known)
        elif isinstance(one, ast.If):
            yield from self._calls(one.test, function, known, depth)
            truth = _truth(one.test, function, known)
            if truth is not False:
                yield from self._block(one.body, function, known, depth)
            if truth is not True:
                yield from self._block(one.orelse, function, known, depth)
        elif isinstance(one, ast.For) and isinstance(one.iter, (ast.Tuple, ast.List)):
            for item in one.iter.elts:
                _bind(one.target, item, function, known)
                yield from self._block(one.body, function, known, depth)
        elif isinstance(one, (ast.For, ast.While, ast.With, ast.Try)):
            for name in _assigned(one):
                known[name] = UNKNOWN
            for part in (one.body, getattr(one, "orelse", []), getattr(one, "finalbody", [])):
                yield from self._block(part, function, known, depth)
            for handler in getattr(one, "handlers", ()):
                yield from self._block(handler.body, function, known, depth)
        elif not isinstance(one, (ast.FunctionDef, ast.ClassDef)):
            yield from self._calls(one, function, known, depth)
            if isinstance(one, ast.Assign) and len(one.targets) == 1:
                _bind(one.targets[0], one.value, function, known)

    def _calls(self, node: ast.AST, function: Any, known: Environment, depth: int) -> Iterator[tuple[str, str]]:
        for call in ast.walk(node):
            if isinstance(call, ast.Call):
                yield from self._of_operator(call, function, depth)
            if isinstance(call, ast.Call) and (target := self._target(call, function)) is not None:
                inner = _arguments(call, target, function, known, self.stand_in)
                key = (target, *((name, str(value)) for name, value in inner.items() if value is not UNKNOWN))
                if key not in self.seen:
                    self.seen.add(key)
                    yield from self.of(target, inner, depth + 1)

    def _of_operator(self, call: ast.Call, function: Any, depth: int) -> Iterator[tuple[str, str]]:
        """What an operator refuses that gets a parameter of the caller as it is."""
        place = call.func
        if isinstance(place, ast.Attribute) and ast.unparse(place.value) == "self" and isinstance(self.thing, type):
            operator = getattr(inspect.getattr_static(self.thing, place.attr, None), "make", None)
        else:
            operator = _evaluated(place, function, {})
        if depth or getattr(operator, "op", None) is None:
            return
        document = parse(operator).sections
        names = [one for one, _, _ in entries(document.get("Inputs") or document.get("Args", ""))]
        own = inspect.signature(function).parameters
        given = {
            f"`{name}`": f"`{one.id}`"
            for name, one in zip(names, call.args)
            if isinstance(one, ast.Name) and one.id in own
        }
        for kind, _, text in entries(document.get("Raises", "")):
            mentioned = set(re.findall(r"`\w+`", text))
            if mentioned and mentioned <= set(given):
                yield kind, re.sub(r"`\w+`", lambda found: given[found[0]], text)

    def _target(self, call: ast.Call, function: Any) -> Callable[..., Any] | None:
        """The function of this package that a call leads to, if its checks belong to the caller's."""
        place = call.func
        if isinstance(place, ast.Attribute) and ast.unparse(place.value) == "super()" and isinstance(self.thing, type):
            order = self.thing.__mro__
            homes = [one for one in order if _written(vars(one).get(function.__name__)) is function]
            after = order[order.index(homes[0]) + 1 :] if homes else ()
            found = next((vars(one)[place.attr] for one in after if place.attr in vars(one)), None)
        elif isinstance(place, ast.Attribute) and ast.unparse(place.value) == "self" and isinstance(self.thing, type):
            found = inspect.getattr_static(self.thing, place.attr, None)
            found = found if _FOLLOWED.search(place.attr) else None
        else:
            found = _evaluated(place, function, {})
            near = (
                written_in(found).split(".")[1:2] == written_in(function).split(".")[1:2] if callable(found) else False
            )
            found = found if _FOLLOWED.search(getattr(found, "__name__", "")) or near else None
        found = found.__func__ if isinstance(found, (staticmethod, classmethod)) else found
        found = _written(found) if inspect.isfunction(found) else None
        home = "" if found is None else written_in(found)
        inside = found is not None and home.startswith("mindspore") and "_engine" not in home
        return found if inside and found.__qualname__ not in ("Cell.__init__",) else None


def _arguments(call: ast.Call, target: Any, function: Any, known: Environment, stand_in: Any) -> Environment:
    """The parameters of a called function, with the values that are known; defaults included."""
    signature = inspect.signature(target).parameters
    names = list(signature)
    inner: Environment = {n: UNKNOWN if p.default is p.empty else p.default for n, p in signature.items()}
    if names[:1] == ["self"]:
        inner["self"], names = stand_in, names[1:]
    if any(isinstance(one, ast.Starred) for one in call.args):
        return {**dict.fromkeys(inner, UNKNOWN), **({"self": stand_in} if "self" in inner else {})}
    for name, one in [*zip(names, call.args), *((word.arg, word.value) for word in call.keywords)]:
        if name in inner:
            inner[name] = _evaluated(one, function, known)
    return inner


def _bind(target: ast.expr, value: ast.expr, function: Any, known: Environment) -> None:
    if isinstance(target, ast.Name):
        known[target.id] = _evaluated(value, function, known)
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
        for one, part in zip(target.elts, value.elts):
            _bind(one, part, function, known)
    else:
        for name in _assigned(target):
            known[name] = UNKNOWN


def _assigned(node: ast.AST) -> Iterator[str]:
    return (one.id for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store))


def _evaluated(node: ast.expr, function: Any, known: Environment) -> Any:
    """The value of an expression of constants, names and pure calls; UNKNOWN otherwise."""
    local = {*inspect.unwrap(function).__code__.co_varnames}
    for one in ast.walk(node):
        if isinstance(one, ast.Name) and (one.id in local or one.id in known) and known.get(one.id, UNKNOWN) is UNKNOWN:
            return UNKNOWN
        if isinstance(one, ast.Call) and not (_name(one.func) in _PURE or _name(one.func).startswith("_")):
            return UNKNOWN
        if isinstance(one, (ast.Lambda, ast.Await, ast.Yield, ast.NamedExpr)):
            return UNKNOWN
    try:
        value = eval(compile(ast.Expression(node), "", "eval"), dict(function.__globals__), dict(known))
    except Exception:
        return UNKNOWN
    return value


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _truth(node: ast.expr, function: Any, known: Environment) -> bool | None:
    """Whether a condition holds; None when that depends on the call."""
    if isinstance(node, ast.BoolOp):
        parts = [_truth(one, function, known) for one in node.values]
        decides = isinstance(node.op, ast.Or)
        return decides if decides in parts else None if None in parts else not decides
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = _truth(node.operand, function, known)
        return None if inner is None else not inner
    value = _evaluated(node, function, known)
    try:
        return None if value is UNKNOWN else bool(value)
    except Exception:
        return None


def _raised(node: ast.Raise, function: Any, known: Environment) -> Iterator[tuple[str, str]]:
    call = node.exc
    if not isinstance(call, ast.Call):
        return
    place, arguments = call.func, call.args
    if _name(place) == "refused" and arguments:
        place, arguments = arguments[0], arguments[1:]
    given = _evaluated(place, function, known)
    kind = getattr(given, "__name__", "") if isinstance(given, type) else _inner_kind(place, function)
    kind = _SHOWN.get(kind, kind)
    if kind not in _KINDS or not arguments:
        return
    if said := sentence(_text(arguments[0], function, known)):
        yield kind, said


def _inner_kind(node: ast.expr, function: Any) -> str:
    """The exception that an expression, or the variable it is, mentions first."""
    tree = _tree(function)
    assigned = [
        one.value
        for one in ast.walk(tree or node)
        if isinstance(one, ast.Assign) and isinstance(node, ast.Name) and _name(one.targets[0]) == node.id
    ]
    for part in (node, *assigned):
        for one in ast.walk(part):
            if isinstance(one, (ast.Name, ast.Attribute)) and (_name(one) in _KINDS or _name(one) in _SHOWN):
                return _name(one)
    return ""


def _text(node: ast.expr, function: Any, known: Environment) -> str:
    """A message as it is written, with what is not known as ``\\0``."""
    if isinstance(node, ast.Constant):
        return str(node.value)
    if isinstance(node, ast.JoinedStr):
        return "".join(_text(one, function, known) for one in node.values)
    if isinstance(node, ast.FormattedValue):
        value = _evaluated(node.value, function, known)
        return "\0" if value is UNKNOWN else repr(value) if node.conversion == 114 else str(value)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _text(node.left, function, known) + _text(node.right, function, known)
    value = _evaluated(node, function, known)
    return "\0" if value is UNKNOWN else str(value)


_SPLIT = re.compile(r",? (?:but (?:got|it|the|a|there)\b|but '|got\b|and got\b)|[.;:] |\.$|\n")


def sentence(message: str) -> str:
    """What a message says is expected, as the sentence of a reference; empty where that depends on the call."""
    text = re.sub(r"^(?:For '[^']*'|\[?[A-Z]\w+\]?|\0)[,:] *", "", message.strip())
    text = _SPLIT.split(text, maxsplit=1)[0].strip().rstrip(",")
    text = re.sub(r"(?:of|with|exactly) \0 (?=\w)", "of ", text)
    text = re.sub(r"'(\w+)'", r"`\1`", text)
    text = re.sub(r" be `(bool|dict|float|list|str|tuple|Tensor)`", r" be a \1", text).replace(
        " be `int`", " be an int"
    )
    if "\0" in text or len(text.split()) < 3 or "object at 0x" in text:
        return ""
    if found := re.fullmatch(r"(?:[Tt]he )?(?:argument )?(`\w+`|\w+) (?:must|should) (not )?be (.+)", text):
        subject = found[1] if found[1].startswith("`") else f"the {found[1]}"
        return f"If {subject} is {'' if found[2] else 'not '}{found[3]}."
    return f"{text[0].upper()}{text[1:]}."
