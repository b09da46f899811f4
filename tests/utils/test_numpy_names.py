"""Names that NumPy 2 removed mean in a program of MindSpore what they meant when it was written."""

import warnings

import numpy as np
import pytest

import mindspore as ms  # gives the names back
from mindspore import Tensor
from mindspore._utils.compat import numpy_names

NAMES = sorted({**numpy_names._RENAMED, **numpy_names._WRITTEN})


@pytest.mark.parametrize("name", NAMES)
def test_every_removed_name_has_a_value(name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert getattr(np, name) is not None


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_values_are_those_of_numpy_1():
    assert np.float_ is np.float64 and np.int is int and np.unicode_ is np.str_
    assert -np.inf == np.NINF and np.signbit(np.NZERO)
    assert np.product([2, 3, 4]) == 24 and list(np.cumproduct([2, 3])) == [2, 6]
    assert list(np.in1d([[1, 2], [3, 4]], [2, 3])) == [False, True, True, False]
    assert np.asfarray([1, 2]).dtype == np.float64 and np.asfarray([1], dtype=np.float32).dtype == np.float32
    assert np.cast[np.float32]([1]).dtype == np.float32
    assert np.find_common_type([np.float32], [np.float64]) == np.float32
    assert np.find_common_type([np.int32], [np.float64]) == np.float64
    assert np.asscalar(np.array([3])) == 3
    assert np.issubsctype(np.float32, np.floating) and not np.issubsctype(np.int32, np.floating)


def test_the_warning_names_the_line_and_what_to_write():
    with pytest.warns(DeprecationWarning, match=r"Write np\.prod instead") as caught:
        np.product([1])
    assert caught[0].filename == __file__


def test_names_can_be_imported_and_unknown_ones_are_unknown():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        names: dict = {}
        exec("from numpy import float_", names)
    assert names["float_"] is np.float64
    assert not hasattr(np, "no_such_name")
    with pytest.raises(AttributeError, match="no_such_name"):
        np.no_such_name  # noqa: B018


def test_installing_again_changes_nothing():
    before = vars(np)["__getattr__"]
    numpy_names.install()
    assert vars(np)["__getattr__"] is before


@pytest.mark.filterwarnings("ignore:Conversion of an array:DeprecationWarning")
def test_arrays_of_one_element_are_numbers_as_programs_write():
    step = Tensor([3], ms.int32).asnumpy()
    assert int(step) == 3 and float(step) == 3.0
