"""Where the elements of a Tensor are kept: bytes, storage, files; and the flags programs set."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops


def test_bytes_there_and_back():
    for dtype in (ms.int16, ms.bfloat16, ms.complex64, ms.bool_):
        x = Tensor([[1, 0, 1]], dtype)
        again = Tensor.convert_bytes_to_tensor(x.get_bytes(), x.shape, x.dtype)
        assert again.dtype == dtype and np.array_equal(again.asnumpy(), x.asnumpy())
    with pytest.raises(ValueError, match="12 bytes are needed for the shape"):
        Tensor.convert_bytes_to_tensor(b"1234", (3,), ms.float32)


def test_a_storage_is_the_memory_of_its_tensor():
    x, y = Tensor([1.0, 2.0, 3.0]), Tensor([4.0, 5.0, 6.0])
    storage = x.untyped_storage()
    assert storage is x.storage() and isinstance(storage, ms.UntypedStorage)
    assert (storage.nbytes(), storage.size(), len(storage), storage.element_size()) == (12, 12, 12, 1)
    assert (storage.device, storage.dtype, storage.is_shared()) == (ms.get_context("device_target"), ms.float32, False)
    assert storage.data_ptr() == x.data_ptr()
    assert storage.copy_(y.storage()) is storage and x.asnumpy().tolist() == [4, 5, 6]
    storage.resize_(4)
    assert len(storage) == 4 and x.asnumpy().tolist() == [4, 0, 0] and y.asnumpy().tolist() == [4, 5, 6]
    with pytest.raises(ValueError, match="got 4 and 12 bytes"):
        storage.copy_(y.storage())
    with pytest.raises(ValueError, match="must not be negative, but got -1"):
        storage.resize_(-1)


def test_elements_in_a_file_come_back_when_they_are_used(tmp_path):
    x = Parameter(Tensor([1.0, 2.0]), name="x")
    path = str(tmp_path / "x.data")
    assert x.offload(path) and x.offload_file_path() == path
    assert (x.shape, x.dtype, x.init_finished) == ((2,), ms.float32, False)
    assert np.fromfile(path, np.float32).tolist() == [1, 2]
    assert (x + 1).asnumpy().tolist() == [2, 3]
    assert x.offload_file_path() == "" and x.init_finished
    with pytest.raises(TypeError, match="'file_path' must be"):
        x.offload(3)


def test_a_released_tensor_keeps_its_shape_and_says_why_it_is_empty():
    x = Tensor([1.0, 2.0])
    assert x.delete_() is x and x.shape == (2,)
    with pytest.raises(RuntimeError, match="released with delete_"):
        x.asnumpy()
    x.assign_value(Tensor([3.0]))
    assert x.asnumpy().tolist() == [3]


def test_hooks_are_listed_and_removed_by_number():
    x = Tensor(3.0)
    first, second = (lambda g: g * 2), (lambda g: g + 1)
    handle = x.register_hook(first)
    x.register_hook(second)
    assert x.hooks() == [first, second]
    x.remove_hook(handle.id)
    x.remove_hook(-1)
    assert x.hooks() == [second]


def test_elements_are_found_by_tensors_of_positions():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert x.index((Tensor([1, 0]), Tensor([0, 1]))).asnumpy().tolist() == [3, 2]
    with pytest.raises(TypeError, match="'indices' must be a tuple of Tensors"):
        x.index(1)


def test_flags_are_remembered():
    x, w = Tensor([1.0]), Parameter(Tensor([1.0]), name="w")
    assert w.requires_grad_(False) is w and not w.requires_grad and w.requires_grad_().requires_grad
    assert x.requires_grad_() is x
    assert x.set_const_arg(True).const_arg and not Tensor([1.0]).const_arg
    x.set_init_flag(True)
    assert x.init_flag and not Tensor([1.0]).init_flag
    x.set_cast_dtype(ms.float16)
    assert x.dtype == ms.float32
    assert (x.param_info, x.parent_tensor_, x.index_of_parent_, x.delta_seed, x.is_shared()) == (
        None,
        None,
        None,
        0,
        False,
    )
    assert x.to_("CPU") is x and x.wait_pipeline() is None and x.data_sync(False) is None
    assert x.assign_value_cpp(Tensor([5.0])) is x and x.asnumpy().tolist() == [5]
    with pytest.raises(ValueError, match="'device' must be one of"):
        x.to_("TPUs")
    with pytest.raises(TypeError, match="'const_arg' must be"):
        x.set_const_arg("a")


def test_parameters_have_the_flags_of_other_back_ends():
    w = Parameter(Tensor([1.0]), name="w")
    assert (w.sliced, w.cache_enable, list(w.cache_shape), w.inited_param) == (False, False, [], None)
    w.sliced = True
    assert w.clone().sliced and not Parameter(Tensor([1.0]), name="v").sliced
    w.add_pipeline_stage(1)
    for wrong in (-1, "a", True):
        with pytest.raises(TypeError, match="'stage' must be an int of at least 0"):
            w.add_pipeline_stage(wrong)


def test_columns_become_images_by_a_method():
    x = ops.ones((1, 1, 4, 4), ms.float32)
    arguments = ((3, 3), [2, 2], [1, 1], [0, 0], [1, 1])
    assert np.array_equal(x.col2im(*arguments).asnumpy(), ops.col2im(x, *arguments).asnumpy())


def test_a_symbol_tells_what_is_known_of_an_open_length():
    symbol = ms.Symbol(divisor=8, remainder=1, max=20)
    x = Tensor(shape=[None, 3, symbol], dtype=ms.float32)
    assert x.shape == (-1, 3, -1)
    assert x.symbolic_shape == [None, 3, {"max": 20, "divisor": 8, "remainder": 1}]
    assert str(symbol) == "{'max': 20, 'divisor': 8, 'remainder': 1}" and ms.Symbol().to_dict() == {}
    unique = ms.Symbol(unique=True)
    assert unique.to_dict() == {"id": id(unique)} and Tensor([1.0]).symbolic_shape is None


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ({"max": "a"}, TypeError, "'max' must be int, but got <class 'str'>"),
        ({"min": 0}, ValueError, "'min' value should be positive, but got 0"),
        ({"divisor": 0}, ValueError, "'divisor' value should be positive"),
        ({"divisor": 2, "remainder": 2}, ValueError, r"in the range '\[0, 2\)', but got 2"),
        ({"unique": 1}, TypeError, "'unique' must be bool"),
    ],
)
def test_an_impossible_symbol_is_refused(arguments, kind, text):
    with pytest.raises(kind, match=text):
        ms.Symbol(**arguments)


def test_small_floats_are_kept_and_converted():
    x = Tensor([1.0, 2.5, 3.3, 1000.0], ms.float8_e4m3fn)
    assert (x.dtype, str(x.dtype), x.itemsize) == (ms.float8_e4m3fn, "Float8E4M3FN", 1)
    assert np.array_equal(x.astype(ms.float32).asnumpy(), [1, 2.5, 3.25, np.nan], equal_nan=True)
    y = Tensor([1.0, -0.1]).astype(ms.float8_e5m2)
    assert (y * 2).dtype == ms.float8_e5m2 and (y * Tensor([1.0])).dtype == ms.float32
    assert (y + Tensor([1.0], ms.float8_e4m3fn)).dtype == ms.float16
    assert Tensor([1, -8], ms.qint4x2).astype(ms.int32).asnumpy().tolist() == [1, -8]


def test_small_floats_survive_a_checkpoint(tmp_path):
    path = str(tmp_path / "small.ckpt")
    ms.save_checkpoint([{"name": "w", "data": Tensor([1.5], ms.float8_e5m2)}], path)
    loaded = ms.load_checkpoint(path)["w"]
    assert loaded.dtype == ms.float8_e5m2 and loaded.astype(ms.float32).asnumpy().tolist() == [1.5]


def test_a_format_of_other_devices_is_explained():
    for make in (
        lambda: Tensor([1.0], ms.hifloat8),
        lambda: Tensor([1.0]).astype(ms.hifloat8),
        lambda: ops.zeros(2, ms.hifloat8),
    ):
        with pytest.raises(TypeError, match=r"mindspore.hifloat8 .* mindspore.float8_e4m3fn"):
            make()
    assert str(ms.hifloat8) == "HiFloat8"


def test_kinds_of_dtypes_are_classes():
    assert ms.Int(64) is ms.int64 and isinstance(ms.int8, ms.Int) and isinstance(ms.Int(), ms.Int)
    assert not any(isinstance(one, ms.Int) for one in (ms.uint8, ms.float32, ms.bool_, 3))
    of_floats = ms.TensorType(ms.float32)
    assert of_floats == ms.TensorType(ms.float32) != ms.TensorType(ms.int8) and str(of_floats) == "Tensor[Float32]"
    assert isinstance(of_floats, ms.TensorType) and isinstance(ms.tensor_type, ms.TensorType)
    assert of_floats.element_type() is ms.float32 and ms._NullType() is ms._null
    with pytest.raises(RuntimeError, match="number of bits must be one of"):
        ms.Int(7)
    with pytest.raises(TypeError, match="'element' must be a dtype"):
        ms.TensorType(3)
