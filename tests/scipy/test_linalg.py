"""Matrices by SciPy's names: the values are SciPy's, in both modes, and so are the gradients."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg

import mindspore as ms
from mindspore import Tensor, jit
from mindspore.scipy import linalg

MATRIX = np.array([[4, 2, 1], [2, 5, 3], [1, 3, 6]], np.float32)
GENERAL = np.array([[1, 7, 2], [5, 0, 3], [2, 4, 9]], np.float32)
RIGHT = np.array([[1, 2], [3, 4], [5, 7]], np.float32)


def close(found, wanted):
    np.testing.assert_allclose(found.asnumpy(), wanted, 2e-5, 1e-5)


@pytest.mark.parametrize("wrap", [lambda f: f, jit], ids=["eager", "jit"])
def test_decompositions_are_scipys(wrap):
    close(wrap(lambda a: linalg.cholesky(a, lower=True))(Tensor(MATRIX)), scipy.linalg.cholesky(MATRIX, lower=True))
    close(wrap(linalg.inv)(Tensor(GENERAL)), scipy.linalg.inv(GENERAL))
    close(wrap(linalg.det)(Tensor(GENERAL)), scipy.linalg.det(GENERAL))
    for found, wanted in zip(wrap(linalg.lu)(Tensor(GENERAL)), scipy.linalg.lu(GENERAL), strict=True):
        close(found, wanted)
    for found, wanted in zip(wrap(linalg.lu_factor)(Tensor(GENERAL)), scipy.linalg.lu_factor(GENERAL), strict=True):
        close(found, wanted)
    values, vectors = wrap(linalg.eigh)(Tensor(MATRIX))
    close(values, scipy.linalg.eigvalsh(MATRIX))
    close(vectors @ (values * vectors).T, MATRIX)


@pytest.mark.parametrize("trans", [0, "N", 1, "T"])
@pytest.mark.parametrize("b", [RIGHT, RIGHT[:, 0]], ids=["columns", "vector"])
def test_equations_are_solved_from_factors(trans, b):
    factors = linalg.lu_factor(Tensor(GENERAL))
    plain = 0 if trans in (0, "N") else 1
    close(linalg.lu_solve(factors, Tensor(b), trans), scipy.linalg.lu_solve(scipy.linalg.lu_factor(GENERAL), b, plain))
    close(linalg.solve_triangular(Tensor(MATRIX), Tensor(b), trans), scipy.linalg.solve_triangular(MATRIX, b, plain))
    close(linalg.cho_solve(linalg.cho_factor(Tensor(MATRIX)), Tensor(b)), scipy.linalg.solve(MATRIX, b))


def test_whole_numbers_are_computed_in_float64():
    for function in (linalg.cholesky, linalg.inv, linalg.det):
        assert function(Tensor(MATRIX.astype(np.int32))).dtype == ms.float64


def test_a_rectangular_matrix_has_lu_factors_too():
    permutation, lower, upper = linalg.lu(Tensor(GENERAL[:2]))
    close(permutation.astype(ms.float32) @ lower @ upper, GENERAL[:2])
    permuted, upper = linalg.lu(Tensor(GENERAL[:, :2]), permute_l=True)
    close(permuted @ upper, GENERAL[:, :2])


def test_gradients_flow_through_factors():
    gradient = ms.grad(lambda a: linalg.cho_solve(linalg.cho_factor(a), Tensor(RIGHT)).sum())(Tensor(MATRIX))
    inverse = np.linalg.inv(MATRIX)
    wanted = -inverse.T @ np.ones_like(RIGHT) @ RIGHT.T @ inverse.T
    close((gradient + gradient.T) / 2, (wanted + wanted.T) / 2)
    only_lower = ms.grad(lambda a: linalg.eigh(a, eigvals_only=True)[0])(Tensor(MATRIX)).asnumpy()
    assert np.all(np.triu(only_lower, 1) == 0) and np.any(np.tril(only_lower, -1) != 0)


@pytest.mark.parametrize(
    ("driver", "empty"), [(None, (1, 3)), ("gels", (2, 3)), ("gelsy", (1, 3)), ("gelss", ()), ("gelsd", ())]
)
def test_least_squares_leave_out_what_the_driver_lacks(driver, empty):
    found = linalg.lstsq(Tensor(MATRIX[:, :2]), Tensor(RIGHT), driver=driver)
    solution, residual, _, values = np.linalg.lstsq(MATRIX[:, :2], RIGHT, None)
    close(found[0], solution)
    for index, wanted in ((1, residual), (2, 2), (3, values)):
        if index in empty:
            assert found[index].shape == (0,)
        else:
            close(found[index], wanted)


def test_a_batch_is_solved_matrix_by_matrix():
    pair, rights = np.stack([MATRIX, GENERAL]), np.stack([RIGHT, RIGHT + 1])
    close(linalg.lstsq(Tensor(pair), Tensor(rights))[0], np.linalg.solve(pair, rights))
    triangles = np.triu(pair) + 3 * np.eye(3, dtype=np.float32)
    close(linalg.solve_triangular(Tensor(triangles), Tensor(rights)), np.linalg.solve(triangles, rights))


def test_blocks_stand_along_the_diagonal():
    parts = [np.ones((2, 1), np.int32), np.array([1.5, 2.5], np.float32), np.array(3, np.float32)]
    close(linalg.block_diag(*map(Tensor, parts)), scipy.linalg.block_diag(*parts))
    assert linalg.block_diag().shape == (1, 0)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: linalg.inv(Tensor(MATRIX, ms.float16)), TypeError, "For 'inv', the data type of 'a' should be one of"),
        (lambda: linalg.inv([[1.0]]), TypeError, "For 'inv', the type of 'a' should be Tensor"),
        (
            lambda: linalg.eigh(Tensor(MATRIX[:2])),
            ValueError,
            r"should be a square matrix like \(N, N\), but got \(2, 3\)",
        ),
        (lambda: linalg.lu(Tensor(MATRIX[0])), ValueError, "For 'lu', the dimension of 'a' should be 2, but got 1"),
        (lambda: linalg.cholesky(Tensor(MATRIX), 1), TypeError, "the type of 'lower' should be bool, but got '1' with"),
        (lambda: linalg.eigh(Tensor(MATRIX), Tensor(MATRIX)), ValueError, "currently only case b=None of 'eigh'"),
        (lambda: linalg.solve_triangular(Tensor(MATRIX), Tensor(RIGHT), 3), ValueError, "the 'trans' must be one of"),
        (lambda: linalg.solve_triangular(Tensor(MATRIX), Tensor(RIGHT[:2])), ValueError, r"\(3, 3\) and \(2, 2\)"),
        (lambda: linalg.lstsq(Tensor(MATRIX), Tensor(RIGHT), driver="gel"), ValueError, "Did you mean 'gels'"),
    ],
)
def test_what_does_not_fit_is_refused(call, error, text):
    with pytest.raises(error, match=text):
        call()


@pytest.mark.parametrize("function", [linalg.cholesky, linalg.cho_factor])
def test_a_matrix_that_is_not_positive_definite_has_no_cholesky_factor(function):
    indefinite = Tensor([[1.0, 2.0], [2.0, 1.0]])
    with pytest.raises(RuntimeError, match="Cholesky expects symmetric positive definite"):
        function(indefinite)
    with pytest.raises(RuntimeError, match="Cholesky expects symmetric positive definite"):
        jit(linalg.cholesky)(indefinite).asnumpy()
