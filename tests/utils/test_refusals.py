"""What is no Tensor is refused with an exception that programs catch by either of MindSpore's types."""

from __future__ import annotations

import pickle

import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import nn, ops
from mindspore._utils.refusals import WrongObject, type_or_value


@pytest.mark.parametrize(
    "call",
    [lambda: ops.argmax(None), lambda: nn.AvgPool2d()(1), lambda: mnp.sin("a"), lambda: nn.TransformerEncoder(1, 2)],
)
@pytest.mark.parametrize("kind", [TypeError, AttributeError])
def test_something_else_than_a_tensor_or_cell_is_caught_by_either_type(call, kind) -> None:
    with pytest.raises(kind, match="must be"):
        call()


def test_a_wrong_number_is_no_attribute_error() -> None:
    with pytest.raises(TypeError) as caught:
        ops.softmax(ops.ones(2), axis="a")
    assert not isinstance(caught.value, AttributeError)


def test_the_exception_is_shown_as_a_type_error_and_passes_between_processes() -> None:
    error = pickle.loads(pickle.dumps(WrongObject("a", 1)))
    assert type(error) is WrongObject
    assert error.args == ("a", 1)
    assert WrongObject.__name__ == "TypeError"


def test_a_layer_shows_its_call_and_what_it_takes() -> None:
    with pytest.raises(
        TypeError, match=r"Called as Conv2d\(int, .*kernel_size=str\); it takes Conv2d\(in_channels: int"
    ):
        nn.Conv2d(2, 3, "a")
    with pytest.raises(TypeError, match=r"Called as AvgPool2d\(None\); it takes AvgPool2d\(x: Tensor\)"):
        nn.AvgPool2d()(None)


@pytest.mark.parametrize(
    "call", [lambda: ops.mse_loss(ops.ones(2), ops.ones(2), 1), lambda: ops.ones(2).reshape((1, "a"))]
)
@pytest.mark.parametrize("kind", [TypeError, ValueError])
def test_another_type_in_a_sequence_or_for_a_word_is_caught_as_wrong_type_and_as_wrong_value(call, kind) -> None:
    with pytest.raises(kind, match="must be"):
        call()


@pytest.mark.parametrize("kind", [TypeError, ValueError])
def test_such_an_exception_passes_between_processes(kind) -> None:
    error = pickle.loads(pickle.dumps(type_or_value(kind)("a")))
    assert type(error) is type_or_value(kind)
    assert error.args == ("a",)


def test_checks_that_real_mindspore_has() -> None:
    for call in (
        lambda: ops.meshgrid(ops.ones(2), ops.ones(2).astype("int32")),
        lambda: ops.tril_indices(-1, 2),
        lambda: ops.clamp(ops.ones(2), 0, True),
        lambda: ops.range(0, 3, 1, maxlen=0),
        lambda: ms.JitConfig(exc_mode="foo"),
    ):
        with pytest.raises(ValueError, match="must"):
            call()
    with pytest.raises(TypeError, match="rowvar"):
        mnp.cov(ops.ones((2, 2)), rowvar=1)
    with pytest.raises(TypeError, match="takes no such argument"):
        ops.InvertPermutation(1)
