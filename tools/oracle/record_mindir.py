"""Let real MindSpore write the files of ``tests/data/mindir`` and say what they give.

python -m tools.oracle.record_mindir tests/data/mindir
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np

import mindspore as ms
from tools.oracle.mindir_export import flat
from tools.oracle.mindir_networks import KEY, NETWORKS, OPEN, made


def record(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    answers: dict[str, np.ndarray] = {}
    for name in NETWORKS:
        net, inputs = made(name)
        _export(folder / name, net, inputs)
        results = flat(ms.nn.GraphCell(ms.load(str(folder / f"{name}.mindir")))(*inputs))
        answers |= {f"{name} {i}": result for i, result in enumerate(results)}
        print(name)
    for name, opened in OPEN.items():
        _export(folder / f"{name}_open", made(name)[0], opened())
    for mode in ("AES-GCM", "AES-CBC"):
        _export(folder / f"gate_{mode}", *made("gate"), enc_key=KEY, enc_mode=mode)
    serialization: Any = importlib.import_module("mindspore.train.serialization")
    serialization.TOTAL_SAVE = 0  # as if there was too much for one file
    _export(folder / "gate_split", *made("gate"))
    _export(folder / "gate_split_locked", *made("gate"), enc_key=KEY, enc_mode="AES-GCM")
    np.savez_compressed(folder / "answers.npz", **answers)  # pyright: ignore[reportArgumentType]


def _export(path: Path, net: Any, inputs: list[Any], **options: Any) -> None:
    path.with_suffix(".mindir").unlink(missing_ok=True)
    ms.export(net, *inputs, file_name=str(path), file_format="MINDIR", **options)


if __name__ == "__main__":
    record(Path(sys.argv[1]))
