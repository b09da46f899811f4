"""ONNX's own tests of single nodes, run by ``nn.GraphCell``: what passes, what fails, what is not read."""

from __future__ import annotations

import os
import sys
import tempfile
from typing import Any

import numpy as np
import onnx
from onnx import numpy_helper
from onnx.backend.test.case.node import collect_testcases

import mindspore as ms
from mindspore import Tensor, nn


def cases() -> list[Any]:
    """The test cases of the onnx package."""
    return sorted(collect_testcases(None), key=lambda case: case.name)


def array(value: Any) -> Any:
    if isinstance(value, onnx.TensorProto):
        return numpy_helper.to_array(value)
    if isinstance(value, onnx.SequenceProto):
        return [array(one) for one in value.tensor_values]
    if isinstance(value, onnx.OptionalProto):
        return (
            None
            if not value.elem_type
            else array(value.tensor_value if value.HasField("tensor_value") else value.sequence_value)
        )
    return value


def tensor(value: Any) -> Any:
    if isinstance(value, list):
        return [tensor(one) for one in value]
    return Tensor(np.asarray(value)) if value is not None else None


def check(case: Any) -> None:
    """Raise where the results of a case differ from those recorded in it."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "case.onnx")
        onnx.save(case.model, path)
        net = nn.GraphCell(ms.load(path))
    for inputs, expected in case.data_sets:
        found = net(*[tensor(array(one)) for one in inputs])
        found = found if isinstance(found, tuple) else (found,)
        assert len(found) == len(expected)
        for result, wanted in zip(found, expected):
            same(result, array(wanted), case)


def same(result: Any, wanted: Any, case: Any) -> None:
    if isinstance(wanted, list):
        assert len(result) == len(wanted)
        for one, other in zip(result, wanted):
            same(one, other, case)
        return
    if wanted is None:
        assert result is None
        return
    wanted = np.asarray(wanted)
    got = result.asnumpy()
    assert got.shape == wanted.shape, f"{got.shape} instead of {wanted.shape}"
    assert got.dtype == wanted.dtype, f"{got.dtype} instead of {wanted.dtype}"
    rtol, atol = max(case.rtol or 0, 1e-3), max(case.atol or 0, 1e-6)
    np.testing.assert_allclose(
        got.astype(np.float64) if got.dtype.kind == "V" else got,
        wanted.astype(got.dtype) if got.dtype.kind != "V" else wanted.astype(np.float64),
        rtol=rtol,
        atol=atol,
    )


def main() -> None:
    words = sys.argv[1:] or [""]
    outcomes: dict[str, list[str]] = {"passed": [], "failed": [], "not read": []}
    for case in cases():
        if not any(word in case.name for word in words):
            continue
        try:
            check(case)
            outcomes["passed"].append(case.name)
        except Exception as error:
            kind = "not read" if "not read here" in str(error) else "failed"
            outcomes[kind].append(case.name)
            print(kind, case.name, type(error).__name__, str(error).replace("\n", " ")[:230], flush=True)
    print({kind: len(names) for kind, names in outcomes.items()})


if __name__ == "__main__":
    main()
