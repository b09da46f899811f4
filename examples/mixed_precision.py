"""Half precision: smaller numbers, faster devices, and the loss scale that keeps gradients from vanishing.

You learn `amp_level` of Model, loss-scale managers, and `to_float` for single layers. Weights stay in float32 unless the
level is O3; a step whose gradients overflow is skipped. On a CPU this is not faster, but it is the same program.

    python examples/mixed_precision.py [--smoke]
"""

from digits import create_dataset, options, prepare

import mindspore as ms
from mindspore import Model, Tensor, nn, ops
from mindspore.train import Callback, DynamicLossScaleManager, FixedLossScaleManager

SETTINGS = {
    "full precision": {},
    "O2, fixed scale": {
        "amp_level": "O2",
        "loss_scale_manager": FixedLossScaleManager(128.0, drop_overflow_update=False),
    },
    # Begins far too high: the first steps overflow, are skipped, and halve the scale until gradients fit.
    "O2, dynamic scale": {"amp_level": "O2", "loss_scale_manager": DynamicLossScaleManager(2.0**18)},
}


def make_network():
    return nn.SequentialCell(
        nn.Conv2d(1, 8, 5, stride=2), nn.BatchNorm2d(8), nn.ReLU(), nn.Flatten(), nn.Dense(8 * 16 * 16, 10)
    )


class Watch(Callback):
    """With a loss scale that may skip steps the training network returns loss, overflow and scale, otherwise the loss."""

    def __init__(self):
        super().__init__()
        self.outputs = []

    def on_train_step_end(self, run_context):
        outputs = run_context.original_args().net_outputs
        self.outputs.append(outputs if isinstance(outputs, tuple) else (outputs,))

    def report(self):
        losses = [step[0].asnumpy().item() for step in self.outputs]
        text = f"loss {losses[0]:.3f} to {losses[-1]:.3f}"
        if len(self.outputs[-1]) == 1:
            return text
        skipped = sum(bool(overflow) for _, overflow, _ in self.outputs)
        return f"{text}, {skipped} steps skipped, scale {self.outputs[0][2]} to {self.outputs[-1][2]}"


def train(arguments, name, settings):
    ms.set_seed(1)
    network = make_network()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    # the optimizer must know a fixed scale that never skips; otherwise the training network divides by it
    scale = 128.0 if name == "O2, fixed scale" else 1.0
    optimizer = nn.Momentum(network.trainable_params(), 0.05, 0.9, loss_scale=scale)
    watch = Watch()
    Model(network, loss, optimizer, **settings).train(arguments.epochs, create_dataset(arguments), callbacks=[watch])
    print(f"{name}: {watch.report()}; weights are {network[0].weight.dtype}")


class Mixed(nn.Cell):
    """By hand: the large layer computes in float16, the rest in float32."""

    def __init__(self):
        super().__init__()
        self.large = nn.Dense(64, 64).to_float(ms.float16)
        self.small = nn.Dense(64, 10)

    def construct(self, x):
        large = self.large(x)
        return self.small(ops.cast(large, ms.float32)), large


def main():
    arguments = options(__doc__, epochs=1).parse_args()
    prepare(arguments)
    for name, settings in SETTINGS.items():
        train(arguments, name, settings)
    small, large = Mixed()(Tensor(shape=(2, 64), dtype=ms.float32, init="ones"))
    print(f"by hand: the large layer gives {large.dtype}, the small one {small.dtype}")


if __name__ == "__main__":
    main()
