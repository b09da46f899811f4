"""Run a case on a MindSpore: the real one or this package. Only its public API is used, through the module object."""

from __future__ import annotations

import ast
import importlib
import itertools
import linecache
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np

from tools.oracle.case import Case

_file_numbers = itertools.count()


def public_names(ms: Any) -> dict[str, Any]:
    """The names a case may use."""
    ops = importlib.import_module(f"{ms.__name__}.ops")
    return {
        "ms": ms,
        "ops": ops,
        "nn": importlib.import_module(f"{ms.__name__}.nn"),
        "P": importlib.import_module(f"{ms.__name__}.ops.operations"),
        "G": importlib.import_module(f"{ms.__name__}.ops.operations._grad_ops"),
        "A": importlib.import_module(f"{ms.__name__}.ops.auto_generate"),
        "F": importlib.import_module(f"{ms.__name__}.ops.functional"),
        "C": importlib.import_module(f"{ms.__name__}.ops.composite"),
        "mnp": importlib.import_module(f"{ms.__name__}.numpy"),
        "Tensor": ms.Tensor,
        "Parameter": ms.Parameter,
        "np": np,
        "nan": float("nan"),
        "inf": float("inf"),
    }


def define(source: str, name: str, names: dict[str, Any]) -> Callable:
    """Compile `source` (one function definition) so that `inspect.getsource` finds its text, as graph mode needs."""
    filename = f"<oracle case {next(_file_numbers)}>"
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    scope = {**names, "__name__": __name__}
    exec(compile(source, filename, "exec"), scope)
    return scope[name]


def function_source(case: Case, function_name: str = "case") -> str:
    """The case as the text of a function; Parameters are globals, all other inputs arguments."""
    statements = ast.parse(case.source).body
    lines = [ast.unparse(statement) for statement in statements[:-1]]
    lines.append(f"return {ast.unparse(statements[-1])}")
    arguments = ", ".join(name for name, array in case.inputs.items() if not array.parameter)
    return f"def {function_name}({arguments}):\n" + "".join(f"    {line}\n" for line in lines)


def make_inputs(case: Case, ms: Any) -> tuple[list[Any], dict[str, Any]]:
    """Fresh Tensors for the arguments and Parameters for the globals of a case."""
    tensors, parameters = [], {}
    for name, values in case.draw().items():
        tensor = ms.Tensor(values, ms.bfloat16) if case.inputs[name].dtype == "bfloat16" else ms.Tensor(values)
        if case.inputs[name].parameter:
            parameters[name] = ms.Parameter(tensor, name=name)
        else:
            tensors.append(tensor)
    return tensors, parameters


def input_checksum(case: Case) -> int:
    """Tells whether the seeded generator still produces the recorded inputs."""
    return zlib.crc32(b"".join(np.ascontiguousarray(values).tobytes() for values in case.draw().values()))


def is_tensor(value: Any, ms: Any) -> bool:
    return isinstance(value, ms.Tensor)


def flat_tensors(output: Any, ms: Any) -> list[Any]:
    """The Tensors of a (nested) result, in order."""
    if isinstance(output, (tuple, list)):
        return [tensor for item in output for tensor in flat_tensors(item, ms)]
    return [output] if is_tensor(output, ms) else []


def gradient_weights(case: Case, position: int, shape: tuple[int, ...]) -> np.ndarray:
    """Fixed weights of output number `position`, so that a gradient of zero (softmax) does not hide a mistake."""
    if case.gradient == "sum":
        return np.ones(shape, "float32")
    # The complement: weights drawn with the seed of the inputs would be a linear function of them.
    random = np.random.RandomState((~case.seed + position) % 2**32)
    return (0.5 + random.random_sample(shape)).astype("float32")


def weighted(function: Callable, case: Case, ms: Any) -> Callable:
    """`function` with each floating output multiplied by its weights; what the gradient is taken of."""

    def scaled(*arguments: Any) -> Any:
        outputs = flat_tensors(function(*arguments), ms)
        floating = [tensor for tensor in outputs if "Float" in str(tensor.dtype)]
        if case.gradient == "sum":
            return tuple(floating)
        return tuple(
            tensor * ms.Tensor(gradient_weights(case, position, tuple(tensor.shape)), tensor.dtype)
            for position, tensor in enumerate(floating)
        )

    return scaled


def gradient_positions(case: Case) -> tuple[int, ...]:
    arguments = [name for name, array in case.inputs.items() if not array.parameter]
    return tuple(arguments.index(name) for name in case.differentiable)


def run_eagerly(case: Case, ms: Any, names: dict[str, Any]) -> Any:
    tensors, parameters = make_inputs(case, ms)
    return define(function_source(case), "case", {**names, **parameters})(*tensors)


def run_gradient(case: Case, ms: Any, names: dict[str, Any]) -> list[Any]:
    tensors, parameters = make_inputs(case, ms)
    function = define(function_source(case), "case", {**names, **parameters})
    positions = gradient_positions(case)
    single = len(positions) == 1
    gradients = ms.grad(weighted(function, case, ms), positions[0] if single else positions)(*tensors)
    return [gradients] if single else list(gradients)
