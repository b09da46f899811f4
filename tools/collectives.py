"""The collectives of one compiled training step, for several numbers of simulated devices, as a table in Markdown.

    python tools/collectives.py 8 16 32 64

One layer of a transformer (width 256, 4 heads, rows of 32 words, 2 rows per part of the batch) is trained with Adam: data
divided among all devices, data and weights divided, and both with the states of the optimizer divided.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys

import numpy as np

import mindspore as ms
from mindspore import Tensor, nn
from mindspore.nn.transformer import TransformerEncoder, TransformerOpParallelConfig

WIDTH, LENGTH, ROWS, TENSOR = 256, 32, 2, 4
ARRANGEMENTS = [(tensor, divides_states) for tensor in (1, TENSOR) for divides_states in (False, True)]
_KINDS = "all-reduce|all-gather|reduce-scatter|all-to-all|collective-permute"
_BYTES = {"f64": 8, "s64": 8, "u64": 8, "f32": 4, "s32": 4, "u32": 4, "bf16": 2, "f16": 2, "pred": 1, "s8": 1, "u8": 1}


def collectives(program: str) -> dict[str, tuple[int, int]]:
    """By kind: how many there are in the text of a program, and the bytes of their results on one device.

    >>> collectives("%a = f32[4,2]{1,0} all-reduce(%b), channel_id=1")
    {'all-reduce': (1, 32)}
    """
    found: dict[str, tuple[int, int]] = {}
    for shapes, kind in re.findall(rf"= (\([^()]*\)|[^ ()]+) ({_KINDS})(?:-start)?\(", program):
        size = 0
        for dtype, lengths in re.findall(r"([a-z]+\d*)\[([\d,]*)\]", shapes):
            size += _BYTES[dtype] * int(np.prod([int(one) for one in lengths.split(",") if one]))
        count, total = found.get(kind, (0, 0))
        found[kind] = (count + 1, total + size)
    return found


class Layer(nn.Cell):
    """One layer of a transformer and a loss."""

    def __init__(self, rows: int, config: TransformerOpParallelConfig):
        super().__init__()
        self.encoder = TransformerEncoder(
            rows, 1, WIDTH, 4 * WIDTH, LENGTH, 4, 0.0, 0.0, parallel_config=config, lambda_func=lambda *_, **__: None
        )

    def construct(self, values: Tensor, mask: Tensor) -> Tensor:
        return self.encoder(values, mask)[0].mean()


def step_of(devices: int, tensor: int, divides_states: bool) -> str:
    """The text of the program of one step."""
    ms.set_context(mode=ms.GRAPH_MODE)
    ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel", device_num=devices)
    data = devices // tensor
    rows = ROWS * data
    net = Layer(rows, TransformerOpParallelConfig(data, tensor, optimizer_shard=divides_states))
    step = nn.TrainOneStepCell(net, nn.Adam(net.trainable_params(), 1e-3)).set_train()
    step.compile(
        Tensor(np.ones((rows, LENGTH, WIDTH), np.float32)), Tensor(np.ones((rows, LENGTH, LENGTH), np.float32))
    )
    (graphs,) = step._cell_graphs.graphs.values()
    return graphs[0].executable.as_text()


def main(counts: list[str]) -> None:
    """Each number of devices needs a process of its own: XLA makes them when it starts."""
    print("| devices | divided | collective | count | bytes per device |\n|---|---|---|---|---|", flush=True)
    for count in counts:
        flags = f"--xla_force_host_platform_device_count={count}"
        command = [sys.executable, __file__, "--one", count]
        subprocess.run(command, env={**os.environ, "XLA_FLAGS": flags}, check=True)


def print_one(devices: int) -> None:
    """The rows of one number of devices."""
    for tensor, divides_states in ARRANGEMENTS:
        divided = f"data {devices // tensor}" + (f" x tensor {tensor}" if tensor > 1 else "")
        divided += ", optimizer" if divides_states else ""
        for kind, (count, size) in sorted(collectives(step_of(devices, tensor, divides_states)).items()):
            print(f"| {devices} | {divided} | {kind} | {count} | {size:,} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print_one(int(sys.argv[2]))
    else:
        main(sys.argv[1:] or ["8", "16", "32", "64"])
