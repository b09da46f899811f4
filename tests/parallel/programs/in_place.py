"""One of two processes that exchange Tensors by the functions of ``mindspore.ops`` and store what they found."""

import json
import sys
from pathlib import Path

import numpy as np

from mindspore import Tensor, mint, ops
from mindspore.ops import communication


def main(folder: Path) -> None:
    ops.init_process_group()
    rank = ops.get_rank()
    own = np.arange(4, dtype=np.float32) + 10 * rank
    found = {"place": [rank, ops.get_world_size(), ops.get_process_group_ranks()]}

    def keep(name: str, *tensors: Tensor) -> None:
        found[name] = [tensor.asnumpy().tolist() for tensor in tensors]

    for op in ("sum", "avg", "max"):
        x = Tensor(own)
        ops.all_reduce(x, op)
        keep(f"all_reduce_{op}", x)
    ops.set_comm_ops_inplace(False, ["all_reduce", "all_gather_into_tensor", "recv"])
    x = Tensor(own)
    keep("returned", ops.all_reduce(x)[0], x, ops.all_gather_into_tensor(None, x)[0])
    mint.distributed.all_reduce(x)
    keep("mint_stays_in_place", x)
    ops.set_comm_ops_inplace(True)
    output = Tensor(np.zeros(2, np.float32))
    ops.reduce_scatter_tensor(output, Tensor(own), "avg")
    keep("reduce_scatter_tensor", output)
    wide = Tensor(np.zeros(8, np.float32))
    ops.gather_into_tensor(wide, Tensor(own), dst=1)
    keep("gather_into_tensor", wide)
    ops.scatter_tensor(output, Tensor(own), src=1)
    keep("scatter_tensor", output)
    parts = [Tensor(np.zeros(4, np.float32)) for _ in range(2)]
    communication.gather(Tensor(own), parts, dst=0)
    keep("gather", *parts)
    x = Tensor(own)
    ops.send(x, 1) if rank == 0 else ops.recv(x, 0)
    ops.barrier()
    keep("send", x)
    x = Tensor(own)
    ops.broadcast(x, 1)
    keep("broadcast", x)
    objects = [None, None]
    ops.all_gather_object(objects, {"rank": rank})
    found["objects"] = objects
    (folder / f"found_{rank}.json").write_text(json.dumps(found))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
