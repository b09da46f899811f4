"""The random streams behind initial weights."""

import numpy as np
import pytest

from mindspore._utils import philox

SEED = 7692698082559361260  # what NumPy's randint(1, 2**63, int64) gives first after np.random.seed(1)


def test_seed_is_numpys_first_draw_after_seeding_with_one():
    generator = np.random.RandomState(1)
    assert generator.randint(1, 2**63, dtype=np.int64) == SEED


def test_words_are_those_of_philox_4x32_10():
    # The published known-answer vectors: counter and key all zero, then all ones.
    assert philox._words(0, 0, 1).tolist() == [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]
    last = 2**64 - 1
    assert philox._words(last, last, last + 1).tolist() == [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]


def test_uniform_gives_mindspores_values():
    expected = np.array([0.29152092, -0.25549805, 0.17558618, -0.37529707, -0.24350175], np.float32)
    np.testing.assert_array_equal(philox.uniform(SEED, 5, -0.5, 0.5), expected)


def test_normal_gives_mindspores_values():
    expected = np.array([0.6530371, 1.5091926], np.float32)
    np.testing.assert_array_equal(philox.normal(SEED, 2, 0.0, 1.0), expected)


def test_truncated_normal_gives_mindspores_values():
    expected = np.array([0.521579, -0.45216745], np.float32)
    np.testing.assert_array_equal(philox.truncated_normal(SEED, 2, 0.0, 1.0, -1.0, 1.0), expected)


FILLS = {
    "uniform": lambda count: philox.uniform(SEED, count, -1.0, 1.0),
    "normal": lambda count: philox.normal(SEED, count, 0.0, 1.0),
    "truncated_normal": lambda count: philox.truncated_normal(SEED, count, 0.0, 1.0, -2.0, 2.0),
}


@pytest.mark.parametrize("name", FILLS)
def test_a_shorter_stream_is_the_start_of_a_longer_one(name):
    whole = FILLS[name](100_000)
    assert whole.dtype == np.float32
    for count in (0, 1, 2, 3, 4, 5, 32_767, 32_768, 32_769):
        np.testing.assert_array_equal(FILLS[name](count), whole[:count])


@pytest.mark.parametrize(("name", "mean", "deviation"), [("uniform", 0, 3**-0.5), ("normal", 0, 1),
                                                         ("truncated_normal", 0, 0.8796)])  # fmt: skip
def test_moments_are_those_of_the_distribution(name, mean, deviation):
    values = FILLS[name](200_000).astype(np.float64)
    assert values.mean() == pytest.approx(mean, abs=0.01)
    assert values.std() == pytest.approx(deviation, abs=0.01)


def test_truncated_normal_stays_within_its_bounds_far_from_the_mean():
    values = philox.truncated_normal(SEED, 10_000, 0.0, 0.01, 0.2, 0.3)
    assert np.isfinite(values).all()
    assert values.min() >= np.float32(0.2) and values.max() <= np.float32(0.3)


def test_different_seeds_give_different_streams():
    assert not np.array_equal(philox.uniform(1, 8, 0, 1), philox.uniform(2, 8, 0, 1))
    assert not np.array_equal(philox.uniform(1, 8, 0, 1), philox.uniform(1 + 2**32, 8, 0, 1))
