"""A training that is killed, started again, and ends as if nothing had happened.

You learn `BackupAndRestore`: one callback saves everything a training depends on (weights, optimizer, random numbers,
epoch, position in the shuffled dataset) and goes on from there. This program starts itself with `--kill-at`, which kills
that process the hard way in the middle of an epoch; then it goes on here, and compares the weights with those of a
training nobody interrupted.

    python examples/resume_training.py [--smoke]
"""

import os
import shutil
import signal
import subprocess
import sys

import numpy as np
from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

import mindspore as ms
from mindspore import Model, nn
from mindspore.train import BackupAndRestore, Callback


class PowerCut(Callback):
    """Ends the process at once: nothing is cleaned up, nothing is saved."""

    def __init__(self, step):
        super().__init__()
        self.step = step

    def on_train_step_end(self, run_context):
        if run_context.original_args().cur_step_num == self.step:
            os.kill(os.getpid(), signal.SIGKILL)


class Steps(Callback):
    """Counts the steps that are really run."""

    count = 0

    def on_train_step_end(self, run_context):
        self.count += 1


def train(arguments, *callbacks):
    """The weights after training."""
    ms.set_seed(1)
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(network, loss, nn.Momentum(network.trainable_params(), 0.05, 0.9))
    model.train(arguments.epochs, create_dataset(arguments), callbacks=list(callbacks))
    return {one.name: one.asnumpy() for one in network.get_parameters()}


def main():
    parser = options(__doc__, epochs=3)
    parser.add_argument("--kill-at", type=int, help="only train, and kill this process after so many steps")
    arguments = parser.parse_args()
    prepare(arguments)
    backups = arguments.output / "backup"
    if arguments.kill_at:
        train(arguments, BackupAndRestore(str(backups)), PowerCut(arguments.kill_at))
        return

    shutil.rmtree(backups, ignore_errors=True)  # of an earlier run of this example that did not end
    steps = create_dataset(arguments).get_dataset_size()
    middle = steps + steps // 2  # in the middle of the second epoch
    killed = subprocess.run([sys.executable, __file__, *sys.argv[1:], f"--kill-at={middle}"], check=False)
    print(f"killed after step {middle} (exit status {killed.returncode}); left behind: {os.listdir(backups)}")

    counter = Steps()
    resumed = train(arguments, BackupAndRestore(str(backups)), counter)
    print(
        f"started again: {counter.count} of {arguments.epochs * steps} steps were left; cleaned up: {os.listdir(backups)}"
    )
    uninterrupted = train(arguments)
    same = all(np.array_equal(resumed[name], value) for name, value in uninterrupted.items())
    print("the weights are bit for bit those of an uninterrupted training:", same)


if __name__ == "__main__":
    main()
