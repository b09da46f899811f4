"""Says which process this is, and sums over all of them."""

from mindspore import Tensor, ops
from mindspore.communication import get_group_size, get_local_rank, get_local_rank_size, get_rank, init

init()
total = ops.AllReduce()(Tensor([float(2 ** get_rank())]))
print(f"place {get_rank()} {get_group_size()} {get_local_rank()} {get_local_rank_size()} sum {int(total.asnumpy()[0])}")
