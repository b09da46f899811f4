"""Tensors, operator dispatch, gradients and compilation. See README.md in this folder."""

import os

import jax

from mindspore._engine.base import moved_data, narrowed_numbers, square_root  # noqa: F401  (register how these are compiled)
from mindspore._engine.config import compiler_flags

compiler_flags.add_defaults(os.environ)
# MindSpore's int64 and float64 are real; every promotion is decided by our own rules.
jax.config.update("jax_enable_x64", True)
