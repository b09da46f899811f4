"""Minimization finds minima; the assignment is SciPy's."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize

import mindspore as ms
from mindspore import Tensor, jit
from mindspore.common.sparse_tensor import CSRTensor
from mindspore.scipy.ops import LinearSumAssignment
from mindspore.scipy.optimize import line_search, linear_sum_assignment, minimize
from mindspore.scipy.sparse.linalg import bicgstab, cg, gmres

COSTS = np.array([[4, 1, 3], [2, 0, 5], [3, 2, 2]], np.float64)


def himmelblau(p):
    x, y = p
    return (x**2 + y - 11.0) ** 2 + (x + y**2 - 7.0) ** 2


def rosenbrock(x):
    return (100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1 - x[:-1]) ** 2).sum()


@pytest.mark.parametrize("method", ["BFGS", "lbfgs"])
def test_minima_are_found(method):
    result = minimize(himmelblau, Tensor(np.zeros(2, np.float32)), method=method, options={"gtol": 1e-4})
    np.testing.assert_allclose(result.x.asnumpy(), [3, 2], 1e-4)
    assert result.success and result.fun < 1e-6 and result.nit > 3
    result = minimize(rosenbrock, Tensor(np.array([-1.2, 1.0, 0.5])), method=method)
    np.testing.assert_allclose(result.x.asnumpy(), [1, 1, 1], 1e-5)


def test_a_gradient_and_further_arguments_may_be_given():
    def func(x, middle):
        return ((x - middle) ** 2).sum()

    result = minimize(func, Tensor([0.0, 0.0]), (Tensor([1.0, 2.0]),), "BFGS", jac=lambda x, middle: 2 * (x - middle))
    np.testing.assert_allclose(result.x.asnumpy(), [1, 2], 1e-5)


def test_the_step_limit_is_said_in_the_result():
    result = minimize(rosenbrock, Tensor([-1.2, 1.0]), method="BFGS", options={"maxiter": 2})
    assert (result.success, result.status, result.nit) == (False, 1, 2)


def test_constraints_hold_at_the_minimum_found():
    result = minimize(himmelblau, Tensor([0.0, 0.0]), method="LAGRANGE", constraints=[lambda x: x[0] - 2],
                      options={"save_tol": [0.05], "rounds": 4, "steps": 60, "upper": Tensor([4.0, 4.0])})  # fmt: skip
    wanted = scipy.optimize.minimize(lambda p: himmelblau(p), [1, 1], bounds=[(None, 2), (None, 4)]).fun
    assert float(result[0]) <= 2.05 and float(himmelblau(result)) < wanted * 1.2


@pytest.mark.parametrize("start, direction", [([-1.2, 1.0], [1.0, 0.0]), ([-1.2, 1.0], [215.6, 88.0])])
def test_a_step_satisfies_the_wolfe_conditions(start, direction):
    x, p = Tensor(start), Tensor(direction)
    found = line_search(rosenbrock, x, p)
    value, gradient = ms.value_and_grad(rosenbrock)(x)
    slope = float((gradient * p).sum())
    assert not found.failed
    assert found.f_k <= float(value) + 1e-4 * found.a_k * slope
    assert abs(float((found.g_k * p).sum())) <= 0.9 * abs(slope)


@pytest.mark.parametrize("method, options", [
    ("BFGS", {}), ("LBFGS", {"history_size": 5}),
    ("LAGRANGE", {"save_tol": [0.05], "rounds": 2, "steps": 20, "upper": Tensor([4.0, 4.0])}),
])  # fmt: skip
def test_a_graph_finds_the_same_minimum(method, options):
    def found(x):
        result = minimize(himmelblau, x, method=method, constraints=[lambda x: x[0] - 2], options=options)
        return (result,) if method == "LAGRANGE" else (result.x, result.fun, result.success, result.nit)

    x = Tensor([0.0, 0.0])
    for one, wanted in zip(jit(found)(x), found(x), strict=True):
        np.testing.assert_allclose(np.asarray(one), np.asarray(wanted), 1e-3, 1e-4)


def test_a_cell_minimizes_with_its_parameters():
    class Nearest(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.middle = ms.Parameter(Tensor([1.0, 2.0]))

        def construct(self, x):
            return minimize(lambda p: ((p - self.middle) ** 2).sum(), x, method="BFGS").x

    cell = Nearest()
    before = ms.get_context("mode")
    try:
        for mode in (ms.GRAPH_MODE, ms.PYNATIVE_MODE):
            ms.set_context(mode=mode)
            cell.middle.set_data(Tensor([3.0, 4.0]))
            np.testing.assert_allclose(cell(Tensor([0.0, 0.0])).asnumpy(), [3, 4], 1e-5)
    finally:
        ms.set_context(mode=before)


def test_a_graph_searches_a_line_the_same_way():
    x, p = Tensor([-1.2, 1.0]), Tensor([1.0, 0.0])
    found, wanted = jit(lambda x, p: line_search(rosenbrock, x, p))(x, p), line_search(rosenbrock, x, p)
    assert (float(found.a_k), int(found.nfev)) == (pytest.approx(wanted.a_k), wanted.nfev)
    assert not found.failed


def test_no_step_is_found_uphill():
    assert line_search(lambda x: (x * x).sum(), Tensor([1.0, 2.0]), Tensor([1.0, 2.0])).failed


def test_minimize_says_what_is_wrong():
    x = Tensor([0.0, 0.0])
    for error, text, options in (
        (ValueError, "'method' must be given", {}),
        (ValueError, "Did you mean 'LBFGS'", {"method": "LBFG"}),
        (TypeError, "but got 'gtoll'. Did you mean 'gtol'", {"method": "BFGS", "options": {"gtoll": 1}}),
    ):
        with pytest.raises(error, match=text):
            minimize(himmelblau, x, **options)


@pytest.mark.parametrize("wrap", [lambda f: f, jit], ids=["eager", "jit"])
@pytest.mark.parametrize("maximize", [False, True])
@pytest.mark.parametrize("costs", [COSTS, COSTS[:2], COSTS[:, :2].astype(np.float32)], ids=["square", "wide", "tall"])
def test_the_assignment_is_scipys(wrap, maximize, costs):
    found = wrap(lambda x: linear_sum_assignment(x, maximize))(Tensor(costs))
    for one, wanted in zip(found, scipy.optimize.linear_sum_assignment(costs, maximize), strict=True):
        np.testing.assert_array_equal(one.asnumpy(), wanted)


def test_columns_beyond_the_limit_are_not_assigned():
    rows, columns = LinearSumAssignment()(Tensor(COSTS), Tensor(2), False)
    assert rows.asnumpy().tolist() == [0, 1, -1] and columns.asnumpy().tolist() == [1, 0, -1]


MATRIX = np.array([[4, 1, 0], [1, 3, 1], [0, 1, 5]], np.float32)
SPARSE = CSRTensor(
    Tensor([0, 2, 5, 7], ms.int32), Tensor([0, 1, 0, 1, 2, 1, 2], ms.int32), Tensor(MATRIX[MATRIX != 0]), (3, 3)
)


@pytest.mark.parametrize("solve", [cg, gmres, bicgstab])
@pytest.mark.parametrize(
    "matrix", [Tensor(MATRIX), SPARSE, lambda x: Tensor(MATRIX) @ x], ids=["dense", "csr", "function"]
)
def test_equations_are_solved_step_by_step(solve, matrix):
    right = np.array([1, 2, 3], np.float32)
    found, info = solve(matrix, Tensor(right))
    np.testing.assert_allclose(found.asnumpy(), np.linalg.solve(MATRIX, right), 1e-4, 1e-4)
    assert info == 0
    compiled, info = jit(lambda b: solve(matrix, b))(Tensor(right))
    np.testing.assert_allclose(compiled.asnumpy(), found.asnumpy(), 1e-4, 1e-5)
    assert int(info) == 0
    assert solve(matrix, Tensor(right), maxiter=1, **({"restart": 1} if solve is gmres else {}))[1] == 1


@pytest.mark.parametrize("wrap", [lambda f: f, jit], ids=["eager", "jit"])
@pytest.mark.parametrize("solve", [cg, gmres, bicgstab])
def test_gradients_of_solutions_are_those_of_the_inverse(solve, wrap):
    def of_entries(values, b):
        return (solve(CSRTensor(SPARSE.indptr, SPARSE.indices, values, (3, 3)), b)[0] * weights).sum()

    def of_matrix(matrix, b):
        return (solve(matrix, b)[0] * weights).sum()

    weights, right = Tensor([1.0, -2.0, 0.5]), Tensor([1.0, 2.0, 3.0])
    inverse = np.linalg.inv(MATRIX)
    of_right = inverse.T @ weights.asnumpy()
    of_all = -np.outer(of_right, inverse @ right.asnumpy())
    for function, values, wanted in (
        (of_matrix, MATRIX, of_all),
        (of_entries, MATRIX[MATRIX != 0], of_all[MATRIX != 0]),
    ):
        found = wrap(ms.grad(function, (0, 1)))(Tensor(values), right)
        np.testing.assert_allclose(found[0].asnumpy(), wanted, 1e-3, 1e-4)
        np.testing.assert_allclose(found[1].asnumpy(), of_right, 1e-3, 1e-4)


def test_many_equations_are_solved_after_restarts():
    generator = np.random.default_rng(0)
    matrix = generator.normal(size=(40, 40)) + 12 * np.eye(40)
    right = generator.normal(size=40)
    for solve, options in ((gmres, {"restart": 5}), (bicgstab, {"M": Tensor(np.diag(1 / np.diag(matrix)))})):
        found, info = jit(lambda b: solve(Tensor(matrix), b, tol=1e-8, **options))(Tensor(right))  # noqa: B023
        np.testing.assert_allclose(matrix @ found.asnumpy(), right, 1e-5, 1e-6)
        assert int(info) == 0
