"""Every collective between two processes; each writes down what it got."""

import json
import sys
from pathlib import Path

import numpy as np

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.communication import (
    comm_func,
    create_group,
    get_group_size,
    get_local_rank,
    get_local_rank_size,
    get_rank,
    init,
)


def main():
    init()
    rank = get_rank()
    other = 1 - rank
    x = Tensor(np.arange(4, dtype=np.float32) + 10 * rank)
    found = {"place": [rank, get_group_size(), get_local_rank(), get_local_rank_size()]}

    def note(name, *tensors):
        found[name] = [tensor.asnumpy().tolist() for tensor in tensors]

    note(
        "all_reduce", comm_func.all_reduce(x)[0], comm_func.all_reduce(x, "max")[0], comm_func.all_reduce(x, "prod")[0]
    )
    later, handle = comm_func.all_reduce(x, async_op=True)
    handle.wait()
    note("all_reduce_later", later)
    note("all_gather", comm_func.all_gather_into_tensor(x)[0])
    note("reduce_scatter", comm_func.reduce_scatter_tensor(x)[0])
    note("broadcast", comm_func.broadcast(x, src=1))
    note("reduce", comm_func.reduce(x, 1))
    note("gather", comm_func.gather_into_tensor(x, 1))
    note("scatter", comm_func.scatter_tensor(x, 1))
    comm_func.barrier()
    if rank == 0:
        comm_func.send(x, 1)
        note("send", x)
    else:
        note("send", comm_func.recv(Tensor(np.zeros(4, np.float32)), 0))
    sending = comm_func.isend(x, other)
    received, receiving = comm_func.irecv(Tensor(np.zeros(4, np.float32)), other)
    sending.wait()
    receiving.wait()
    note("exchanged", received)
    pair = [comm_func.P2POp("isend", x, other), comm_func.P2POp("irecv", (4,), other, recv_dtype=ms.float32)]
    note("batch", *comm_func.batch_isend_irecv(pair))
    shapes = [(1,), (1,)] if rank == 0 else [(3,), (3,)]
    note("all_to_all", *comm_func.all_to_all_with_output_shape(shapes, [x[:1], x[1:]])[0])
    note("all_to_all_single", comm_func.all_to_all_single_with_output_shape((4,), x)[0])
    output = Tensor(np.zeros(2 if rank == 0 else 6, np.float32))
    comm_func.all_to_all_v_c(output, x, [1, 3, 1, 3])
    note("all_to_all_v_c", output)
    create_group("mine", [rank])
    note("group_of_one", comm_func.all_reduce(x, group="mine")[0])
    weighted = ms.value_and_grad(lambda x, weight: (ops.AllReduce()(x) * weight).sum())
    note("gradient", *weighted(x, Tensor(rank + 1.0)))
    jitted = ms.jit(lambda x: (ops.AllReduce()(x) * 2).sum())
    note("gradient_of_jit", ms.grad(jitted)(x))
    (Path(sys.argv[1]) / f"found_{rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main()
