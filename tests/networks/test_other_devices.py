"""Training steps of whole networks are lowered for accelerators without one."""

import jax
import pytest
from jax.extend.core import jaxpr_as_fun

from mindspore._engine.export import export_trace
from tests.networks import test_networks as networks
from tests.ops.test_other_devices import CALL, OF_THE_CPU

STEPS = [networks.lenet, networks.small_resnet, networks.small_mobilenet, networks.lstm_classifier, networks.gpt]
LARGE = [networks.bert, networks.whole_resnet50, networks.whole_mobilenet]


@pytest.mark.parametrize("platform", ["cuda", "tpu"])
@pytest.mark.parametrize("build", [*STEPS, *(pytest.param(one, marks=pytest.mark.heavy) for one in LARGE)])
def test_a_training_step_is_lowered(build, platform):
    step, inputs = build()
    graph = export_trace.trace(step._cell_run, (step,), "step", inputs)
    forms = [jax.ShapeDtypeStruct(aval.shape, aval.dtype) for aval in graph.jaxpr.in_avals]
    text = jax.jit(jaxpr_as_fun(graph.jaxpr)).trace(*forms).lower(lowering_platforms=(platform,)).as_text()
    found = {target for pair in CALL.findall(text) for target in pair if target}
    assert not [target for target in found if OF_THE_CPU.match(target)], found
