"""Slices by number, choices, exchange with other libraries, and what a tensor says about its memory."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops


def sample() -> Tensor:
    return Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))


def test_select_is_a_slice_or_a_choice(mode):
    assert sample().select(1, -1).asnumpy().tolist() == [2, 5]
    assert sample().select(dim=0, index=1).asnumpy().tolist() == [3, 4, 5]
    assert sample().select(Tensor([True, False, True]), 9.0).asnumpy().tolist() == [[0, 9, 2], [3, 9, 5]]
    with pytest.raises(TypeError, match=r"the arguments must be \(dim, index\) or \(condition, y\)"):
        sample().select(1)
    with pytest.raises(ValueError, match=r"the 'index' must be in \[-3, 3\), but got 3"):
        sample().select(1, 3)


def test_sums_to_sizes(mode):
    assert sample().sum_to_size(1, 3).asnumpy().tolist() == [[3, 5, 7]]
    assert sample().sum_to_size((3,)).asnumpy().tolist() == [3, 5, 7]
    with pytest.raises(ValueError, match=r"the 'size' must expand to the shape \(2, 3\), but got \(4,\)"):
        sample().sum_to_size(4)


def test_choices_wrap_or_are_cut_off():
    numbers = Tensor([0, 1, 5, -1])
    choices = [[1, 2, 3, 4], [10, 20, 30, 40], Tensor([100, 200, 300, 400])]
    assert numbers.choose(choices).asnumpy().tolist() == [1, 20, 300, 4]
    assert numbers.choose(choices, mode="wrap").asnumpy().tolist() == [1, 20, 300, 400]
    with pytest.raises(ValueError, match="the 'mode' must be one of"):
        numbers.choose(choices, mode="raise")


def test_dlpack_goes_both_ways():
    from_dlpack: Any = Tensor.from_dlpack
    assert np.array_equal(from_dlpack(sample().to_dlpack()).asnumpy(), sample().asnumpy())
    assert from_dlpack(np.array([1, 2], np.int32)).dtype == ms.int32


@pytest.mark.parametrize(
    "array",
    [np.arange(10.0)[::2], np.arange(4)[::-1], np.broadcast_to(np.float32(1), (3, 2)), np.ones((2, 3), np.float16).T,
     np.frombuffer(bytes(9), np.uint8)[1:].view(np.float32), np.array([True, False]), np.array(3.0), np.zeros((0, 2))],
    ids=["gaps", "reversed", "repeated", "transposed", "unaligned", "bool", "scalar", "empty"],
)  # fmt: skip
def test_arrays_of_every_layout_are_taken(array):
    from_dlpack: Any = Tensor.from_dlpack
    taken = from_dlpack(array)
    assert taken.asnumpy().dtype == array.dtype and np.array_equal(taken.asnumpy(), array)
    assert np.array_equal(np.from_dlpack(taken), array)


def test_arrays_that_cannot_be_taken_say_why():
    from_dlpack: Any = Tensor.from_dlpack
    capsule = sample().to_dlpack()
    from_dlpack(capsule)
    with pytest.raises(BufferError, match="the capsule was used already"):
        from_dlpack(capsule)
    with pytest.raises(BufferError, match="the array cannot be taken"):
        from_dlpack(np.array(["a"]))

    class OfAnotherLibrary:
        requires_grad = True

        def __dlpack__(self, **_):
            raise BufferError("Can't export tensors that require gradient")

        def __dlpack_device__(self):
            return (1, 0)

    with pytest.raises(BufferError, match=r"write from_dlpack\(x\.detach\(\)\)"):
        from_dlpack(OfAnotherLibrary())


def test_a_compiled_function_hands_nothing_to_other_libraries():
    @ms.jit(fullgraph=True)
    def handed(x):
        return x.to_dlpack()

    with pytest.raises(RuntimeError, match="Handing a Tensor to another library"):
        handed(sample())


def test_clones_are_separate_and_carry_gradients(mode):
    x = sample()
    copy = x.clone()
    copy.add_(1)
    assert x.asnumpy()[0, 0] == 0 and copy.asnumpy()[0, 0] == 1
    assert ms.grad(lambda x: (x.clone() * 3).sum())(sample()).asnumpy().tolist() == [[3] * 3] * 2


def test_set_takes_over_another_tensor():
    x = sample()
    assert x.set_(Tensor([1, 2])) is x and x.shape == (2,) and x.dtype == ms.int64


def test_what_a_tensor_says_about_its_memory():
    x = sample()
    assert x.device == ms.get_context("device_target") or x.device == "CPU"
    assert x.is_meta is False and x.is_pinned() is False and x.storage_offset() == 0 and x.data_ptr() > 0
    assert x.pin_memory() is x and np.array_equal(x.move_to("CPU").asnumpy(), x.asnumpy())


# -- results with as many elements as values say -----------------------------------------------------------------------
def test_segments_have_gradients_and_refuse_falling_numbers():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    x, ids = Tensor([1.0, 2.0, 4.0]), Tensor([0, 0, 2])
    assert ops.SegmentProd()(x, ids).asnumpy().tolist() == [2, 1, 4]
    gradient = ms.grad(lambda x: ops.SegmentMean()(x, ids).sum())(x)
    assert gradient.asnumpy().tolist() == [0.5, 0.5, 1]
    with pytest.raises(ValueError, match="For 'SegmentSum', the 'segment_ids' must be a vector of rising numbers"):
        ops.SegmentSum()(x, Tensor([1, 0, 2]))


def test_strict_graphs_are_told_what_depends_on_values():
    @ms.jit(fullgraph=True)
    def compiled(x, y):
        return ops.ListDiff()(x, y)

    with pytest.raises(Exception, match="ListDiff"):
        compiled(Tensor([1, 2]), Tensor([1]))


def test_the_edit_distance_of_an_empty_truth_is_infinite_or_zero():
    def distance(guess, truth):
        def parts(values):
            places = np.array([[0, k] for k in range(len(values))], np.int64).reshape(-1, 2)
            return Tensor(places), Tensor(np.array(values, np.int64)), Tensor([1, 4])

        return ops.EditDistance()(*parts(guess), *parts(truth)).asnumpy().tolist()

    assert distance([1], []) == [np.inf] and distance([], []) == [0] and distance([1, 2, 3], [1, 3]) == [0.5]


# -- factors put together again ----------------------------------------------------------------------------------------
def test_eigenvectors_and_logarithms_give_the_matrix_back(mode):
    matrix = np.array([[1.0, 2.0, 0.5], [3.0, -4.0, 1.0], [0.0, 1.0, 2.0]], np.float32)
    values, vectors = (part.asnumpy() for part in ops.eig(Tensor(matrix)))
    np.testing.assert_allclose(vectors @ np.diag(values), matrix @ vectors, 1e-4, 1e-4)
    logarithm = ops.MatrixLogarithm()(Tensor(matrix.astype(np.complex64)))
    np.testing.assert_allclose(ops.matrix_exp(logarithm).asnumpy(), matrix, 1e-4, 1e-4)


def test_reflectors_multiply_like_the_orthogonal_matrix():
    x = np.random.default_rng(0).standard_normal((4, 3)).astype(np.float32)
    factors, tau = ops.geqrf(Tensor(x))
    triangle = np.triu(factors.asnumpy())[:3]
    np.testing.assert_allclose(ops.orgqr(factors, tau).asnumpy() @ triangle, x, 1e-4, 1e-5)
    np.testing.assert_allclose(ops.ormqr(factors, tau, Tensor(x), transpose=True).asnumpy()[:3], triangle, 1e-4, 1e-5)


def test_spectra_refuse_what_they_cannot_transform():
    with pytest.raises(TypeError, match="For 'rfft', the 'input' must hold real numbers"):
        ops.rfft(Tensor([1 + 1j]))
    with pytest.raises(ValueError, match="For 'fft', the 'norm' must be one of"):
        ops.fft(Tensor([1.0]), norm="orto")
    with pytest.raises(ValueError, match="For 'fft2', the 's' must have one length per axis"):
        ops.fft2(Tensor([[1.0]]), (1, 2, 3))


def test_the_gradient_of_a_power_spectrum_is_parsevals(mode):
    def energy(x):
        spectrum = ops.fft(x)
        return (ops.real(spectrum) ** 2 + ops.imag(spectrum) ** 2).sum()

    x = np.array([1.0, -2.0, 3.0], np.float32)
    np.testing.assert_allclose(ms.grad(energy)(Tensor(x)).asnumpy(), 6 * x, 1e-5)


# -- attention ---------------------------------------------------------------------------------------------------------
def test_attention_hides_what_the_mask_or_the_causal_mode_hides(mode):
    random = np.random.default_rng(1)
    query, key, value = (random.standard_normal((2, 3, 4, 5)).astype(np.float32) for _ in range(3))
    hidden = np.triu(np.ones((4, 4), np.uint8), 1)
    scores = np.where(hidden, -np.inf, query @ key.swapaxes(-1, -2) * 0.5)
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    tensors = [Tensor(x) for x in (query, key, value)]
    options = {"scalar_value": 0.5, "input_layout": "BNSD"}
    attention: Any = ops.flash_attention_score
    masked = attention(*tensors, 3, attn_mask=Tensor(hidden), **options)
    causal = attention(*tensors, 3, sparse_mode=2, **options)
    for found in (masked, causal):
        np.testing.assert_allclose(found.asnumpy(), weights @ value, 1e-4, 1e-5)
    flat = [Tensor(x.transpose(0, 2, 1, 3).reshape(2, 4, 15)) for x in (query, key, value)]
    merged = attention(*flat, 3, sparse_mode=2, scalar_value=0.5)
    np.testing.assert_allclose(merged.asnumpy(), (weights @ value).transpose(0, 2, 1, 3).reshape(2, 4, 15), 1e-4, 1e-5)
    with pytest.raises(ValueError, match="the 'drop_mask', 'keep_prob'"):
        attention(*tensors, 3, keep_prob=0.9, **options)


def test_loops_run_in_both_modes(mode):
    @ms.jit
    def double(x):
        last, before = ops.Scan()(lambda state, element: (state * element, state), x, [2.0, 3.0])
        return ops.ForiLoop()(0, 3, lambda index, value: value + index, last), before[1]

    last, before = double(Tensor([1.0]))
    assert last.asnumpy() == [9] and before.asnumpy() == [2]
