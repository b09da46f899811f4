"""The checks of axes, shapes, sequences, dtypes and data that programs import from ``mindspore._checkparam``."""

import pytest

import mindspore as ms
import mindspore._checkparam as c
from mindspore import Tensor

FLOATS, INTS = ms.TensorType(ms.float32), ms.TensorType(ms.int32)
ONE = Tensor([1.0])


def test_values_pass_in_their_usual_form():
    given = {
        c.check_and_canonicalize_axes(-1, 3): (2,), c.check_and_canonicalize_axes((0, -1), 3): (0, 2),
        c.check_axis_valid(None, 3): (0, 1, 2), c.check_axis_in_range(-1, 3): 2,
        c.check_swapaxes_axis((0, -1), 3): (0, 2), c.check_swapaxes_axis(1, 3): 1,
        c.check_transpose_axis((), 3): (2, 1, 0), c.check_transpose_axis(((1, 0, 2),), 3): (1, 0, 2),
        c.check_transpose_axis((-1, 0, 1), 3): (-1, 0, 1), c.check_reshape_shp(((2, 3),)): (2, 3),
        c.check_reshape_shp((2, 3)): (2, 3), c.infer_out_shape((2, 1), (3,)): (2, 3), c.infer_out_shape((0,), (1,)): (0,),
        c.prepare_shape_for_squeeze((1, 2, 1), 0): (2, 1), c.prepare_shape_for_squeeze((1, 2, 1), (0, 2)): (2,),
        c.expanded_shape(3, 4, 1): (1, 4, 1), c.tuple_slice((1, 2, 3, 4), 1, 3): (2, 3),
        c.once(3): (3,), c.twice(3): (3, 3), c.twice((3, 4)): (3, 4), c.triple(3): (3, 3, 3),
        c.once_sequence([1]): (1,), c.twice_sequence([1, 2]): (1, 2), c.triple_sequence(2): (2, 2, 2),
        c._expand_tuple(2)(3): (3, 3), c.max_(1, 3, 2): 3, c.min_([1, 3, 2]): 1,
        c.check_astype_dtype("Float32"): ms.float32, c.check_astype_dtype(int): ms.int64,
        c.check_is_number(1, int, "a", "N"): 1, c.check_non_negative_int_sequence((0, 1), "a"): (0, 1),
        c.check_input_format("NCHW"): "NCHW", c.check_pad_value_by_mode("pad", 1, "N"): 1, c.check_valid_input("a", 5, "N"): 5,
        c.args_type_check(a=int)(lambda a: a)(7): 7,
    }  # fmt: skip
    assert all(got == wanted for got, wanted in given.items()), {k: v for k, v in given.items() if k != v}


def test_questions_are_answered():
    assert (
        c.check_axis_type((1, 2)) and c.check_file_name_by_regular("a/b.txt") and c.check_str_and_none_by_regular(None)
    )
    assert c.check_type_support(ms.float32, "GPU", [ms.float32]) and not c.check_type_support(
        ms.int8, "CPU", [ms.float32]
    )
    assert (
        not c.is_stub_tensor(ONE)
        and not c.check_input_dataset(1, dataset_type=str)
        and c.check_input_dataset("a", dataset_type=str)
    )


def test_what_fits_is_let_through():
    c.check_coo_tensor_dtype(ms.int32)
    c.check_coo_tensor_shape((2, 2), (2,), (3, 4))
    c.check_csr_tensor_dtype(ms.int32, ms.int64)
    c.check_csr_tensor_shape((3,), (2,), (2,), (2, 4))
    c.check_coo_tensor_input(ONE, ONE, (2,))
    c.check_csr_tensor_input(ONE, ONE, ONE, (2, 2))
    c.check_element_type_of_dict("a", {"x": 1}, [str], [int], "N")
    c.check_element_type_of_iterable("a", [1, 2], [int], "N")
    c.check_size_and_element_type_of_tuple("a", (1, 2), 2, int, "N")
    c.check_input_data(ONE, [ONE], {"x": ONE}, data_class=Tensor)
    c.check_reduce_shape((2, 3), (2,), 1, "N", "a", "b")
    c.check_types_same_and_valid({"x": ms.float32, "y": ms.float32}, [ms.float32], "N")
    c.check_tensors_dtypes_same_and_valid({"x": FLOATS, "y": FLOATS}, [ms.float32], "N")
    c.check_scalar_or_tensor_types_same({"x": FLOATS, "y": ms.float32}, [ms.float32], "N", True)
    c.check_flatten_order("C")
    c.check_hook_fn(print)
    c.check_output_data(1)


