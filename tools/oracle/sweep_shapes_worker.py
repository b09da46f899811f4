"""Answers the calls of ``sweep_shapes.py`` with the MindSpore of this Python: one line of JSON in, one line out.

    python -m tools.oracle.sweep_shapes_worker <file for the answers>     the calls come on standard input

Answers go to a file of their own because MindSpore itself writes to standard output.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import numpy as np

import mindspore as ms
from tools.oracle.execute import public_names

KEPT_VALUES = 24  # of each result; its shape and dtype are kept in any case
MESSAGE = 300


def decode(value: Any) -> Any:
    """The inverse of ``sweep_shapes.encode``, with Tensors in place of arrays."""
    if not isinstance(value, dict):
        return value
    if "array" in value:
        numbers = value["values"]
        numbers = [complex(*pair) for pair in numbers] if value["array"].startswith("complex") else numbers
        return ms.Tensor(np.array(numbers, value["array"]).reshape(value["shape"]))
    if "dtype" in value:
        return getattr(ms, "bool_" if value["dtype"] == "bool" else str(value["dtype"]))
    if "complex" in value:
        return complex(*value["complex"])
    if "dict" in value:
        return {name: decode(one) for name, one in value["dict"].items()}
    (kind, items), *_ = value.items()
    return tuple(map(decode, items)) if kind == "tuple" else list(map(decode, items))


def described(result: Any) -> Any:
    """A result as JSON: a Tensor by dtype, shape and first values, a list by its items, anything else by its text."""
    if isinstance(result, ms.Tensor):
        values = np.asarray(result.float().asnumpy() if str(result.dtype) == "BFloat16" else result.asnumpy())
        first = values.reshape(-1)[:KEPT_VALUES]
        numbers = [[float(z.real), float(z.imag)] for z in first] if values.dtype.kind == "c" else first.tolist()
        return {"dtype": str(result.dtype), "shape": list(result.shape), "values": numbers}
    if isinstance(result, (tuple, list)):
        return [described(one) for one in result]
    return repr(result)


def function_of(call: dict[str, Any]) -> Any:
    """The function, or the Primitive made with the constructor's arguments, or the code as a function."""
    if "code" in call:
        return eval(call["code"], public_names(ms))
    found = getattr(ms.ops, call["form"].split(".")[1], None) or getattr(ms.ops.operations, call["form"].split(".")[1])
    return found if call["init"] is None else found(**decode(call["init"]))


def gradient(call: dict[str, Any]) -> Any:
    """The gradient for every floating-point Tensor among the arguments by position."""
    args, kwargs = decode(call["args"]), decode(call["kwargs"])
    places = [i for i, a in enumerate(args) if isinstance(a, ms.Tensor) and "Float" in str(a.dtype)]
    if not places:
        return None

    def function(*tensors: Any) -> Any:
        given = list(args)
        for place, tensor in zip(places, tensors):
            given[place] = tensor
        return function_of(call)(*given, **kwargs)

    return described(ms.grad(function, tuple(range(len(places))))(*[args[place] for place in places]))


def text_of(error: BaseException) -> list[str]:
    """Type and the part of the message meant for the user, without the C++ call stack."""
    lines: list[str] = []
    for line in str(error).strip().splitlines():
        if line.startswith("-----") and lines:
            break
        if line.strip() and not line.startswith(("-----", "- ")):
            lines.append(line.strip())
    return [type(error).__name__, " ".join(lines)[:MESSAGE]]


def answer(call: dict[str, Any], once: bool = False) -> dict[str, Any]:
    """The result and its gradient, or the error. Asked twice unless ``once``: real MindSpore may read past the end."""
    try:
        result = described(function_of(call)(*decode(call["args"]), **decode(call["kwargs"])))
    except Exception as error:
        return {"error": text_of(error)}
    if not once:
        try:
            again = described(function_of(call)(*decode(call["args"]), **decode(call["kwargs"])))
        except Exception as error:
            again = text_of(error)
        if repr(again) != repr(result):
            return {"none": "another answer each time"}
    found: dict[str, Any] = {"result": result}
    if call["gradient"]:
        try:
            found["gradient"] = gradient(call)
        except Exception as error:
            found["gradient error"] = text_of(error)
    return found


def main() -> None:
    ms.set_context(mode=ms.PYNATIVE_MODE, pynative_synchronize=True)
    with open(sys.argv[1], "w") as answers:
        for line in sys.stdin:
            try:
                found = answer(json.loads(line))
            except Exception as error:
                found = {"error": text_of(error)}
            answers.write(json.dumps(found) + "\n")
            answers.flush()


if __name__ == "__main__":
    main()
