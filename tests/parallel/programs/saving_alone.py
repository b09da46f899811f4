"""Trains on a mesh of two processes; process 0 alone saves, as most scripts do, while the other one goes on."""

import sys
from pathlib import Path

import divided
import numpy as np

import mindspore as ms
from mindspore import Tensor
from mindspore.communication import get_group_size, get_rank, init

init()
rank, size = get_rank(), get_group_size()
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
step = divided.training("lenet", 1, 2)
for batch in divided.batches("lenet"):
    step(*(Tensor(np.split(column, size)[rank]) for column in batch)).asnumpy()
    if rank == 0:
        print("saving", flush=True)
        ms.save_checkpoint(step, str(Path(sys.argv[1]) / "net.ckpt"))