REFUSED = [
    (lambda: c.check_and_canonicalize_axes(3, 3), ValueError, r"in the range of \[-3, 3\), but got 3"),
    (lambda: c.check_and_canonicalize_axes(1.0, 3), TypeError, "Each axis should be integer"),
    (lambda: c.check_and_canonicalize_axes((0, -3), 3), ValueError, "can not be duplicate"),
    (lambda: c.check_axis_in_range("a", 3), TypeError, "axes must be integers, but got <class 'str'>"),
    (lambda: c.check_axis_type([1], True, False, False), TypeError, "must be int, but got <class 'list'>"),
    (lambda: c.check_transpose_axis((1, 0), 3), ValueError, "but got 2 in the number of axes"),
    (lambda: c.check_reshape_shp((1.0,)), TypeError, "Tensor.reshape, the parameter 'shape'"),
    (lambda: c.check_reduce_shape((2, 3), (3,), 1, "N", "a", "b"), ValueError, r"the shape of 'b': \(3,\), but got \(2, 3\)"),
    (lambda: c.infer_out_shape((2,), (3,)), ValueError, r"but got shapes \(\(2,\), \(3,\)\)"),
    (lambda: c.prepare_shape_for_squeeze((1, 2), 1), ValueError, "length of axis 1 must be 1, but got 2"),
    (lambda: c.prepare_shape_for_squeeze((1, 2), None), TypeError, "'axes' must be one of"),
    (lambda: c.twice((3, 4, 5)), TypeError, r"must be 2, but got \(3, 4, 5\)"),
    (lambda: c.twice_sequence([1]), TypeError, r"must be 2, but got \[1\]"),
    (lambda: c.check_astype_dtype("foo"), TypeError, "For 'Tensor.astype', the 'dtype' must be one of"),
    (lambda: c.check_coo_tensor_dtype(ms.float32), TypeError, "'indices' must be one of .* but got Float32"),
    (lambda: c.check_coo_tensor_shape((2, 2), (3,), (3, 4)), ValueError, "= 2 and 'values.shape.0.' = 3"),
    (lambda: c.check_coo_tensor_shape((2, 2, 1), (2,), (3, 4)), ValueError, "2-dimensional tensor, but got a 3-dimensional"),
    (lambda: c.check_coo_tensor_shape((2, 3), (2,), (3, 4)), ValueError, "must be 2, but got 3"),
    (lambda: c.check_coo_tensor_input(1, ONE, (2,)), TypeError, "'indices' must be Tensor, but got <class 'int'>"),
    (lambda: c.check_coo_tensor_input(ONE, ONE, [2]), TypeError, "'shape' must be tuple"),
    (lambda: c.check_csr_tensor_input(1, ONE, ONE, (2,)), TypeError, "'indptr' must be Tensor"),
    (lambda: c.check_csr_tensor_dtype(ms.int32, ms.float32), TypeError, "indices must have int16 or int32"),
    (lambda: c.check_csr_tensor_shape((2,), (2,), (2,), (2, 4)), ValueError, "indptr must have length"),
    (lambda: c.check_csr_tensor_shape((3,), (2,), (3,), (2, 4)), ValueError, "indices shape: 2, values shape: 3"),
    (lambda: c.check_csr_tensor_shape((3,), (2,), (2,), (2,)), ValueError, "Values' dimension: 1, CSRTensor's dimension: 1"),
    (lambda: c.check_element_type_of_dict("a", {1: 1}, [str], [int], "N"), TypeError, "For 'N', the type of 'key of a'"),
    (lambda: c.check_element_type_of_iterable("a", [1, "b"], [int], "N"), TypeError, r"'a\[1\]' should be 'int', but got type 'str'"),
    (lambda: c.check_element_type_of_iterable("a", {"x": 1}, [str], "N"), TypeError, r"one of '\['list', 'tuple'\]'"),
    (lambda: c.check_size_and_element_type_of_tuple("a", (1, 2, 3), 2, int, "N"), ValueError, "'a size' must be int and must = 2"),
    (lambda: c.check_file_name_by_regular("a b?.txt"), ValueError, "is illegal"),
    (lambda: c.check_str_and_none_by_regular("a b"), ValueError, "'a b' is illegal"),
    (lambda: c.check_flatten_order("Z"), ValueError, "must be 'C' or 'F', but got 'Z'"),
    (lambda: c.check_flatten_order(1), TypeError, "'order' must be a string"),
    (lambda: c.check_hook_fn(1), TypeError, "callable hook function, but got int"),
    (lambda: c.check_input_data([1], data_class=Tensor), TypeError, r"Union\(Tensor, .*but got type int"),
    (lambda: c.check_input_format("FOO"), ValueError, "must be NCHW, but got FOO"),
    (lambda: c.check_is_number(1.0, int, "a", "N"), TypeError, "type of 'a' must be 'int', but got 'float'"),
    (lambda: c.check_is_number(float("nan"), float, "a", "N"), ValueError, "'a' must be a legal float"),
    (lambda: c.check_positive_int_sequence([1, 0], "a", "N"), ValueError, r"the 'a\[1\]' must be int and must > 0"),
    (lambda: c.check_non_negative_int_sequence((0, -1), "a", "N"), ValueError, r"the 'a\[1\]' must be int and must >= 0"),
    (lambda: c.check_positive_float_sequence([0.0], "a", "N"), ValueError, r"the 'a\[0\]' must be float and must > 0"),
    (lambda: c.check_output_data(None), RuntimeError, "can not be None"),
    (lambda: c.check_pad_value_by_mode("same", 1, "N"), ValueError, "must be zero when pad_mode is 'same', but got 1"),
    (lambda: c.check_valid_input("a", None, "N"), ValueError, "the 'a' can not be None"),
    (lambda: c.check_types_same_and_valid({"x": ms.float32, "y": ms.int32}, [ms.float32, ms.int32], "N"), TypeError, "'y' should be same as 'x'"),
    (lambda: c.check_types_same_and_valid({"x": ms.int8}, [ms.float32], "N"), TypeError, "'x' must be Float32, but got Int8"),
    (lambda: c.check_tensor_dtype_valid("x", ms.float32, [ms.float32], "N"), TypeError, r"must be Tensor\[Float32\], but got Float32"),
    (lambda: c.check_tensors_dtypes_same_and_valid({"x": FLOATS, "y": INTS}, [ms.float32, ms.int32], "N"), TypeError, "'y' should be same as 'x'"),
    (lambda: c.check_scalar_or_tensor_types_same({"x": FLOATS, "y": ms.float32}, [ms.float32], "N"), TypeError, "all be Tensors or all be numbers"),
    (lambda: c.args_type_check(int, str)(lambda a, b: a)(1, 2), TypeError, "'b' must be <class 'str'>, but got <class 'int'>"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "kind", "text"), REFUSED, ids=[text[:40] for _, _, text in REFUSED])
def test_what_does_not_fit_is_named(check, kind, text):
    with pytest.raises(kind, match=text):
        check()


def test_types_of_a_function_of_keywords_are_checked_one_by_one():
    @c.args_type_check(a=int, b=str)
    def taken(**kwargs):
        return kwargs

    assert taken(a=1, other=2.0) == {"a": 1, "other": 2.0}
    with pytest.raises(TypeError, match="'b' must be <class 'str'>, but got <class 'int'>"):
        taken(a=1, b=2)
