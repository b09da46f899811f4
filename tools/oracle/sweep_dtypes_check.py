"""Compare this package with real MindSpore's answers of the dtype sweep.

PYTHONPATH=src python -m tools.oracle.sweep_dtypes_check tests/data/oracle/sweep_dtypes [--values] [operator ...]

Result dtypes and refusals show when an operator is traced, without compiling; values need a compilation per operator.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import mindspore
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.errors import explain
from mindspore._engine.base.kernel import is_inexact, pull_back
from mindspore._engine.operator.registry import OPS, Op
from mindspore._engine.tensor.tensor import Tensor
from tools.oracle.sweep_dtypes import DTYPES, Typed, Variant
from tools.oracle.sweep_dtypes_plan import CODES, Answers, has_values, load
from tools.oracle.sweep_dtypes_record import kept

REFUSALS = {"T": TypeError, "V": ValueError}
TOLERANCE = {"f2": 6e-3, "bf": 4e-2, "f4": 1e-4, "f8": 1e-5, "c8": 1e-4}

# Where this package does something else on purpose: operators and variants (regular expressions), and why.
_MOVES = (
    "_fill_diagonal|batch_to_space_nd|space_to_batch_nd|conj|count_nonzero|diag_embed|diag_part|diagonal_scatter|identity_n|im2col|"
    "extract_volume_patches|inplace_\\w+|isclose|isfinite|lu_unpacked|matrix_diag|matrix_set_diag|max_unpool\\dd|nansum|repeat_\\w+|"
    "scatter_elements_add|select_scatter|slice_scatter|sparse_to_dense|tensor_scatter_\\w+|tril|unfold|unique_with_pad"
)
_ALGEBRA = (
    "addmv|addr|cholesky_solve|conv3d_transpose\\w*|dist|least_squares|lu_solve|matrix_power|matrix_solve_ls|nuclear_norm|"
    "pdist\\w*|pinv"
)
ON_PURPOSE = {
    rf"({_MOVES}) (bool|complex64): .* instead of a TypeError": "moves, counts or compares elements, of whatever dtype",
    rf"({_ALGEBRA}) (bool|complex64): .* instead of a TypeError": "linear algebra of complex numbers is well defined",
    r"(add|sub) (bool|bool True|True bool): b1": "sums and differences of truth values are 'or' and 'xor'",
    r"(adaptive_avg_pool3d|fractional_\w+) u?int": "would cut off the fractions of an average; the gradient needs floats",
    r"addc(div|mul) u?int": "the factor 0.5 is not cut off to 0",
    r"(l1_loss|std|var) (bool|u?int\d+): ": "the mean of integers is no integer",
    r"selu int\d+: ": "only the result is cut off to a whole number",
    r"bitwise_right_shift \w+ (b?float\d+|complex64|1.5): TypeError": "a number of bits is whole",
    r"floor_(div|mod) .*complex64.*: TypeError": "complex numbers have no floor",
    r"(floor_mod|fmod) bool( True)?: TypeError": "truth values have no remainder",
    r"unsorted_segment_(max|min) complex64: ": "complex numbers have no order",
    r"(cond|layer_norm_primitive|trapz) float64: ": "float64 stays float64",
    r"(copysign|exp2|trapz) bfloat16": "bfloat16 stays bfloat16",
    r"(matrix_norm|norm|vector_norm|slogdet|svd|svd_primitive) complex64: ": "a magnitude is a real number, as in NumPy",
    r"(i?h?r?fft[2n]?|mse_loss|trapz) complex64: ": "imaginary parts are not dropped",
    r"sparse_ctc_loss index ": "indices of any integer dtype",
    r"svd_primitive \w+: ": "the signs of singular vectors are not defined",
    r"topk u?int\d+: ": "the order of equal elements is not defined",
    r"(unsorted_segment_sum|nll_loss_primitive) index int16: TypeError": "indices are int32 or int64",
    r"(binary_cross_entropy_with_logits|lstm_primitive|nll_loss_primitive) float\d+ float\d+: ": "converted, or refused by name",
    r"xlogy (True b?float16|b?float16 True): ": "a truth value does not widen a Tensor",
    r"\w+ gradient \w+: [a-z0-9,]+ instead of": "a gradient has the dtype of its input, there not always",
    r"(cholesky_\w+|gather|inplace_\w+|iou|selu) gradient": "the gradient is the slope, see tests/ops/test_registry.py; there not",
    r"any (int|float|complex)": "everything but 0 counts as true; there only some bytes are looked at",
    r"eig(_primitive|vals)? \w+: ": "the order of eigenvalues is not defined",
    r"lstm_primitive \w+: ": "the last results are a device's own notes for the gradient",
    r"max_pool_with_argmax (own|float\d+): ": "paddings of a kernel that is not square are swapped there",
    r"resize_bicubic (own|float\d+): ": "weights come from a table of 1024 steps there",
    r"sinc bool: ": "1 at 0; there nan",
    r"rgb_to_hsv float16: .* inf": "overflows there",
    r"sparse_ctc_loss (own|float\d+): ": "after the end of a sequence there is no gradient; there it is left open",
    r"truncate_div u?int\d+: ": "integers divided by 0 are undefined",
    r"(huber_loss|margin_ranking_loss|nll_loss) uint8: ": "a difference of unsigned numbers must not wrap around",
}


def tensors(value: Any) -> Any:
    if isinstance(value, Typed):
        return Tensor(value.values, mindspore.bfloat16) if value.dtype == "bfloat16" else Tensor(value.values)
    return type(value)(tensors(one) for one in value) if isinstance(value, (tuple, list)) else value


class Call:
    """A variant as a function of arrays that JAX can trace."""

    def __init__(self, op: Op, variant: Variant):
        args = tuple([tensors(value) for value in variant.args])
        self.kernel, inputs = op.select(args, {name: tensors(value) for name, value in variant.kwargs.items()})
        self.values = [x._value if isinstance(x, Tensor) else x for x in inputs]
        self.arrays = [x for x in self.values if isinstance(x, jax.Array)]
        wanted = [args[place] for place in variant.gradient]
        self.wanted = tuple([any(x is one for one in wanted) for x in inputs])

    def __call__(self, arrays: Sequence[Any]) -> Any:
        supply = iter(arrays)
        values = [next(supply) if isinstance(x, jax.Array) else jnp.asarray(x) for x in self.values]
        results = self.kernel.function(*values)
        if not any(self.wanted):
            return results
        results = results if isinstance(results, tuple) else (results,)
        given = tuple([is_inexact(one.dtype) and one.dtype.kind != "c" for one in results])
        seeds = [jnp.ones_like(one) for one, has in zip(results, given, strict=True) if has]
        return pull_back(self.kernel.function, values, self.wanted, given, seeds)

    def traced(self) -> str:
        """The dtype codes of the results."""
        try:
            results = jax.eval_shape(self, self.arrays)
        except Exception as error:
            raise explain(error, self.kernel.name, self.values) from None
        return ",".join(CODES[str(dtypes.from_numpy(one.dtype))] for one in flat_results(results))


def flat_results(results: Any) -> list[Any]:
    return list(results) if isinstance(results, (tuple, list)) else [results]


def dtype_differences(name: str, given: Sequence[Variant], answers: Answers) -> list[str]:
    """What differs in result dtypes and refusals."""
    found = []
    for variant in given:
        code = answers[variant.name][0]
        if code == "-" or "py" in code:
            continue
        try:
            got: Any = Call(OPS[name], variant).traced()
        except Exception as error:
            got = error
        if problem := dtype_problem(got, code, variant, answers):
            found.append(f"{name} {variant.name}: {problem}")
    return [line for line in found if not reason(line)]


def dtype_problem(got: Any, code: str, variant: Variant, answers: Answers) -> str:
    if code in REFUSALS and variant.gradient:
        return ""  # by the gradient of another operator, or of none
    if code in REFUSALS:
        if not isinstance(got, Exception):
            return "" if accepts_more(variant, answers) else f"{got} instead of a {REFUSALS[code].__name__}"
        worded = str(got).startswith("For '") and "but got" in str(got)
        if isinstance(got, (TypeError, ValueError)) and (worded or "do not fit together" in str(got)):
            return ""
        return f"{type(got).__name__} instead of a {REFUSALS[code].__name__}: {got}"
    if isinstance(got, Exception):
        return f"{type(got).__name__} instead of {code}: {got}"
    return "" if got in code.split("/") else f"{got} instead of {code}"


KINDS = {"bool": "b", "bfloat16": "f", "complex64": "c"}


def kind_of(dtype: str) -> str:
    return KINDS.get(dtype) or ("f" if dtype.startswith("float") else "i")


def accepts_more(variant: Variant, answers: Answers) -> bool:
    """Whether a call that MindSpore refuses may be answered here.

    Where it takes one floating-point (integer) dtype, or only lacks a kernel for it, this package takes all of them; different dtypes are converted, and a
    Python number may stand for a Tensor.
    """
    words = variant.name.removeprefix("index ").split(" ")
    if len(words) == 2:
        return True
    prefix = "index " if variant.name.startswith("index ") else ""
    alike = [f"{prefix}{dtype}" for dtype in DTYPES if kind_of(dtype) == kind_of(words[0])]
    return any(answers[one][0] not in REFUSALS for one in alike if one in answers)


def reason(line: str) -> str:
    """Why a difference is on purpose, or nothing."""
    return next((why for pattern, why in ON_PURPOSE.items() if re.match(pattern, line)), "")


# -- values ----------------------------------------------------------------------------------------------------------
def value_differences(name: str, given: Sequence[Variant], answers: Answers) -> list[str]:
    """What differs in values and gradients, of the variants that have the same dtypes: all in one compilation."""
    calls = [(variant, call) for variant in given if (call := comparable(name, variant, answers)) is not None]
    functions: list[Callable[[Any], Any]] = [call for _, call in calls]
    if not calls:
        return []
    try:
        results = jax.jit(lambda inputs: [f(x) for f, x in zip(functions, inputs, strict=True)])(
            [c.arrays for _, c in calls]
        )
    except Exception as error:
        return [f"{name}: one of the dtypes cannot be compiled: {error}"]
    found = [line for (v, _), r in zip(calls, results, strict=True) for line in compared(v, r, *answers[v.name])]
    return [line for line in (f"{name} {one}" for one in found) if not reason(line)]


def comparable(name: str, variant: Variant, answers: Answers) -> Call | None:
    code, values = answers[variant.name]
    if values is None or not has_values(variant) or not values.size or code in ("T", "V", "-"):
        return None
    try:
        call = Call(OPS[name], variant)
        return call if call.traced() == code.split("/")[0] else None
    except Exception:
        return None  # the other check reports it


def compared(variant: Variant, results: Any, code: str, recorded: np.ndarray | None) -> Iterator[str]:
    values = np.zeros(0) if recorded is None else recorded
    parts = [np.array(kept(np.asarray(one)), "float32") for one in flat_results(results)]
    tolerance = max(TOLERANCE.get(one, 1e-6) for one in code.split("/")[0].split(","))
    got = np.concatenate(parts)
    if got.shape != values.shape:
        yield f"{variant.name}: {got.size} elements instead of {values.size}"
    elif not np.allclose(got, values, tolerance, tolerance * max(1.0, extent(values)), equal_nan=True):
        yield f"{variant.name}: {got[:6]} instead of {values[:6]}"


def extent(values: np.ndarray) -> float:
    """The largest number: what cancels in a sum of halves is as wrong as its largest part."""
    finite = np.abs(values[np.isfinite(values)])
    return float(finite.max()) if finite.size else 0.0


def main(path: str, *words: str) -> None:
    recorded = load(Path(path))
    chosen = [word for word in words if not word.startswith("--")] or list(recorded)
    check = value_differences if "--values" in words else dtype_differences
    for name in chosen:
        for line in check(name, *recorded[name]):
            print(line, flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
