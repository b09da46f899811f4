"""The calls of the dtype sweep, from the declarations of the operators; and real MindSpore's answers, packed for the tests.

PYTHONPATH=src python -m tools.oracle.sweep_dtypes_plan plan /tmp/plan.json
(ask real MindSpore: see sweep_dtypes_record.py)
PYTHONPATH=src python -m tools.oracle.sweep_dtypes_plan pack /tmp/answers.jsonl tests/data/oracle/sweep_dtypes
"""

from __future__ import annotations

import inspect
import json
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np

import mindspore._ops  # noqa: F401 - declares the operators
from mindspore._engine.base.dtype import DType
from mindspore._engine.operator.arguments import OperandArgument
from mindspore._engine.operator.registry import OPS, Op
from tests.ops.samples import Samples
from tools.oracle.sweep_dtypes import Typed, Variant, kinds_of, variants

CODES = {"Bool": "b1", "Int8": "i1", "UInt8": "u1", "Int16": "i2", "UInt16": "u2", "Int32": "i4", "UInt32": "u4", "Int64": "i8",
         "UInt64": "u8", "Float16": "f2", "BFloat16": "bf", "Float32": "f4", "Float64": "f8", "Complex64": "c8",
         "Complex128": "c16"}  # fmt: skip
# What is no answer about dtypes: no kernel on CPU, or a call in another form than this version has.
NO_ANSWER = (
    "Select CPU operator",
    "Unsupported op",
    "unregistered",
    "Unsupported data type",
    "Get empty value",
    "has no attribute",
)


def variants_of(op: Op) -> list[Variant]:
    """The variants of an operator: of its first case that has arrays."""
    for case in op.test(Samples(op.name)) if op.test is not None else ():
        if kinds_of([*case.args, *case.kwargs.values()]):
            tensor = {argument.name: argument.tensor for argument in op.arguments}
            given = zip(case.args, op.arguments, strict=False)
            args = tuple([value if argument.tensor else as_lists(value) for value, argument in given])
            kwargs = {name: value if tensor[name] else as_lists(value) for name, value in case.kwargs.items()}
            first = op.arguments[:2]
            return list(variants(args, kwargs, len(first) == 2 and all(isinstance(a, OperandArgument) for a in first)))
    return []


def as_lists(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray) else value


def checksum(given: list[Variant]) -> int:
    """Tells whether the declaration still has the case that was recorded."""
    return zlib.crc32(
        json.dumps([[v.name, encode(v.args), encode(list(v.kwargs.items()))] for v in given[:12]]).encode()
    )


def encode(value: Any) -> Any:
    if isinstance(value, Typed):
        return value.as_json
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, DType):
        return {"dtype": str(value).lower()}
    if isinstance(value, (tuple, list)):
        listed = [encode(one) for one in value]
        return {"tuple": listed} if isinstance(value, tuple) else listed
    return value


def forms_of(op: Op, first: Variant) -> list[dict[str, Any]]:
    """How the operator can be called: as a function, as a class, as a method."""
    forms: list[dict[str, Any]] = [{"kind": "function", "name": name} for name in op.names]
    for primitive in op.primitives:
        call = [op.arguments[place].name for place in primitive.call_indices]
        init = list(inspect.signature(primitive).parameters)
        forms.append({"kind": "class", "name": primitive.__name__, "init": init, "call": call})
    if first.args and isinstance(first.args[0], Typed):
        forms += [{"kind": "method", "name": name} for name in op.methods]
    return forms


def plan() -> dict[str, Any]:
    found = {}
    for name, op in sorted(OPS.items()):
        given = variants_of(op)
        forms = forms_of(op, given[0]) if given else []
        if forms:
            calls = [{"name": v.name, "args": encode(list(v.args)), "gradient": v.gradient,
                      "kwargs": {key: encode(value) for key, value in v.kwargs.items()}} for v in given]  # fmt: skip
            defaults = {a.name: encode(a.default) for a in op.arguments if a.default is not inspect.Parameter.empty}
            found[name] = {
                "names": [a.name for a in op.arguments],
                "defaults": defaults,
                "forms": forms,
                "calls": calls,
            }
    return found


