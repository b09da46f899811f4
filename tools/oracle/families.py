"""All case families by name."""

from __future__ import annotations

import cases_arithmetic
import cases_errors
import cases_gradients
import cases_indexing
import cases_losses
import cases_matmul
import cases_methods
import cases_nn
import cases_operators
import cases_reductions
import cases_shapes
import cases_tensor_index
import cases_text
from case import Case

FAMILIES: dict[str, list[Case]] = {
    "arithmetic": cases_arithmetic.CASES,
    "reductions": cases_reductions.CASES,
    "shapes": cases_shapes.CASES,
    "indexing": cases_indexing.CASES,
    "matmul": cases_matmul.CASES,
    "nn": cases_nn.CASES,
    "losses": cases_losses.CASES,
    "operators": cases_operators.CASES,
    "methods": cases_methods.CASES,
    "tensor_index": cases_tensor_index.CASES,
    "gradients": cases_gradients.CASES,
    "errors": cases_errors.CASES,
    "text": cases_text.CASES,
}
