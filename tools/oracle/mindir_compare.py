"""Read the files of ``mindir_export`` here, run them in both modes, and print what differs.

python -m tools.oracle.mindir_compare FOLDER [FIRST LAST] [graph|eager]
"""

from __future__ import annotations

import collections
import json
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn
from tools.oracle.mindir_export import flat

_TOLERANCE = {"float16": 2e-2, "float32": 2e-4, "float64": 1e-5, "complex64": 2e-4}


def difference(folder: Path, number: int) -> str | None:
    """What differs for one file, in words; None when nothing does."""
    described = json.loads((folder / f"{number}.json").read_text())
    stored = np.load(folder / f"{number}.npz", allow_pickle=False)
    inputs = [Tensor(stored[f"input_{i}"], _dtype(kind)) for i, kind in enumerate(described["dtypes"])]
    expected = [
        stored[name] for name in sorted((n for n in stored if n.startswith("output")), key=lambda n: int(n[7:]))
    ]
    try:
        found = flat(nn.GraphCell(ms.load(str(folder / f"{number}.mindir")))(*inputs))
    except Exception as error:
        words = " ".join(str(error).split())
        return f"{type(error).__name__}: {words[:300]}"
    if len(found) != len(expected):
        return f"{len(found)} results instead of {len(expected)}"
    for one, wanted in zip(found, expected):
        if one.shape != wanted.shape or one.dtype != wanted.dtype:
            return f"{one.dtype}{one.shape} instead of {wanted.dtype}{wanted.shape}"
        tolerance = 2e-2 if "BFloat16" in str(described["dtypes"]) else _TOLERANCE.get(wanted.dtype.name, 0)
        if not np.allclose(one, wanted, tolerance, tolerance, equal_nan=True):
            return f"values differ: {one.ravel()[:4]} instead of {wanted.ravel()[:4]}"
    return None


def _dtype(text: str) -> Any:
    return getattr(ms, {"bool": "bool_"}.get(text.lower(), text.lower()))


def main(folder: Path, first: int, last: int, mode: str) -> None:
    warnings.simplefilter("ignore")
    ms.set_context(mode=ms.GRAPH_MODE if mode == "graph" else ms.PYNATIVE_MODE)
    counts: collections.Counter = collections.Counter()
    for path in sorted(folder.glob("*.json"), key=lambda p: int(p.stem)):
        number = int(path.stem)
        if not first <= number < last:
            continue
        print(f"at {number}", file=sys.stderr)
        words = difference(folder, number)
        counts["equal" if words is None else "different"] += 1
        if words is not None:
            print(f"{number} {json.loads(path.read_text())['case'][:110]}\n    {words}")
    print(dict(counts))


if __name__ == "__main__":
    first, last = [int(text) for text in sys.argv[2:4]] or [0, 1_000_000]
    main(Path(sys.argv[1]), first, last, sys.argv[4] if len(sys.argv) > 4 else "eager")
