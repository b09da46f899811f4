"""The recorded answers to the calls of ``sweep_shapes.py``: what in ``sweep_shapes.json``, numbers in the ``.npz``.

Calls of one form are kept by answer, since most wrong calls of an operator get the same one: ``{answer: [labels]}``.
An answer is the type of an error, or ``dtype[shape]`` for each result with "->" before the gradients; the numbers
follow in the order of the file. Of a Primitive class only what its function answers otherwise is kept.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

Answer = dict[str, Any]
Records = dict[str, dict[str, Answer]]  # form, label


def save(path: Path, records: Mapping[str, Mapping[str, Answer]]) -> None:
    numbers: dict[str, list[float]] = {}
    lines = []
    for form, answers in records.items():
        kept: dict[str, list[str]] = {}
        for label, answer in answers.items():
            kept.setdefault(_text(answer), []).append(label)
        for label in itertools.chain.from_iterable(kept.values()):
            _collect(answers[label], numbers)
        lines.append(f"{json.dumps(form)}: {json.dumps(kept)}")
    path.with_suffix(".json").write_text("{\n" + ",\n".join(lines) + "\n}\n")
    arrays: dict[str, Any] = {name: np.array(values, _kept_as(name)) for name, values in numbers.items()}
    np.savez_compressed(path.with_suffix(".npz"), **arrays)


def load(path: Path) -> Records:
    with np.load(path.with_suffix(".npz")) as stored:
        supply = {name: iter(stored[name].tolist()) for name in stored.files}
    records: Records = {}
    for form, kept in json.loads(path.with_suffix(".json").read_text()).items():
        records[form] = {label: _restored(text, supply) for text, labels in kept.items() for label in labels}
    return records


def _kept_as(dtype: str) -> str:
    """Enough digits for a comparison: small files are worth more than the last ones."""
    return {
        "Float64": "float32",
        "Int64": "int32",
        "Bool": "bool",
        "Complex64": "float32",
        "Complex128": "float32",
    }.get(dtype, "float32" if "Float" in dtype else "int32")


def _text(answer: Answer) -> str:
    if "error" in answer:
        return ": ".join(filter(None, answer["error"]))
    gradient = f" -> {_shape(answer['gradient'])}" if answer.get("gradient") is not None else ""
    return _shape(answer["result"]) + gradient


def _shape(result: Any) -> str:
    if isinstance(result, list):
        return "(" + "; ".join(map(_shape, result)) + ")"
    return f"{result['dtype']}{result['shape']}" if isinstance(result, dict) else f"={result}"


def _collect(answer: Answer, numbers: dict[str, list[float]]) -> None:
    for result in (answer.get("result"), answer.get("gradient")):
        for leaf in leaves(result):
            numbers.setdefault(leaf["dtype"], []).extend(np.ravel(leaf["values"]).tolist())


def leaves(result: Any) -> list[dict[str, Any]]:
    if isinstance(result, list):
        return [leaf for one in result for leaf in leaves(one)]
    return [result] if isinstance(result, dict) else []


def _restored(text: str, supply: Mapping[str, Any]) -> Answer:
    if re.match(r"\w+(Error|$)", text):
        kind, _, message = text.partition(": ")
        return {"error": [kind, message]}
    result, _, gradient = text.partition(" -> ")
    answer = {"result": _parsed(result, supply)}
    return {**answer, "gradient": _parsed(gradient, supply)} if gradient else answer


def _parsed(text: str, supply: Mapping[str, Any]) -> Any:
    if text.startswith("("):
        return [_parsed(one, supply) for one in _items(text[1:-1])]
    if text.startswith("="):
        return text[1:]
    dtype, _, dimensions = text.rstrip("]").partition("[")
    shape = [int(size) for size in dimensions.split(",") if size]
    count = min(math.prod(shape), KEPT_VALUES)
    pairs = dtype.startswith("Complex")
    values = [next(supply[dtype]) for _ in range(count * (2 if pairs else 1))]
    return {"dtype": dtype, "shape": shape, "values": np.reshape(values, (-1, 2)).tolist() if pairs else values}


def _items(text: str) -> list[str]:
    """Parts between semicolons that are outside of parentheses."""
    parts, depth = [""], 0
    for character in text:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == ";" and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts if part.strip()]


KEPT_VALUES = 12  # of each result; its shape and dtype are kept in any case
