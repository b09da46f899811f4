"""Detection operators in the programs that use them, and what they refuse."""

import importlib
from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore._utils import log

BOTH = pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])


class StatusStep(nn.Cell):
    """The overflow check that programs for Ascend wrote around their gradients."""

    def __init__(self):
        super().__init__()
        self.alloc_status = ops.NPUAllocFloatStatus()
        self.get_status = ops.NPUGetFloatStatus()
        self.clear_before_grad = ops.NPUClearFloatStatus()
        self.reduce_sum = ops.ReduceSum(keep_dims=False)
        self.less_equal = ops.LessEqual()
        self.base = Tensor(1, ms.float32)

    def construct(self, x):
        init = self.alloc_status()
        init = ops.depend(init, x)
        clear = self.clear_before_grad(init)
        x = ops.depend(x, clear)
        y = x * 2
        init = ops.depend(init, y)
        get = self.get_status(init)
        init = ops.depend(init, get)
        flag_sum = self.reduce_sum(init, (0,))
        return y, self.less_equal(self.base, flag_sum)


@BOTH
def test_hand_written_overflow_check_runs_and_says_once_that_it_sees_nothing(mode, monkeypatch, caplog):
    monkeypatch.setattr(log, "_said", set())
    ms.set_context(mode=mode)
    step = StatusStep()
    for _ in range(2):
        result, overflow = step(Tensor([1.0, 2.0]))
    assert result.asnumpy().tolist() == [2, 4] and not bool(overflow)
    told = [record for record in caplog.records if "NPUGetFloatStatus" in record.getMessage()]
    assert len(told) == 1 and "FloatStatus" in told[0].getMessage()


def test_status_of_another_length_is_refused():
    with pytest.raises(ValueError, match=r"'input_x' must have shape \(8,\)"):
        ops.NPUClearFloatStatus()(ops.zeros((4,)))


@BOTH
def test_proposals_are_chosen_like_in_a_region_proposal_network(mode):
    ms.set_context(mode=mode)
    anchors = Tensor(np.array([[0, 0, 9, 9], [1, 0, 10, 9], [30, 30, 39, 39], [60, 60, 69, 69]], np.float32))
    deltas = Tensor(np.zeros((4, 4), np.float32))
    scores = Tensor(np.array([0.5, 0.9, 0.7, 0.1], np.float32))

    @ms.jit
    def proposals(anchors, deltas, scores):
        boxes = ops.BoundingBoxDecode(max_shape=(64, 64))(anchors, deltas)
        return ops.NMSWithMask(0.7)(ops.concat((boxes, scores.reshape(-1, 1)), 1))

    boxes, index, kept = proposals(anchors, deltas, scores)
    assert boxes.shape == (4, 5) and index.dtype == ms.int32
    assert kept.asnumpy().tolist() == [True, True, False, True]
    np.testing.assert_allclose(boxes.asnumpy()[-1], [60, 60, 64, 64, 0.1])


def test_encoding_undoes_decoding():
    random = np.random.default_rng(0)
    low = random.uniform(0, 20, (2, 6, 2))
    anchor, truth = (Tensor(np.concatenate([one, one + 8], 1).astype(np.float32)) for one in low)
    means, stds = (0.1, 0.0, 0.2, 0.0), (0.5, 0.5, 1.0, 2.0)
    coded = ops.BoundingBoxEncode(means, stds)(anchor, truth)
    decoded = ops.BoundingBoxDecode((100, 100), means, stds)(anchor, coded)
    np.testing.assert_allclose(decoded.asnumpy(), truth.asnumpy(), 1e-5, 1e-4)


def test_equal_scores_keep_their_order():
    boxes = np.array([[0, 0, 9, 9, 0.5], [20, 20, 29, 29, 0.5], [40, 40, 49, 49, 0.5]], np.float32)
    chosen, _, kept = ops.NMSWithMask(0.5)(Tensor(boxes))
    assert (chosen.asnumpy() == boxes).all() and kept.asnumpy().all()


def test_no_boxes_give_no_boxes():
    boxes, index, kept = ops.NMSWithMask(0.5)(ops.zeros((0, 5)))
    assert (boxes.shape, index.shape, kept.shape) == ((0, 5), (0,), (0,))
    assert ops.iou(ops.zeros((0, 4)), ops.zeros((3, 4))).shape == (3, 0)


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda: ops.NMSWithMask(1.5), ValueError, "For 'NMSWithMask', the 'iou_threshold'"),
        (lambda: ops.IOU("iuo"), ValueError, "Did you mean"),
        (lambda: ops.BoundingBoxEncode((0.0, 1.0)), ValueError, "'means' must be a tuple of 4 floats"),
        (lambda: ops.BoundingBoxDecode(3), TypeError, "'max_shape' must be"),
        (lambda: ops.ROIAlign(7, 7, 0.25, 0), ValueError, "'sample_num' must be positive"),
        (lambda: ops.CropAndResize("cubic"), ValueError, "'method' must be one of"),
    ],
)
def test_wrong_settings_are_refused_when_the_operator_is_made(make, kind, text):
    with pytest.raises(kind, match=text):
        make()


def test_boxes_of_images_that_do_not_exist_are_refused():
    boxes, image = Tensor([[0.0, 0.0, 1.0, 1.0]]), ops.ones((1, 2, 2, 1))
    with pytest.raises(ValueError, match=r"must be in \[0, 1\), but got 1"):
        ops.crop_and_resize(image, boxes, Tensor([1]), (1, 1))


def test_how_many_boxes_stay_is_not_known_in_a_graph():
    boxes = Tensor([[0.0, 0.0, 1.0, 1.0], [0.0, 0.1, 1.0, 1.1]])
    suppress = ops.NonMaxSuppressionV3()
    assert suppress(boxes, Tensor([0.2, 0.9]), Tensor(2), Tensor(0.5), Tensor(0.0)).asnumpy().tolist() == [1]
    assert suppress(boxes, Tensor([0.2, 0.9]), 2, 0.5, 0.95).shape == (0,)
    with pytest.raises(RuntimeError, match="NMSWithMask"):
        ms.jit(lambda b, s: suppress(b, s, 2, 0.5, 0.0))(boxes, Tensor([0.2, 0.9]))


def test_virtual_dataset_hands_inputs_on():
    paths: list[Any] = [
        importlib.import_module(f"mindspore.ops.{path}") for path in ("comm_ops", "operations.comm_ops")
    ]
    x = Tensor([1.0])
    for path in paths:
        assert path._VirtualDataset()(x, 3) == (x, 3)
        assert path.ReduceOp.SUM == "sum"
