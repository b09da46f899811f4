"""Let real MindSpore say which dtypes its kernels for CPUs take: ``python -m tools.oracle.mindir_dtypes FILE`` writes the module of what they refuse.

The primitives are those that ``_engine/export/mindir`` writes for parts of operators, so for operands of any dtype.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import mindspore as ms
from mindspore import Tensor, ops

DTYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
          "bfloat16", "complex64", "complex128")  # fmt: skip
UNARY = """Neg Exp Log Tanh Sin Cos Tan Asin ACos Atan Sinh Cosh Asinh Acosh Atanh Abs Sign Floor Ceil Sqrt Sigmoid Erf Erfc Erfinv Log1p
Expm1 Rsqrt Square IsFinite IsNan Lgamma Digamma LogicalNot Invert BesselI0e BesselI1e PopulationCount"""
BINARY = """Add Sub Mul Maximum Minimum Pow Atan2 Equal NotEqual Less LessEqual Greater GreaterEqual TruncateMod NextAfter LogicalAnd
LogicalOr LogicalXor BitwiseAnd BitwiseOr BitwiseXor RealDiv TruncateDiv LeftShift RightShift Igamma Igammac Zeta"""
REDUCTIONS = "ReduceSum ReduceMax ReduceMin ReduceProd ReduceAll ReduceAny"


def places() -> Any:
    return Tensor(np.array([[0], [1]], np.int32))


def calls() -> dict[str, Callable[[Any], Any]]:
    def made(name: str) -> Any:
        return getattr(ops, name)

    found: dict[str, Callable[[Any], Any]] = {}
    found |= {name: (lambda x, name=name: made(name)()(x)) for name in UNARY.split()}
    found |= {name: (lambda x, name=name: made(name)()(x, x)) for name in BINARY.split()}
    found |= {name: (lambda x, name=name: made(name)()(x, (1,))) for name in REDUCTIONS.split()}
    scatters = ("Update", "Add", "Sub", "Mul", "Min", "Max")
    found |= {
        f"TensorScatter{one}": (lambda x, one=one: made(f"TensorScatter{one}")()(x, places(), x)) for one in scatters
    }
    truth = Tensor(np.ones((2, 3), bool))
    return found | {
        "Select": lambda x: ops.Select()(truth, x, x), "Concat": lambda x: ops.Concat(0)((x, x)),
        "StridedSlice": lambda x: ops.StridedSlice()(x, (0, 1), (2, 3), (1, 1)), "Gather": lambda x: ops.Gather()(x, places(), 0),
        "GatherNd": lambda x: ops.GatherNd()(x, places()), "GatherD": lambda x: ops.GatherD()(x, 1, Tensor(np.zeros((2, 2), np.int32))),
        "BroadcastTo": lambda x: ops.BroadcastTo((4, 2, 3))(x), "Transpose": lambda x: ops.Transpose()(x, (1, 0)),
        "ReverseV2": lambda x: ops.ReverseV2([0])(x), "Sort": lambda x: ops.Sort()(x), "TopK": lambda x: ops.TopK()(x, 2),
        "CumSum": lambda x: ops.CumSum()(x, 0), "CumProd": lambda x: ops.CumProd()(x, 0), "Stack": lambda x: ops.Stack()((x, x)),
        "MatMul": lambda x: ops.MatMul(False, True)(x, x), "BatchMatMul": lambda x: ops.BatchMatMul(False, True)(x.reshape((1, 2, 3)), x.reshape((1, 2, 3))),
        "Argmax": lambda x: ops.Argmax(0)(x), "Argmin": lambda x: ops.Argmin(0)(x), "Reshape": lambda x: ops.Reshape()(x, (3, 2)),
        "Round": lambda x: ops.Round()(x), "Tile": lambda x: ops.Tile()(x, (2, 1)),
    }  # fmt: skip


def main(target: Path) -> None:
    ms.set_context(mode=ms.PYNATIVE_MODE, pynative_synchronize=True)
    refused: dict[str, list[str]] = {}
    for name, call in calls().items():
        for dtype in DTYPES:
            x = Tensor(np.array([[1, 0, 1], [1, 1, 0]], np.float32)).astype(getattr(ms, dtype.replace("bool", "bool_")))
            try:
                for one in call(x) if isinstance(call(x), tuple) else (call(x),):
                    one.asnumpy() if dtype != "bfloat16" else one.float().asnumpy()
            except Exception:
                refused.setdefault(name, []).append(dtype)
        print(name, refused.get(name), flush=True)
    lines = "\n".join(f"{name} {' '.join(dtypes)}" for name, dtypes in refused.items())
    target.write_text(
        f'''"""Facts, recorded by tools/oracle/mindir_dtypes.py: dtypes that kernels of MindSpore 2.10 for CPUs do not take."""

_REFUSED = """
{lines}
"""
REFUSED = {{line.split()[0]: frozenset(line.split()[1:]) for line in _REFUSED.split("\\n") if line}}
'''
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
