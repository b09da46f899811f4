"""Exceptions that are several of Python's types at once."""

from __future__ import annotations

import pickle

import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._utils.refusals import refusing_as, several


def test_a_refusal_is_caught_by_each_of_its_types_and_shown_as_the_first() -> None:
    error = several(ValueError, TypeError, KeyError)("For 'Abs', ...")
    assert all(isinstance(error, kind) for kind in (ValueError, TypeError, KeyError))
    assert type(error).__name__ == "ValueError"
    assert several(ValueError, TypeError) is several(ValueError, TypeError)


def test_a_refusal_comes_back_from_its_pickle() -> None:
    error = pickle.loads(pickle.dumps(several(TypeError, AttributeError)("no Tensor")))
    assert isinstance(error, AttributeError)
    assert error.args == ("no Tensor",)


def test_refusals_inside_are_shown_as_the_type_that_was_asked_for() -> None:
    with pytest.raises(RuntimeError, match="too small") as caught, refusing_as(RuntimeError):
        raise ValueError("too small")
    assert isinstance(caught.value, ValueError)
    assert type(caught.value).__name__ == "RuntimeError"


@pytest.mark.parametrize(
    ("call", "kinds"),
    [
        (lambda: ops.SegmentSum()(Tensor([1.0])), (ValueError, TypeError, RuntimeError)),
        (lambda: ops.Sub()(Tensor([1.0])), (RuntimeError, TypeError)),
        (lambda: nn.MultiheadAttention(1.5, 2), (TypeError, ValueError)),
        (lambda: ms.train.SummaryRecord(3), (RuntimeError, TypeError)),
        (lambda: ms.train.Model(nn.Dense(2, 2), loss_fn="mse"), (AttributeError, TypeError)),
        (lambda: ms.dtype_to_nptype("float"), (KeyError, TypeError)),
        (lambda: ops.reduce_sum(Tensor([1.0]), (0, 0)), (RuntimeError, ValueError)),
    ],
)
def test_programs_catch_what_mindspore_raises_or_what_the_mistake_is(call, kinds) -> None:
    for kind in kinds:
        with pytest.raises(kind):
            call()


def test_a_primitive_written_by_hand_says_its_name_and_how_many_inputs_it_takes() -> None:
    with pytest.raises(ValueError, match=r"For 'SegmentSum', the call takes 2 inputs, but got 1\."):
        ops.SegmentSum()(Tensor([1.0]))
    with pytest.raises(TypeError, match="the call has no argument 'foo'"):
        ops.SegmentSum()(Tensor([1.0]), Tensor([0]), foo=1)
