"""Facts: the numeric codes in MINDIR files of enumerations and dtypes."""

from __future__ import annotations

from mindspore._engine.base import dtype as dtypes

# Words that files have as numbers, by the names of arguments.
_FORMATS = {0: "NCHW", 1: "NHWC", 14: "NCDHW", 17: "NDHWC", 20: "ND"}
_LAYOUTS = {0: "BSH", 1: "BNSD", 2: "SBH", 3: "BSND", 4: "TND"}
WORDS: dict[str, dict[int, str]] = {
    "reduce": {0: "none", 1: "add"},
    "reduction": {0: "sum", 1: "mean", 2: "none"},
    "approximate": {0: "none", 1: "tanh"},
    "indexing": {0: "ij", 1: "xy"},
    "padding": {1: "same", 2: "valid"},
    "norm": {0: "backward", 1: "forward", 2: "ortho"},
    "input_layout": _LAYOUTS,
    "coordinate_transformation_mode": {0: "asymmetric", 1: "align_corners", 2: "half_pixel"},
    "data_format": _FORMATS,
    "format": _FORMATS,
    "pad_mode": {0: "pad", 1: "same", 2: "valid"},
    "interpolation_mode": {0: "bilinear", 1: "nearest"},
    "padding_mode": {0: "zeros", 1: "border", 2: "reflection"},
    "rounding_mode": {0: "round", 1: "trunc", 2: "floor", 3: "ceil"},
}
# Numbers of dtypes in files.
DTYPE_NUMBERS = {
    30: dtypes.bool_, 32: dtypes.int8, 33: dtypes.int16, 34: dtypes.int32, 35: dtypes.int64, 37: dtypes.uint8,
    38: dtypes.uint16, 39: dtypes.uint32, 40: dtypes.uint64, 42: dtypes.float16, 43: dtypes.float32, 44: dtypes.float64,
    45: dtypes.bfloat16, 51: dtypes.complex64, 52: dtypes.complex128, 31: dtypes.int64, 36: dtypes.uint64, 41: dtypes.float32,
}  # fmt: skip
