"""Several processes train one network: each on its own part of the data, with the mean of all gradients.

You learn the four lines that make a training parallel: `init`, the parallel mode, `num_shards` and `shard_id` of the
dataset, and one seed for all. The program is the same alone and under a launcher:

    python examples/distributed_data_parallel.py [--smoke]
    mpirun -n 2 python examples/distributed_data_parallel.py [--smoke]
    msrun --worker_num=2 --join=True examples/distributed_data_parallel.py [--smoke]
"""

import numpy as np
from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

import mindspore as ms
from mindspore import Model, Tensor, nn, ops
from mindspore.communication import get_group_size, get_rank, init
from mindspore.train import Accuracy, Callback


class FirstProcessReports(Callback):
    def on_train_epoch_end(self, run_context):
        told = run_context.original_args()
        if get_rank() == 0:
            print(
                f"epoch {told.cur_epoch_num}: {told.batch_num} steps per process, loss {told.net_outputs}", flush=True
            )


def all_alike(network):
    """Whether all processes have the same weights: then their mean is what each of them has."""
    add = ops.AllReduce(ops.ReduceOp.SUM)
    mine = np.concatenate([one.asnumpy().ravel() for one in network.trainable_params()])
    mean = add(Tensor(mine)).asnumpy() / get_group_size()
    return np.allclose(mine, mean, rtol=0, atol=1e-6)


def main():
    arguments = options(__doc__).parse_args()
    init()  # joins the job of the launcher; alone, the job is this process
    rank, size = get_rank(), get_group_size()
    if size > 1:
        ms.set_auto_parallel_context(parallel_mode=ms.ParallelMode.DATA_PARALLEL, gradients_mean=True)
    arguments.output = arguments.output / f"process_{rank}"
    prepare(arguments)  # sets the seed: without one, processes would begin with different weights

    train_data = create_dataset(arguments, num_shards=size, shard_id=rank)
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    # More processes make the batch larger; the learning rate grows with it.
    optimizer = nn.Momentum(network.trainable_params(), 0.02 * size, 0.9)
    model = Model(network, loss, optimizer, metrics={"accuracy": Accuracy()})
    model.train(arguments.epochs, train_data, callbacks=[FirstProcessReports()])

    alike = all_alike(network)
    if rank == 0:
        print(f"processes: {size}, all have the same weights: {alike}")
        print(f"accuracy: {model.eval(create_dataset(arguments, 'test'))['accuracy']:.3f}", flush=True)


if __name__ == "__main__":
    main()
