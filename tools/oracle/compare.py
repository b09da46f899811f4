"""Compare this package's answers with the recorded ones. Every function returns a list of differences in words."""

from __future__ import annotations

import traceback
from typing import Any

import numpy as np

from tools.oracle.case import Case
from tools.oracle.execute import flat_tensors, is_tensor
from tools.oracle.storage import Leaf, from_stored, to_stored

# Relative and absolute; real MindSpore approximates exp, log and erf on CPU.
TOLERANCE = {
    "Float16": (4e-3, 2e-3),
    "BFloat16": (1.6e-2, 1e-2),
    "Float32": (2e-5, 5e-6),
    "Float64": (1e-6, 1e-7),
    "Complex64": (2e-5, 5e-6),
}


def compare_output(expected: Any, actual: Any, case: Case, ms: Any, where: str, values: bool = True) -> list[str]:
    """Structure, dtypes, shapes and, unless the case says otherwise, values."""
    if isinstance(expected, list):
        if not isinstance(actual, (tuple, list)) or len(actual) != len(expected):
            return [f"{where}: {len(expected)} results expected, got {short(actual)}"]
        pairs = enumerate(zip(expected, actual, strict=True))
        return [line for i, (e, a) in pairs for line in compare_output(e, a, case, ms, f"{where}[{i}]", values)]
    if isinstance(expected, dict):
        return compare_python_value(expected, actual, where)
    if not is_tensor(actual, ms):
        return [f"{where}: a Tensor {expected.dtype} expected, got {short(actual)}"]
    if str(actual.dtype) != expected.dtype:
        return [f"{where}: dtype {actual.dtype}, expected {expected.dtype}"]
    if tuple(actual.shape) != expected.values.shape:
        return [f"{where}: shape {tuple(actual.shape)}, expected {expected.values.shape}"]
    return compare_values(expected, actual, case, where) if values else []


def compare_python_value(expected: dict[str, str], actual: Any, where: str) -> list[str]:
    if repr(actual) == expected["repr"]:
        return []
    if isinstance(actual, float) and np.isclose(actual, float(expected["repr"]), rtol=1e-5):
        return []
    if expected["type"].startswith("float") and np.isclose(float(actual), float(expected["repr"]), rtol=1e-5):
        return []
    return [f"{where}: {short(actual)}, expected {expected['repr']}"]


def compare_values(expected: Leaf, actual: Any, case: Case, where: str) -> list[str]:
    got = from_stored(expected.dtype, to_stored(actual))
    if expected.dtype not in TOLERANCE:
        same = np.array_equal(got, expected.values)
    else:
        relative, absolute = TOLERANCE[expected.dtype]
        if case.tolerance is not None:
            relative, absolute = max(relative, case.tolerance), max(absolute, case.tolerance)
        wide = "complex128" if expected.dtype.startswith("Complex") else "float64"
        same = np.allclose(got.astype(wide), expected.values.astype(wide), relative, absolute, equal_nan=True)
    return [] if same else [f"{where}: {brief(got)}, expected {brief(expected.values)}"]


def compare_text(recorded: list[list[str]], output: Any, expected: Any, ms: Any) -> list[str]:
    """`str` and `repr`, where the numbers themselves are bit-identical."""
    found = []
    leaves = [leaf for leaf in flat_leaves(expected) if leaf.values.size <= 40]
    tensors = [tensor for tensor in flat_tensors(output, ms) if tensor.size <= 40]
    for (text, representation), leaf, tensor in zip(recorded, leaves, tensors, strict=True):
        if to_stored(tensor).tobytes() != to_bits(leaf).tobytes():
            continue
        if str(tensor) != text:
            found.append(f"str: {str(tensor)!r}, expected {text!r}")
        if repr(tensor) != representation:
            found.append(f"repr: {repr(tensor)!r}, expected {representation!r}")
    return found


def to_bits(leaf: Leaf) -> np.ndarray:
    if leaf.dtype != "BFloat16":
        return leaf.values
    return (np.ascontiguousarray(leaf.values).view("uint32") >> 16).astype("uint16")


def flat_leaves(expected: Any) -> list[Leaf]:
    if isinstance(expected, list):
        return [leaf for item in expected for leaf in flat_leaves(item)]
    return [expected] if isinstance(expected, Leaf) else []


def compare_error(recorded: list[str], error: BaseException, case: Case, where: str) -> list[str]:
    """An error of the recorded type, or of one the case accepts."""
    accepted = {recorded[0], *(case.raises if isinstance(case.raises, tuple) else ())}
    names = {kind.__name__ for kind in type(error).__mro__}
    if names & accepted and not is_raw(error):
        return []
    return [f"{where}: {describe(error)}, expected {' or '.join(sorted(accepted))}: {recorded[1]}"]


def is_raw(error: BaseException) -> bool:
    """Whether an error of JAX reached the user untranslated: raised by its code, or of one of its types."""
    if type(error).__module__.split(".")[0] in ("jax", "jaxlib"):
        return True
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and any(f"/{package}/" in frames[-1].filename for package in ("jax", "jaxlib"))


def describe(error: BaseException) -> str:
    raw = "raw JAX error " if is_raw(error) else ""
    lines = str(error).strip().splitlines() or [""]
    return f"{raw}{type(error).__name__}: {lines[0][:160]}"


def short(value: Any) -> str:
    return f"{type(value).__name__} {value!r}".replace("\n", " ")[:120]


def brief(values: np.ndarray) -> str:
    return np.array2string(values.reshape(-1)[:8], precision=6, max_line_width=200).replace("\n", "")
