"""Training as functions: a forward function, its gradient, and a compiled step you write line by line.

You learn `value_and_grad` with several losses (`has_aux`), `jit`, a loss scaler that skips steps whose gradients overflow,
an evaluation loop, and how to keep the checkpoint of the best epoch.

    python examples/functional_training.py [--smoke] [--loss-scale N]
"""

from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

import mindspore as ms
from mindspore import nn, ops
from mindspore.amp import DynamicLossScaler, all_finite
from mindspore.train import Accuracy


class Trainer:
    """One network, two losses: cross entropy, and a penalty for large outputs."""

    def __init__(self, network, optimizer, loss_scale, penalty=0.01):
        self.network = network
        self.optimizer = optimizer
        self.penalty = penalty
        self.cross_entropy = nn.CrossEntropyLoss()
        self.scaler = DynamicLossScaler(loss_scale, scale_factor=2, scale_window=50)
        # The first result of the function is differentiated, the others are handed through.
        self.gradient = ms.value_and_grad(self.forward, None, optimizer.parameters, has_aux=True)
        # Several processes add up their gradients; one process has nothing to add.
        alone = ms.get_auto_parallel_context("parallel_mode") == ms.ParallelMode.STAND_ALONE
        self.reduce = ops.identity if alone else nn.DistributedGradReducer(optimizer.parameters)

    def forward(self, image, label):
        logits = self.network(image)
        entropy = self.cross_entropy(logits, label)
        size = self.penalty * ops.reduce_mean(ops.square(logits))
        return self.scaler.scale(entropy + size), entropy, size

    @ms.jit
    def step(self, image, label):
        (loss, entropy, size), gradients = self.gradient(image, label)
        gradients = self.reduce(self.scaler.unscale(gradients))
        finite = all_finite(gradients)
        self.scaler.adjust(finite)
        if finite:  # decided on the device, inside the compiled step
            self.optimizer(gradients)
        return self.scaler.unscale(loss), entropy, size, finite

    def train(self, data, report):
        self.network.set_train(True)
        for number, (image, label) in enumerate(data):
            loss, entropy, size, finite = self.step(image, label)
            if number % report == 0:
                print(f"  step {number + 1}: loss {loss} = {entropy} + {size}{'' if finite else ', skipped'}")

    def evaluate(self, data):
        self.network.set_train(False)
        metric = Accuracy()
        for image, label in data:
            metric.update(self.network(image), label)
        return metric.eval()


def main():
    parser = options(__doc__, epochs=3)
    parser.add_argument("--loss-scale", type=float, default=1024.0)
    arguments = parser.parse_args()
    prepare(arguments)
    train_data, test_data = create_dataset(arguments), create_dataset(arguments, "test")
    network = LeNet5()
    trainer = Trainer(network, nn.Adam(network.trainable_params(), 2e-3), arguments.loss_scale)

    best, file = -1.0, str(arguments.output / "best.ckpt")
    batches = train_data.create_tuple_iterator(num_epochs=arguments.epochs)  # made once: it shuffles every epoch
    for epoch in range(1, arguments.epochs + 1):
        print(f"epoch {epoch}, loss scale {trainer.scaler.scale_value.asnumpy():.0f}")
        trainer.train(batches, report=max(1, train_data.get_dataset_size() // 2))
        accuracy = trainer.evaluate(test_data.create_tuple_iterator(num_epochs=1))
        if accuracy > best:
            best = accuracy
            ms.save_checkpoint(network, file, append_dict={"epoch": epoch, "accuracy": accuracy})
            print(f"  accuracy {accuracy:.3f}, the best so far: saved")
        else:
            print(f"  accuracy {accuracy:.3f}")
    saved = ms.load_checkpoint(file)
    print(f"{file} is of epoch {saved['epoch'].asnumpy()}, accuracy {saved['accuracy'].asnumpy():.3f}")


if __name__ == "__main__":
    main()
