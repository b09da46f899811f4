"""Computes with the others; after some steps one process ends in the way that is asked for, and the others go on."""

import os
import signal
import sys
import time
from pathlib import Path

from mindspore import Tensor, ops
from mindspore.communication import get_rank, init


def end(way: str) -> None:
    """End, or stop, in one of several ways."""
    if way == "raise":
        raise ValueError("my own problem")
    if way == "sys.exit":
        sys.exit(3)
    if way == "SystemExit":
        raise SystemExit(4)
    if way == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    if way == "os._exit":
        os._exit(5)
    if way == "end":
        sys.exit()
    if way == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    while way == "loop":
        time.sleep(0.01)


def main() -> None:
    init()
    total = ops.AllReduce()(Tensor([1.0]))
    rank = get_rank()
    (Path(sys.argv[1]) / f"ready_{rank}").write_text(str(os.getpid()))
    for step in range(10**9):
        if step == 20 and rank == int(sys.argv[3]):
            print(f"ends at {time.time()}", flush=True)
            end(sys.argv[2])
        total = ops.AllReduce()(total) / 2
        total.asnumpy()


if __name__ == "__main__":
    main()
