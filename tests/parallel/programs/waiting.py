"""Says where it is and stays; the first collective after the other process is gone must not wait for ever."""

import os
import sys
from pathlib import Path

from mindspore import Tensor, ops
from mindspore.communication import get_rank, init


def main():
    init()
    total = ops.AllReduce()(Tensor([1.0]))
    print(f"together {total}", flush=True)
    (Path(sys.argv[1]) / f"ready_{get_rank()}").write_text(str(os.getpid()))
    for _ in range(10**9):
        total = ops.AllReduce()(total) / 2
        total.asnumpy()


if __name__ == "__main__":
    main()
