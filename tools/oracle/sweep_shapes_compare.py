"""Says in words how this package's answer to a call of ``sweep_shapes.py`` differs from real MindSpore's."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from tools.oracle.compare import TOLERANCE
from tools.oracle.sweep_shapes import Call, encode_call
from tools.oracle.sweep_shapes_purpose import ON_PURPOSE
from tools.oracle.sweep_shapes_words import unrelated
from tools.oracle.sweep_shapes_worker import answer

Answer = dict[str, Any]
# What real MindSpore says when it has no answer: no kernel for the CPU, a failure inside it, a name it lacks.
NO_ANSWER = re.compile(
    r"unregistered|Unsupported op|unexpected error|has no attribute|kernel failed|kernel: Default|memcpy|CreateKernel"
    r"|could not (create|execute)|on CPU|CPU/GPU|Cast failed|pointer\[|_stride is zero|create an issue"
    r"|unexpected keyword argument '(?!misspelt)"
)
CLEAR = re.compile(
    r"For '|For primitive\[|For COOTensor|The (index|tensor) |Too many indices|index \d+ is out of bounds"
)
RAW = re.compile(
    r"[Tt]racer|jax|XLA|jnp\.|lax\.|ShapedArray|dot_general|NoneType' object|object is not|do not fit together"
)


def is_answer(real: Answer) -> bool:
    return "result" in real or ("error" in real and not NO_ANSWER.search(real["error"][1]))


def is_on_purpose(name: str, ours: str, real: str) -> bool:
    return any(
        re.match(where, name) and re.match(mine, ours) and re.match(theirs, real)
        for where, mine, theirs, _ in ON_PURPOSE
    )


def differences(call: Call, real: Answer) -> list[str]:
    """What differs; where real MindSpore gives no answer ours must answer or refuse in clear words."""
    return compare(call.name, answer(encode_call(call), once=True), real)


def compare(name: str, ours: Answer, real: Answer) -> list[str]:
    found = []
    if "error" in ours and (RAW.search(ours["error"][1]) or not CLEAR.match(ours["error"][1])):
        found.append(f"unclear error {said(ours)}")
    if not is_answer(real):
        return found
    if "error" in ours or "error" in real:
        differs = ours.get("error", [""])[0] != real.get("error", [""])[0]
    else:
        differs = bool(compare_values(ours["result"], real["result"]))
    if differs:
        return found if is_on_purpose(name, said(ours), said(real)) else [*found, f"{said(ours)}; real: {said(real)}"]
    if "error" in ours:
        other = unrelated(name.partition(": ")[2], ours["error"][1], real["error"][1])
        return [*found, f"other words: {said(ours)}; real: {said(real)}"] if other else found
    if real.get("gradient") is None:
        return found
    if "gradient" not in ours or compare_values(ours["gradient"], real["gradient"]):
        texts = f"gradient: {ours.get('gradient error')}", f"gradient: {shown(real['gradient'])}"
        if "gradient" in ours:
            texts = f"gradient: {shown(ours['gradient'])}", texts[1]
        if not is_on_purpose(name, *texts):
            found.append(f"{texts[0]}; real: {texts[1]}")
    return found


def said(answer: Answer) -> str:
    if "error" in answer:
        return ": ".join(answer["error"])
    return f"no error: {shown(answer['result'])}"


def compare_values(ours: Any, real: Any) -> bool:
    """Whether two results differ."""
    if isinstance(real, list) and isinstance(ours, list) and len(real) == len(ours):
        return any(map(compare_values, ours, real))
    if not isinstance(real, dict) or not isinstance(ours, dict):
        return ours != real
    if ours["dtype"] != real["dtype"] or ours["shape"] != real["shape"]:
        return True
    relative, absolute = TOLERANCE.get(real["dtype"], (1e-12, 1e-12))
    count = len(real["values"])
    found, wanted = (np.array(one["values"][:count], np.float64) for one in (ours, real))
    return not np.allclose(found, wanted, 10 * relative, 10 * absolute, equal_nan=True)


def shown(result: Any) -> str:
    if isinstance(result, list):
        return "(" + ", ".join(map(shown, result)) + ")"
    if not isinstance(result, dict):
        return str(result)
    values = ", ".join(f"{v:.4g}" if isinstance(v, float) else str(v) for v in result["values"][:6])
    return f"{result['dtype']}{result['shape']} {values}"
