"""Generators: the same seed gives the same numbers, states can be saved, and streams do not disturb each other."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint, ops
from mindspore.common.generator import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)


def drawn(count=4):
    return ops.rand(count).asnumpy()


def test_the_same_seed_gives_the_same_numbers():
    assert manual_seed(3) is default_generator
    first = drawn()
    manual_seed(3)
    np.testing.assert_array_equal(drawn(), first)
    assert not np.array_equal(drawn(), first)


def test_manual_seed_leaves_the_global_seed_and_numpy_alone():
    ms.set_seed(11)
    expected = np.random.rand()
    ms.set_seed(11)
    manual_seed(3)
    assert np.random.rand() == expected and ms.get_seed() == 11 and initial_seed() == 3
    ms.set_seed(11)
    assert initial_seed() == 11


def test_a_saved_state_goes_on_where_it_was():
    manual_seed(-5)
    drawn()
    state = get_rng_state()
    assert state.dtype == ms.uint8 and state.asnumpy().view(np.int64).tolist() == [-5, 1]
    expected = drawn()
    seed()
    set_rng_state(state)
    np.testing.assert_array_equal(drawn(), expected)


def test_a_generator_has_a_stream_of_its_own():
    manual_seed(1)
    expected = [drawn(), drawn()]
    manual_seed(1)
    generator = Generator().manual_seed(1)
    first = drawn()
    own = mint.rand(4, generator=generator).asnumpy()
    np.testing.assert_array_equal([first, drawn()], expected)
    np.testing.assert_array_equal(own, expected[0])
    assert generator.get_state().asnumpy().view(np.int64).tolist() == [1, 1]


def test_compiled_code_advances_a_generator():
    generator = Generator().manual_seed(9)
    expected = [mint.rand(3, generator=generator).asnumpy() for _ in range(3)]
    generator.manual_seed(9)
    compiled = ms.jit(lambda: mint.rand(3, generator=generator))
    np.testing.assert_array_equal([compiled().asnumpy() for _ in range(3)], expected)


def test_a_failed_draw_changes_nothing():
    generator = Generator().manual_seed(9)
    before = generator.get_state().asnumpy(), get_rng_state().asnumpy()
    with pytest.raises((TypeError, ValueError)):
        mint.rand("a", generator=generator)
    np.testing.assert_array_equal((generator.get_state().asnumpy(), get_rng_state().asnumpy()), before)


@pytest.mark.parametrize("wrong", [1.5, "a", True])
def test_a_seed_is_an_integer(wrong):
    with pytest.raises(TypeError, match="Seed must be an integer"):
        manual_seed(wrong)


@pytest.mark.parametrize("wrong", [1, Tensor([1, 2]), Tensor(np.zeros(16, np.int8))])
def test_a_state_is_what_get_state_returned(wrong):
    with pytest.raises(RuntimeError, match="Invalid tensor input"):
        set_rng_state(wrong)


@pytest.mark.parametrize("make", [Generator, lambda: default_generator], ids=["own", "default"])
def test_a_step_hands_out_the_seed_and_the_draws_so_far(make, mode):
    generator = make().manual_seed(5)
    pairs = [generator._step(Tensor(step, ms.int64)) for step in (1, 7, 1)]
    assert [(int(seed), int(offset)) for seed, offset in pairs] == [(5, 0), (5, 1), (5, 8)]
    assert {value.dtype for pair in pairs for value in pair} == {ms.int64}
    assert generator.get_state().asnumpy()[8] == 9
    with pytest.raises(RuntimeError, match="Step must be a Tensor of one int"):
        generator._step(3)


def test_a_step_inside_a_graph_goes_on_with_every_run():
    generator = Generator().manual_seed(5)

    @ms.jit
    def offset(step):
        return generator._step(step)[1]

    assert [int(offset(Tensor(2, ms.int64))) for _ in range(3)] == [0, 2, 4]
