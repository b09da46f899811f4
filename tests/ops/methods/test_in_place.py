"""Methods that end in an underscore change the tensor, keep its shape and dtype, and return it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops


def sample() -> Tensor:
    return Tensor(np.array([[1.0, 2.0], [3.0, 4.0]], np.float32))


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("add_", (1,), [[2, 3], [4, 5]]),
        ("sub_", (1,), [[0, 1], [2, 3]]),
        ("mul_", (2,), [[2, 4], [6, 8]]),
        ("div_", (2,), [[0.5, 1], [1.5, 2]]),
        ("floor_divide_", (2,), [[0, 1], [1, 2]]),
        ("remainder_", (2,), [[1, 0], [1, 0]]),
        ("exp_", (), np.exp([[1, 2], [3, 4]])),
        ("log_", (), np.log([[1, 2], [3, 4]])),
        ("tanh_", (), np.tanh([[1, 2], [3, 4]])),
        ("sigmoid_", (), 1 / (1 + np.exp(-np.array([[1, 2], [3, 4]])))),
        ("sign_", (), [[1, 1], [1, 1]]),
        ("floor_", (), [[1, 2], [3, 4]]),
        ("clamp_", (2, 3), [[2, 2], [3, 3]]),
        ("fill_diagonal_", (9,), [[9, 2], [3, 9]]),
        ("copy_", (Tensor([7, 8]),), [[7, 8], [7, 8]]),
        ("put_", (Tensor([0, 3]), Tensor([8.0, 9.0])), [[8, 2], [3, 9]]),
        ("index_copy_", (1, Tensor([0]), Tensor([[8.0], [9.0]])), [[8, 2], [9, 4]]),
        ("masked_scatter_", (Tensor([[True, False], [False, True]]), Tensor([8.0, 9.0])), [[8, 2], [3, 9]]),
        ("addmm_", (Tensor([[1.0], [0.0]]), Tensor([[1.0, 1.0]])), [[2, 3], [3, 4]]),
        ("zero_", (), [[0, 0], [0, 0]]),
    ],
)
def test_the_tensor_itself_changes_in_both_modes(name, arguments, expected):
    x = sample()
    result = getattr(x, name)(*arguments)
    assert result is x and x.dtype == ms.float32
    np.testing.assert_allclose(x.asnumpy(), expected, 1e-5)

    @ms.jit
    def compiled(x):
        getattr(x, name)(*arguments)
        return x + 0

    np.testing.assert_allclose(compiled(sample()).asnumpy(), expected, 1e-5)


def test_gradients_pass_through_the_change(mode):
    def function(x):
        y = x * 1.0
        y.mul_(3).add_(x)
        return y.exp_().sum()

    np.testing.assert_allclose(ms.grad(function)(Tensor([0.5, 1.0])).asnumpy(), 4 * np.exp([2.0, 4.0]), 1e-5)


def test_parameters_change_in_compiled_code(mode):
    class Counter(ms.nn.Cell):
        def __init__(self):
            super().__init__()
            self.count = Parameter(Tensor([0.0]), name="count")

        def construct(self, x):
            self.count.add_(x)
            return self.count * 2

    counter = Counter()
    assert [counter(Tensor([1.5])).asnumpy()[0] for _ in range(2)] == [3.0, 6.0]
    assert counter.count.asnumpy() == [3.0]


def test_results_that_do_not_fit_are_refused_and_change_nothing():
    x = Tensor([1, 2])
    with pytest.raises(TypeError, match=r"For 'div_', the result has dtype Float32 .* dtype Int64"):
        x.div_(2)
    with pytest.raises(ValueError, match=r"For 'add_', the result must have the shape \(2,\)"):
        x.add_(Tensor([[1, 2], [3, 4]]))
    with pytest.raises(ValueError, match="the 'src' must broadcast"):
        x.copy_(Tensor([1, 2, 3]))
    assert x.asnumpy().tolist() == [1, 2]


# -- random numbers ----------------------------------------------------------------------------------------------------
def filled(name: str, *arguments, count: int = 20_000, dtype: Any = np.float32) -> np.ndarray:
    ms.set_seed(1)
    x = Tensor(np.zeros(count, dtype))
    assert getattr(x, name)(*arguments) is x
    assert x.dtype == ms.Tensor(np.zeros(1, dtype)).dtype
    return x.asnumpy()


def test_normal_fills_with_mean_and_deviation():
    numbers = filled("normal_", 3.0, 2.0)
    assert abs(numbers.mean() - 3) < 0.1 and abs(numbers.std() - 2) < 0.1


def test_uniform_fills_between_its_bounds():
    numbers = filled("uniform_", -1, 3)
    assert numbers.min() >= -1 and numbers.max() < 3 and abs(numbers.mean() - 1) < 0.05
    with pytest.raises(ValueError, match="'from_' must not be greater than 'to'"):
        Tensor([1.0]).uniform_(2, 1)


def test_random_fills_with_whole_numbers_of_the_range():
    assert set(filled("random_", 1, 4, dtype=np.int32).tolist()) == {1, 2, 3}
    numbers = filled("random_")
    assert numbers.min() >= 0 and numbers.max() > 2**22 and np.array_equal(numbers, np.floor(numbers))


def test_bernoulli_and_exponential_have_their_means():
    assert abs(filled("bernoulli_", 0.3).mean() - 0.3) < 0.02
    assert abs(filled("exponential_", 2.0).mean() - 0.5) < 0.02
    assert Tensor([0.0, 1.0]).bernoulli().asnumpy().tolist() == [0, 1]
    with pytest.raises(ValueError, match=r"the 'p' must be in \[0, 1\]"):
        Tensor([1.0]).bernoulli_(2)


def test_the_same_seed_gives_the_same_numbers_and_the_next_call_others(mode):
    @ms.jit
    def fill(x):
        return x.normal_() + 0

    ms.set_seed(5)
    first, second = fill(Tensor(np.zeros(4, np.float32))), fill(Tensor(np.zeros(4, np.float32)))
    ms.set_seed(5)
    again = fill(Tensor(np.zeros(4, np.float32)))
    assert np.array_equal(first.asnumpy(), again.asnumpy()) and not np.array_equal(first.asnumpy(), second.asnumpy())


def test_medians_of_random_tensors_like_this_one():
    ms.set_seed(3)
    x = Tensor(np.zeros(20_000, np.float32))
    assert abs(np.median(x.cauchy(2.0, 1.0).asnumpy()) - 2) < 0.1
    assert abs(np.median(np.log(x.log_normal(1.0, 0.5).asnumpy())) - 1) < 0.05
    assert abs(x.uniform(2.0, 4.0).asnumpy().mean() - 3) < 0.05
    assert ops.LogNormalReverse(1.0, 0.5)(x).shape == ops.Cauchy([20_000])().shape


def test_further_random_primitives_stay_in_their_range():
    ms.set_seed(3)
    parameters = [Tensor(np.array(v, np.float32)) for v in ([0, 10], [1, 1], [-1, 9.5], [1, 12])]
    numbers = ops.ParameterizedTruncatedNormal(seed=1)((2, 500), *parameters).asnumpy()
    assert numbers[0].min() >= -1 and numbers[0].max() <= 1 and numbers[1].min() >= 9.5 and numbers[1].max() <= 12
    whole = ops.NonDeterministicInts()((1000,))
    assert whole.dtype == ms.int64 and whole.asnumpy().min() < -(2**60) and whole.asnumpy().max() > 2**60
    drawn = ops.MultinomialWithReplacement(2)(Tensor([[1.0, 0.0, 2.0]] * 50), 3, 4)
    assert drawn.dtype == ms.int64 and np.array_equal(np.sort(drawn.asnumpy(), 1), [[0, 2]] * 50)


@pytest.mark.parametrize("fill", ["normal_", "uniform_", "random_", "bernoulli_", "exponential_"])
def test_a_generator_of_its_own_decides_the_numbers(fill):
    def numbers(seed):
        return getattr(ops.zeros((20,)), fill)(generator=ms.Generator().manual_seed(seed)).asnumpy()

    np.testing.assert_array_equal(numbers(3), numbers(3))
    assert (numbers(3) != numbers(4)).any()
    with pytest.raises(TypeError, match="generator"):
        getattr(ops.zeros((2,)), fill)(generator=5)
