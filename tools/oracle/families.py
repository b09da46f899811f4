"""All case families by name."""

from __future__ import annotations

from tools.oracle import (
    cases_arithmetic,
    cases_errors,
    cases_gradients,
    cases_indexing,
    cases_losses,
    cases_matmul,
    cases_methods,
    cases_nn,
    cases_operators,
    cases_reductions,
    cases_shapes,
    cases_tensor_index,
    cases_text,
)
from tools.oracle.case import Case

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
