"""Random numbers of samples: those of many at once are those of each alone."""

import copy

import numpy as np
import pytest

from mindspore._utils.sample_random import SampleRandom, SampleRandoms

SEEDS = np.array([0, 1, 7, 2**40 + 3, 5 * 2**40, 2**62 + 1])


def both(seed=11):
    stream = SampleRandom(seed, 2)
    return [stream.branch(int(one)) for one in SEEDS], SampleRandoms(stream, SEEDS)


@pytest.mark.parametrize(
    "draw",
    [
        lambda random: random.bits(),
        lambda random: random.random(),
        lambda random: random.randint(0, 0),
        lambda random: random.randint(-3, 8),
        lambda random: random.randint(0, 2**32 - 2),
    ],
)
def test_many_generators_draw_what_each_draws_alone(draw):
    alone, together = both()
    for _ in range(3):
        assert draw(together).tolist() == [draw(one) for one in alone]


def test_single_generators_go_on_where_all_of_them_are():
    alone, together = both()
    for one in alone:
        one.random()
    together.random()
    assert len(together) == len(SEEDS)
    assert [one.random() for one in together] == [one.random() for one in alone]
    assert together[2].random() == together[2].random()  # a copy: the others are not moved on


def test_a_copy_draws_the_same_again():
    _, together = both()
    again = copy.copy(together)
    first = together.random()
    together.random()
    assert np.array_equal(again.random(), first)


def test_numbers_are_even_over_their_range():
    randoms = SampleRandoms(SampleRandom(3), np.arange(60_000))
    counts = np.bincount(randoms.randint(0, 5), minlength=6)
    assert np.abs(counts - 10_000).max() < 500
    assert abs(randoms.random().mean() - 0.5) < 0.01
