"""Names that MindSpore 1.0, 2.0 or 2.7 publish and 2.10 does not: they are found and compute what they did."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.ops import composite, functional, operations
from mindspore.train.print_pb2 import Print, TensorProto

X = np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2)
MODES = pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])

NAMES = {
    ms: "check_checkpoint convert_model get_offload_context issubclass_ parse_print set_offload_context",
    nn: "GraphKernel LinSpace",
    ops: "BNTrainingReduce BNTrainingUpdate FusedBatchNorm FusedBatchNormEx IsInstance IsSubClass ReLUV2 SameTypeShape "
    "fill_ isinstance_ issubclass_ neg_tensor same_type_shape",
    operations: "BNTrainingReduce BNTrainingUpdate FusedBatchNorm FusedBatchNormEx ReLUV2 SameTypeShape",
    functional: "fill_ isinstance_ issubclass_ neg_tensor same_type_shape",
    ms.context: "get_offload_context set_offload_context",
    nn.layer.lstm: "LSTM LSTMCell",
}


@pytest.mark.parametrize(("module", "names"), NAMES.items(), ids=lambda value: getattr(value, "__name__", ""))
def test_names_of_earlier_versions_are_found(module, names):
    assert not [name for name in names.split() if not callable(getattr(module, name, None))]
    assert composite is not None


class Normalized(nn.Cell):
    def __init__(self, primitive):
        super().__init__()
        self.primitive = primitive
        rows = {"scale": [1.0, 2.0], "bias": [0.0, 1.0], "mean": [0.5, 0.0], "variance": [1.0, 3.0]}
        for name, row in rows.items():
            setattr(self, name, Parameter(Tensor(row, ms.float32), name=name))

    def construct(self, x):
        return self.primitive(x, self.scale, self.bias, self.mean, self.variance)


@MODES
@pytest.mark.parametrize(("kind", "count"), [(ops.FusedBatchNorm, 5), (ops.FusedBatchNormEx, 6)])
def test_fused_batch_normalization_moves_the_statistics_as_1_0_does(mode, kind, count):
    ms.set_context(mode=mode)
    net = Normalized(kind(1, 1e-5, 0.25))
    results = net(Tensor(X))
    assert len(results) == count
    # recorded from MindSpore 1.0 on a CPU
    assert np.allclose(results[0].asnumpy().ravel()[:4], [-1.324244, -1.0834724, -0.8427007, -0.60192907], atol=1e-6)
    assert np.allclose(results[3].asnumpy(), [5.5, 9.5]) and np.allclose(results[4].asnumpy(), [17.25, 17.25])
    assert np.allclose(net.mean.asnumpy(), [1.75, 2.375])
    assert np.allclose(net.variance.asnumpy(), [5.0625, 6.5625])


@MODES
def test_the_steps_of_batch_normalization_make_the_whole(mode):
    ms.set_context(mode=mode)
    one, zero = ops.ones((2,), ms.float32), ops.zeros((2,), ms.float32)

    @ms.jit
    def steps(x):
        total, squares = ops.BNTrainingReduce()(x)
        return ops.BNTrainingUpdate()(x, total, squares, one, zero, zero, one)

    whole = ops.BatchNorm(is_training=True)(Tensor(X), one, zero, Parameter(zero, name="m"), Parameter(one, name="v"))
    assert np.allclose(steps(Tensor(X))[0].asnumpy(), whole[0].asnumpy(), atol=1e-5)


def test_the_mask_of_relu_has_a_bit_for_each_of_16_channels():
    x = np.where(np.arange(18) % 3 == 0, 1.0, -1.0).astype(np.float32).reshape(1, 18, 1, 1)
    output, mask = ops.ReLUV2()(Tensor(x))
    assert np.array_equal(output.asnumpy(), np.maximum(x, 0)) and mask.shape == (1, 2, 1, 1, 2)
    bits = np.unpackbits(mask.asnumpy().reshape(2, 2), axis=1, bitorder="little").reshape(-1)
    assert np.array_equal(bits[:18], x.ravel() > 0) and not bits[18:].any()


def test_questions_about_types():
    assert ops.isinstance_(2, ms.number) and not ops.isinstance_((1,), ms.number)
    assert ops.issubclass_(ms.int32, ms.number) and ops.IsSubClass()(ms.float16, ms.number)
    x = Tensor([1.0])
    assert ops.same_type_shape(x, x + 1) is x
    with pytest.raises(TypeError, match="dtypes must be the same"):
        ops.same_type_shape(x, Tensor([1]))
    with pytest.raises(ValueError, match="shapes must be the same"):
        ops.SameTypeShape()(x, Tensor([[1.0]]))


def test_what_was_printed_into_a_file_is_read(tmp_path):
    path = tmp_path / "log.data"
    rows = np.array([[1.0, 2.0]], np.float32)
    whole = TensorProto(dims=[1, 2], tensor_type="Float32", tensor_content=rows.tobytes())
    number = TensorProto(dims=[0], tensor_type="Int32", tensor_content=np.int32(7).tobytes())
    values = [Print.Value(desc="print:"), Print.Value(tensor=whole), Print.Value(tensor=number)]
    path.write_bytes(Print(value=values).SerializeToString())
    text, tensor, scalar = ms.parse_print(str(path))
    assert text == "print:" and np.array_equal(tensor.asnumpy(), rows) and scalar.item() == 7 and scalar.shape == ()
    path.write_bytes(b"")
    with pytest.raises(ValueError, match="is empty"):
        ms.parse_print(str(path))
    path.write_bytes(b"no message at all")
    with pytest.raises(ValueError, match="holds no printed values"):
        ms.parse_print(str(path))


@pytest.mark.parametrize("crc_check", [False, True])
def test_a_checkpoint_is_checked(tmp_path, crc_check):
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(nn.Dense(2, 3), path, crc_check=crc_check)
    assert ms.check_checkpoint(path) and not ms.check_checkpoint(path + "x")
    content = bytearray((tmp_path / "net.ckpt").read_bytes())
    content[0] ^= 0xFF
    (tmp_path / "damaged.ckpt").write_bytes(content)
    assert not ms.check_checkpoint(str(tmp_path / "damaged.ckpt"))


def test_a_mindir_file_becomes_an_onnx_file(tmp_path):
    net, x, path = nn.Dense(3, 2), ops.ones((4, 3)), str(tmp_path / "dense")
    ms.export(net, x, file_name=path, file_format="MINDIR")
    ms.convert_model(path + ".mindir", path + ".onnx", "ONNX")
    assert np.allclose(nn.GraphCell(ms.load(path + ".onnx"))(x).asnumpy(), net(x).asnumpy(), atol=1e-6)


def test_the_offload_context_keeps_what_it_is_given():
    before = ms.get_offload_context()
    assert before["offload_param"] == "" and before["enable_aio"] is True
    ms.set_offload_context({"offload_param": "disk", "aio_block_size": 5})
    assert ms.context.get_offload_context() == {**before, "offload_param": "disk", "aio_block_size": 5}
    for wrong, kind in ({"foo": 1}, ValueError), ({"offload_param": "gpu"}, ValueError), ({"enable_aio": 1}, TypeError):
        with pytest.raises(kind):
            ms.set_offload_context(wrong)
    ms.set_offload_context({"offload_param": "", "aio_block_size": before["aio_block_size"]})
