"""Operators that few programs use: values of real MindSpore, in both modes, and what they refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import COOTensor, Parameter, RowTensor, Tensor, mint, ops

RANDOM = np.random.default_rng(6)


def check(found: Any, expected: Any, tolerance: float = 1e-5) -> None:
    np.testing.assert_allclose(found.asnumpy(), np.asarray(expected), rtol=tolerance, atol=tolerance)


# -- batch normalization in steps ----------------------------------------------------------------------------------------
def test_statistics_of_parts_are_those_of_the_whole_batch():
    x = RANDOM.standard_normal((6, 3, 2)).astype(np.float32)
    parts = [mint.batch_norm_stats(Tensor(part), 1e-5) for part in (x[:2], x[2:])]
    mean, invstd = (ops.stack(list(values)) for values in zip(*parts, strict=True))
    running_mean, running_var = Tensor(np.zeros(3, np.float32)), Tensor(np.ones(3, np.float32))
    counts = Tensor(np.array([4, 8], np.float32))
    whole, inverse = mint.batch_norm_gather_stats_with_counts(Tensor(x), mean, invstd, running_mean, running_var, 0.5,
                                                              1e-5, counts)  # fmt: skip
    check(whole, x.mean((0, 2)))
    check(inverse, 1 / np.sqrt(x.var((0, 2)) + 1e-5), 1e-4)
    check(running_mean, x.mean((0, 2)) / 2)
    check(running_var, 0.5 + x.var((0, 2), ddof=1) / 2, 1e-4)
    result = mint.batch_norm_elemt(Tensor(x), None, None, whole, inverse)
    check(result, (x - x.mean((0, 2))[:, None]) / np.sqrt(x.var((0, 2)) + 1e-5)[:, None], 1e-4)


# -- sparse --------------------------------------------------------------------------------------------------------------
def test_values_at_one_position_are_added_and_sorted():
    indices, values = Tensor([[2, 0, 1, 0], [1, 1, 2, 1]]), Tensor([1.0, 5.0, 4.0, 7.0])
    found = ops.coalesce(indices, values, Tensor([3, 3]))
    check(found[0], [[0, 1, 2], [1, 2, 1]])
    check(found[1], [12, 4, 1])
    assert found[0].dtype == ms.int64
    with pytest.raises(RuntimeError, match="Coalesce, whose result has as many values as it finds, needs the value"):
        ms.jit(lambda v: ops.Coalesce()(indices, v, Tensor([3, 3]))[1], fullgraph=True)(values)


@pytest.mark.parametrize(
    ("arguments", "kind", "text"),
    [
        ((Tensor([[0]], ms.int32), Tensor([1.0]), Tensor([3])), TypeError, "the 'x_indices' must have dtype Int64"),
        ((Tensor([[0, 1]]), Tensor([1.0]), Tensor([3])), ValueError, r"the 'x_indices' must have shape \(1, 1\)"),
        ((Tensor([[5]]), Tensor([1.0]), Tensor([3])), ValueError, "must lie in the shape"),
        ((Tensor([0]), Tensor([1.0]), Tensor([3])), ValueError, "must have 2 dimensions"),
    ],
)
def test_parts_that_do_not_fit_are_refused(arguments: Any, kind: type[Exception], text: str):
    with pytest.raises(kind, match=text):
        ops.Coalesce()(*arguments)


def test_values_that_are_added_have_gradients():
    ms.set_context(mode=ms.PYNATIVE_MODE)
    indices, weights = Tensor([[2, 0, 1, 0], [1, 1, 2, 1]]), Tensor([1.0, 2.0, 3.0])
    merged = ms.grad(lambda v: (ops.Coalesce()(indices, v, Tensor([3, 3]))[1] * weights).sum())
    check(merged(Tensor([1.0, 5.0, 4.0, 7.0])), [3, 1, 2, 1])
    rows, segments = Tensor([0, 1, 3], ms.int32), Tensor([1, 2, 2], ms.int32)
    means = ms.grad(lambda x: ops.sparse_segment_mean(x, rows, segments).sum())
    check(means(ops.ones((4, 3))), np.repeat([[1], [0.5], [0], [0.5]], 3, 1))


def test_means_of_chosen_rows():
    x = Tensor(np.arange(12, dtype=np.float32).reshape(4, 3))
    rows, segments = Tensor([0, 1, 3], ms.int32), Tensor([1, 2, 2], ms.int32)
    check(ops.sparse_segment_mean(x, rows, segments), [[0, 0, 0], [0, 1, 2], [6, 7, 8]])
    with pytest.raises(ValueError, match="the 'segment_ids' must be sorted"):
        ops.sparse_segment_mean(x, rows, Tensor([2, 1, 2], ms.int32))


def test_a_dense_matrix_may_stand_before_a_sparse_one():
    sparse, dense = COOTensor(Tensor([[0, 1], [1, 0]]), Tensor([2.0, 3.0]), (2, 2)), Tensor([[1.0, 2.0], [3.0, 4.0]])
    check((dense * sparse).values, [4, 9])
    check(dense + sparse, [[1, 4], [6, 4]])
    check((dense * sparse.to_csr()).values, [4, 9])
    with pytest.raises(TypeError, match="For 'Div', the 'divisor' must be a Tensor"):
        dense / sparse


def test_rows_are_added_where_they_belong():
    rows = ops.make_row_tensor_inner(Tensor([2, 0]), Tensor([[1.0], [2.0]]), (3, 1))
    assert isinstance(rows, RowTensor)
    check(ops.row_tensor_add(rows, ops.ones((3, 1))), [[3], [1], [2]])
    with pytest.raises(TypeError, match="the 'x' must be a RowTensor"):
        ops.row_tensor_add(ops.ones((3, 1)), ops.ones((3, 1)))


# -- updates -------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({}, [1.03018, 1.19521, 1.10276, 1.03629]),
        ({"enable_scale_parameter": True}, [1.02823, 1.19311, 1.10276, 1.03539]),
        ({"enable_first_moment": True}, [0.21566, 0.18189, 0.25893, -0.20857]),
        ({"enable_weight_decay": True}, [1.02987, 1.19485, 1.10243, 1.03598]),
    ],
)
def test_a_step_of_adafactor_is_that_of_real_mindspore(options: dict[str, bool], expected: list[float]):
    numbers = np.random.RandomState(0).rand(5, 4).astype(np.float32) + 0.5
    states = [Parameter(Tensor(row), name=name) for row, name in zip(numbers, "pmrcs", strict=True)]
    gradient = Tensor(np.random.RandomState(1).rand(4).astype(np.float32))
    (returned,) = ops.FusedAdaFactor(**options)((1e-30, 1e-3), 1.0, 0.9, 0.8, 1e-2, 0.03, gradient, *states)
    check(states[0], expected)
    check(states[4], [0.45096, 1.16987, 1.02253, 1.11429])
    check(returned, np.zeros(4))


def test_a_step_by_the_global_norm_is_that_of_real_mindspore():
    numbers = np.random.RandomState(0).rand(5, 4).astype(np.float32) + 0.5
    states = [Parameter(Tensor(row), name=name) for row, name in zip(numbers, "pmrcs", strict=True)]
    gradient = Tensor(np.random.RandomState(1).rand(4).astype(np.float32))
    step = ops.FusedAdaFactorWithGlobalNorm()
    ms.jit(lambda g: step((1e-30, 1e-3), 1.0, 0.9, 0.8, 1e-2, 0.03, g, *states, Tensor(2.0)))(gradient)
    check(states[0], [1.03922, 1.20485, 1.10276, 1.04056])


def test_rows_that_are_not_named_stay():
    states = [Parameter(Tensor([[1.0], [2.0]]), name=name) for name in "vam"]
    ops.SparseApplyRMSProp(0.2, 0.01, 1e-6)(*states, 0.01, Tensor([[0.3]]), Tensor([1], ms.int32))
    square = 0.2 * 2 + 0.8 * 0.09
    check(states[0], [[1], [2 - (0.02 + 0.003 / np.sqrt(square + 1e-6))]])
    check(states[1], [[1], [square]])


# -- in place ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "compiled"])
def test_changes_reach_the_tensor_itself(run: Any):
    def program(x: Tensor) -> tuple:
        scores, copied, curve = x * 1, x * 1, x * 0
        ops.GroupTopk()(scores, x, 2, 1, 2)
        ops.CopyWithSlice()(copied, x + 1)
        ops.inplace_sigmoid(curve)
        return scores, copied, curve

    scores, copied, curve = run(program)(Tensor([[1.0, 5.0, 3.0, 4.0]]))
    check(scores, [[0, 0, 3, 4]])
    check(copied, [[2, 6, 4, 5]])
    check(curve, [[0.5] * 4])


@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "compiled"])
def test_no_gradient_goes_through_what_was_cut_off(run: Any):
    def program(x: Tensor) -> Tensor:
        y = x * x
        ops.stop_gradient_(y)
        return x * y

    check(ms.grad(run(program))(Tensor(3.0)), 9)


# -- experts -------------------------------------------------------------------------------------------------------------
def test_tokens_come_back_weighted_by_their_experts():
    x, experts = RANDOM.standard_normal((4, 3)).astype(np.float32), Tensor([[2, 0], [1, 0], [0, 2], [1, 2]], ms.int32)
    tokens, places = ops.moe_token_permute(Tensor(x), experts)
    weights = Tensor(np.full((4, 2), 0.5, np.float32))
    check(ops.moe_token_unpermute(tokens, places, weights), x)
    kept, places = ops.moe_token_permute(Tensor(x), experts, 3)
    assert kept.shape == (3, 3)
    check(ops.moe_token_unpermute(kept, places), np.where(places.asnumpy()[:, None] < 3, x.repeat(2, 0), 0))


def test_experts_take_no_more_than_they_can():
    x = Tensor([[0.1], [0.2], [0.3]])
    experts = Tensor([[0, 1, 1], [2, 1, 1], [0, 0, 0]], ms.int32)
    tokens, places, before = ops.moe_init_routing_v2(x, experts, 3, 2, 3, 1, 0, True)
    check(tokens[..., 0], [[0.1, 0.3], [0.1, 0.1], [0.2, 0]])
    check(places, [0, 2, 3, 4, -1, -1, 1, -1, -1])
    check(before, [4, 4, 1])
    tokens, _, sums = ops.moe_init_routing_v2(x, experts, 2, 0, 3, 0, 1, False)
    check(tokens, [[0.1], [0.3]])
    check(sums, [4, 8, 9])


# -- boxes ---------------------------------------------------------------------------------------------------------------
def test_turned_boxes_overlap_by_their_area():
    square, turned = [0.0, 0.0, 2.0, 2.0, 0.0], [0.0, 0.0, 2.0, 2.0, 45.0]
    octagon = 8 * (np.sqrt(2) - 1)
    found = ops.rotated_iou(Tensor([[square]]), Tensor([[square, turned, [9.0, 0.0, 1.0, 1.0, 30.0]]]))
    check(found, [[[1, octagon / (8 - octagon), 0]]], 1e-4)
    check(ops.rotated_iou(Tensor([[square]]), Tensor([[turned]]), mode=1), [[[octagon / 4]]], 1e-4)
    corners = Tensor([[[-1.0, -1.0, 1.0, 1.0, 45.0]]])
    check(ops.rotated_iou(corners, corners, trans=True, is_cross=False), [[1]], 1e-4)


# -- files ---------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("run", [lambda f: f, ms.jit], ids=["eager", "compiled"])
def test_tensors_are_written_with_their_dtype_and_a_number(run: Any, tmp_path: Any):
    def program(x: Tensor) -> Tensor:
        ops.TensorDump()(f"{tmp_path}/x", x)
        ops.tensordump(f"{tmp_path}/deep/y.npy", x.astype(ms.bfloat16), "in")
        return ops.DumpGradient()(f"{tmp_path}/dx.npy", x, "out") * 3

    gradient = ms.grad(run(program))(Tensor([1.0, 2.0]))
    check(gradient, [3, 3])
    found = {path.name.rpartition("_")[0]: np.load(path).tolist() for path in tmp_path.rglob("*.npy")}
    assert found == {"x_float32": [1, 2], "y_bfloat16": [1, 2], "dx_float32": [3, 3]}
    numbers = [int(path.stem.rpartition("_")[2]) for path in tmp_path.rglob("*.npy")]
    assert len(set(numbers)) == 3


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda: ops.TensorDump("all"), ValueError, r"should be one of \['in', 'out'\], but got: all"),
        (
            lambda: ops.TensorDump()(3, Tensor([1.0])),
            TypeError,
            "the type of 'file' should be 'str', but got type 'int'",
        ),
        (lambda: ops.TensorDump()("", Tensor([1.0])), ValueError, "cannot be an empty string"),
        (lambda: ops.TensorDump()("x", 3), TypeError, "the type of 'input_x' should be 'Tensor', but got type 'int'"),
        (lambda: ops.move_to(Tensor([1.0]), "disk"), ValueError, "the 'to' must be"),
        (lambda: ops.reshard(Tensor([1.0]), 3), TypeError, "the 'layout' must be a Layout"),
        (
            lambda: ops.bernoulli_ext(Tensor([1.0]), generator=3),
            TypeError,
            "the 'generator' must be a mindspore.Generator",
        ),
    ],
)
def test_wrong_places_are_refused(call: Any, kind: type[Exception], text: str):
    with pytest.raises(kind, match=text):
        call()


def test_descriptions_for_the_polyhedral_compiler_are_those_of_real_mindspore():
    form = ops.DataType.F32_Default
    made = ops.AkgGpuRegOp("Add").fusion_type("OPAQUE").input(0, "x").output(0, "y").attr("a", "required", "int")
    assert made.dtype_format(form, form).get_op_info() == {
        "op_name": "Add",
        "inputs": [{"index": 0, "name": "x"}],
        "outputs": [{"index": 0, "name": "y"}],
        "attr": [{"name": "a", "paramType": "required", "type": "int"}],
        "fusion_type": "OPAQUE",
        "dtype_format": [(form, form)],
        "imply_type": "AKG",
        "processor": "CUDA",
    }
    assert ops.AkgAscendRegOp("Add").get_op_info()["processor"] == "AiCore"
