"""What goes wrong in a first hour: programs, the kind of error, and the words that help."""

from __future__ import annotations

PRELUDE = """
import numpy as np
import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, nn, ops, train

class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(10, 3)

    def construct(self, x):
        return self.fc(x)

x = np.linspace(-1, 1, 160, dtype=np.float32).reshape(16, 10)
y = (np.arange(16) % 3).astype(np.int32)

def data(x=x, y=y, batch=8, **options):
    rows = ds.NumpySlicesDataset({"x": x, "y": y}, shuffle=False)
    return rows.batch(batch, **options) if batch else rows

def fit(net=None, loss=None, dataset=None):
    net = net or Net()
    model = train.Model(net, loss or nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), 0.1))
    model.train(1, data() if dataset is None else dataset, dataset_sink_mode=False)

def loop(net=None, loss=None, dataset=None):
    net, loss = net or Net(), loss or nn.CrossEntropyLoss()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    step = ms.value_and_grad(lambda a, b: loss(net(a), b), None, optimizer.parameters)
    for a, b in (dataset or data()).create_tuple_iterator():
        _, gradients = step(a, b)
        optimizer(gradients)

def direct(net=None, loss=None, dataset=None):
    a, b = next((dataset or data()).create_tuple_iterator())
    (loss or nn.CrossEntropyLoss())((net or Net())(a), b)
"""

# Each of them trained by Model, by a loop of the program's own, and called directly.
IN_THREE_WAYS = {
    "float labels": ("run(dataset=data(y=y.astype(np.float32)))", TypeError, ["astype(mindspore.int32)"]),
    "float labels, sparse": (
        "run(loss=nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction='mean'), dataset=data(y=y.astype(np.float32)))",
        TypeError, ["'labels'", "astype(mindspore.int32)"]),
    "labels with an axis too many": ("run(dataset=data(y=y.reshape(-1, 1)))", ValueError, ["(8,)", "(8, 1)", "squeeze(-1)"]),
    "one-hot labels of integers": ("run(dataset=data(y=np.eye(16, 3, dtype=np.int32)))", (TypeError, ValueError), ["(8, 3)"]),
    "class numbers as probabilities": (
        "run(loss=nn.SoftmaxCrossEntropyWithLogits(), dataset=data())", TypeError, ["sparse=True", "(8,)"]),
    "no batches": (
        "run(loss=nn.SoftmaxCrossEntropyWithLogits(sparse=True), dataset=data(batch=None))", ValueError, [".batch(32)"]),
    "no batches, labels with an axis": ("run(dataset=data(y=y.reshape(-1, 1), batch=None))", ValueError, [".batch(32)", "(1,)"]),
    "doubles": ("run(dataset=data(x=x.astype(np.float64)))", TypeError, ["Float64", "astype(mindspore.float32)"]),
    "whole numbers": ("run(dataset=data(x=x.astype(np.uint8)))", TypeError, ["UInt8", "astype(mindspore.float32)"]),
    "no return in construct": (
        """
class Forgets(Net):
    def construct(self, x):
        self.fc(x)
run(net=Forgets())
""", TypeError, ["None", "return"]),
    "another name for construct": (
        """
class Forward(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(10, 3)
    def forward(self, x):
        return self.fc(x)
run(net=Forward())
""", AttributeError, ["'forward'", "construct"]),
    "a loss without return": (
        """
class Loss(nn.Cell):
    def construct(self, scores, labels):
        ops.abs(scores).mean()
run(net=Net(), loss=Loss())
assert run is not direct, "a call alone may return None"
""", (TypeError, AssertionError), ["return"]),
    "a misspelt attribute": (
        """
class Misspelt(Net):
    def construct(self, x):
        return self.fcc(x)
run(net=Misspelt())
""", AttributeError, ["'fcc'", "Did you mean 'fc'"]),
    "a method of PyTorch": (
        """
class Detaches(Net):
    def construct(self, x):
        return self.fc(x).detach()
run(net=Detaches())
""", AttributeError, ["'detach'", "stop_gradient"]),
    "a missing name": (
        """
class Unnamed(Net):
    def construct(self, x):
        return self.fc(xx)
run(net=Unnamed())
""", NameError, ["'xx' is not defined"]),
    "too many inputs of construct": (
        """
class Needy(Net):
    def construct(self, x, mask):
        return self.fc(x)
run(net=Needy())
""", TypeError, ["requires 2 positional arguments, but got 1", "construct(x, mask)"]),
    "a forgotten super": (
        """
class Forgets(nn.Cell):
    def __init__(self):
        self.fc = nn.Dense(10, 3)
    def construct(self, x):
        return self.fc(x)
run(net=Forgets())
""", AttributeError, ["super().__init__()"]),
    "images without batches": (
        """
class Image(nn.Cell):
    def __init__(self):
        super().__init__()
        self.layers = nn.SequentialCell(nn.Conv2d(1, 2, 3), nn.BatchNorm2d(2), nn.Flatten(), nn.Dense(128, 3))
    def construct(self, x):
        return self.layers(x)
run(net=Image(), dataset=data(x=np.zeros((16, 1, 8, 8), np.float32), batch=None))
""", ValueError, ["batch axis", ".batch(32)", "(1, 8, 8)"]),
}  # fmt: skip

