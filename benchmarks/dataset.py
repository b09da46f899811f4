"""Input pipelines against those of real MindSpore, epoch by epoch in turn."""

from __future__ import annotations

import dataclasses
import tempfile
from pathlib import Path

from benchmarks import pipelines
from benchmarks.harness import Function, Options, Row, alternate, duration, times_faster, undisturbed
from benchmarks.peers.process import PeerProcess

# How many times faster each pipeline is meant to be.
_TARGETS = {"mnist": 10.0, "cifar": 4.0, "photos": 1.2, "generator": 1.5}


def run(options: Options) -> list[Row]:
    epochs = dataclasses.replace(options, rounds=max(2, min(options.rounds, 5)), slice_seconds=0.0)
    rows = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pipelines.write_data(folder)
        for pipeline, target in _TARGETS.items():
            data = pipelines.PIPELINES[pipeline](folder)
            ours = Function(lambda data=data: pipelines.epoch(data))
            title = f"one epoch of {pipeline}, {data.get_dataset_size() * 32} rows"
            if options.mindspore_python is None:
                times = alternate({"ours": ours}, epochs)["ours"]
                rows.append(Row(title, duration(undisturbed(times)), note="needs --mindspore-python"))
                continue
            with PeerProcess(options.mindspore_python, "../pipelines.py", [pipeline, str(folder)]) as peer:
                times = alternate({"ours": ours, "peer": peer}, epochs)
            rows.append(times_faster(f"{title}, against MindSpore", times["ours"], times["peer"], target))
    return rows
