"""Whole workloads of many domains against PyTorch, in graph mode and in PyNative: none may fall off a cliff."""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks import training
from benchmarks.harness import Options, Row
from benchmarks.training import Workload

_LEAST = {"graph": 1.1, "pynative": 0.9}  # of PyTorch's speed
_EAGER_TARGETS = {"vit", "pinn"}  # the others are measured in PyNative, too, but promised in graph mode alone
_UNTIL_COMPILED = 45  # steps, after which PyNative has compiled what it will
_DECODER = {"layers": 6, "width": 384, "heads": 6, "length": 256, "vocabulary": 8192}
_PROGRAMS: Mapping[str, tuple[str, Mapping[str, int], int]] = {  # title, sizes, steps of a slice
    "volumes": ("3-D convolutions, step", {"batch": 2, "depth": 16, "size": 32, "channels": 16}, 3),
    "decode": ("one token of a decoder with a static cache of 256", _DECODER, 20),
    "vit": ("ViT step", {"batch": 8, "size": 64, "patch": 8, "width": 192, "layers": 6, "heads": 3}, 2),
    "pinn": ("PINN step, second-order derivatives", {"points": 1000, "width": 32, "layers": 4}, 10),
    "diffusion": ("diffusion U-Net step", {"batch": 4, "size": 32, "width": 32}, 2),
    "detection": ("detection head with NMS, inference", {"channels": 64, "grid": 40, "best": 400}, 5),
    "seq2seq": ("GRU seq2seq step", {"batch": 16, "length": 20, "width": 128, "hidden": 128, "vocabulary": 2000}, 2),
    "audio": ("1-D convolutions (audio), step", {"batch": 8, "length": 8000, "width": 64, "layers": 4}, 1),
    "gnn": ("GNN step with segment sums", {"nodes": 2708, "edges": 10_556, "inputs": 256, "hidden": 64}, 5),
    "sparse_embeddings": ("sparse embeddings, 200,000 x 32, step", {"rows": 200_000, "width": 32, "batch": 256, "fields": 10}, 3),
    "embeddings": ("embedding tower, 200,000 x 32, step", {"rows": 200_000, "width": 32, "batch": 256, "fields": 10}, 3),
    "unet": ("U-Net step", {"batch": 4, "size": 64, "width": 16}, 1),
    "efficientnet": ("EfficientNet-like step", {"batch": 8, "size": 96}, 1),
}  # fmt: skip


def _workload(program: str, mode: str) -> Workload:
    title, sizes, steps = _PROGRAMS[program]
    least = _LEAST[mode] if mode == "graph" or program in _EAGER_TARGETS else None
    shown = {"graph": "graph", "pynative": "PyNative"}[mode]
    warming = {"graph": 1, "pynative": _UNTIL_COMPILED}[mode]
    return Workload(
        f"{title}, {shown}", program, sizes, {"PyTorch": least}, mode, rounds=7, steps=steps, warming=warming
    )


WORKLOADS = tuple(_workload(program, mode) for program in _PROGRAMS for mode in _LEAST)
PROGRAMS = set(_PROGRAMS)


def run(options: Options) -> list[Row]:
    return training.run(options, WORKLOADS)
