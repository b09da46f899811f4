"""Files that are written here, and what real MindSpore makes of them.

python -m tools.oracle.mindir_written write FOLDER            here: the networks as MINDIR files
python -m tools.oracle.mindir_written read FOLDER             with real MindSpore: answers.npz of them
python -m tools.oracle.mindir_written accept FOLDER... FILE   with real MindSpore: the forms of nodes in files that ran with equal results
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

import mindspore as ms
from mindspore.train.mind_ir_pb2 import ModelProto
from tools.oracle.mindir_compare import difference
from tools.oracle.mindir_export import flat
from tools.oracle.mindir_networks import NETWORKS, OPEN, made

CHOSEN = ("lenet", "mobilenet", "encoder", "detector", "gate", "search", "counter", "training")


def write(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name in CHOSEN:
        net, inputs = made(name)
        opened = OPEN[name]() if name in OPEN else inputs
        ms.export(net, *opened, file_name=str(folder / name), file_format="MINDIR")


def read(folder: Path) -> None:
    answers = {}
    for name in CHOSEN:
        results = flat(ms.nn.GraphCell(ms.load(str(folder / f"{name}.mindir")))(*NETWORKS[name][1]()))
        answers |= {f"{name} {i}": result for i, result in enumerate(results)}
    np.savez_compressed(folder / "answers.npz", **answers)  # pyright: ignore[reportArgumentType]


def node_forms(model: Any) -> set[str]:
    """Primitives of a file, each with the number of its inputs and the names of its attributes."""
    primitives = {one.name: one for one in model.primitives}
    found = set()
    for graph in (model.graph, *model.functions):
        for node in graph.node:
            one = primitives.get(node.op_type.removeprefix("REF::"))
            if one is not None:
                count = "n" if one.op_type in ("MakeTuple", "Partial", "make_list", "UpdateState") else len(node.input)
                words = " ".join(sorted(attribute.name for attribute in one.attribute))
                found.add(f"{one.op_type}/{one.prim_type}/{count} {words}".strip())
    return found


def model_in(path: Path) -> Any:
    model = ModelProto()
    model.ParseFromString(path.read_bytes())
    return model


def accept(folders: list[Path], target: Path) -> None:
    known: set[str] = set(json.loads(target.read_text())) if target.exists() else set()
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            forms = node_forms(model_in(path.with_suffix(".mindir")))
            if not forms <= known and difference(folder, int(path.stem)) is None:
                known |= forms
                target.write_text(json.dumps(sorted(known), indent=0) + "\n")


if __name__ == "__main__":
    task, *paths = sys.argv[1:]
    if task == "accept":
        accept([Path(path) for path in paths[:-1]], Path(paths[-1]))
    else:
        {"write": write, "read": read}[task](Path(paths[0]))
