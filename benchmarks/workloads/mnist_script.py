"""The training script of MindSpore's tutorials, for any MindSpore: ``python mnist_script.py FOLDER`` trains one epoch."""

import sys

import mindspore.dataset as ds
import mindspore.dataset.transforms as CT
import mindspore.dataset.vision as CV
import mindspore.nn as nn
from examples.networks.lenet import LeNet5
from mindspore import context
from mindspore.common import dtype as mstype
from mindspore.dataset.vision import Inter
from mindspore.train import LossMonitor, Model


def create_dataset(data_path, batch_size=32, num_parallel_workers=1):
    """Digits, resized and normalized one operation after the other, shuffled and batched."""
    mnist = ds.MnistDataset(data_path)
    operations = (
        CV.Resize((32, 32), interpolation=Inter.LINEAR),
        CV.Rescale(1.0 / 255.0, 0.0),
        CV.Rescale(1 / 0.3081, -1 * 0.1307 / 0.3081),
        CV.HWC2CHW(),
    )
    mnist = mnist.map(
        input_columns="label", operations=CT.TypeCast(mstype.int32), num_parallel_workers=num_parallel_workers
    )
    for operation in operations:
        mnist = mnist.map(
            input_columns="image", operations=operation, num_parallel_workers=num_parallel_workers
        )  # fmt: skip
    return mnist.shuffle(buffer_size=10000).batch(batch_size, drop_remainder=True)


if __name__ == "__main__":
    context.set_context(mode=context.GRAPH_MODE, device_target="CPU")
    training_data = create_dataset(sys.argv[1])
    network = LeNet5(10)
    net_loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    net_opt = nn.Momentum(network.trainable_params(), 0.01, 0.9)
    model = Model(network, net_loss, net_opt)
    model.train(1, training_data, callbacks=[LossMonitor()], dataset_sink_mode=False)
