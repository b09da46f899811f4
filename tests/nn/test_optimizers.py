"""What optimizers do over calls; the numbers of single rules are compared with real MindSpore in tests/differential."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.nn.optim import _compiled
from mindspore.nn.optim.optimizer import Optimizer, opt_init_args_register

START = np.array([1.0, -2.0, 3.0], np.float32)
GRADIENTS = [np.array(g, np.float32) for g in ([0.1, -0.2, 0.3], [0.4, 0.5, -0.6], [-0.3, 0.1, 0.2])]


@pytest.fixture(autouse=True)
def _compiled_from_the_first_update(monkeypatch):
    monkeypatch.setattr(_compiled, "_FIRST_UPDATES", 0)


def parameter(name="w", values=START, dtype=ms.float32):
    return Parameter(Tensor(values, dtype), name=name)


def steps(optimizer, gradients=GRADIENTS):
    for gradient in gradients:
        optimizer((Tensor(gradient),))
    return optimizer.parameters[0].asnumpy()


def compilations(optimizer):
    return optimizer._graphs_of().compilations


# -- compilation --------------------------------------------------------------------------------------------------------
def test_another_learning_rate_needs_no_other_graph(mode):
    w = parameter()
    optimizer = nn.SGD([w], 0.1)
    optimizer((Tensor([1.0, 1.0, 1.0]),))
    ops.assign(optimizer.learning_rate, 0.5)
    optimizer((Tensor([1.0, 1.0, 1.0]),))
    optimizer.learning_rate.set_data(Tensor(1.0))
    optimizer((Tensor([1.0, 1.0, 1.0]),))
    optimizer.learning_rate = Tensor(2.0)
    optimizer((Tensor([1.0, 1.0, 1.0]),))
    np.testing.assert_allclose(w.asnumpy(), START - 3.6, rtol=1e-6)
    assert compilations(optimizer) == 1


@pytest.mark.parametrize("rate", [0.1, [0.3, 0.2, 0.1], nn.ExponentialDecayLR(0.1, 0.5, 2)])
@pytest.mark.parametrize("decay", [0.1, nn.ExponentialDecayLR(0.1, 0.5, 2)])
def test_steps_share_one_graph(mode, rate, decay):
    optimizer = nn.Adam([parameter()], rate, weight_decay=decay)
    steps(optimizer)
    assert compilations(optimizer) == 1


def test_switching_modes_keeps_the_graph():
    optimizer = nn.Momentum([parameter()], 0.1, 0.9)
    for mode in (ms.PYNATIVE_MODE, ms.GRAPH_MODE, ms.PYNATIVE_MODE):
        ms.set_context(mode=mode)
        steps(optimizer)
    assert compilations(optimizer) == 1


def test_an_optimizer_inside_a_jitted_function():
    w = parameter()
    optimizer = nn.Momentum([w], 0.1, 0.9)

    @ms.jit
    def train(x):
        gradient = x * 2
        return ops.depend(gradient.sum(), optimizer((gradient,)))

    other = parameter("v")
    alone = nn.Momentum([other], 0.1, 0.9)
    for gradient in GRADIENTS:
        train(Tensor(gradient))
        alone((Tensor(gradient * 2),))
    np.testing.assert_allclose(w.asnumpy(), other.asnumpy(), rtol=1e-6)
    assert optimizer.global_step.asnumpy() == [3]


def test_training_a_cell(mode):
    class Line(nn.Cell):
        def __init__(self):
            super().__init__()
            self.slope = Parameter(Tensor([0.0]), name="slope")

        def construct(self, x):
            return ((x * self.slope - 3 * x) ** 2).mean()

    net = Line()
    optimizer = nn.Adam(net.trainable_params(), 0.5)
    gradient = ms.grad(net, None, weights=optimizer.parameters)
    for _ in range(60):
        optimizer(gradient(Tensor([1.0, 2.0])))
    assert abs(net.slope.asnumpy()[0] - 3) < 0.1


# -- learning rates -----------------------------------------------------------------------------------------------------
def test_after_the_end_of_a_table_the_last_rate_stays(mode):
    w = parameter()
    optimizer = nn.SGD([w], [0.5, 0.25])
    for _ in range(4):
        optimizer((Tensor([1.0, 1.0, 1.0]),))
    np.testing.assert_allclose(w.asnumpy(), START - 1.25)


def test_a_schedule_of_the_programs_own(mode):
    class Halving(nn.learning_rate_schedule.LearningRateSchedule):
        def construct(self, global_step):
            if global_step < 1:
                return ops.ones((1,), ms.float32)
            return 1.0 / (global_step + 1)

    w = parameter()
    optimizer = nn.SGD([w], Halving())
    for _ in range(3):
        optimizer((Tensor([1.0, 1.0, 1.0]),))
    np.testing.assert_allclose(w.asnumpy(), START - (1 + 1 / 2 + 1 / 3), rtol=1e-6)
    assert compilations(optimizer) == 1


def test_a_schedule_in_plain_python_runs_in_pynative_mode():
    class Listed(nn.learning_rate_schedule.LearningRateSchedule):
        def construct(self, global_step):
            return Tensor([0.5, 0.25, 0.125][int(global_step.asnumpy()[0])])

    ms.set_context(mode=ms.PYNATIVE_MODE)
    w = parameter()
    optimizer = nn.SGD([w], Listed())
    for _ in range(3):
        optimizer((Tensor([1.0, 1.0, 1.0]),))
    np.testing.assert_allclose(w.asnumpy(), START - 0.875)
    assert optimizer.global_step.asnumpy() == [3]


def test_a_schedule_with_changing_python_state_is_not_compiled_for_ever():
    class Fading(nn.learning_rate_schedule.LearningRateSchedule):
        def __init__(self):
            super().__init__()
            self.rate = 2.0

        def construct(self, global_step):
            self.rate = self.rate * 0.5
            return self.rate * ops.ones((), ms.float32)

    ms.set_context(mode=ms.PYNATIVE_MODE)
    w = parameter()
    optimizer = nn.SGD([w], Fading())
    for _ in range(25):
        optimizer((Tensor([1.0, 1.0, 1.0]),))
    np.testing.assert_allclose(w.asnumpy(), START - 2, rtol=1e-5)
    assert compilations(optimizer) < 20


def test_get_lr_follows_the_step(mode):
    optimizer = nn.SGD([parameter()], [0.5, 0.25])
    assert optimizer.get_lr().asnumpy() == 0.5
    assert optimizer.get_lr().shape == ()
    steps(optimizer, GRADIENTS[:1])
    assert optimizer.get_lr().asnumpy() == 0.25


# -- optimizers of the programs' own --------------------------------------------------------------------------------------
class Descent(nn.Optimizer):
    """Written as the documentation of MindSpore 2 shows."""

    def __init__(self, params, learning_rate=0.1, weight_decay=0.0, loss_scale=1.0):
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        self.momentum = ms.Parameter(Tensor([0.5]), name="momentum")
        self.seen = []

    def construct(self, gradients):
        gradients = self.flatten_gradients(gradients)
        gradients = self.decay_weight(gradients)
        gradients = self.gradients_centralization(gradients)
        gradients = self.scale_grad(gradients)
        rate = self.get_lr()
        self.assignadd(self.global_step, self.global_step_increase_tensor)
        done = self.map_(ops.partial(_descend, rate), self.parameters, gradients)
        return done


_descend = ops.MultitypeFuncGraph("descend")


@_descend.register("Tensor", "Tensor", "Tensor")
def _descend_tensor(rate, weight, gradient):
    return ops.assign_sub(weight, gradient * rate)


def test_an_optimizer_of_the_programs_own(mode):
    w = parameter()
    optimizer = Descent([w], [0.1, 0.2, 0.3], weight_decay=0.5, loss_scale=2.0)
    expected = START.copy()
    for rate, gradient in zip((0.1, 0.2, 0.3), GRADIENTS, strict=True):
        expected -= rate * (gradient + 0.5 * 2 * expected) / 2
    np.testing.assert_allclose(steps(optimizer), expected, rtol=1e-5)
    assert optimizer.global_step.asnumpy() == [3]


def test_its_construct_runs_in_python_in_pynative_mode():
    class Watching(Descent):
        def construct(self, gradients):
            if float(gradients[0].sum()) > 0.25:
                self.seen.append(gradients[0].asnumpy().tolist())
            return super().construct(gradients)

    ms.set_context(mode=ms.PYNATIVE_MODE)
    optimizer = Watching([parameter()])
    steps(optimizer)
    assert [np.float32(row[0]) for row in optimizer.seen] == [np.float32(0.4)]


def test_optimizers_written_for_1_x_leave_the_step_to_get_lr(mode):
    class Old(nn.Optimizer):
        def __init__(self, params, learning_rate):
            super().__init__(learning_rate, params)
            self.hyper_map = ops.HyperMap()

        def construct(self, gradients):
            return self.hyper_map(ops.partial(_descend, self.get_lr()), self.parameters, gradients)

    w = parameter()
    optimizer = Old([w], [0.5, 0.25, 0.125])
    for _ in range(3):
        optimizer((Tensor([1.0, 1.0, 1.0]),))
    np.testing.assert_allclose(w.asnumpy(), START - 0.875)


def test_the_arguments_of_init_are_kept():
    class Kept(Descent):
        @opt_init_args_register
        def __init__(self, params, learning_rate=0.1, decay=0.2):
            super().__init__(params, learning_rate)

    w = parameter()
    optimizer = Kept([w], decay=0.3)
    assert optimizer.init_params == {"params": [w]}
    assert (optimizer.init_learning_rate, optimizer.init_args) == (0.1, {"decay": 0.3})
    assert list(inspect.signature(nn.Adam).parameters)[:3] == ["params", "learning_rate", "beta1"]
    assert list(inspect.signature(Kept).parameters) == ["params", "learning_rate", "decay"]
    assert "decay" not in inspect.signature(Kept.__init__).parameters  # which libraries rely on


@pytest.mark.parametrize(
    ("make", "name"),
    [
        (lambda w: nn.Momentum(w, 0.1, 0.9), "ApplyMomentum"),
        (nn.Adam, "Adam"),
        (nn.FTRL, "ApplyFtrl"),
        (nn.RMSProp, "ApplyRMSProp"),
        (lambda w: nn.RMSProp(w, centered=True), "ApplyCenteredRMSProp"),
        (nn.ProximalAdagrad, "ApplyProximalAdagrad"),
        (nn.AdaMax, "ApplyAdaMax"),
        (nn.Adadelta, "ApplyAdadelta"),
        (nn.Adagrad, "ApplyAdagrad"),
    ],
)
def test_an_optimizer_applies_the_primitive_that_programs_reach_as_opt(make, name, mode):
    w = parameter()
    optimizer = make([w])
    assert optimizer.opt.name == name
    optimizer.opt = lambda variable, *rest: ops.assign(variable, ops.zeros_like(variable))
    optimizer((Tensor(GRADIENTS[0]),))
    assert not w.asnumpy().any()


def test_an_optimizer_without_construct_says_so(mode):
    with pytest.raises(NotImplementedError, match="'construct"):
        nn.Optimizer(0.1, [parameter()])((Tensor(START),))


# -- rules that real MindSpore lacks on CPU, or has wrong there -----------------------------------------------------------
def test_momentum_with_nesterov(mode):
    p, v = START.copy(), 0
    for g in GRADIENTS:
        v = 0.9 * v + g
        p -= 0.1 * (g + 0.9 * v)
    np.testing.assert_allclose(steps(nn.Momentum([parameter()], 0.1, 0.9, use_nesterov=True)), p, rtol=1e-5)


def test_lamb(mode):
    def by_hand(decay, p):
        m = v = 0
        for t, g in enumerate(GRADIENTS, 1):
            m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
            mean, square = m / (1 - 0.9**t), v / (1 - 0.999**t)
            length = np.linalg.norm(mean / np.sqrt(square + 1e-6) + decay * p)
            ratio = min(np.linalg.norm(p) / length, 10) if np.linalg.norm(p) else 1
            p = p - 0.1 * ratio * (mean / (np.sqrt(square) + 1e-6) + decay * p)
        return p

    np.testing.assert_allclose(steps(nn.Lamb([parameter()], 0.1, weight_decay=0.1)), by_hand(0.1, START), rtol=1e-4)
    spared = nn.Lamb([parameter("norm.gamma")], 0.1, weight_decay=0.1)
    np.testing.assert_allclose(steps(spared), by_hand(0, START), rtol=1e-4)
    from_zero = nn.Lamb([parameter(values=np.zeros(3))], 0.1)
    np.testing.assert_allclose(steps(from_zero), by_hand(0, np.zeros(3)), rtol=1e-4)


@pytest.mark.parametrize("use_clip", [False, True])
def test_lars_rescales_the_gradients_of_another_optimizer(mode, use_clip):
    w, bias = parameter(), parameter("bias")
    inner = nn.Momentum([w, bias], 0.1, 0.9, weight_decay=0.01, loss_scale=2.0)
    optimizer = nn.LARS(inner, epsilon=1e-4, coefficient=0.02, use_clip=use_clip)
    p, q, v, u = START.copy(), START.copy(), 0, 0
    for g in GRADIENTS:
        optimizer((Tensor(g), Tensor(g)))
        g = g / 2
        length = np.linalg.norm(p)
        rate = 0.02 * length / (np.linalg.norm(g) + 0.01 * length + 1e-4)
        v = 0.9 * v + (min(rate / 0.1, 1) if use_clip else rate) * (g + 0.01 * p)
        u = 0.9 * u + g
        p, q = p - 0.1 * v, q - 0.1 * u
    np.testing.assert_allclose(w.asnumpy(), p, rtol=1e-5)
    np.testing.assert_allclose(bias.asnumpy(), q, rtol=1e-5)
    assert inner.global_step.asnumpy() == [3]
    assert compilations(optimizer) == 1


def test_lars_has_the_parameters_of_real_mindspore():
    optimizer = nn.LARS(nn.Momentum([parameter()], 0.1, 0.9))
    paths = {path: one.name for path, one in optimizer.parameters_and_names()}
    assert paths == {"global_step": "global_step", "learning_rate": "fake_lr", "fake_param": "fake_param", "w": "w",
                     "opt.learning_rate": "learning_rate", "opt.momentum": "momentum",
                     "opt.moments.w": "moments.w"}  # fmt: skip


def test_ftrl_shrinks_by_l1(mode):
    p, a, z = START.copy(), 0.1, 0
    for g in GRADIENTS:
        new = a + g * g
        z = z + g - (np.sqrt(new) - np.sqrt(a)) / 0.5 * p
        p, a = np.where(abs(z) > 0.3, (0.3 * np.sign(z) - z) / (np.sqrt(new) / 0.5), 0), new
    np.testing.assert_allclose(steps(nn.FTRL([parameter()], 0.1, 0.5, l1=0.3)), p, rtol=1e-4, atol=1e-6)


def test_adagrad_can_keep_its_sums(mode):
    optimizer = nn.Adagrad([parameter()], 4.0, 0.5, update_slots=False)
    np.testing.assert_allclose(steps(optimizer), START - 0.25 * sum(GRADIENTS), rtol=1e-5)


@pytest.mark.parametrize(("scaled", "rate"), [(False, 0.1), (True, 0.1 * np.sqrt(np.mean(START**2)))])
def test_adafactor_scales_a_given_rate_by_the_parameter_and_without_averages_keeps_none(mode, scaled, rate):
    optimizer = nn.AdaFactor([parameter()], 0.1, beta1=0.0, relative_step=False, scale_parameter=scaled)
    np.testing.assert_allclose(steps(optimizer, GRADIENTS[:1]), START - rate * np.sign(GRADIENTS[0]), rtol=1e-5)
    assert optimizer.exp_avg[0].shape == (1,)


@pytest.mark.parametrize(
    ("dtype", "gradient_dtype"), [(ms.float16, ms.float32), (ms.float32, ms.float16), (ms.bfloat16, ms.float32)]
)
def test_any_mixture_of_float_dtypes_is_updated_in_the_dtype_of_the_parameter(dtype, gradient_dtype):
    for make in (nn.Momentum, nn.RMSProp, nn.Lamb):
        w = parameter(dtype=dtype)
        more = {"momentum": 0.9} if make is nn.Momentum else {}
        optimizer = make([w], learning_rate=0.1, weight_decay=0.1, **more)
        optimizer((Tensor(GRADIENTS[0], gradient_dtype),))
        assert w.dtype == dtype, make
        assert np.isfinite(w.asnumpy().astype(np.float32)).all()


# -- errors -------------------------------------------------------------------------------------------------------------------
def test_wrong_gradients_change_nothing(mode):
    w = parameter()
    optimizer = nn.Momentum([w], 0.1, 0.9)
    with pytest.raises(RuntimeError, match="1 Parameters, but got 2 gradients"):
        optimizer((Tensor(START), Tensor(START)))
    with pytest.raises(TypeError, match="tuple of Tensors"):
        optimizer(Tensor(START))
    with pytest.raises(ValueError, match=r"For 'ApplyMomentum'.*\(3,\), but got \(2,\)"):
        optimizer((Tensor([1.0, 2.0]),))
    with pytest.raises(TypeError, match="construct requires 1 positional argument"):
        optimizer()
    assert (w.asnumpy() == START).all()
    assert optimizer.global_step.asnumpy() == [0]
    steps(optimizer)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda w: nn.Momentum([w], 0.1, 1), TypeError, "For 'Momentum', the 'momentum' must be 'float', but got 1"),
        (lambda w: nn.Momentum([w], -1.0, 0.9), ValueError, "For 'Momentum', the 'learning_rate' must be in range"),
        (lambda w: nn.Momentum([w], [], 0.9), ValueError, "at least one rate"),
        (lambda w: nn.Momentum([w], "0.1", 0.9), TypeError, "int, float, Tensor, Iterable or LearningRateSchedule"),
        (lambda w: nn.Momentum(w, 0.1, 0.9), TypeError, "net.trainable_params"),
        (lambda w: nn.Momentum([{"param": [w]}], 0.1, 0.9), KeyError, "Did you mean 'params'"),
        (lambda w: nn.Adam([w], eps=0.0), ValueError, "For 'Adam', the 'eps' must be in range"),
        (lambda w: nn.SGD([w], nesterov=True), ValueError, "'momentum' must be > 0.0"),
        (lambda w: nn.LARS([w]), TypeError, "must be an Optimizer"),
        (lambda w: nn.AdaFactor([w], 0.1), ValueError, "relative_step=False"),
        (lambda w: nn.SGD([w]).get_lr_parameter(parameter("v")), ValueError, "v is not in optimizer"),
        (lambda w: setattr(nn.SGD([w]), "target", "TPU"), ValueError, "'target' must be one of"),
    ],
)
def test_errors_say_what_to_write(make, error, text):
    with pytest.raises(error, match=text):
        make(parameter())


def test_settings_for_other_back_ends_are_kept():
    optimizer = nn.Adam([parameter()])
    optimizer.target = "CPU"
    optimizer.unique = False
    assert (optimizer.target, optimizer.unique) == ("CPU", False)


# -- the rules as Primitives ------------------------------------------------------------------------------------------------
def _row(*values):
    return Tensor(np.array(values, np.float32))


def _state(*values):
    return Parameter(_row(*values), name=f"state_{values}")


# inputs of the call, and what real MindSpore 2.10 on CPU leaves in the Parameters
RULES = {
    ops.ApplyMomentum(): (lambda g: (_state(1, 2), _state(0.5, 0.5), 0.1, g, 0.9), [[0.945, 1.975], [0.55, 0.25]]),
    ops.SGD(0.1, 0.1): (lambda g: (_state(1, 2), g, 0.1, _state(0.1, 0.2), 0.9, _state(0, 0)),
                        [[0.973, 1.982], [0.27, 0.18], [0, 0]]),
    ops.ApplyRMSProp(): (lambda g: (_state(1, 2), _state(1, 1), _state(0.1, 0.2), 0.1, g, 0.9, 0.8, 1e-3),
                         [[0.90947074, 1.8610235], [0.901, 0.904], [0.09052924, 0.13897647]]),
    ops.ApplyAdagradV2(1e-2): (lambda g: (_state(1, 2), _state(0.1, 0.2), 0.1, g),
                               [[0.9707313, 2.040008], [0.11, 0.24]]),
    ops.ApplyAdagradDA(): (lambda g: (_state(1, 2), _state(0.1, 0.2), _state(0.1, 0.2), g, 0.1, 0.01, 0.02,
                                      Tensor(2, ms.int32)), [[-0.0536253, 0], [0.2, 0], [0.11, 0.24]]),
    ops.ApplyProximalGradientDescent(): (lambda g: (_state(1, 2), 0.1, 0.01, 0.02, g), [[0.987026, 2.01497]]),
    ops.ApplyAddSign(): (lambda g: (_state(1, 2), _state(0.1, 0.2), 0.1, 0.5, 0.6, 0.7, g),
                         [[0.989, 1.998], [0.1, 0.08]]),
    ops.ApplyPowerSign(): (lambda g: (_state(1, 2), _state(0.1, 0.2), 0.1, 0.5, 0.6, 0.7, g),
                           [[0.9865014, 2.0148163], [0.1, 0.08]]),
    ops.ApplyGradientDescent(): (lambda g: (_state(1, 2), 0.1, g), [[0.99, 2.02]]),
    ops.ApplyAdamWithAmsgrad(): (lambda g: (_state(1, 2), _state(0.1, 0.2), _state(0.1, 0.2), _state(0.1, 0.3), 0.9,
                                            0.999, 0.1, g),
                                 [[0.99000007, 1.9907625], [0.1, 0.16], [0.09991, 0.19984], [0.1, 0.3]]),
    ops.AdamWeightDecay(): (lambda g: (_state(1, 2), _state(0.1, 0.2), _state(0.1, 0.2), 0.1, 0.9, 0.999, 1e-8, 0.1, g),
                            [[0.958363, 1.9442086], [0.1, 0.16], [0.09991, 0.19984]]),
    ops.FusedCastAdamWeightDecay(): (lambda g: (_state(1, 2), _state(0.1, 0.2), _state(0.1, 0.2), 0.1, 0.9, 0.999, 1e-8,
                                                0.1, g, Tensor(1.0)),
                                     [[0.958363, 1.9442086], [0.1, 0.16], [0.09991, 0.19984]]),
}  # fmt: skip


@pytest.mark.parametrize("primitive", RULES, ids=lambda one: one.name)
def test_primitives_write_their_parameters(mode, primitive):
    make, expected = RULES[primitive]
    inputs = make(_row(0.1, -0.2))
    primitive(*inputs)
    found = [one.asnumpy() for one in inputs if isinstance(one, Parameter)]
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-7)


def test_what_primitives_return():
    v = _state(1, 1)
    assert ops.ApplyMomentum()(_state(1, 2), v, 0.1, _row(1, 1), 0.5).shape == (2,)
    returned = ops.ApplyAdagrad()(_state(1, 2), v, 0.1, _row(1, 1))
    assert len(returned) == 2
    assert (returned[1].asnumpy() == v.asnumpy()).all()
    step = ops.AdamNoUpdateParam()(
        _state(0.1, 0.2), _state(0.1, 0.2), 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, _row(0.1, -0.2)
    )
    np.testing.assert_allclose(step.asnumpy(), [-0.01000444, -0.01131816], rtol=1e-5)


def test_a_primitive_refuses_what_is_no_parameter_and_wrong_counts():
    with pytest.raises(TypeError, match="For 'ApplyGradientDescent', the 'var' must be a Tensor"):
        ops.ApplyGradientDescent()(1.0, 0.1, _row(1, 1))
    with pytest.raises(TypeError, match="takes 3 inputs, but got 4"):
        ops.ApplyGradientDescent()(_state(1, 2), 0.1, _row(1, 1), 3)
    with pytest.raises(ValueError, match="the 'alpha' must be a number or a Tensor of one element"):
        ops.ApplyGradientDescent()(_state(1, 2), _row(0.1, 0.2), _row(1, 1))


def test_sparse_primitives_touch_the_named_rows():
    values = np.array([[1, 2], [3, 4], [5, 6]], np.float32)
    gradient, indices = Tensor(np.array([[0.1, -0.2], [0.3, 0.4]], np.float32)), Tensor([1, 0], ms.int32)

    def run(primitive, *rest):
        states = [Parameter(Tensor(values * factor), name=f"s{factor}") for factor in (1.0, 0.1, 0.2)]
        primitive(*states, *rest)
        return [one.asnumpy() for one in states]

    numbers = (0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, gradient, indices)
    var, m, v = run(ops.FusedSparseLazyAdam(), *numbers)
    np.testing.assert_allclose(var, [[0.9915124, 1.9889967], [2.9885635, 3.9879735], [5, 6]], rtol=1e-6)
    np.testing.assert_allclose(m[2], [0.5, 0.6], rtol=1e-6)
    var, m, v = run(ops.FusedSparseAdam(), *numbers)
    np.testing.assert_allclose(var[2], [4.9857626, 5.9844036], rtol=1e-6)
    np.testing.assert_allclose(v[2], [0.999, 1.1988], rtol=1e-5)
    var, _, linear = run(ops.SparseApplyFtrl(0.1, 0.0, 0.02, -0.5), gradient, indices)
    np.testing.assert_allclose(linear[0], [-0.6966213, -2.2557287], rtol=1e-5)
    np.testing.assert_allclose(var[2], [5, 6])
    with pytest.raises(ValueError, match="one row of the variable per index"):
        run(ops.FusedSparseAdam(), *numbers[:-1], Tensor([1], ms.int32))


def test_rows_named_twice_are_added_up():
    var, accum = (Parameter(Tensor([[1.0], [1.0]]), name=name) for name in ("v", "a"))
    ops.SparseApplyAdagrad(0.5)(var, accum, Tensor([[1.0], [2.0]]), Tensor([0, 0], ms.int32))
    np.testing.assert_allclose(accum.asnumpy(), [[10], [1]])
    np.testing.assert_allclose(var.asnumpy(), [[1 - 1.5 / np.sqrt(10)], [1]], rtol=1e-6)


def test_optimizer_is_found_where_programs_import_it_from():
    assert Optimizer is nn.Optimizer
    assert Optimizer is nn.optim.Optimizer
    assert nn.optim.momentum.Momentum is nn.Momentum


@pytest.mark.parametrize("kind", [nn.AdaSumByGradWrapCell, nn.AdaSumByDeltaWeightWrapCell])
def test_adaptive_summation_over_one_device_is_the_optimizer_itself(mode, kind):
    net = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    step = nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), kind(nn.SGD(net.trainable_params(), 0.1)))
    other = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
    plain = nn.TrainOneStepCell(nn.WithLossCell(other, nn.MSELoss()), nn.SGD(other.trainable_params(), 0.1))
    x, y = Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 2), np.float32))
    for one in (step, plain):
        one(x, y)
    assert np.array_equal(net.weight.asnumpy(), other.weight.asnumpy())
    with pytest.raises(TypeError, match="optimizer"):
        kind(3)
