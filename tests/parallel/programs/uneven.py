"""Parts of different sizes, borders and messages between two processes; each writes down what it got."""

import json
import sys
from pathlib import Path

import numpy as np

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.communication import get_rank, init


def main():
    init()
    rank = get_rank()
    other = 1 - rank
    x = Tensor(np.arange(2 + rank, dtype=np.float32) + 10 * rank)
    whole = Tensor(np.arange(4, dtype=np.float32) + 10 * rank)
    found = {}

    def note(name, *tensors):
        found[name] = [tensor.asnumpy().tolist() for tensor in tensors]

    note("all_gather", ops.AllGatherV()(x, [2, 3]))
    note("gradient", ms.grad(lambda x: (ops.AllGatherV()(x, [2, 3]) * (rank + 1)).sum())(x))
    note("jitted", ms.jit(lambda x: ops.AllGatherV()(x, [2, 3]) * 2)(x))
    note("reduce_scatter", ops.ReduceScatterV()(whole, [1, 3]), ops.ReduceScatterV("max")(whole, Tensor([3, 1])))
    note("all_to_all", ops.AlltoAllV()(whole, [1, 3] if rank == 0 else [2, 2], [1, 2] if rank == 0 else [3, 2]))
    note("all_to_all_blocks", ops.AlltoAllVC(block_size=2)(whole, [0, 2, 1, 1]))
    if rank == 0:
        ops.Send(sr_tag=0, dest_rank=1)(whole)
        note("received", ops.Receive(sr_tag=1, src_rank=1, shape=[3], dtype=ms.float32)())
    else:
        note("received", ops.Receive(sr_tag=0, src_rank=0, shape=[4], dtype=ms.float32)())
        ops.Send(sr_tag=1, dest_rank=0)(x)
    batch = ops.BatchISendIRecv(["irecv", "isend"], [other, other], [[4]], [ms.float32])
    note("batch", batch((whole,))[0])
    nobody = [-1] * 8
    neighbours = [*nobody[:4], 1, *nobody[5:]] if rank == 0 else [0, *nobody[1:]]
    lengths = [0, 1, 0, 0] if rank == 0 else [1, 0, 0, 0]
    exchange = ops.NeighborExchangeV2(neighbours, lengths, neighbours, lengths, "NCHW")
    note("borders", exchange(whole.reshape((1, 1, 2, 2)))[0, 0])
    square = whole.reshape((2, 2))
    note("product", ops.all_gather_matmul(square, ops.ones((2, 1)), "hccl_world_group", 2)[0].reshape(-1))
    note("scattered", ops.matmul_reduce_scatter(square, ops.ones((2, 1)), "hccl_world_group", 2).reshape(-1))
    (Path(sys.argv[1]) / f"found_{rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
