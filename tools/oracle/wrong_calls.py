"""Wrong calls of public functions, layers and dataset operations: good calls with one argument exchanged.

The good calls are those of the other cases, and ``wrong_call_bases``; what is exchanged follows from the argument's value. Each
parameter that the good call leaves out is given a wrong value by its name.
"""

from __future__ import annotations

import ast
import copy
import functools
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tools.oracle.case import Array, Case
from tools.oracle.dataset_cases import TEXT, TRANSFORMS
from tools.oracle.families import FAMILIES, LAYER_FAMILIES
from tools.oracle.form_cases import calls
from tools.oracle.layer_case import LayerCase
from tools.oracle.record_audio import CASES as AUDIO
from tools.oracle.record_vision import CASES as VISION
from tools.oracle.record_vision import lines
from tools.oracle.signature_lines import parse
from tools.oracle.wrong_call_bases import BASES
from tools.oracle.wrong_call_bases_further import FURTHER

SIGNATURES = Path(__file__).resolve().parents[2] / "tests/data/signatures.json"
PREFIXES = {"T": "dataset.transforms", "X": "dataset.text", "vision": "dataset.vision", "audio": "dataset.audio", "ds": "dataset",
            "P": "ops", "mnp": "numpy", "ms": "", "rows": "dataset.AGNewsDataset", "net": "nn.Cell", "x": "Tensor", "n": "Tensor", "b": "Tensor", "m": "Tensor",
            "v": "Tensor"}  # fmt: skip
# What stands for a value of each kind.
MUTANTS = {
    "int": ("'a'", "None", "1.5", "True", "-1", "0", "2 ** 40", "[1]", "-100"),
    "float": ("'a'", "None", "True", "-1.0", "0.0", "1.5", "nan", "[0.5]", "2"),
    "bool": ("'a'", "None", "1", "[True]"),
    "str": ("1", "None", "'foo'", "''", "['a']", "True"),
    "sequence": ("'a'", "None", "1", "()", "(1, 'a')", "(-1, -1)", "(1.5, 2.5)", "(1, 2, 3, 4, 5, 6, 7)", "(0, 0)"),
    "tensor": ("None", "1", "'a'", "[1]", "{}[None]", "{}.astype(ms.int32)", "{}.astype(ms.float64)", "{}.astype(ms.bool_)"),
    "array": ("None", "1", "'a'", "{}[None]", "{}[0]", "np.array('a')"),
    "other": ("'a'", "None", "1", "-1", "1.5", "True", "[]", "['a']"),
}  # fmt: skip


@dataclass(frozen=True)
class WrongCall:
    """``source`` is the call, ``name`` the operation, ``argument`` what is wrong in it."""

    source: str
    name: str
    argument: str
    inputs: dict[str, Array] = field(default_factory=dict)
    good: str = ""  # the call that this one was made of
    kind: str = ""  # what the argument is in it: a key of MUTANTS
    given: str = ""  # what stands there instead

    @property
    def key(self) -> str:
        return self._with_inputs(self.source)

    @property
    def good_key(self) -> str:
        return self._with_inputs(self.good.strip())

    def _with_inputs(self, source: str) -> str:
        described = " ".join(f"{name}={array}" for name, array in self.inputs.items())
        return f"{source} | {described}" if described else source

    @property
    def case(self) -> Case:
        return Case(self.source, self.inputs)


@functools.cache
def _signatures() -> dict[str, str]:
    recorded = json.loads(SIGNATURES.read_text())
    return {**{path: lines[0] for path, lines in recorded["forms"].items()}, **recorded["signatures"]}


def _parameters(path: str) -> list[tuple[str, str | None]]:
    """Names and defaults of a public function or class."""
    head, _, rest = path.partition(".")
    full = ".".join(part for part in (PREFIXES.get(head, head), rest) if part)
    known = (full, full.removeprefix("train."), full.removeprefix("amp."))
    line = next(
        (_signatures()[name] for part in known for name in (part, f"{part}.__init__") if name in _signatures()), None
    )
    parsed = parse(line) if line else None
    return [(name, parsed.defaults.get(name)) for name in (*parsed.by_position, *parsed.by_keyword)] if parsed else []


def _kind(text: str | None, arrays: frozenset[str]) -> str:
    if text is None or text == "None":
        return "other"
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        names = (
            {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)} if "<" not in text else set()
        )
        return ("tensor" if "Tensor" in names or names & arrays else "other") if "=" not in text else "other"
    kinds = {bool: "bool", int: "int", float: "float", str: "str", tuple: "sequence", list: "sequence"}
    return kinds.get(type(value), "other")


