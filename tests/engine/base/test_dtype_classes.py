"""dtypes are instances of the classes that libraries ask about."""

import copy
import pickle

import pytest

import mindspore as ms
from mindspore._c_expression import typing
from mindspore.common import dtype as mstype

# What MindSpore 2.10 says of each dtype: the names of its class and of the classes above it.
CLASSES = {
    "float32": "Float Number", "float8_e4m3fn": "Float Number", "hifloat8": "Float Number", "bfloat16": "BFloat Number",
    "int8": "Int Number", "qint4x2": "Int Number", "uint8": "UInt Number", "bool_": "Bool Number",
    "complex64": "Complex Number", "number": "Number", "string": "String", "tensor_type": "TensorType", "list_": "List",
    "tuple_": "Tuple", "type_none": "TypeNone", "function": "Function", "type_type": "TypeType",
    "type_refkey": "RefKeyType", "_null": "TypeNull",
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_a_dtype_is_an_instance_of_its_classes_and_of_no_other(name):
    kinds = {
        one: kind for one, kind in vars(typing).items() if isinstance(kind, type) and issubclass(kind, typing.Type)
    }
    kinds = {one: kind for one, kind in kinds.items() if kind is not typing.Type}
    found = {one for one, kind in kinds.items() if isinstance(getattr(mstype, name), kind)}
    assert found == set(CLASSES[name].split()) and isinstance(getattr(mstype, name), typing.Type)


def test_constructors_give_the_dtypes_themselves():
    assert mstype.Float(32) is ms.float32 and mstype.Int(8) is ms.int8 and mstype.Tuple() is mstype.tuple_
    assert repr(mstype.Float()) == "mindspore.float" and repr(mstype.Int()) == "mindspore.int"
    with pytest.raises(RuntimeError, match="'Float', the number of bits must be one of"):
        mstype.Float(17)
    with pytest.raises(TypeError, match="has no constructor"):
        ms.Type()


def test_dtypes_of_numbers_say_how_they_are_stored():
    assert (ms.float16.itemsize, ms.complex128.itemsize, ms.bool_.itemsize) == (2, 16, 1)
    assert ms.float32.is_floating_point and ms.float32.is_signed and not ms.uint8.is_signed
    assert ms.complex64.is_complex and not ms.float32.is_complex
    assert ms.float32.to_complex() is ms.complex64 and ms.complex128.to_real() is ms.float64
    with pytest.raises(TypeError, match="Int32"):
        ms.int32.to_complex()


def test_copies_of_a_dtype_are_the_dtype():
    for one in (ms.float32, ms.hifloat8, mstype.csr_tensor, mstype.Float(), ms.string):
        assert pickle.loads(pickle.dumps(one)) is copy.deepcopy(one) is copy.copy(one) is one
    assert pickle.loads(pickle.dumps(ms.TensorType(ms.int8))) == ms.TensorType(ms.int8)
