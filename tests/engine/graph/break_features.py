"""What a program may do with a network that breaks: each gives numbers, which do not depend on the mode."""

import numpy as np

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Parameter, Tensor, amp, nn, ops
from mindspore.train import Model
from mindspore.train.callback import Callback
from tests.engine.graph.breaking import X, Y

FEATURES: dict = {}


def feature(form):
    FEATURES[form.__name__] = form
    return form


class Breaking(nn.Cell):
    """Dense layers with a break between them: a value decides about a factor."""

    def __init__(self, dropout=0.0):
        super().__init__()
        self.first = nn.Dense(4, 5)
        self.norm = nn.LayerNorm((5,))
        self.dropout = nn.Dropout(p=dropout) if dropout else None
        self.last = nn.Dense(5, 3)
        self.seen = []

    def construct(self, x):
        hidden = ops.tanh(self.norm(self.first(x)))
        factor = min(2.0, 1.0 + abs(float(hidden.asnumpy().astype(np.float32).sum())))  # a value
        self.seen.append(factor)  # and an effect
        if self.dropout is not None:
            hidden = self.dropout(hidden)
        return self.last(hidden * factor)


def squared(net):
    return lambda x, y: ((net(x) - y) ** 2).mean()


def of(gradients):
    listed = gradients if isinstance(gradients, (tuple, list)) else [gradients]
    return [one for item in listed for one in (of(item) if isinstance(item, (tuple, list)) else [item.asnumpy()])]


def inputs():
    return Tensor(X), Tensor(Y)


# -- gradients ----------------------------------------------------------------------------------------------------------
@feature
def grad_of_inputs_and_weights():
    net = Breaking()
    return of(ms.grad(squared(net), 0, net.trainable_params())(*inputs()))


@feature
def value_and_grad_with_more_results():
    net = Breaking()

    def forward(x, y):
        out = net(x)
        return ((out - y) ** 2).mean(), out

    return of(ms.value_and_grad(forward, None, net.trainable_params(), has_aux=True)(*inputs()))


@feature
def grad_operation_with_sens():
    net = Breaking()
    gradient = ops.GradOperation(get_all=True, get_by_list=True, sens_param=True)
    return of(gradient(net, ms.ParameterTuple(net.trainable_params()))(Tensor(X), Tensor(Y)))


@feature
def second_order():
    net = Breaking()
    return of(ms.grad(lambda x: (ms.grad(lambda z: (net(z) ** 2).sum())(x) ** 2).sum())(Tensor(X)))


@feature
def jvp_and_vjp():
    net = Breaking()
    return of(ms.jvp(net, Tensor(X), Tensor(X * 2))) + of(ms.vjp(net, Tensor(X))[1](Tensor(Y)))


@feature
def jacobians():
    def breaking(x):
        return ops.sin(x) * min(2.0, float(x.asnumpy().max()))

    return of(ms.jacrev(breaking)(Tensor(X[0]))) + of(ms.jacfwd(breaking)(Tensor(X[0])))


@feature
def per_sample_gradients():
    net = Breaking()
    one = ms.grad(lambda x: net(x).sum(), None, net.trainable_params())
    return [value for row in X[:3] for value in of(one(Tensor(row[None])))]


@feature
def custom_bprop():
    class Doubled(nn.Cell):
        def construct(self, x):
            return x * min(2.0, float(x.asnumpy().max()))

        def bprop(self, x, out, dout):
            return (dout * 3 * min(2.0, float(x.asnumpy().max())),)

    net, doubled = Breaking(), Doubled()
    return of(ms.grad(lambda x: doubled(net(x)).sum(), 0, net.trainable_params())(Tensor(X)))


@feature
def stopped_gradients():
    net = Breaking()
    return of(ms.grad(lambda x: (net(ops.stop_gradient(x)) * x.sum()).sum(), 0, net.trainable_params())(Tensor(X)))


# -- hooks ---------------------------------------------------------------------------------------------------------------
@feature
def hooks_of_every_kind():
    net, seen = Breaking(), []
    net.first.register_forward_pre_hook(lambda cell, args: (args[0] * 2,))
    net.last.register_forward_hook(lambda cell, args, out: out * 3)
    net.norm.register_backward_hook(lambda cell, inward, outward: seen.append(outward[0].asnumpy()))
    net.last.register_backward_pre_hook(lambda cell, outward: (outward[0] * 2,))
    net.register_forward_hook(lambda cell, args, out: seen.append(out.asnumpy()))
    gradients = of(ms.grad(squared(net), None, net.trainable_params())(*inputs()))
    return gradients + seen


@feature
def hooks_of_parameters():
    net = Breaking()
    net.first.weight.register_hook(lambda gradient: gradient * min(2.0, float(gradient.asnumpy().max()) + 1.0))
    return of(ms.grad(squared(net), None, net.trainable_params())(*inputs()))


# -- precision --------------------------------------------------------------------------------------------------------------
def _mixed(level):
    def form():
        net = amp.auto_mixed_precision(Breaking(), level)
        step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)).set_train()
        losses = [step(*inputs()).astype(ms.float32).asnumpy() for _ in range(3)]
        return losses + [one.asnumpy().astype(np.float32) for one in net.trainable_params()]

    form.__name__ = f"mixed_precision_{level}"
    return form


for _level in ("O0", "O1", "O2", "O3"):
    FEATURES[f"mixed_precision_{_level}"] = _mixed(_level)


