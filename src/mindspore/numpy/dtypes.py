"""Dtypes and constants by their NumPy names."""

import numpy as _numpy

from mindspore.common.dtype import (
    bool_,
    float16,
    float32,
    float64,
    int8,
    int16,
    int32,
    int64,
    uint8,
    uint16,
    uint32,
    uint64,
)

__all__ = [
    "NINF",
    "PINF",
    "bool_",
    "e",
    "euler_gamma",
    "float16",
    "float32",
    "float64",
    "float_",
    "inf",
    "int8",
    "int16",
    "int32",
    "int64",
    "int_",
    "nan",
    "newaxis",
    "pi",
    "uint",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
]

# What an unspecified int or float is in this package, unlike in NumPy.
int_, uint, float_ = int32, uint32, float32

pi, e, euler_gamma = _numpy.pi, _numpy.e, _numpy.euler_gamma
inf = PINF = float("inf")
NINF = -inf
nan = float("nan")
newaxis = None
