"""Limits that programs import."""

__all__ = ["FLOAT_MAX_INTEGER", "FLOAT_MIN_INTEGER", "INT32_MAX", "INT32_MIN", "INT64_MAX", "INT64_MIN", "UINT32_MAX"]

INT32_MAX, INT32_MIN = 2**31 - 1, -(2**31)
INT64_MAX, INT64_MIN = 2**63 - 1, -(2**63)
UINT32_MAX = 2**32 - 1
FLOAT_MAX_INTEGER, FLOAT_MIN_INTEGER = 2**24, -(2**24)  # whole numbers that float32 holds exactly
