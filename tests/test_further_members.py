"""Members of public classes that subclasses and tools of programs use."""

import inspect
import json

import numpy as np
import pytest
from PIL import Image

import mindspore as ms
from mindspore import Tensor, hal, ops
from mindspore import dataset as ds
from mindspore.dataset import transforms, vision
from mindspore.nn.probability import distribution as msd
from mindspore.ops.primitive import prim_type


def test_transforms_of_images_choose_a_device():
    flip = vision.HorizontalFlip()
    assert flip.device("Ascend") is flip and flip.device_target == "Ascend"
    assert flip(np.array([[[1], [2]]], np.uint8)).reshape(-1).tolist() == [2, 1]
    with pytest.raises(ValueError, match=r"'device_target' must be one of .*GPU"):
        vision.Resize((2, 2)).device("GPU")
    with pytest.raises(TypeError, match="device_target"):
        vision.Resize((2, 2)).device(1)  # type: ignore[arg-type]


def test_kinds_of_interpolation_have_names_elsewhere():
    assert vision.Inter.to_python_type(vision.Inter.LINEAR) is Image.Resampling.BILINEAR
    assert (
        vision.Border.to_python_type(vision.Border.EDGE) == "edge"
        and vision.Border.to_c_type(vision.Border.EDGE) == "edge"
    )
    with pytest.raises(RuntimeError, match="Pillow"):
        vision.Inter.to_python_type(vision.Inter.AREA)
    with pytest.raises(RuntimeError, match="ANTIALIAS"):
        vision.Inter.to_c_type(vision.Inter.ANTIALIAS)


def test_nested_transforms_are_unfolded():
    decode, flip, cast = vision.Decode(), vision.HorizontalFlip(), transforms.TypeCast("int32")
    nested = [transforms.Compose([decode, transforms.Compose([flip])]), cast]
    assert transforms.Compose.decompose(nested) == [decode, flip, cast]
    (joined,) = transforms.Compose.reduce([flip, cast])
    assert joined(np.ones((1, 2, 1), np.uint8)).dtype == np.int32 and transforms.Compose.reduce([flip]) == [flip]


def test_pipelines_are_written_down_by_themselves(tmp_path):
    rows = ds.NumpySlicesDataset([1, 2]).batch(2)
    assert rows.to_json(str(tmp_path / "rows.json")) == ds.serialize(rows)
    assert json.loads((tmp_path / "rows.json").read_text())["op_type"] == "Batch"


def test_samplers_and_schemas_answer():
    assert ds.RandomSampler().get_shuffle_mode() == ds.Shuffle.GLOBAL
    assert ds.SequentialSampler().get_shuffle_mode() == ds.Shuffle.FALSE
    assert ds.DistributedSampler(2, 0, shuffle=False).get_shuffle_mode() == ds.Shuffle.FALSE
    schema = ds.Schema()
    schema.from_json({"numRows": 3, "columns": [{"name": "a", "type": "int32", "rank": 0}]})
    assert ds.Schema.get_num_rows(schema) == 3


def test_operators_are_named_and_marked():
    add = ops.Add()
    add.set_instance_name("first")
    add.set_prim_type(prim_type.user_custom)
    assert (add.instance_name, add.prim_type, add.update_parameter) == ("first", 3, False)
    assert hal.Stream().stream_id() == 0


def test_the_mean_over_processes(mode):
    assert ops.ReduceOp.AVG == "avg" and ops.AllReduce(ops.ReduceOp.AVG)(Tensor([2.0])).asnumpy().tolist() == [2]
    assert ops.ReduceScatter("avg")(Tensor([2, 4], ms.int32)).dtype == ms.int32


def test_transforms_are_written_as_json():
    both = transforms.Compose([vision.HorizontalFlip(), vision.Resize((2, 3), vision.Inter.NEAREST)])
    again = transforms.Compose.from_json(both.to_json())
    image = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
    np.testing.assert_array_equal(again(image), both(image))
    assert vision.UniformAugment([vision.Invert()], 1).parse_transforms()[0](np.zeros((1, 1, 3), np.uint8)).max() == 255
    assert (
        vision.SliceMode.to_c_type(vision.SliceMode.DROP) is vision.SliceMode.DROP and both.release_resource() is None
    )


