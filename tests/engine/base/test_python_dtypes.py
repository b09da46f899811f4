"""Dtypes of Python's types and values; the types that no element has."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
import mindspore.numpy as mnp
from mindspore import Tensor, nn, ops
from mindspore.common import dtype as mstype
from mindspore.ops import functional as F


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (int, ms.int64), (float, ms.float64), (bool, ms.bool_), (complex, ms.complex128), (str, ms.string), (list, ms.list_),
        (tuple, ms.tuple_), (type(None), ms.type_none), (np.float16, ms.float16), (np.bool_, ms.bool_), (np.str_, ms.string),
        (ms.int8, ms.int8),
    ],
)  # fmt: skip
def test_every_python_type_has_the_dtype_of_its_values(kind, expected) -> None:
    assert ms.pytype_to_dtype(kind) == expected
    assert kind is ms.int8 or ms.get_py_obj_dtype(kind) == expected


@pytest.mark.parametrize(
    ("kind", "error"), [(dict, NotImplementedError), (object, NotImplementedError), (3, TypeError)]
)
def test_a_type_without_a_dtype_is_refused(kind, error) -> None:
    with pytest.raises(error, match=r"For 'pytype_to_dtype', the 'obj' must be"):
        ms.pytype_to_dtype(kind)


def test_values_tell_their_type() -> None:
    values = (1.5, [1], (1,), Tensor([1.0]), ms.float32, len.__class__, nn.ReLU(), ops.ReLU(), lambda: None)
    expected = ("float64", "list_", "tuple_", "tensor[float32]", "type_type", None, "function", "function", "function")
    for value, name in zip(values, expected, strict=True):
        if name is None:
            with pytest.raises(NotImplementedError):
                ms.get_py_obj_dtype(value)
        else:
            assert repr(ms.get_py_obj_dtype(value)) == f"mindspore.{name}"


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_typeof_tells_the_type_as_graphs_have_it(mode) -> None:
    ms.set_context(mode=mode)

    @ms.jit
    def types(x):
        return F.typeof(x), F.typeof(1.5), F.typeof((1, 2)), F.typeof([1]), F.typeof({"a": 1})

    expected = [mstype.TensorType(ms.float32), ms.float32, ms.tuple_, ms.list_, mstype.Dict()]
    assert list(types(Tensor([1.0]))) == expected


def test_types_of_values_are_python_types_too() -> None:
    kinds = (ms.list_, ms.tuple_, ms.string, ms.type_none, ms.bfloat16)
    assert [ms.dtype_to_pytype(kind) for kind in kinds] == [list, tuple, str, type(None), float]


def test_kinds_of_numbers_cover_their_dtypes() -> None:
    kinds = (ms.int_, ms.uint, ms.float_, ms.number)
    dtypes = (ms.int64, ms.uint8, ms.float16, ms.float32)
    covered = [[mstype._issubclass_(dtype, kind) for dtype in dtypes] for kind in kinds]
    assert covered == [[True, False, False, False], [False, True, False, False], [False, False, True, True], [True] * 4]
    assert ms.int_ not in (ms.int32, ms.int64) and repr(ms.float_) == "mindspore.float"
    assert ops.isinstance_(Tensor([1.0]), ms.tensor_type) and ops.isinstance_(1.5, (ms.int_, ms.float_))


def test_operators_take_kinds_of_numbers_as_32_bits() -> None:
    x = Tensor([1.5], ms.float64)
    assert [ops.cast(x, ms.int_).dtype, x.to(ms.float_).dtype, ops.zeros(2, ms.int_).dtype] == [
        ms.int32,
        ms.float32,
        ms.int32,
    ]


@pytest.mark.parametrize("kind", [ms.number, ms.string, ms.list_, ms.tensor_type, ms.type_none, ms.uint])
@pytest.mark.parametrize(
    "call",
    [
        lambda kind: Tensor([1, 2], kind),
        lambda kind: Tensor([1.0]).astype(kind),
        lambda kind: ops.cast(Tensor([1.0]), kind),
        lambda kind: ops.zeros((2,), kind),
        lambda kind: ops.sum(Tensor([1.0]), dtype=kind),
        lambda kind: mnp.zeros(2, kind),
        lambda kind: ms.common.initializer.initializer("ones", (2,), kind),
    ],
)
def test_what_no_element_has_is_refused_as_a_dtype(call, kind) -> None:
    with pytest.raises(TypeError, match="'dtype' must be"):
        call(kind)


def test_names_of_dtypes_are_those_of_numpy_and_half_as_wide_in_mindspore_numpy() -> None:
    x = Tensor([1.5])
    names = ("float", "int", "uint", "short", "single", "float_", "Int32")
    expected = [ms.float64, ms.int64, ms.uint64, ms.int16, ms.float32, ms.float64, ms.int32]
    assert [x.astype(name).dtype for name in names] == expected
    assert [mnp.zeros(1, name).dtype for name in ("float", "int", "uint", "INT8")] == [
        ms.float32, ms.int32, ms.uint32, ms.int8,
    ]  # fmt: skip
    assert (mnp.arange(3, dtype=int).dtype, mnp.zeros(3, int).dtype) == (ms.int64, ms.int32)


def test_sizes_of_types_are_told() -> None:
    assert [mstype.type_size_in_bytes(kind) for kind in (ms.bfloat16, ms.complex64, ms.list_)] == [2, 8, 0]
    with pytest.raises(TypeError):
        mstype.type_size_in_bytes(3)
