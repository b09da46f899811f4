"""Process 1 raises an error of its own while the others go on."""

import numpy as np

from mindspore import Tensor, ops
from mindspore.communication import get_rank, init

init()
ones = Tensor(np.ones(4, np.float32))
ops.AllReduce()(ones)
if get_rank() == 1:
    raise ValueError("my own problem")
ops.AllReduce()(ones)