def test_datasets_are_nodes_of_a_tree():
    rows = ds.NumpySlicesDataset([4, 5], ["a"], shuffle=False).batch(2)
    rows.children[0].input_indexs = (1,)
    tree, copied = rows.create_ir_tree()
    assert tree is rows and copied is not rows and rows.input_indexs == (1,) and rows.parse() is rows
    assert rows.recv()[0].asnumpy().tolist() == [4, 5]  # from this process itself
    with pytest.raises(RuntimeError, match="'dst' must be the rank of another process"):
        rows.send(dst=0)
    words = ds.NumpySlicesDataset(["b", "a", "b"], ["w"], shuffle=False)
    assert words.build_vocab("w", None, None, None, True).vocab() == {"b": 0, "a": 1}
    assert ds.DistributedSampler(2, 0, shuffle=False).set_offset(1).offset == 1


def test_shapes_and_dtypes_are_inferred_without_computing():
    tensor = ms.TensorType
    assert ops.MaxPool(2, 2).infer_shape([1, 1, 4, 4]) == [1, 1, 2, 2]
    assert ops.Xdivy().infer_shape([2, 3], [3]) == [2, 3] and ops.Concat(1).infer_shape(([2, 1], [2, 3])) == [2, 4]
    assert ops.NMSWithMask().infer_shape([4, 5]) == ([4, 5], [4], [4])
    kinds = ops.NMSWithMask().infer_dtype(tensor(ms.float32))
    assert kinds == (tensor(ms.float32), tensor(ms.int32), tensor(ms.bool_))
    assert ops.ConfusionMatrix(3).infer_dtype(ms.int32, ms.int32) == tensor(ms.int32)
    assert ops.Assert().infer_shape([], ([2],)) == [1] and ops.Gather().infer_shape([5, 2], [3], 0) == [3, 2]
    assert ops.Sub().infer_value(None, Tensor([1.0])) is None
    assert ops.Mod().infer_value(Tensor([5.0]), Tensor([3.0])).asnumpy().tolist() == [2]
    ops.SGD().check_shape([2], [2], [], accum_shape=[2], momentum_shape=[], stat_shape=[2])
    with pytest.raises(ValueError, match="MatMul"):
        ops.MatMul().infer_shape([2, 3], [2, 3])
    assert ops.BitwiseAnd.do_infer_dtype(ms.int8, tensor(ms.int8), (ms.int8,), "BitwiseAnd") == tensor(ms.int8)
    with pytest.raises(TypeError, match="'BitwiseAnd'"):
        ops.BitwiseAnd.do_infer_dtype(ms.int8, ms.int16, None, "BitwiseAnd")


def test_initializers_keep_a_seed():
    normal = ms.common.initializer.Normal()
    normal.seed = 5
    first, second = (normal.materialise((3,), ms.float32) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    normal.seed = None
    assert not np.array_equal(normal.materialise((3,), ms.float32), normal.materialise((3,), ms.float32))


def test_operators_are_cloned_and_labelled():
    relu = ops.ReLU()
    other = relu.clone()
    other.set_label("kept", 3)
    assert (other.has_label("kept"), relu.has_label("kept"), other.get_label("kept")) == (True, False, 3)
    assert ops.Depend.side_effect_propagate == 1 and ms.COOTensor.indices.__doc__


def test_signatures_are_those_of_the_class_and_of_the_call():
    assert list(inspect.signature(ops.MatMul).parameters) == ["transpose_a", "transpose_b"]
    assert list(inspect.signature(ops.MatMul()).parameters) == ["input", "mat2"]


def test_distributions_of_libraries_compute_with_the_operators_of_ours(mode):
    class Own(msd.Normal):
        def _log_prob(self, value, mean=None, sd=None):
            mean, sd = self._check_param_type(mean, sd)
            return -self.sq(self.checktensor(value, "value") - mean) / (2 * self.sq(sd)) - self.log(sd)

    own = Own(1.0, 2.0)
    assert np.allclose(own.log_prob(Tensor(3.0)).asnumpy(), -0.5 - np.log(2), atol=1e-6)
    assert own.parameter_names == ["mean", "sd"] and [float(one) for one in own.default_parameters] == [1.0, 2.0]
    assert own.cast(Tensor(1), ms.float32).dtype == ms.float32 and own.exp(Tensor(0.0)) == 1
    with pytest.raises(TypeError, match="value"):
        own.checktensor(3, "value")


def test_arguments_of_primitives_are_set():
    relu = (
        ops.ReLU()._set_prim_arg("axis", 3)._set_prim_arg_with_handler("n", "5", lambda owner, name, value: int(value))
    )
    assert (relu.axis, relu.n, relu._set_prim_arg_with_handler("none", None, int).none) == (3, 5, None)
