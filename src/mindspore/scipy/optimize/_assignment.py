"""The assignment problem."""

from __future__ import annotations

import sys
from typing import Any

from mindspore._utils.checks import check_type
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.scipy.ops import LinearSumAssignment

_solve = LinearSumAssignment()


def linear_sum_assignment(
    cost_matrix: Tensor, maximize: bool, dimension_limit: Tensor | None = None
) -> tuple[Any, ...]:
    """A column for each row, no column twice, so that the sum of the costs is least.

    Args:
        cost_matrix: what each pair of a row and a column costs.
        maximize: the largest sum instead.
        dimension_limit: how many columns count, an int64 number; what is then not assigned is -1.

    Returns:
        The rows and their columns.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.optimize import linear_sum_assignment
        >>> rows, columns = linear_sum_assignment(Tensor([[4.0, 1.0], [2.0, 0.0]]), False)
        >>> print(rows, columns)
        [0 1] [1 0]
    """
    check_type("linear_sum_assignment", "dimension_limit", dimension_limit, (Tensor, type(None)))
    limit = Tensor(sys.maxsize, mstype.int64) if dimension_limit is None else dimension_limit
    return _solve(cost_matrix, limit, maximize)
