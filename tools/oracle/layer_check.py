"""Run cases of `mindspore.nn` on this package and say in words what differs from the record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tools.oracle.check import Finding, Record, judge_error
from tools.oracle.compare import compare_output, describe
from tools.oracle.execute import define
from tools.oracle.layer_case import AnyLayerCase, LayerCase, OptimizerCase
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


def check_layer(case: LayerCase, record: Record, ms: Any, names: dict[str, Any], gradient: bool = True) -> list[str]:
    """The differences of one Cell in the current mode."""
    try:
        net = make_net(case, ms, names)
        found = compare_cell(case, record, net)
        tensors = make_tensors(case, ms)
        add_noise(net, case, ms)
        output = call_function(case, net)(*tensors) if "output" in record or case.raises else None
    except Exception as error:
        return judge_error(case, record, error, "call")  # type: ignore[arg-type]
    if "error" in record:
        return [f"no error, expected {record['error'][0]}: {record['error'][1]}"]
    if "unsupported" in record or case.waiver or "output" not in record:
        return [] if case.waiver else found
    found += compare_output(record["output"], output, case, ms, "output", not case.not_compared)
    found += compare_output(record["state"], written_state(net), case, ms, "state", not case.not_compared)
    if gradient and "gradient" in record:
        fresh = make_net(case, ms, names)
        add_noise(fresh, case, ms)
        try:
            gradients = flat(gradient_function(case, fresh, output, ms)(*tensors), ms)
        except Exception as error:
            return [*found, f"gradient: {describe(error)}"]
        found += compare_gradients(case, record, gradients, ms, "gradient")
    return found


def compare_cell(case: LayerCase, record: Record, net: Any) -> list[str]:
    """Printed form and Parameters as they are after construction."""
    if "parameters" not in record:
        return []
    found = []
    if printed(net) != record["repr"] and not case.repr_not_compared:
        found.append(f"repr: {printed(net)}, expected {record['repr']}")
    if describe_parameters(net) != record["parameters"]:
        found.append(f"parameters: {describe_parameters(net)}, expected {record['parameters']}")
    elif initial_checksums(net) != record["initial"] and not case.initial_not_compared:
        pairs = zip(net.get_parameters(), initial_checksums(net), record["initial"], strict=True)
        found.append(f"initial values of {[one.name for one, own, real in pairs if own != real]}")
    return found


def compare_gradients(case: LayerCase, record: Record, gradients: list[Any], ms: Any, where: str) -> list[str]:
    return compare_output(record["gradient"], gradients, case, ms, where, not case.gradient_not_compared)


def check_optimizer(case: OptimizerCase, record: Record, ms: Any, names: dict[str, Any]) -> list[str]:
    """The differences of one optimizer in the current mode."""
    try:
        updater, described, history = run_optimizer(case, ms, names)
    except Exception as error:
        return judge_error(case, record, error, "step")  # type: ignore[arg-type]
    if "error" in record:
        return [f"no error, expected {record['error'][0]}: {record['error'][1]}"]
    if "unsupported" in record or case.waiver:
        return []
    found = []
    if described != record["parameters"]:
        found.append(f"parameters: {described}, expected {record['parameters']}")
    found += compare_output(record["output"], history, case, ms, "step", not case.not_compared)
    if not found:
        found += compare_output(record["state"], optimizer_state(updater), case, ms, "state", not case.not_compared)
    return found


def check_one(case: AnyLayerCase, record: Record, ms: Any, names: dict[str, Any], gradient: bool = True) -> list[str]:
    if isinstance(case, OptimizerCase):
        return check_optimizer(case, record, ms, names)
    return check_layer(case, record, ms, names, gradient)


def compiles(case: AnyLayerCase, record: Record) -> bool:
    """Whether a Cell's outputs can be compared in a compiled function."""
    return isinstance(case, LayerCase) and "output" in record and not case.eager_only and not case.waiver


def check_layers_compiled(
    cases: Sequence[LayerCase], records: Sequence[Record], ms: Any, names: dict[str, Any]
) -> list[Finding]:
    """The differences of many Cells, outputs and gradients, run inside one compiled function."""
    if not cases:
        return []
    try:
        described, outputs, gradients = run_compiled(cases, records, ms, names)
    except Exception as error:
        if len(cases) == 1:
            return [(cases[0].name, f"graph: {describe(error)}")]
        # One bad case spoils the whole function: halve until it stands alone.
        middle = len(cases) // 2
        return [
            *check_layers_compiled(cases[:middle], records[:middle], ms, names),
            *check_layers_compiled(cases[middle:], records[middle:], ms, names),
        ]
    found: list[Finding] = []
    for case, record, lines, output, gradient in zip(cases, records, described, outputs, gradients, strict=True):
        lines = lines + compare_output(record["output"], output, case, ms, "graph", not case.not_compared)
        if "gradient" in record:
            lines += compare_gradients(case, record, flat(gradient, ms), ms, "graph gradient")
        found += [(case.name, line) for line in lines]
    return found


def run_compiled(
    cases: Sequence[LayerCase], records: Sequence[Record], ms: Any, names: dict[str, Any]
) -> tuple[list[list[str]], Any, Any]:
    """What differs in the Cells as they are built, their outputs, and their gradients."""
    scope, arguments, calls, differentiated, tensors, described = dict(names), [], [], [], [], []
    for number, (case, record) in enumerate(zip(cases, records, strict=True)):
        net, fresh = make_net(case, ms, names), make_net(case, ms, names)
        described.append(compare_cell(case, record, net))
        add_noise(net, case, ms)
        add_noise(fresh, case, ms)
        inputs = make_tensors(case, ms)
        own = ", ".join(f"a{len(tensors) + position}" for position in range(len(inputs)))
        scope[f"call_{number}"] = call_function(case, net, f"call_{number}")
        calls.append(f"call_{number}({own})")
        if "gradient" in record:
            structure = as_tensors(record["output"], ms)
            scope[f"gradient_{number}"] = gradient_function(case, fresh, structure, ms, f"forward_{number}")
            differentiated.append(f"gradient_{number}({own})")
        else:
            differentiated.append("()")
        arguments += [f"a{len(tensors) + position}" for position in range(len(inputs))]
        tensors += inputs
    source = f"def batch({', '.join(arguments)}):\n    return ({', '.join(calls)},), ({', '.join(differentiated)},)\n"
    outputs, gradients = ms.jit(define(source, "batch", scope))(*tensors)
    return described, outputs, gradients


def as_tensors(output: Any, ms: Any) -> Any:
    """Tensors of the recorded structure, for `gradient_function`."""
    if isinstance(output, list):
        return [as_tensors(item, ms) for item in output]
    return output if isinstance(output, dict) else ms.Tensor(output.values, getattr(ms, output.dtype.lower()))