def exchanged(
    call: ast.Call, path: str, arrays: frozenset[str], tensor: str = "tensor"
) -> Iterator[tuple[str, str, str, str]]:
    """(text of a wrong call, name of the wrong argument, what kind it is, what was given)."""
    parameters = _parameters(path)
    given = {keyword.arg for keyword in call.keywords}
    for position, value in enumerate(call.args):
        name = parameters[position][0] if position < len(parameters) else str(position)
        given.add(name)
        if isinstance(value, ast.Starred):
            continue
        text = ast.unparse(value)
        kind = _kind(text, arrays)
        for wrong in MUTANTS[tensor if kind == "tensor" else kind]:
            changed = copy.deepcopy(call)
            changed.args[position] = ast.parse(wrong.format(f"({text})"), mode="eval").body
            yield ast.unparse(changed), name, kind, wrong
    for keyword in call.keywords:
        name, text = keyword.arg or "", ast.unparse(keyword.value)
        kind = _kind(text, arrays)
        for wrong in MUTANTS[kind]:
            yield _with_keyword(call, name, wrong.format(f"({text})")), name, kind, wrong
    for name, default in parameters:
        if name not in given and not name.startswith("*"):
            kind = _kind(default, frozenset())
            for wrong in MUTANTS[kind]:
                if wrong != default:
                    yield _with_keyword(call, name, wrong), name, kind, wrong
    yield _with_keyword(call, "foo", "1"), "foo", "", ""
    if call.args:
        fewer = copy.deepcopy(call)
        fewer.args.pop()
        yield ast.unparse(fewer), parameters[len(fewer.args)][0] if len(fewer.args) < len(parameters) else "", "", ""
    more = copy.deepcopy(call)
    more.args += [ast.Constant(1)] * (len(parameters) + 1)
    yield ast.unparse(more), "", "", ""


def _with_keyword(call: ast.Call, name: str, text: str) -> str:
    changed = copy.deepcopy(call)
    changed.keywords = [keyword for keyword in changed.keywords if keyword.arg != name]
    changed.keywords.append(ast.keyword(name, ast.parse(text, mode="eval").body))
    return ast.unparse(changed)


def _expression(source: str) -> ast.Call | None:
    try:
        body = ast.parse(source.strip(), mode="eval").body
    except SyntaxError:
        return None
    return body if isinstance(body, ast.Call) else None


def _wrong(source: str, inputs: dict[str, Array], tensor: str = "tensor") -> Iterator[WrongCall]:
    """The good call as it is, then with wrong arguments and, if it calls something made in the same line, with a wrong making of that."""
    call = _expression(source)
    if call is None:
        return
    yield WrongCall(source.strip(), _head(source), "", inputs, source)
    arrays = frozenset(inputs) if inputs else frozenset("xynbmvijksrz") if tensor == "tensor" else frozenset(_DATA)
    if isinstance(call.func, ast.Call):
        path = ast.unparse(call.func.func)
        for text, argument, kind, given in exchanged(call.func, path, arrays, tensor):
            rest = ", ".join(map(ast.unparse, call.args))
            yield WrongCall(f"{text}({rest})", path, argument, inputs, source, kind, given)
    else:
        path = ast.unparse(call.func)
    inner = "" if isinstance(call.func, ast.Call) else path
    for text, argument, kind, given in exchanged(call, inner, arrays, tensor):
        yield WrongCall(text, path, argument, inputs, source, kind, given)


_DATA = ("rgb", "gray", "single", "picture", "chw", "gray_hwc", "single_chw", "jpeg", "png", "wave", "double", "cube")


def _head(source: str) -> str:
    call = _expression(source)
    if call is None:
        return ""
    return ast.unparse(call.func.func if isinstance(call.func, ast.Call) else call.func)


def groups() -> dict[str, list[tuple[str, dict[str, Array]]]]:
    """Good calls by group: the first of each operation, with its inputs."""
    layers = [
        (f"{case.build}({', '.join(case.inputs)})" if case.inputs else case.build, case.inputs)
        for family in LAYER_FAMILIES.values()
        for case in family
        if isinstance(case, LayerCase)
        and not case.raises
        and not case.oracle_crash
        and not case.call
        and ";" not in case.build
    ]
    operators = [
        (case.source, case.inputs)
        for name, family in FAMILIES.items()
        if name != "errors" and not name.startswith("gradient_")
        for case in family
        if not case.raises and not case.oracle_crash and ";" not in case.source
    ]
    return {
        "dataset": _first([(line, {}) for text in (TRANSFORMS, TEXT, VISION, AUDIO) for line in lines(text)]),
        "layers": _first(layers),
        "operators": _first(operators),
        "methods": _first([(call, {}) for call in calls()]),
        **{name: [(line, {}) for line in lines(text)] for name, text in {**BASES, **FURTHER}.items()},
    }


def _first(bases: list[tuple[str, dict[str, Array]]]) -> list[tuple[str, dict[str, Array]]]:
    first: dict[str, tuple[str, dict[str, Array]]] = {}
    for source, inputs in bases:
        head = _head(source)
        if head and "(" not in head:
            first.setdefault(head, (source, inputs))
    return list(first.values())


@functools.cache
def wrong_calls(group: str) -> list[WrongCall]:
    """Wrong calls of a group, each once."""
    tensor = "array" if group.startswith("dataset") else "tensor"
    found = {wrong.key: wrong for source, inputs in groups()[group] for wrong in _wrong(source, inputs, tensor)}
    # a huge number is a limit to datasets; to others it is an order of memory or time
    return [wrong for wrong in found.values() if tensor == "array" or "2 ** 40" not in wrong.source]
