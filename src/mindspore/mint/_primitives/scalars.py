"""Python's numbers, tuples, names and dtypes as operators know them."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import mindspore.common.dtype as mstype
from mindspore import ops
from mindspore._ops.effects.device_status import npu_float_status
from mindspore.ops import Tensor

# The numbers by which MindSpore's compiler knows dtypes and the words of string arguments.
TYPE_IDS = {
    mstype.bool_: 30, mstype.int8: 32, mstype.int16: 33, mstype.int32: 34, mstype.int64: 35, mstype.uint8: 37,
    mstype.uint16: 38, mstype.uint32: 39, mstype.uint64: 40, mstype.float16: 42, mstype.float32: 43,
    mstype.float64: 44, mstype.bfloat16: 45, mstype.complex64: 51, mstype.complex128: 52,
}  # fmt: skip
_WORDS = {
    0: "SUM PAD CONSTANT BILINEAR ZEROS NCHW BSH BACKWARD ASYMMETRIC GELS SET EQ DEFAULT MASK_NONE ROUND",
    1: "MEAN SAME REFLECT NEAREST BORDER NHWC BNSD ADD TRUNC FORWARD ALIGN_CORNERS RELU GELSY MASK_NORM",
    2: "NONE VALID SYMMETRIC REFLECTION SBH FLOOR ORTHO HALF_PIXEL GELSD MASK_ALIBI",
    3: "FULL BSND UPDATE GELSS MASK_SPEC",
    4: "TND",
    6: "NSD",
    7: "SH",
    8: "BNSD_BSND",
    10: "TANH",
    14: "NCDHW",
    15: "LINEAR",
    17: "NDHWC",
    19: "GELU",
    20: "ND",
    22: "FASTGELU",
    23: "SILU",
    24: "GEGLU",
    25: "SWIGLU",
    26: "REGLU",
}
WORDS = {word: number for number, words in _WORDS.items() for word in words.split()}


def _binary(function: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    return lambda x, y: function(x, y)


def _unary(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: function(x)


def _type_id(op_name: str, arg_name: str, dtype: Any) -> int | None:
    if dtype is None or isinstance(dtype, int):
        return dtype
    if dtype not in TYPE_IDS:
        allowed = ", ".join(map(str, TYPE_IDS))
        raise TypeError(f"For '{op_name}', the '{arg_name}' must be one of the dtypes {allowed}, but got {dtype!r}.")
    return TYPE_IDS[dtype]


def _word_number(op_name: str, arg_name: str, enum_str: Any) -> int | None:
    if enum_str is None or isinstance(enum_str, int):
        return enum_str
    if not isinstance(enum_str, str) or enum_str.upper() not in WORDS:
        raise ValueError(f"For '{op_name}', the '{arg_name}' must be one of {sorted(WORDS)}, but got {enum_str!r}.")
    return WORDS[enum_str.upper()]


def _is_unknown(data: Any) -> bool:
    """Whether the length of a sequence is known only when the graph runs: lengths here always are known."""
    return False


def _number(x: Any) -> Any:
    return x.item() if isinstance(x, Tensor) else x


FORMS = {
    "ScalarAdd": _binary(operator.add),
    "ScalarBool": _unary(bool),
    "ScalarDiv": _binary(operator.truediv),
    "ScalarEq": _binary(operator.eq),
    "ScalarFloorDiv": _binary(operator.floordiv),
    "ScalarGe": _binary(operator.ge),
    "ScalarGt": _binary(operator.gt),
    "ScalarLe": _binary(operator.le),
    "ScalarLog": _unary(math.log),
    "ScalarLt": _binary(operator.lt),
    "ScalarMax": _binary(max),
    "ScalarMin": _binary(min),
    "ScalarMod": _binary(operator.mod),
    "ScalarMul": _binary(operator.mul),
    "ScalarPow": _binary(operator.pow),
    "ScalarSub": _binary(operator.sub),
    "ScalarUadd": _unary(operator.pos),
    "ScalarUsub": _unary(operator.neg),
    "BoolNot": _unary(operator.not_),
    "ListToTuple": lambda input: tuple(input),
    "TupleToList": lambda input: list(input),
    "TensorToScalar": _number,
    "SequenceConcat": lambda x, *, axis=0: ops.concat(tuple(x), axis),
    "DtypeToEnum": _type_id,
    "StringToEnum": _word_number,
    "IsDimUnKnown": _is_unknown,
    "NPUClearFloatStatusV2": lambda input: npu_float_status(input),
    "NPUGetFloatStatusV2": lambda input: npu_float_status(input),
}
