"""Small functions of ``mindspore.common`` and around it: what they do, and what they refuse."""

import logging
import sys

import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, log
from mindspore._engine.tensor.buffers import frombuffer, swap_tensors
from mindspore.common.api import _pynative_executor, cells_compile_cache, set_recursion_limit
from mindspore.common.dynamic_shape import enable_dynamic
from mindspore.common.lazy_inline import lazy_inline, no_inline
from mindspore.device_manager import set_deterministic


def test_swapped_tensors_hold_what_the_other_held():
    x, y = Parameter(Tensor([1.0]), name="x"), Tensor([2.0, 3.0])
    swap_tensors(x, y)
    assert (x.asnumpy().tolist(), y.asnumpy().tolist(), x.name) == ([2, 3], [1], "x")


def test_the_recursion_limit_is_raised_and_never_lowered():
    before = sys.getrecursionlimit()
    try:
        set_recursion_limit(before + 10)
        set_recursion_limit(10)
        assert sys.getrecursionlimit() == before + 10
    finally:
        sys.setrecursionlimit(before)


def test_names_that_programs_reach_through_other_modules():
    assert log.logging is logging and cells_compile_cache == {}
    _pynative_executor.sync()


def test_hints_leave_functions_as_they_are():
    def double(x):
        return x * 2

    assert lazy_inline(double) is no_inline(double) is double is lazy_inline(policy="front")(double)
    assert enable_dynamic(x=Tensor(shape=[None], dtype=ms.float32))(double) is double


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: frombuffer(1, ms.int8), TypeError, "'buffer' must be an object that gives access to its bytes, but got int"),
        (lambda: frombuffer(b"abc", ms.int16), ValueError, "For 'frombuffer', buffer size"),
        (lambda: frombuffer(b"abc", int), TypeError, "the 'dtype' must be"),
        (lambda: swap_tensors(Tensor([1.0]), 1), TypeError, "the 't2' must be"),
        (lambda: set_recursion_limit(-1), ValueError, "'recursion_limit' must be"),
        (lambda: set_deterministic(1), TypeError, "'deterministic' must be"),
        (lambda: lazy_inline(policy="back"), ValueError, "'policy' must be None or 'front'"),
        (lambda: no_inline(3), TypeError, "the 'fn' must be"),
        (lambda: enable_dynamic(x=Tensor([1.0])), TypeError, "must have an axis of open length"),
        (lambda: enable_dynamic(y=Tensor(shape=[None], dtype=ms.float32))(lambda x: x), ValueError, "'y' is no argument"),
    ],
)  # fmt: skip
def test_wrong_arguments_are_refused_in_words(call, kind, text):
    with pytest.raises(kind, match=text):
        call()