ONCE = {
    "columns in the wrong order": (
        "fit(dataset=ds.NumpySlicesDataset({'y': y, 'x': x}, shuffle=False).batch(8))",
        (TypeError, ValueError), ["exchanged", "'y'", "project(['x', 'y'])"]),
    "scores and labels exchanged": ("nn.CrossEntropyLoss()(Tensor(y), Tensor(x[:, :3]))", TypeError, ["exchanged", "loss(scores, labels)"]),
    "no loss": (
        "net = Net(); train.Model(net, optimizer=nn.SGD(net.trainable_params(), 0.1)).train(1, data())",
        TypeError, ["no loss_fn", "2 columns"]),
    "a class as loss": ("train.Model(Net(), nn.MSELoss)", TypeError, ["MSELoss(...)"]),
    "a class as network": ("train.Model(Net, nn.MSELoss())", TypeError, ["Net(...)"]),
    "a word as loss": ("train.Model(Net(), 'mse')", TypeError, ["nn.MSELoss()"]),
    "a word as optimizer": ("train.Model(Net(), nn.MSELoss(), 'adam')", TypeError, ["nn.Adam(net.trainable_params()"]),
    "optimizer and loss exchanged": (
        "net = Net(); train.Model(net, nn.SGD(net.trainable_params(), 0.1), nn.MSELoss())", TypeError, ["Model(net, loss_fn, optimizer)"]),
    "loss of Keras": ("train.Model(Net(), loss=nn.MSELoss())", ValueError, ["loss_fn"]),
    "fit of Keras": ("train.Model(Net(), nn.MSELoss()).fit(x, y)", TypeError, ["NumpySlicesDataset", "model.fit(10, dataset)"]),
    "arrays as dataset": ("train.Model(Net(), nn.MSELoss()).train(1, (x, y))", TypeError, ["NumpySlicesDataset"]),
    "no epochs": ("train.Model(Net(), nn.MSELoss()).train(0, data())", ValueError, ["> 0"]),
    "an array to predict": ("train.Model(Net()).predict(x)", TypeError, ["Tensor("]),
    "one column": ("fit(dataset=ds.NumpySlicesDataset({'x': x}).batch(8))", ValueError, ["two elements", "1"]),
    "an empty dataset": ("fit(dataset=data(batch=64, drop_remainder=True))", ValueError, ["no valid data"]),
    "a misspelt metric": ("train.Model(Net(), nn.MSELoss(), metrics={'acuracy'})", KeyError, ["Did you mean 'accuracy'"]),
    "a list of metrics": ("train.Model(Net(), nn.MSELoss(), metrics=['accuracy'])", TypeError, ["metrics={'accuracy'}"]),
    "eval without metrics": ("train.Model(Net(), nn.MSELoss()).eval(data())", ValueError, ["metrics"]),
    "a function as callback": ("train.Model(Net(), nn.MSELoss()).train(1, data(), callbacks=[print])", TypeError, ["Callback"]),
    "a class as callback": (
        "train.Model(Net(), nn.MSELoss()).train(1, data(), callbacks=[train.LossMonitor])", TypeError, ["class passed instead of an object"]),
    "the network as parameters": ("nn.SGD(Net(), 0.1)", TypeError, ["net.trainable_params()"]),
    "the method as parameters": ("nn.SGD(Net().trainable_params, 0.1)", TypeError, ["net.trainable_params()"]),
    "a negative rate": ("nn.SGD(Net().trainable_params(), -0.1)", ValueError, ["learning_rate", "-0.1"]),
    "a word as rate": ("nn.SGD(Net().trainable_params(), '0.1')", TypeError, ["learning_rate", "'0.1'"]),
    "the function as gradients": (
        "net = Net(); nn.SGD(net.trainable_params(), 0.1)(ms.grad(net, None, net.trainable_params()))", TypeError, ["Call it first"]),
    "loss and gradients as gradients": (
        "net = Net(); step = ms.value_and_grad(lambda a: net(a).sum(), None, net.trainable_params())\n"
        "nn.SGD(net.trainable_params(), 0.1)(step(Tensor(x)))", TypeError, ["loss, gradients ="]),
    "the network as weights": ("ms.value_and_grad(Net(), None, Net())", TypeError, ["net.trainable_params()"]),
    "a Tensor to differentiate": ("ms.grad(Net()(Tensor(x)))", TypeError, ["grad(net)(x)"]),
    "a gradient of nothing": ("def forward(a):\n    a * 2\nms.grad(forward)(Tensor([1.0]))", TypeError, ["'forward'", "returned None"]),
    "an array": ("ops.relu(x)", TypeError, ["NumPy array", "(16, 10)", "mindspore.Tensor("]),
    "a list": ("ops.relu([1.0, 2.0])", TypeError, ["list", "mindspore.Tensor("]),
    "a word": ("Net()('hello')", TypeError, ["'hello'", "Tensor"]),
    "padding without its mode": ("nn.Conv2d(3, 4, 3, padding=1)", ValueError, ["pad_mode='pad'"]),
    "dim for axis": ("ops.softmax(Tensor(x), dim=1)", TypeError, ["dim", "axis=..."]),
    "a function as layer": ("nn.SequentialCell(nn.Dense(3, 4), ops.relu)", TypeError, ["nn.ReLU()"]),
    "a class as layer": ("nn.SequentialCell(nn.Dense(3, 4), nn.ReLU)", TypeError, ["ReLU(...)"]),
    "labels and scores of different lengths": (
        "nn.CrossEntropyLoss()(Tensor(x[:8, :3]), Tensor(y[:4]))", ValueError, ["(8,)", "(4,)", "(8, 3)"]),
    "targets of another shape": ("nn.MSELoss()(Tensor(x[:, :3]), Tensor(x[:, :4]))", ValueError, ["(16, 3)", "(16, 4)"]),
    "no such file": ("ms.load_checkpoint('missing.ckpt')", ValueError, ["missing.ckpt", "does not exist"]),
    "a path as Parameters": ("ms.load_param_into_net(Net(), 'net.ckpt')", TypeError, ["load_checkpoint(path)"]),
    "Parameters first": ("ms.load_param_into_net({}, Net())", TypeError, ["network comes first"]),
    "another network's checkpoint": (
        "ms.load_param_into_net(Net(), {'fc.weight': Parameter(Tensor(x), name='fc.weight')})", RuntimeError, ["(3, 10)", "(16, 10)"]),
    "no such folder": ("ds.MnistDataset('nowhere')", ValueError, ["nowhere", "does not exist"]),
    "a device of PyTorch": ("ms.set_context(device_target='cuda')", ValueError, ["Did you mean 'GPU'"]),
    "lists of different lengths": ("Tensor([[1, 2], [3]])", TypeError, ["same length"]),
    "a truth of many numbers": ("bool(Tensor(x) > 0)", ValueError, ["160", ".any()"]),
    "an index out of range": ("Tensor([1, 2])[5]", IndexError, ["5", "size 2"]),
    "words as indices": ("nn.Embedding(10, 3)(Tensor([1.0, 2.0]))", TypeError, ["astype(mindspore.int32)"]),
    "an unknown initializer": ("nn.Dense(3, 4, weight_init='xavier')", ValueError, ["Did you mean"]),
    "a float as width": ("nn.Dense(3.0, 4)", TypeError, ["in_channels", "3.0"]),
}  # fmt: skip