@feature
def loss_scaling_by_hand():
    net = Breaking()
    scaler = amp.DynamicLossScaler(scale_value=1024, scale_factor=2, scale_window=2)
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    gradient = ms.value_and_grad(lambda x, y: scaler.scale(squared(net)(x, y)), None, optimizer.parameters)
    for _ in range(3):
        loss, gradients = gradient(*inputs())
        gradients = scaler.unscale(gradients)
        finite = amp.all_finite(gradients)
        if finite:
            optimizer(gradients)
        scaler.adjust(finite)
    return [loss.asnumpy(), scaler.scale_value.asnumpy(), *[one.asnumpy() for one in net.trainable_params()]]


@feature
def loss_scaling_by_a_cell():
    net = Breaking()
    manager = nn.DynamicLossScaleUpdateCell(loss_scale_value=4.0, scale_factor=2, scale_window=2)
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1), manager
    ).set_train()
    return [one.asnumpy() for _ in range(4) for one in step(*inputs())]


# -- training ---------------------------------------------------------------------------------------------------------------
@feature
def recomputation():
    net = Breaking()
    net.first.recompute()
    net.last.recompute()
    return of(ms.grad(squared(net), 0, net.trainable_params())(*inputs()))


@feature
def recomputation_of_what_breaks():
    net = Breaking()
    net.recompute()
    return of(ms.grad(squared(net), 0, net.trainable_params())(*inputs()))


@feature
def random_state():
    net = Breaking(dropout=0.5).set_train()
    first = of(ms.grad(squared(net), None, net.trainable_params())(*inputs()))
    ms.set_seed(11)
    return [*first, net(Tensor(X)).asnumpy(), ops.standard_normal((3,)).asnumpy(), net(Tensor(X)).asnumpy()]


def data():
    return ds.NumpySlicesDataset({"x": np.tile(X, (4, 1)), "y": np.tile(Y, (4, 1))}, shuffle=False).batch(8)


def _model(sink):
    def form():
        net = Breaking()
        model = Model(net, nn.MSELoss(), nn.Momentum(net.trainable_params(), 0.05, 0.9), metrics={"mse"})
        model.train(2, data(), dataset_sink_mode=sink)
        found = model.eval(data(), dataset_sink_mode=sink)["mse"]
        return [np.float32(found), *[one.asnumpy() for one in net.trainable_params()]]

    return form


FEATURES["training_by_a_model"], FEATURES["training_by_a_model_sinking"] = _model(False), _model(True)


@feature
def callbacks_that_stop():
    class Stops(Callback):
        def on_train_step_end(self, run_context):
            if run_context.original_args().cur_step_num == 3:
                run_context.request_stop()

    net = Breaking()
    Model(net, nn.MSELoss(), nn.SGD(net.trainable_params(), 0.1)).train(3, data(), [Stops()], dataset_sink_mode=False)
    return [np.float32(len(net.seen)), *[one.asnumpy() for one in net.trainable_params()]]


@feature
def checkpoints_between():
    net = Breaking()
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), optimizer).set_train()
    step(*inputs())
    kept = {name: Parameter(one.asnumpy().copy(), name=name) for name, one in step.parameters_dict().items()}
    first = step(*inputs()).asnumpy()
    ms.load_param_into_net(step, kept)
    return [first, step(*inputs()).asnumpy()]


@feature
def parameters_written_around():
    class Counts(nn.Cell):
        def __init__(self):
            super().__init__()
            self.total = Parameter(Tensor(0.0), name="total")
            self.net = Breaking()

        def construct(self, x):
            self.total += x.sum()
            y = self.net(x) * self.total
            ops.assign_add(self.total, Tensor(1.0))
            return y * self.total

    net = Counts()
    results = [net(Tensor(X)).asnumpy() for _ in range(3)]
    return [*results, net.total.asnumpy()]


# -- structure --------------------------------------------------------------------------------------------------------------
@feature
def nested_jit():
    net = Breaking()
    inner = ms.jit(lambda x: ops.exp(x) * min(2.0, float(x.asnumpy().max())))
    outer = ms.jit(lambda x: (inner(net(x)) + inner(x.sum(1, keepdims=True))).sum())
    return [outer(Tensor(X)).asnumpy(), *of(ms.grad(outer, 0, net.trainable_params())(Tensor(X)))]


@feature
def control_flow_around():
    class Chooses(nn.Cell):
        def __init__(self):
            super().__init__()
            self.net = Breaking()

        def construct(self, x, y):
            total = y.sum() * 0
            for step in range(3):
                if x.sum() > step - 2:  # noqa: SIM108 - a statement is meant
                    total = total + self.net(x).sum() * (step + 1)
                else:
                    total = total - self.net(-x).sum()
            count = Tensor(0)
            while count < 2:
                total = total + self.net(x * (count + 1)).mean()
                count = count + 1
            return total

    net = Chooses()
    return of(ms.value_and_grad(net, 0, net.trainable_params())(*inputs()))


@feature
def several_breaks_in_a_row():
    first, second = Breaking(), nn.SequentialCell(nn.Dense(3, 4), Breaking(), nn.ReLU())
    step = ms.value_and_grad(lambda x, y: squared(lambda z: second(first(z)))(x, y), None,
                             [*first.trainable_params(), *second.trainable_params()])  # fmt: skip
    return of(step(*inputs()))


@feature
def mapped():
    def breaking(x):
        return ops.sin(x) * min(2.0, abs(float(len(x.shape)))) + x.max()

    return of(ms.vmap(breaking)(Tensor(X)))


@feature
def sharing_weights():
    net = Breaking()
    return of(ms.grad(lambda x: (net(x) + net(x * 2)).sum(), None, net.trainable_params())(Tensor(X)))


@feature
def frozen_weights():
    net = Breaking()
    net.first.weight.requires_grad = False
    before = net.first.weight.asnumpy().copy()
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1)).set_train()
    losses = [step(*inputs()).asnumpy() for _ in range(3)]
    return [*losses, net.first.weight.asnumpy() - before, net.last.weight.asnumpy()]
