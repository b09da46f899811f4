"""Operator classes of :mod:`mindspore.scipy`."""

from __future__ import annotations

from typing import Any

from mindspore import ops
from mindspore._engine.operator.primitive import Primitive
from mindspore._ops.linalg.scipy_linalg import assign, scipy_lu, scipy_solve_triangular
from mindspore._utils.checks import check_bool, check_one_of
from mindspore.common import dtype as mstype
from mindspore.common.tensor import Tensor
from mindspore.scipy.utils_const import check_tensor

__all__ = ["LU", "Eig", "LinearSumAssignment", "SolveTriangular", "solve_triangular"]

SYSTEMS = (0, 1, 2, "N", "T", "C")


def solve_triangular(a: Tensor, b: Tensor, trans: int | str = 0, lower: bool = False,
                     unit_diagonal: bool = False) -> Tensor:  # fmt: skip
    """See :func:`mindspore.scipy.linalg.solve_triangular`."""
    owner = "solve_triangular"
    for name, value in (("a", a), ("b", b)):
        check_tensor(owner, name, value)
    check_one_of(owner, "trans", trans, SYSTEMS)
    check_bool(owner, "lower", lower)
    check_bool(owner, "unit_diagonal", unit_diagonal)
    return scipy_solve_triangular(a, b, trans, lower, unit_diagonal)


class SolveTriangular(Primitive):
    """The solution of ``a @ x = b`` for a triangle ``a``.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.ops import SolveTriangular
        >>> print(SolveTriangular(lower=True)(Tensor([[2.0, 0.0], [1.0, 1.0]]), Tensor([4.0, 3.0])))
        [2. 1.]
    """

    def __init__(self, lower: bool = False, unit_diagonal: bool = False, trans: str = "N"):
        super().__init__("SolveTriangular")
        self.add_prim_attr("lower", check_bool("SolveTriangular", "lower", lower))
        self.add_prim_attr("unit_diagonal", check_bool("SolveTriangular", "unit_diagonal", unit_diagonal))
        self.add_prim_attr("trans", check_one_of("SolveTriangular", "trans", trans, SYSTEMS))

    def __call__(self, a: Tensor, b: Tensor) -> Tensor:
        return solve_triangular(a, b, self.trans, self.lower, self.unit_diagonal)


class Eig(Primitive):
    """Eigenvalues and, with ``compute_v``, eigenvectors as columns; without it a zero instead.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.ops import Eig
        >>> print(Eig()(Tensor([[2.0, 0.0], [0.0, 3.0]]))[0])
        [2.+0.j 3.+0.j]
    """

    def __init__(self, compute_v: bool = True):
        super().__init__("Eig")
        self.add_prim_attr("compute_v", check_bool("Eig", "compute_v", compute_v))

    def __call__(self, a: Tensor) -> tuple[Tensor, ...]:
        return ops.Eig(self.compute_v)(a)


class LU(Primitive):
    """Both triangles packed into a matrix, the pivots, and the permutation as a matrix.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.ops import LU
        >>> factors, pivots, permutation = LU()(Tensor([[0.0, 1.0], [2.0, 0.0]]))
        >>> print(pivots)
        [1 1]
    """

    def __init__(self):
        super().__init__("LU")

    def __call__(self, a: Tensor) -> tuple[Tensor, ...]:
        return scipy_lu(check_tensor("LU", "a", a))


class LinearSumAssignment(Primitive):
    """The columns that rows are assigned to so that the costs are least; see
    :func:`mindspore.scipy.optimize.linear_sum_assignment`.

    Examples:
        >>> from mindspore import Tensor
        >>> from mindspore.scipy.ops import LinearSumAssignment
        >>> rows, columns = LinearSumAssignment()(Tensor([[4.0, 1.0], [2.0, 0.0]]), Tensor(2), False)
        >>> print(columns)
        [1 0]
    """

    def __init__(self):
        super().__init__("LinearSumAssignment")

    def __call__(self, cost_matrix: Tensor, dimension_limit: Tensor, maximize: bool) -> tuple[Any, ...]:
        owner = "LinearSumAssignment"
        check_tensor(owner, "cost_matrix", cost_matrix)
        check_tensor(owner, "dimension_limit", dimension_limit)
        check_bool(owner, "maximize", maximize)
        if cost_matrix.ndim != 2:
            raise ValueError(f"For '{owner}', the 'cost_matrix' must have 2 dimensions, but got {cost_matrix.ndim}.")
        if cost_matrix.is_complex():
            raise TypeError(f"For '{owner}', the 'cost_matrix' must hold real numbers, but got {cost_matrix.dtype}.")
        if dimension_limit.dtype != mstype.int64:
            got = dimension_limit.dtype
            raise TypeError(f"For '{owner}', the 'dimension_limit' must have dtype Int64, but got {got}.")
        return assign(cost_matrix, dimension_limit, maximize)
