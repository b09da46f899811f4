"""Random operators: distributions, seeds, and a state that moves on in both modes."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

MANY = 40_000


def sample(function: Callable[..., Tensor], *args: Any, **kwargs: Any) -> np.ndarray:
    ms.set_seed(2024)
    return function(*args, **kwargs).asnumpy().astype(np.float64)


def standard_error(deviation: float) -> float:
    """Five times the error of a mean over MANY numbers: a fixed seed stays inside unless the distribution is wrong."""
    return 5 * deviation / np.sqrt(MANY)


# -- distributions -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("function", "args", "mean", "deviation"),
    [
        (ops.standard_normal, ((MANY,),), 0, 1),
        (ops.randn, (MANY,), 0, 1),
        (ops.normal, ((MANY,), 3.0, 0.5), 3, 0.5),
        (ops.rand, (MANY,), 0.5, np.sqrt(1 / 12)),
        (ops.uniform, ((MANY,), Tensor(-1.0), Tensor(3.0)), 1, 4 * np.sqrt(1 / 12)),
        (ops.randint, (0, 10, (MANY,)), 4.5, np.sqrt(99 / 12)),
        (ops.standard_laplace, ((MANY,),), 0, np.sqrt(2)),
        (ops.laplace, ((MANY,), Tensor([1.0]), Tensor([2.0])), 1, 2 * np.sqrt(2)),
        (ops.gamma, ((MANY,), Tensor([3.0]), Tensor([2.0])), 1.5, np.sqrt(3) / 2),
        (ops.random_gamma, ((MANY,), Tensor(3.0)), 3, np.sqrt(3)),
        (ops.poisson, ((MANY,), Tensor([4.0])), 4, 2),
        (ops.random_poisson, ((MANY,), Tensor(4.0)), 4, 2),
        (ops.TruncatedNormal(seed=5), ((MANY,),), 0, 0.8796),
        (ops.UniformReal(seed=5), ((MANY,),), 0.5, np.sqrt(1 / 12)),
        (ops.StandardNormal(seed=5), ((MANY,),), 0, 1),
        (ops.UniformInt(seed=5), ((MANY,), Tensor(0), Tensor(4)), 1.5, np.sqrt(15 / 12)),
    ],
)
def test_mean_and_deviation_are_those_of_the_distribution(function, args, mean, deviation):
    numbers = sample(function, *args)
    assert numbers.shape == (MANY,)
    assert abs(numbers.mean() - mean) < standard_error(deviation)
    assert abs(numbers.std() / deviation - 1) < 0.04


def test_quantiles_of_the_normal_and_the_uniform_distribution():
    levels = [0.01, 0.25, 0.5, 0.75, 0.99]
    normal = np.quantile(sample(ops.randn, MANY), levels)
    np.testing.assert_allclose(normal, [-2.3263, -0.6745, 0, 0.6745, 2.3263], atol=0.06)
    np.testing.assert_allclose(np.quantile(sample(ops.rand, MANY), levels), levels, atol=0.015)


def test_neighbouring_calls_are_not_correlated():
    ms.set_seed(1)
    first, second = (ops.randn(MANY).asnumpy() for _ in range(2))
    assert abs(np.corrcoef(first, second)[0, 1]) < standard_error(1)


def test_bounds_are_kept():
    numbers = sample(ops.uniform, (MANY,), Tensor(-1.0), Tensor(3.0))
    assert numbers.min() >= -1 and numbers.max() < 3
    assert set(sample(ops.randint, 2, 5, (MANY,))) == {2, 3, 4}
    assert abs(sample(ops.TruncatedNormal(seed=1), (MANY,))).max() <= 2


def test_parameters_broadcast_with_independent_numbers():
    numbers = sample(ops.normal, (1000, 1), Tensor([0.0, 100.0]), 1.0)
    assert numbers.shape == (1000, 2)
    assert abs(np.corrcoef(numbers.T)[0, 1]) < 0.2


# -- choices -----------------------------------------------------------------------------------------------------------
def test_permutations_and_shuffles_keep_every_element():
    assert sorted(sample(ops.randperm, 100)) == list(range(100))
    rows = sample(ops.shuffle, Tensor(np.arange(20).reshape(10, 2)))
    assert sorted(rows[:, 0]) == list(range(0, 20, 2)) and (rows[:, 1] == rows[:, 0] + 1).all()


def test_permutations_are_fair():
    ms.set_seed(3)
    places = np.mean([ops.randperm(4).asnumpy() for _ in range(2000)], axis=0)
    np.testing.assert_allclose(places, 1.5, atol=0.15)


def test_weights_decide_how_often_an_index_is_drawn():
    drawn = sample(ops.multinomial, Tensor([1.0, 0.0, 3.0]), MANY)
    assert set(drawn) == {0, 2} and abs((drawn == 2).mean() - 0.75) < 0.02
    logits = Tensor(np.log(np.array([[0.2, 0.8], [0.9, 0.1]], np.float32)))
    np.testing.assert_allclose(sample(ops.random_categorical, logits, MANY).mean(1), [0.8, 0.1], atol=0.02)


def test_drawing_without_replacement_gives_every_index_once():
    drawn = sample(ops.multinomial, Tensor(np.ones((3, 8), np.float32)), 8, False)
    assert (np.sort(drawn, axis=1) == np.arange(8)).all()
    with pytest.raises(ValueError, match="num_samples"):
        ops.multinomial(Tensor([0.5, 0.5]), 3, False)


def test_bernoulli_draws_each_element_with_its_probability():
    probabilities = Tensor(np.tile(np.array([0.0, 0.3, 1.0], np.float32), (MANY, 1)))
    drawn = sample(ops.bernoulli, probabilities, probabilities)
    np.testing.assert_allclose(drawn.mean(0), [0, 0.3, 1], atol=0.02)
    assert ops.bernoulli(Tensor([1, 2, 3])).dtype == ms.int64


def test_places_of_a_mask_are_chosen_once_and_missing_ones_marked():
    mask = np.zeros((4, 5), bool)
    mask[1, 2] = mask[3, 0] = mask[3, 4] = True
    places, real = ops.RandomChoiceWithMask(count=6, seed=1)(Tensor(mask))
    assert (places.shape, places.dtype, real.dtype) == ((6, 2), ms.int32, ms.bool_)
    assert real.tolist() == [True] * 3 + [False] * 3
    assert sorted(places.tolist()[:3]) == [[1, 2], [3, 0], [3, 4]] and not places.asnumpy()[3:].any()


# -- dropout -----------------------------------------------------------------------------------------------------------
def test_dropout_keeps_the_share_and_the_mean():
    result = sample(ops.dropout, ops.ones((MANY,)), 0.2)
    assert set(np.round(result, 4)) == {0, 1.25}
    assert abs((result == 0).mean() - 0.2) < 0.02


def test_the_dropout_primitive_returns_its_mask_in_the_dtype_of_the_input():
    result, mask = ops.Dropout(keep_prob=0.8)(ops.ones((MANY,)))
    assert mask.dtype == ms.float32
    np.testing.assert_allclose(result.asnumpy(), mask.asnumpy() * 1.25, 1e-6)
    assert abs(mask.asnumpy().mean() - 0.8) < 0.02


def test_channel_dropout_drops_whole_channels():
    for function, shape in (
        (ops.dropout1d, (8, 50, 3)),
        (ops.dropout2d, (8, 50, 2, 2)),
        (ops.dropout3d, (8, 50, 1, 2, 2)),
    ):
        planes = sample(function, ops.ones(shape), 0.5).reshape(400, -1)
        assert (planes == planes[:, :1]).all() and 0.4 < (planes[:, 0] == 0).mean() < 0.6


def test_outside_training_dropout_is_the_input_itself():
    x = Tensor([1.0, 2.0])
    assert ops.dropout(x, 0.5, training=False) is x


def test_the_gradient_of_dropout_is_its_mask(mode):
    def drop(x):
        return ops.dropout(x, 0.5, seed=3)

    x = ops.ones((50,))
    ms.set_seed(1)
    forward = drop(x).asnumpy()
    ms.set_seed(1)
    np.testing.assert_array_equal(ms.grad(drop)(x).asnumpy(), forward)


def test_a_packed_mask_drops_what_it_says():
    mask = ops.DropoutGenMask(Seed0=3)((MANY,), Tensor(0.25))
    result = ops.DropoutDoMask()(ops.ones((MANY,)), mask, Tensor(0.25)).asnumpy()
    assert set(result) == {0, 4} and abs((result > 0).mean() - 0.25) < 0.02


# -- seeds and state ---------------------------------------------------------------------------------------------------
def two_draws() -> tuple[Tensor, Tensor]:
    return ops.randn(4), ops.rand(4, seed=7)


class Noise(nn.Cell):
    def __init__(self):
        super().__init__()
        self.normal = ops.StandardNormal(seed=2)

    def construct(self, x):
        return x + self.normal((4,)), ops.dropout(x, 0.5), ops.rand(4, seed=7)


def as_lists(draws: Any) -> list:
    return [[tensor.tolist() for tensor in draw] for draw in draws]


def test_a_seed_repeats_the_numbers_and_calls_differ():
    ms.set_seed(5)
    first = as_lists(two_draws() for _ in range(3))
    ms.set_seed(5)
    assert as_lists(two_draws() for _ in range(3)) == first
    assert first[0] != first[1] != first[2]
    ms.set_seed(6)
    assert two_draws()[0].tolist() != first[0][0]


def test_graph_and_eager_code_draw_the_same_numbers_and_move_on():
    results = {}
    for kind in (ms.PYNATIVE_MODE, ms.GRAPH_MODE):
        ms.set_context(mode=kind)
        ms.set_seed(5)
        network = Noise()
        results[kind] = as_lists(network(ops.ones((4,))) for _ in range(4))
    np.testing.assert_allclose(results[ms.GRAPH_MODE], results[ms.PYNATIVE_MODE], 1e-6, 1e-6)
    first, second = results[ms.GRAPH_MODE][:2]
    assert all(a != b for a, b in zip(first, second, strict=True))


def test_eager_code_after_a_graph_continues_its_sequence():
    compiled = ms.jit(two_draws)
    ms.set_seed(5)
    mixed = as_lists([compiled(), two_draws(), compiled()])
    ms.set_seed(5)
    assert as_lists(two_draws() for _ in range(3)) == mixed


def test_primitives_with_equal_seeds_draw_equal_sequences_whatever_the_global_seed():
    ms.set_seed(1)
    one = ops.UniformReal(seed=3)
    first = [one((3,)).tolist() for _ in range(2)]
    ms.set_seed(2)
    other = ops.UniformReal(seed=3)
    assert [other((3,)).tolist() for _ in range(2)] == first
    assert first[0] != first[1]
    assert ops.UniformReal(seed=3, seed2=1)((3,)).tolist() != first[0]


def test_a_copied_primitive_continues_on_its_own():
    one = ops.UniformReal(seed=3)
    one((3,))
    other = copy.deepcopy(one)
    assert one((3,)).tolist() == other((3,)).tolist()
    one((3,))
    assert one((3,)).tolist() != other((3,)).tolist()


# -- dtypes and bad arguments ------------------------------------------------------------------------------------------
def test_dtypes():
    assert ops.randn(2, dtype=ms.float16).dtype == ms.float16
    assert ops.rand_like(ops.ones((2,), ms.float64)).dtype == ms.float64
    assert ops.randint(0, 5, (2,)).dtype == ms.int64
    assert ops.randint_like(Tensor([1], ms.int32), 0, 5).dtype == ms.int32
    assert ops.multinomial(Tensor([1.0]), 2).dtype == ms.int32
    assert ops.uniform((2,), Tensor(0), Tensor(5), dtype=ms.int32).dtype == ms.int32


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: ops.dropout(ops.ones((2,)), 1.0), ValueError, "'p' must be in range"),
        (lambda: ops.dropout(Tensor([1, 2]), 0.5), TypeError, "floating-point"),
        (lambda: ops.Dropout(keep_prob=0.0), ValueError, "'keep_prob' must be in range"),
        (lambda: ops.StandardNormal(seed=-1), ValueError, "'seed' must be greater than or equal to 0"),
        (lambda: ops.rand(2, seed="a"), TypeError, "'seed' must be an int"),
        (lambda: ops.standard_normal((-1, 3)), ValueError, "For 'standard_normal', the 'shape'"),
        (lambda: ops.randn(2, dtype=ms.int32), ValueError, "floating-point dtype"),
        (lambda: ops.randint(5, 5, (2,)), ValueError, "'high' must be greater than 'low'"),
        (lambda: ops.randint(0, 5, (2,), dtype=ms.float32), ValueError, "integer dtype"),
        (lambda: ops.randperm(0), ValueError, "'n' must be positive"),
        (lambda: ops.bernoulli(ops.ones((2,)), 1.5), ValueError, "'p' must be in range"),
        (lambda: ops.choice_with_mask(Tensor([1, 2])), TypeError, "dtype Bool"),
    ],
)
def test_bad_arguments_are_refused_and_leave_the_state_alone(call, error, text):
    ms.set_seed(9)
    expected = ops.randn(2).tolist()
    ms.set_seed(9)
    with pytest.raises(error, match=text):
        call()
    assert ops.randn(2).tolist() == expected


def test_weights_of_a_multinomial_may_be_integers(mode):
    assert sorted(ops.multinomial(Tensor([90, 10, 0]), 2, replacement=False).asnumpy().tolist()) == [0, 1]


def test_small_shapes_of_gamma_and_large_means_of_poisson_have_their_moments():
    small = ops.random_gamma((400_000,), Tensor(0.3)).asnumpy()
    np.testing.assert_allclose([small.mean(), small.var()], [0.3, 0.3], atol=0.02)
    means = Tensor(np.array([0.0, 0.5, 9.9, 10.0, 50.0], np.float32))
    drawn = ops.random_poisson((20_000,), means, dtype=ms.float32).asnumpy()
    np.testing.assert_allclose(drawn.mean(0), means.asnumpy(), rtol=0.02)
    np.testing.assert_allclose(drawn.var(0), means.asnumpy(), rtol=0.06)


def test_classes_of_weight_0_are_never_drawn():
    weights = np.zeros((4, 50), np.float32)
    weights[:, [3, 17, 49]] = 1, 2, 3
    drawn = ops.multinomial(Tensor(weights), 5000).asnumpy()
    assert set(np.unique(drawn)) == {3, 17, 49}
    np.testing.assert_allclose((drawn == 49).mean(), 0.5, atol=0.02)
    with np.errstate(divide="ignore"):
        drawn = ops.random_categorical(Tensor(np.log(weights)), 5000).asnumpy()
    assert set(np.unique(drawn)) == {3, 17, 49}
