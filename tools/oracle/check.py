"""Run cases on this package, one by one (eager) or many in one compiled function (graph), and compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tools.oracle.case import Case
from tools.oracle.compare import compare_error, compare_output, compare_text, describe, flat_leaves, is_raw
from tools.oracle.execute import (
    define,
    function_source,
    gradient_positions,
    gradient_weights,
    make_inputs,
    run_eagerly,
    run_gradient,
)

Record = dict[str, Any]
Finding = tuple[str, str]

USER_ERRORS = (TypeError, ValueError, RuntimeError, IndexError, NotImplementedError)


def check_eagerly(case: Case, record: Record, ms: Any, names: dict[str, Any], gradient: bool = True) -> list[str]:
    """The differences of one case in PyNative mode: output, printed form, error and, if wanted, gradient."""
    try:
        output = run_eagerly(case, ms, names)
    except Exception as error:
        return judge_error(case, record, error, "eager")
    if "error" in record:
        return [f"eager: no error, expected {record['error'][0]}: {record['error'][1]}"]
    if "unsupported" in record or case.waiver:
        return []
    found = compare_output(record["output"], output, case, ms, "eager", not case.not_compared)
    if "text" in record and not found:
        found += compare_text(record["text"], output, record["output"], ms)
    if gradient and "gradient" in record:
        try:
            gradients = run_gradient(case, ms, names)
        except Exception as error:
            return [*found, f"eager gradient: {describe(error)}"]
        found += compare_output(
            record["gradient"], gradients, case, ms, "eager gradient", not case.gradient_not_compared
        )
    return found


def judge_error(case: Case, record: Record, error: Exception, where: str) -> list[str]:
    if "error" in record:
        return compare_error(record["error"], error, case, where)
    if "unsupported" in record or case.waiver:
        clear = isinstance(error, USER_ERRORS) and not is_raw(error)
        return [] if clear else [f"{where}: {describe(error)} (real MindSpore: unsupported)"]
    return [f"{where}: {describe(error)}"]


def one_per_source(cases: list[Case]) -> list[Case]:
    """The first case of every source: each operator and each way of calling it, with its main shape and dtype."""
    return list({case.source: case for case in reversed(cases)}.values())[::-1]


def eager_sample(cases: list[Case]) -> list[Case]:
    """The cases worth an eager run, which compiles each operator, shape and dtype by itself.

    Every other source once (an operator has two or more: function, class, options), and all cases that cannot run
    compiled or whose text matters.
    """
    chosen = {case.name for case in one_per_source(cases)[::2]}
    return [case for case in cases if case.name in chosen or case.eager or case.raises or case.eager_only or case.text]


def runs_in_graph(case: Case, record: Record) -> bool:
    """Errors and unsupported calls are checked eagerly; a compiled function may refuse earlier and otherwise."""
    return "output" in record and not case.eager_only and not case.waiver


def has_compiled_gradient(case: Case, record: Record) -> bool:
    return runs_in_graph(case, record) and "gradient" in record


def check_batch(
    cases: list[Case], records: list[Record], ms: Any, names: dict[str, Any], gradient: bool
) -> list[Finding]:
    """The differences of many cases, or of their gradients, run inside one compiled function."""
    if not cases:
        return []
    where = "graph gradient" if gradient else "graph"
    try:
        outputs = run_batch(cases, records, ms, names, gradient)
    except Exception as error:
        if len(cases) == 1:
            return [(cases[0].name, f"{where}: {describe(error)}")]
        # One bad case spoils the whole function: halve until it stands alone.
        middle = len(cases) // 2
        return [
            *check_batch(cases[:middle], records[:middle], ms, names, gradient),
            *check_batch(cases[middle:], records[middle:], ms, names, gradient),
        ]
    return list(compare_batch(cases, records, outputs, ms, where, gradient))


def compare_batch(
    cases: list[Case], records: list[Record], outputs: Any, ms: Any, where: str, gradient: bool
) -> Iterator[Finding]:
    for case, record, output in zip(cases, records, outputs, strict=True):
        expected = record["gradient" if gradient else "output"]
        if gradient and len(expected) == 1:
            output = [output]
        compared = not (case.gradient_not_compared if gradient else case.not_compared)
        for line in compare_output(expected, output, case, ms, where, compared):
            yield case.name, line


def run_batch(cases: list[Case], records: list[Record], ms: Any, names: dict[str, Any], gradient: bool) -> Any:
    """Compile one function that calls every case and returns all their results."""
    scope, arguments, calls, tensors = dict(names), [], [], []
    for number, (case, record) in enumerate(zip(cases, records, strict=True)):
        inputs, parameters = make_inputs(case, ms)
        function_name = f"case_{number}"
        scope[function_name] = define(function_source(case, function_name), function_name, {**names, **parameters})
        if gradient:
            scope[function_name] = define_gradient(case, record, function_name, scope, ms)
        own = [f"a{len(tensors) + position}" for position in range(len(inputs))]
        calls.append(f"{function_name}({', '.join(own)})")
        arguments += own
        tensors += inputs
    source = f"def batch({', '.join(arguments)}):\n    return ({', '.join(calls)},)\n"
    return ms.jit(define(source, "batch", scope))(*tensors)


def define_gradient(case: Case, record: Record, function_name: str, scope: dict[str, Any], ms: Any) -> Any:
    """`ms.grad` of the case with weighted outputs, written out as straight-line source."""
    weights, products = {}, []
    for position, (path, leaf) in enumerate(floating_leaves(record["output"])):
        name = f"weight_{position}"
        values = gradient_weights(case, position, leaf.values.shape)
        weights[name] = ms.Tensor(values, getattr(ms, leaf.dtype.lower()))
        products.append(f"output{path}" if case.gradient == "sum" else f"output{path} * {name}")
    arguments = ", ".join(name for name, array in case.inputs.items() if not array.parameter)
    source = (
        f"def scaled({arguments}):\n    output = {function_name}({arguments})\n    return ({', '.join(products)},)\n"
    )
    positions = gradient_positions(case)
    scaled = define(source, "scaled", {**scope, **weights})
    return ms.grad(scaled, positions[0] if len(positions) == 1 else positions)


def floating_leaves(output: Any) -> list[tuple[str, Any]]:
    """(index text, leaf) of the recorded floating outputs, e.g. ("[0]", leaf)."""
    if isinstance(output, list):
        return [(f"[{i}]{path}", leaf) for i, item in enumerate(output) for path, leaf in floating_leaves(item)]
    return [("", leaf) for leaf in flat_leaves(output) if "Float" in leaf.dtype]
