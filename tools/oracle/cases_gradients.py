"""Gradient conventions where mathematics leaves a choice, and gradients through chains of operators."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, i32, literal, several

NAN = float("nan")


def corner(source: str, *values: list, **options: object) -> Case:
    return case(source, *(literal(value) for value in values), gradient="sum", **options)


CORNERS: list[Case] = [
    corner("ops.abs(x)", [0.0, -1.0, 2.0]),
    corner("ops.sign(x)", [0.0, -1.0]),
    corner("ops.maximum(x, y)", [1.0, 2.0, 0.0], [1.0, 1.0, 1.0]),
    corner("ops.minimum(x, y)", [1.0, 2.0, 0.0], [1.0, 1.0, 1.0]),
    corner("ops.maximum(x, 1.0)", [1.0, 2.0, 0.0]),
    corner("x.max()", [1.0, 2.0, 2.0]),
    corner("x.min()", [1.0, 1.0, 2.0]),
    corner("x.max(axis=0)", [1.0, 2.0, 2.0]),
    corner("P.ReduceMax()(x)", [1.0, 2.0, 2.0]),
    corner("P.ReduceMax()(x, 1)", [[2.0, 2.0], [1.0, 3.0]]),
    corner("P.ReduceMin()(x)", [1.0, 1.0, 2.0]),
    corner("ops.max(x)[0]", [1.0, 2.0, 2.0]),
    corner("ops.max(x, 0)[0]", [1.0, 2.0, 2.0]),
    corner("ops.amax(x)", [1.0, 2.0, 2.0]),
    corner("P.ArgMaxWithValue()(x)[1]", [1.0, 2.0, 2.0]),
    corner("ops.clamp(x, 1.0, 2.0)", [0.0, 1.0, 1.5, 2.0, 3.0]),
    corner("ops.clip_by_value(x, 1.0, 2.0)", [0.0, 1.0, 1.5, 2.0, 3.0]),
    corner("x.clip(1.0, 2.0)", [0.0, 1.0, 1.5, 2.0, 3.0]),
    corner("ops.sqrt(x)", [0.0, 4.0]),
    corner("ops.rsqrt(x)", [0.0, 4.0]),
    corner("ops.log(x)", [0.0, 2.0]),
    corner("ops.reciprocal(x)", [0.0, 2.0]),
    corner("ops.relu(x)", [0.0, -1.0, 1.0]),
    corner("ops.relu6(x)", [0.0, 6.0, 1.0, 7.0]),
    corner("ops.hardtanh(x)", [-1.0, 1.0, 0.0]),
    corner("ops.hardsigmoid(x)", [-3.0, 3.0, 0.0]),
    corner("ops.hardswish(x)", [-3.0, 3.0, 0.0]),
    corner("ops.leaky_relu(x)", [0.0, 1.0, -1.0]),
    corner("ops.elu(x)", [0.0, 1.0]),
    corner("ops.selu(x)", [0.0, 1.0]),
    corner("ops.prelu(x, y)", [[0.0, 1.0]], [0.25]),
    corner("ops.hardshrink(x)", [0.5, 1.0, 0.0]),
    corner("ops.softshrink(x)", [0.5, 1.0, 0.0]),
    corner("ops.pow(x, y)", [0.0, 0.0, 2.0], [2.0, 1.0, 0.0]),
    corner(
        "ops.pow(x, y)", [0.0], [0.0], gradient_not_compared="0 ** 0: nan in real MindSpore, 0 is the better answer"
    ),
    corner("ops.pow(x, y)", [-2.0], [3.0]),
    corner("x ** 2", [0.0, 3.0, -1.0]),
    corner("x ** 3", [0.0, 3.0, -1.0]),
    corner("x ** 0.5", [0.0, 4.0]),
    corner("x ** 0", [3.0]),
    corner("x / y", [1.0, 2.0], [4.0, 0.0]),
    corner("x / y", [0.0], [0.0], gradient_not_compared="0 / 0: the sign of the infinity follows from rounding"),
    corner("ops.xdivy(x, y)", [1.0, 0.0], [0.0, 0.0], gradient_not_compared="0 / 0"),
    corner("ops.floor(x)", [1.5]),
    corner("ops.round(x)", [1.5]),
    corner("ops.floor_div(x, y)", [7.5], [2.0]),
    corner("ops.floor_mod(x, y)", [7.5, -7.5], [2.0, 2.0]),
    corner("ops.fmod(x, y)", [7.5, -7.5], [2.0, 2.0]),
    corner("ops.acos(x)", [1.0, 0.0]),
    corner("ops.asin(x)", [1.0, 0.0]),
    corner(
        "ops.norm(x)", [0.0, 0.0], gradient_not_compared="real MindSpore: 0 / 0; here 0, a gradient one can go on with"
    ),
    corner("ops.std(x)", [1.0, 1.0]),
    corner("ops.prod(x)", [0.0, 2.0, 3.0]),
    corner("P.ReduceProd()(x, 0)", [0.0, 2.0, 3.0]),
    corner("ops.cumprod(x, 0)", [0.0, 2.0, 3.0], waiver="real MindSpore divides by the input and gives nan at zero"),
    corner("ops.sort(x)[0]", [2.0, 1.0, 2.0]),
    corner("ops.topk(x, 1)[0]", [2.0, 2.0]),
    corner("P.MaxPool(2, 2)(x)", [[[[1.0, 1.0], [1.0, 1.0]]]]),
    corner("ops.max_pool2d(x, 2)", [[[[1.0, 2.0], [2.0, 1.0]]]]),
    corner("ops.l1_loss(x, y)", [1.0, 2.0], [1.0, 0.0]),
    corner("ops.smooth_l1_loss(x, y)", [1.0, 1.0, 3.0], [1.0, 0.0, 0.0]),
    corner("ops.huber_loss(x, y)", [1.0, 1.0, 3.0], [1.0, 0.0, 0.0]),
    corner("ops.binary_cross_entropy(x, Tensor([1.0, 1.0, 0.0]))", [0.0, 0.5, 1.0]),
    corner(
        "x.astype(ms.int32).astype(ms.float32)",
        [1.5],
        waiver="rounding to an integer is a step: its slope is 0, where real MindSpore passes the gradient through",
    ),
    corner("ops.cast(x, ms.float16)", [1.5]),
    corner("ops.stop_gradient(x) * x", [1.5, 2.0]),
    corner("ops.where(x > 1.0, x, x * 2)", [0.5, 1.0, 1.5]),
    corner("ops.sqrt(ops.relu(x))", [-1.0, 4.0]),
    corner("ops.atan2(x, y)", [0.0, 1.0], [1.0, 0.0]),
    corner("ops.softplus(x)", [-100.0, 0.0, 100.0]),
    corner("ops.logsumexp(x, 0)", [2.0, 2.0, 1.0]),
    corner("ops.equal(x, 1.0).astype(ms.float32)", [1.0, 0.5]),
    corner("ops.log_softmax(x)[0]", [[1.0, 2.0, 3.0]]),
    corner("ops.gelu(x)", [-10.0, 0.0, 10.0]),
    corner("ops.expm1(x)", [0.0, 1e-6]),
]

CHAINS: list[Case] = [
    *several(
        """
        ms.grad(lambda a: (a * a * a).sum())(x)
        ms.grad(ms.grad(lambda a: (a ** 4).sum()))(x)
        ms.grad(lambda a, b: (a * b).sum(), (0, 1))(x, y)
        ms.grad(lambda a, b: (a / b).sum(), 1)(x, y)
        ms.value_and_grad(lambda a: ops.sin(a).sum())(x)
        ms.grad(lambda a, b: a + b, (0, 1))(x, y)
        C.GradOperation()(lambda a: a * a)(x)
        C.GradOperation(get_all=True)(lambda a, b: a * b)(x, y)
        C.GradOperation(sens_param=True)(lambda a: a * a)(x, y)
        ms.grad(lambda a: (a[0] * a[1]).sum())(x)
        ms.grad(lambda a: ops.softmax(a, 1)[:, 0].sum())(x)
        ms.grad(ms.grad(ops.tanh))(x)
        ms.grad(lambda a: (ops.sum(a, 1) ** 2).mean())(x)
        ms.grad(lambda a, b: (a * b, a + b))(x, y)
        f = lambda a: a * a; ms.jvp(f, x, y)
        ms.grad(lambda a, b: (a * b).sum(), (0, 1), return_ids=True)(x, y)
        ms.grad(lambda a, b: ((a * b).sum(), a.sum()), 0, has_aux=True)(x, y)
        ms.value_and_grad(lambda a, b: ((a * b).sum(), a.sum()), (0, 1), has_aux=True)(x, y)
        ms.grad(lambda a: ops.gather(a, Tensor([0, 0]), 0))(x)
        ms.grad(lambda a, b: (a * 2).sum(), (0, 1))(x, y)
        """,
        x=f32(2, 3, low=0.5, high=2.0),
        y=f32(2, 3, low=0.5, high=2.0),
    ),
    case("ms.grad(lambda a: ops.tanh(a @ a.T).sum())(x)", f32(2, 3, low=0.1, high=0.5)),
    case("ms.grad(lambda a: a * a)(x)", i32(3)),
    case("ms.grad(lambda a: a * 2)(x)", literal([1, 2], "int64")),
    case("ms.grad(lambda a, b: a + b, (0, 1))(x, y)", literal([1.5], "float16"), literal([[1.0], [2.0]])),
    case("ms.grad(lambda a, b: a * b, (0, 1))(x, y)", literal([1.5], "float16"), literal([2], "int32")),
    case("ms.grad(lambda a: ops.relu(a) * ops.sigmoid(a) + ops.exp(-a))(x)", f32(2, 3)),
    case("ms.grad(lambda a: ops.conv2d(a, ops.ones((1, 1, 2, 2))).sum())(x)", f32(1, 1, 3, 3)),
]

CASES = CORNERS + CHAINS