# -- packing ---------------------------------------------------------------------------------------------------------
def flat(answer: Any) -> list[dict[str, Any]]:
    return [one for part in answer for one in flat(part)] if isinstance(answer, list) else [answer]


def code_of(answer: Any) -> str:
    """dtype codes of the results, "T" or "V" for a refusal (TypeError, ValueError), "-" for no answer."""
    if isinstance(answer, list) or "dtype" in answer:
        return ",".join(CODES.get(one.get("dtype", ""), "py") for one in flat(answer)) or "-"
    kind, text = answer.get("error", ("", ""))
    refused = kind in ("TypeError", "ValueError") and not any(words in text for words in NO_ANSWER)
    return kind[0] if refused else "-"


def joined(answers: list[Any]) -> tuple[str, Any]:
    """The code of all forms that work on the case itself, and the first of their results."""
    codes = [code_of(answer) for answer in answers]
    results = [(code, answer) for code, answer in zip(codes, answers, strict=True) if code not in "TV-"]
    if results:
        return "/".join(dict.fromkeys(code for code, _ in results)), results[0][1]
    return next((code for code in codes if code in "TV"), "-"), None


def has_values(variant: Variant) -> bool:
    """Values are kept of what is more than a pair of dtypes: there the dtype of the result is the question."""
    return " " not in variant.name or variant.name.startswith(("index", "gradient"))


def pack(source: Path, target: Path) -> None:
    answers: dict[tuple[str, str], dict[str, Any]] = {}
    for line in source.read_text().splitlines():
        operator, form, variant, answer = json.loads(line)
        answers.setdefault((operator, variant), {})[form] = answer
    lines: list[str] = []
    numbers: list[list[float]] = []
    for name in sorted({operator for operator, _ in answers}):
        given = variants_of(OPS[name])
        works = [form for form, answer in answers[name, "own"].items() if code_of(answer) not in "TV-"]
        codes = []
        for variant in given:
            code, result = joined([answers[name, variant.name][form] for form in works])
            codes.append(code)
            if works and has_values(variant):
                numbers.append([] if result is None else [n for one in flat(result) for n in one.get("values", ())])
        if works:
            lines.append(f"  {json.dumps(name)}: [{checksum(given)}, {json.dumps(' '.join(codes))}]")
    target.with_suffix(".json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    counts = np.array([len(one) for one in numbers], "uint16")
    values = np.array([number for one in numbers for number in one], "float32")
    np.savez_compressed(target.with_suffix(".npz"), counts=counts, values=values)


Answers = dict[str, tuple[str, np.ndarray | None]]  # by variant: the code, and the elements that were kept


def load(path: Path) -> dict[str, tuple[list[Variant], Answers]]:
    """By operator: its variants and the answers. Refuses data of another case than the operator declares now."""
    with np.load(path.with_suffix(".npz")) as stored:
        ends = np.cumsum(stored["counts"])
        parts = iter(np.split(stored["values"], ends[:-1]))
    found = {}
    for name, (check, codes) in json.loads(path.with_suffix(".json").read_text()).items():
        given = variants_of(OPS[name])
        if checksum(given) != check:
            raise ValueError(f"The first case of '{name}' changed: record again, see tools/oracle/README.md.")
        pairs = zip(given, codes.split(" "), strict=True)
        found[name] = given, {v.name: (code, next(parts) if has_values(v) else None) for v, code in pairs}
    return found


if __name__ == "__main__":
    command, *paths = sys.argv[1:]
    if command == "plan":
        Path(paths[0]).write_text(json.dumps(plan()))
    else:
        pack(Path(paths[0]), Path(paths[1]))
