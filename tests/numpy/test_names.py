"""The names of mindspore.numpy and how they are called: as in real MindSpore 2.10."""

from __future__ import annotations

import inspect
import json
import operator
from pathlib import Path

import pytest

import mindspore.numpy as mnp
from mindspore.numpy import array_creations, array_ops, dtypes, logic_ops, math_ops

DATA = Path(__file__).resolve().parents[1] / "data" / "numpy_signatures.json"
SIGNATURES: dict[str, list[list[str]]] = json.loads(DATA.read_text())


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_function_takes_the_arguments_of_real_mindspore(name: str) -> None:
    function = operator.attrgetter(name)(mnp)
    parameters = inspect.signature(function).parameters.values()
    assert [[one.name, one.kind.name, repr(one.default)] for one in parameters] == SIGNATURES[name]
    assert ">>>" in function.__doc__


@pytest.mark.parametrize("name", ["bool_", "float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8"])
def test_dtypes_are_those_of_the_package(name: str) -> None:
    assert repr(getattr(mnp, name)) == f"mindspore.{name.rstrip('_')}"


def test_constants_have_their_values() -> None:
    assert (mnp.pi, mnp.inf, mnp.PINF, mnp.NINF) == (3.141592653589793, float("inf"), float("inf"), -float("inf"))
    assert mnp.nan != mnp.nan
    assert mnp.ones(3)[mnp.newaxis].shape == (1, 3)


def test_grids_are_indexed() -> None:
    assert mnp.mgrid[0:2, 0:3].shape == (2, 2, 3)
    assert [one.shape for one in mnp.ogrid[0:2, 0:3]] == [(2, 1), (1, 3)]


def test_names_of_single_versions_are_there() -> None:
    assert mnp.shape([[1, 2, 3]]) == (1, 3)
    assert mnp.clamp([1, 5, 9], 2, 6).tolist() == [2, 5, 6]
    assert [one.tolist() for one in mnp.chunk(mnp.arange(5), 2)] == [[0, 1, 2], [3, 4]]


def test_functions_are_found_in_the_modules_they_had() -> None:
    assert array_creations.linspace is mnp.linspace
    assert array_ops.concatenate is mnp.concatenate
    assert math_ops.tensordot is mnp.tensordot
    assert logic_ops.isclose is mnp.isclose
    assert dtypes.float_ is mnp.float32


def test_a_wrong_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(AttributeError, match="Did you mean 'concatenate'"):
        mnp.concatenat  # noqa: B018 - the access is what is tested
