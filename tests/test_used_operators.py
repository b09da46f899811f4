"""Operators that programs use and no other test calls by their names."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, ops
from mindspore.ops import comm_ops


def parameter(*values):
    return Parameter(Tensor(list(values)), name="p")


def test_adam_moves_against_the_gradient_by_the_learning_rate():
    p, m, v = parameter(1.0, 2.0), parameter(0.0, 0.0), parameter(0.0, 0.0)
    ops.Adam()(p, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, Tensor([0.5, -0.5]))
    assert np.allclose(p.asnumpy(), [0.9, 2.1], atol=1e-5)
    assert np.allclose(m.asnumpy(), [0.05, -0.05]) and np.allclose(v.asnumpy(), [2.5e-4, 2.5e-4])


def test_fused_momentum_decays_and_scales_in_one_step():
    p, v = parameter(1.0, -2.0), parameter(0.5, 0.0)
    gradient = Tensor([10.0, 20.0])
    ops.FusedWeightScaleApplyMomentum()(Tensor(0.1), Tensor(0.01), p, v, Tensor(0.5), gradient, Tensor(0.9))
    assert np.allclose(v.asnumpy(), [0.45 + 0.1 + 0.1, 0.2 - 0.2], atol=1e-6)
    assert np.allclose(p.asnumpy(), [1 - 0.5 * 0.65, -2.0])


def test_a_dropped_channel_is_dropped_whole():
    ms.set_seed(3)
    output, mask = ops.Dropout3D(keep_prob=0.5)(ops.ones((4, 8, 2, 2, 2), ms.float32))
    kept = mask.asnumpy().reshape(32, 8)
    assert set(kept.sum(1)) == {0, 8}
    assert np.array_equal(output.asnumpy().reshape(32, 8), kept * 2.0)


def test_slices_are_added_where_the_index_says():
    p = Parameter(ops.zeros((2, 3), ms.float32), name="p")
    ops.IndexAdd(axis=1)(p, Tensor([0, 2], ms.int32), Tensor([[1.0, 2.0], [3.0, 4.0]]))
    assert p.asnumpy().tolist() == [[1, 0, 2], [3, 0, 4]]


def test_updates_at_the_same_place_add_up():
    p = parameter(1.0, 2.0, 3.0)
    ops.ScatterNdAdd()(p, Tensor([[0], [2], [0]], ms.int32), Tensor([10.0, 20.0, 30.0]))
    assert p.asnumpy().tolist() == [41, 2, 23]


def test_draws_follow_the_weights():
    logits = Tensor([[0.0, -100.0, -100.0], [-100.0, -100.0, 0.0]])
    drawn = ops.RandomCategorical(ms.int32)(logits, 4, 1)
    assert drawn.dtype == ms.int32 and drawn.asnumpy().tolist() == [[0] * 4, [2] * 4]


def test_unique_tells_where_the_values_went():
    values, places = ops.Unique()(Tensor([3, 1, 3, 2], ms.int32))
    assert values.asnumpy()[places.asnumpy()].tolist() == [3, 1, 3, 2]
    assert sorted(values.asnumpy()) == [1, 2, 3]


def test_a_virtual_dataset_hands_its_inputs_on():
    x, y = Tensor([1.0]), Tensor([2])
    assert comm_ops._VirtualDataset()(x, y) == (x, y)


def test_upsample_is_interpolate_as_a_class():
    x = Tensor(np.arange(4, dtype=np.float32).reshape(1, 1, 2, 2))
    assert np.array_equal(
        ops.Upsample(scale_factor=2.0, recompute_scale_factor=True)(x).asnumpy(), x.asnumpy().repeat(2, 2).repeat(2, 3)
    )
    linear = ops.Upsample(size=(3, 3), mode="bilinear", align_corners=True)(x)
    assert linear.asnumpy()[0, 0].tolist() == [[0, 0.5, 1], [1, 1.5, 2], [2, 2.5, 3]]


def test_a_parameter_server_is_explained_when_it_is_asked_for():
    push, pull = ops.Push("ApplyMomentum", [2]), ops.Pull()
    assert (push.name, push.optim_type, push.only_shape_indices, pull.name) == ("Push", "ApplyMomentum", [2], "Pull")
    for call in (lambda: push((Tensor([1.0]),), ((1,),)), lambda: pull(0, Tensor([1.0]))):
        with pytest.raises(RuntimeError, match=r"no parameter server: .*parallel_mode='data_parallel'"):
            call()
    with pytest.raises(TypeError, match="For 'Push', the 'optim_type' must be"):
        ops.Push(3)
