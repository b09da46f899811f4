"""Run a case of `mindspore.nn` on a MindSpore, the real one or this package, through its public API."""

from __future__ import annotations

import ast
import re
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tools.oracle.execute import define, is_tensor
from tools.oracle.layer_case import LayerCase, OptimizerCase
from tools.oracle.storage import to_stored


def build(source: str, names: dict[str, Any]) -> Any:
    """The value of the last expression of `source`."""
    *statements, last = ast.parse(source).body
    lines = [ast.unparse(statement) for statement in statements] + [f"return {ast.unparse(last)}"]
    return define("def build():\n" + "".join(f"    {line}\n" for line in lines), "build", names)()


def make_net(case: LayerCase, ms: Any, names: dict[str, Any]) -> Any:
    ms.set_seed(1)
    return build(case.build, names).set_train(case.train)


def make_tensor(values: np.ndarray, dtype: str, ms: Any) -> Any:
    return ms.Tensor(values, getattr(ms, dtype))


def make_tensors(case: LayerCase, ms: Any) -> list[Any]:
    return [
        ms.Tensor(values) if case.inputs[name].dtype == "bool" else make_tensor(values, case.inputs[name].dtype, ms)
        for name, values in case.draw().items()
    ]


def describe_parameters(cell: Any) -> list[list[Any]]:
    """Name, shape, dtype and requires_grad of each Parameter, in MindSpore's order."""
    return [[one.name, list(one.shape), str(one.dtype), bool(one.requires_grad)] for one in cell.get_parameters()]


def printed(cell: Any) -> str:
    """The printed form, with the class name in place of objects that print their address."""
    return re.sub(r"<[\w.]*\.(\w+) object at 0x\w+>", r"\1", repr(cell))


def initial_checksums(cell: Any) -> list[int]:
    return [zlib.crc32(np.ascontiguousarray(to_stored(one)).tobytes()) for one in cell.get_parameters()]


def add_noise(cell: Any, case: LayerCase, ms: Any) -> None:
    """The noise is positive, so that a variance stays one."""
    random = np.random.RandomState(~case.seed % 2**32)
    for one in cell.get_parameters():
        if "Float" in str(one.dtype):
            noise = 0.2 * random.random_sample(tuple(one.shape))
            values = one.asnumpy().astype("float32") + noise.astype("float32")
            one.set_data(ms.Tensor(values, one.dtype))


def written_state(cell: Any) -> list[Any]:
    """What a call may write itself: the Parameters that are not trained."""
    return [one.value() for one in cell.get_parameters() if not one.requires_grad]


def call_function(case: LayerCase, net: Any, function_name: str = "call") -> Callable:
    arguments = ", ".join(case.inputs)
    source = f"def {function_name}({arguments}):\n    return {case.call_source}\n"
    return define(source, function_name, {"net": net})


def floating_paths(output: Any, ms: Any) -> list[tuple[str, Any]]:
    """(index text, Tensor) of the floating outputs, e.g. ("[0]", tensor)."""
    if isinstance(output, (tuple, list)):
        return [(f"[{i}]{path}", leaf) for i, item in enumerate(output) for path, leaf in floating_paths(item, ms)]
    return [("", output)] if is_tensor(output, ms) and "Float" in str(output.dtype) else []


def output_weights(case: LayerCase, position: int, shape: tuple[int, ...]) -> np.ndarray:
    random = np.random.RandomState((case.seed + 1 + position) % 2**32)
    return (0.5 + random.random_sample(shape)).astype("float32")


def gradient_function(
    case: LayerCase, net: Any, output: Any, ms: Any, function_name: str = "forward"
) -> Callable | None:
    """A function giving the gradients of the weighted sum of the outputs, for inputs and trainable Parameters.

    `output` is the result of an earlier call: its structure decides how the sum is written. None when nothing can be
    differentiated.
    """
    scope: dict[str, Any] = {"net": net, "float32": ms.float32}
    terms = []
    for position, (path, tensor) in enumerate(floating_paths(output, ms)):
        scope[f"weight_{position}"] = ms.Tensor(output_weights(case, position, tuple(tensor.shape)))
        terms.append(f"(output{path}.astype(float32) * weight_{position}).sum()")
    positions = tuple(list(case.inputs).index(name) for name in case.differentiable)
    weights = net.trainable_params()
    if not terms or not (positions or weights):
        return None
    arguments = ", ".join(case.inputs)
    source = f"def {function_name}({arguments}):\n    output = {case.call_source}\n    return {' + '.join(terms)}\n"
    forward = define(source, function_name, scope)
    return ms.grad(forward, positions or None, weights=weights or None)


def flat(gradients: Any, ms: Any) -> list[Any]:
    if is_tensor(gradients, ms):
        return [gradients]
    return [leaf for item in gradients for leaf in flat(item, ms)]


def optimizer_parameters(case: OptimizerCase, ms: Any) -> dict[str, Any]:
    values = case.draw()
    return {
        name: ms.Parameter(make_tensor(values[name], case.dtype, ms), name=full)
        for name, full in case.PARAMETER_NAMES.items()
    }


def run_optimizer(case: OptimizerCase, ms: Any, names: dict[str, Any]) -> tuple[Any, list[list[Any]], list[list[Any]]]:
    """The optimizer after the steps, its description before them, and the Parameters after each step."""
    parameters = optimizer_parameters(case, ms)
    updater = build(case.build, {**names, **parameters, "params": list(parameters.values())})
    described, history, values = describe_parameters(updater), [], case.draw()
    for step in range(case.steps):
        gradients = {
            one.name: make_tensor(values[f"{name}_gradient_{step}"], case.gradient_dtype or case.dtype, ms)
            for name, one in parameters.items()
        }
        updater(tuple(gradients[one.name] for one in updater.parameters))
        history.append([ms.Tensor(one.asnumpy().astype("float32")) for one in parameters.values()])
    return updater, described, history


def optimizer_state(updater: Any) -> list[Any]:
    own = {id(one) for one in updater.parameters}
    return [one.value() for one in updater.get_parameters() if id(one) not in own]
