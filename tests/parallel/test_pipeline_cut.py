"""How a traced graph is cut into stages, and what is refused."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from mindspore import Parameter, Tensor, nn
from mindspore._engine.autodiff import pipeline_marks
from mindspore._engine.autodiff.pipeline_marks import BACKWARD, MICRO_BATCH, STAGE, mark_p
from mindspore._engine.base.trace_state import state
from mindspore._engine.operator.sharding import Plan
from mindspore._engine.parallel.partition import Cut
from mindspore._engine.parallel.pipeline_schedule import Task
from mindspore._engine.parallel.pipeline_work import Work
from mindspore._engine.runtime import mesh

ROW = jnp.ones(3, jnp.float32)


def at(stage, value, marker=0):
    return mark_p.bind(value, kind=STAGE, number=stage, marker=marker, back=False)


def back(value, marker):
    return mark_p.bind(value, kind=STAGE, number=0, marker=marker, back=True)


def micro(number, value):
    return mark_p.bind(value, kind=MICRO_BATCH, number=number, marker=100 + number, back=False)


def cut(function, *values, state_count=0, stages=2):
    return Cut(jax.jit(function).trace(*values).jaxpr, [None] * len(values), state_count, stages)


def labels(one):
    return [(node.name, node.label.stage, Task(node.label.phase, node.label.number).short) for node in one.nodes]


def test_operations_go_where_their_operands_are_and_forward_to_the_last_stage():
    def function(x):
        first = jnp.sin(at(0, micro(3, x), 0))
        second = jnp.cos(at(1, first, 1))
        return second + first, jnp.exp(x)  # a residual that nobody marked

    found = cut(function, ROW)
    assert labels(found) == [("sin", 0, "F3"), ("cos", 1, "F3"), ("add", 1, "F3"), ("exp", None, "P-1")]
    found.demand([{1}, {0, 1}])
    assert [node.stages for node in found.nodes] == [{0}, {1}, {1}, {0, 1}]


def test_gradients_go_back_to_where_their_values_came_from_and_updates_come_after():
    def function(weight, x):
        first = jnp.sin(at(0, x, 0))
        second = jnp.cos(at(1, first, 1))
        with jax.named_scope(BACKWARD):
            gradient = back(jnp.tanh(second), 1) * first
        return weight - gradient

    found = cut(function, ROW, ROW, state_count=1)
    assert labels(found) == [
        ("sin", 0, "F-1"),
        ("cos", 1, "F-1"),
        ("tanh", 1, "B-1"),
        ("mul", 0, "B-1"),
        ("sub", 0, "A0"),
    ]


def test_what_joins_stages_after_the_passes_is_computed_by_all_and_numbers_travel():
    def function(x, y):
        with jax.named_scope(BACKWARD):
            first, second = jnp.sin(at(0, x, 0)), jnp.sin(at(1, y, 1))
        norm = jnp.sum(first) + jnp.sum(second)
        return first * norm, second * norm

    found = cut(function, ROW, ROW)
    assert [(name, stage) for name, stage, _ in labels(found)[2:]] == [
        ("reduce_sum", 0), ("reduce_sum", 1), ("add", None), ("mul", 0), ("mul", 1)]  # fmt: skip
    found.demand([{0}, {1}])
    work = Work(found, [None, None], [{0}, {1}], 0, "1f1b")
    sizes = [found.forms[value].size for values in work.moves.values() for value in values]
    assert sizes == [1, 1]  # a number in each direction


def test_a_branch_over_several_stages_is_computed_by_each_for_itself():
    def function(skip, x, y):
        with jax.named_scope(BACKWARD):
            first, second = jnp.sin(at(0, x, 0)), jnp.sin(at(1, y, 1))
        return jax.lax.cond(skip, lambda a, b: (a, b), lambda a, b: (a + 1, b * 2), first, second)

    found = cut(function, True, ROW, ROW)
    chosen = [(node.name, node.label.stage) for node in found.nodes if node.name in ("cond", "select_n")]
    assert chosen == [("select_n", 0), ("select_n", 1)]


def test_sums_over_micro_batches_are_made_in_the_order_of_the_passes():
    def function(x):
        parts = [jnp.sin(at(0, micro(number, x), number)) for number in range(4)]
        return parts[3] + parts[2] + (parts[1] + parts[0])

    found = cut(function, ROW)
    sums = [node for node in found.nodes if node.name == "add"]
    assert [node.label.number for node in sums] == [1, 2, 3]
    arrays = dict(zip(found.inputs, [ROW], strict=True))
    for node in found.nodes:
        arrays.update(zip(node.gives, node.function(*(arrays[one] for one in node.takes)), strict=True))
    np.testing.assert_allclose(arrays[found.outputs[0]], 4 * np.sin(1.0), rtol=1e-6)


def test_stages_that_decrease_are_refused():
    with pytest.raises(ValueError, match=r"'pipeline_stage' 0 takes what stage 1 computes.*must not decrease"):
        cut(lambda x: at(0, jnp.sin(at(1, x, 0)), 1) + 1, ROW)


def test_a_stage_that_begins_in_a_loop_is_refused():
    def function(x):
        first = jnp.sin(at(0, x, 0))
        return jax.lax.fori_loop(0, jnp.int32(x[0]), lambda _, y: jnp.cos(at(1, y, 1)), first)

    with pytest.raises(ValueError, match="holds Cells of the pipeline stage 1, but it is computed by stage 0"):
        cut(function, ROW)


def test_a_stage_beyond_the_last_is_refused():
    state.plan = Plan(mesh.Grid(jax.devices()[:1]), stages=2)
    try:
        with pytest.raises(ValueError, match=r"For 'Dense', the 'pipeline_stage' must be less than .*, 2, but got 2"):
            pipeline_marks.enter_stage("Dense", 2, (Tensor(1.0),), {})
    finally:
        state.plan = None


def test_what_another_stage_holds_says_where_it_is():
    weight = Parameter(Tensor([1.0, 2.0]), name="weight")
    weight._value = mesh.Elsewhere((2,), np.dtype(np.float32), (1,))
    assert weight.shape == (2,) and str(weight.dtype) == "Float32"
    for look in (weight.asnumpy, lambda: weight + 1, lambda: nn.ReLU()(weight)):
        with pytest.raises(
            RuntimeError, match=r"shape \(2,\) is with the processes of pipeline stage 1; this one is of"
        ):
            look()
