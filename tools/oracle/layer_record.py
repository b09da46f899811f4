"""What is recorded of a case of `mindspore.nn`."""

from __future__ import annotations

from typing import Any

from tools.oracle.layer_case import LayerCase, OptimizerCase
from tools.oracle.layer_execute import (
    add_noise,
    call_function,
    describe_parameters,
    flat,
    gradient_function,
    initial_checksums,
    make_net,
    make_tensors,
    optimizer_state,
    printed,
    run_optimizer,
    written_state,
)
from tools.oracle.storage import Writer


def record_layer(case: LayerCase, writer: Writer, ms: Any, names: dict[str, Any]) -> dict[str, Any]:
    """Keys in the order in which their numbers are stored: output, gradient, state."""
    net = make_net(case, ms, names)
    entry: dict[str, Any] = {
        "repr": printed(net),
        "parameters": describe_parameters(net),
        "initial": initial_checksums(net),
    }
    if not case.inputs and not case.call:
        return entry
    tensors = make_tensors(case, ms)
    add_noise(net, case, ms)
    output = call_function(case, net)(*tensors)
    entry["output"] = writer.describe(output, ms)
    state = written_state(net)
    if case.gradient:
        fresh = make_net(case, ms, names)
        add_noise(fresh, case, ms)
        try:
            function = gradient_function(case, fresh, output, ms)
            if function is not None:
                entry["gradient"] = writer.describe(flat(function(*tensors), ms), ms)
        except Exception as error:
            entry["gradient_unsupported"] = [type(error).__name__, str(error).strip().partition("\n")[0][:120]]
    entry["state"] = writer.describe(state, ms)
    return entry


def record_optimizer(case: OptimizerCase, writer: Writer, ms: Any, names: dict[str, Any]) -> dict[str, Any]:
    updater, described, history = run_optimizer(case, ms, names)
    return {
        "parameters": described,
        "output": writer.describe(history, ms),
        "state": writer.describe(optimizer_state(updater), ms),
    }
