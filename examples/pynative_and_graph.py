"""The two modes, and how to look into a network: step by step in PyNative mode, compiled in graph mode.

You learn to change the mode, to see gradients on their way with hooks, to write a gradient of your own with `bprop`, and to
compile parts of a PyNative program with `jit`. The numbers are the same in both modes, which this example checks.

    python examples/pynative_and_graph.py [--smoke]
"""

import numpy as np
from digits import create_dataset, options, prepare
from networks.lenet import LeNet5

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.train import Accuracy, Model


class Halver(nn.Cell):
    """Python runs in `construct` in PyNative mode; in graph mode the loop becomes part of the graph."""

    def construct(self, x):
        steps = Tensor(0, ms.int32)
        while x.abs().max() > 1:  # decided by a value on the device
            x = x / 2
            steps = steps + 1
        return x, steps


class Square(nn.Cell):
    """`bprop` gets the inputs, the output and its gradient, and says what the gradients of the inputs are."""

    def construct(self, x, y):
        return x * y * y

    def bprop(self, x, y, out, dout):
        return dout * y * y, ops.clamp(dout * 2 * x * y, -1, 1)  # the second one is clipped


def show_modes():
    x, net = Tensor([3.0, -5.0]), Halver()
    found = {}
    for name, mode in (("graph", ms.GRAPH_MODE), ("pynative", ms.PYNATIVE_MODE)):
        ms.set_context(mode=mode)
        value, steps = net(x)
        found[name] = value.asnumpy()
        print(f"{name}: {value} after {steps} steps")
    print("both modes agree:", np.array_equal(*found.values()))


def show_hooks():
    """Gradients at one place of a function, and at one Cell of a network."""
    ms.set_context(mode=ms.PYNATIVE_MODE)
    seen = []
    hook = ops.HookBackward(lambda gradients: seen.append(gradients[0].asnumpy().item()))
    gradients = ms.grad(lambda x, y: hook(x * y) * y, (0, 1))(Tensor(1.0), Tensor(2.0))
    print("hook in a function saw", seen, "gradients are", [one.asnumpy().item() for one in gradients])

    net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU(), nn.Dense(3, 1, weight_init="ones"))
    net[0].weight.set_data(Tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0]]))
    net[0].register_forward_hook(lambda cell, inputs, output: print("after Dense:", output))
    net[1].register_backward_hook(
        lambda cell, by_input, by_output: print("at ReLU, gradient by output", by_output[0], "by input", by_input[0])
    )
    ms.grad(net)(Tensor([[5.0, 2.0]]))


def show_bprop():
    gradients = ms.grad(Square(), (0, 1))(Tensor(3.0), Tensor(2.0))
    print("bprop gives", [one.asnumpy().item() for one in gradients])


def show_an_error():
    """Operators run while Python goes on; with `pynative_synchronize` an error on the device comes at its own line."""
    ms.set_context(mode=ms.PYNATIVE_MODE, pynative_synchronize=True)
    try:
        ops.matmul(ops.ones((2, 3), ms.float32), ops.ones((2, 3), ms.float32))
    except ValueError as error:
        print("an error:", str(error).splitlines()[0])
    ms.set_context(pynative_synchronize=False)


@ms.jit  # ms_function in MindSpore 1.x
def distances(points):
    """Compiled in either mode."""
    difference = ops.expand_dims(points, 0) - ops.expand_dims(points, 1)
    return ops.sqrt(ops.reduce_sum(difference * difference, -1))


def train(arguments, mode):
    ms.set_context(mode=mode)
    ms.set_seed(1)
    network = LeNet5()
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(network, loss, nn.Momentum(network.trainable_params(), 0.05, 0.9), {"accuracy": Accuracy()})
    model.train(1, create_dataset(arguments))
    return network.fc3.weight.asnumpy()


def main():
    arguments = options(__doc__).parse_args()
    prepare(arguments)
    show_modes()
    show_hooks()
    show_bprop()
    show_an_error()
    print("jit:", distances(Tensor([[0.0, 0.0], [3.0, 4.0]])).asnumpy().tolist())
    graph, pynative = train(arguments, ms.GRAPH_MODE), train(arguments, ms.PYNATIVE_MODE)
    difference = np.abs(graph - pynative).max()
    print(f"training in both modes: weights differ by less than 1e-4: {difference < 1e-4}")


if __name__ == "__main__":
    main()
