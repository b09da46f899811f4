"""Gradient primitives of elementary functions and activations."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, literal, over

PLACES = [-4.0, -3.0, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 3.0, 6.0, 7.0]  # where activations have their corners
SEEDS = [1.0, -2.0, 0.5, 3.0, 1.5, -1.0, 2.0, 0.25, 4.0, -0.5, 1.0]


def elementwise(source: str, low: float = -2.0, high: float = 2.0, **options: object) -> list[Case]:
    """A primitive of two inputs of equal shape, in two dtypes."""
    dtypes = ("float32", "float16")
    return over(source, [((2, 3), (2, 3))], dtypes, low=low, high=high, gradient="weighted", **options)


def corners(source: str) -> Case:
    return case(source, literal(SEEDS), literal(PLACES))


ELEMENTARY: list[Case] = [
    *elementwise("G.AbsGrad()(x, y)"),
    case("G.AbsGrad()(x, y)", literal(PLACES), literal(SEEDS)),
    *elementwise("G.ACosGrad()(x, y)", -0.9, 0.9),
    *elementwise("G.AsinGrad()(x, y)", -0.9, 0.9),
    *elementwise("G.AtanGrad()(x, y)"),
    *elementwise("G.AcoshGrad()(x, y)", 0.2, 2.0),
    *elementwise("G.AsinhGrad()(x, y)"),
    *elementwise("G.InvGrad()(x, y)", 0.5, 2.0),
    *elementwise("G.ReciprocalGrad()(x, y)", 0.5, 2.0),
    *elementwise("G.SqrtGrad()(x, y)", 0.5, 2.0),
    *elementwise("G.RsqrtGrad()(x, y)", 0.5, 2.0),
    *elementwise("G.SigmoidGrad()(x, y)", 0.1, 0.9),
    *elementwise("G.TanhGrad()(x, y)", -0.9, 0.9),
    *elementwise("G.LogitGrad(0.2)(x, y)", 0.1, 0.9),
    *elementwise("G.LogitGrad()(x, y)", 0.1, 0.9),
    *over("G.MvlgammaGrad(2)(x, y)", [((2, 3), (2, 3))], ("float32", "float64"), low=2.0, high=4.0),
    *over("G.IgammaGradA()(x, y)", [((2, 3), (2, 3)), ((2, 3), (3,))], ("float32", "float64"), low=1.0, high=4.0),
    *over("G.RandomGammaGrad()(x, y)", [((2, 3), (2, 3))], ("float32", "float64"), low=1.0, high=4.0),
    case("G.MaximumGrad()(x, y, z)", f32(2, 3), f32(2, 3), f32(2, 3), gradient="weighted"),
    case("G.MaximumGrad()(x, y, z)", f32(2, 3), f32(3), f32(2, 3)),
    case("G.MaximumGrad()(x, y, z)", literal([1.0, 2.0, 3.0]), literal([1.0, 3.0, 2.0]), literal([1.0, 2.0, 4.0])),
    case("G.MinimumGrad()(x, y, z)", f32(2, 3), f32(2, 3), f32(2, 3), gradient="weighted"),
    case("G.MinimumGrad()(x, y, z)", f32(2, 1), f32(3), f32(2, 3)),
    case("G.MinimumGrad()(x, y, z)", literal([1.0, 2.0, 3.0]), literal([1.0, 3.0, 2.0]), literal([1.0, 2.0, 4.0])),
    case("G.MaximumGradGrad()(x, y, z, w)", f32(2, 3), f32(2, 3), f32(2, 3), f32(2, 3)),
    case(
        "G.MaximumGradGrad()(x, y, z, w)", *[literal(one) for one in ([1.0, 2.0], [1.0, 3.0], [4.0, 5.0], [6.0, 7.0])]
    ),
    case("G.MinimumGradGrad()(x, y, z, w)", f32(2, 3), f32(2, 3), f32(2, 3), f32(2, 3)),
]

ACTIVATIONS: list[Case] = [
    *elementwise("G.ReluGrad()(x, y)"),
    corners("G.ReluGrad()(x, y)"),
    *elementwise("G.ReLU6Grad()(x, y)"),
    corners("G.ReLU6Grad()(x, y)"),
    case("A.LeakyReLUGradExt()(x, y, 0.1, False)", f32(2, 3), f32(2, 3)),
    case("G.PReLUGrad()(x, y, z)", f32(2, 3, 4), f32(2, 3, 4), f32(3), gradient="weighted"),
    case("G.PReLUGrad()(x, y, z)", f32(2, 3), f32(2, 3), f32(1)),
    *over("G.GeLUGrad()(x, y, z)", [((2, 3), (2, 3), (2, 3))], ("float32", "float16")),
    case("A.GeluGradExt()(x, y)", f32(2, 3), f32(2, 3)),
    case("A.GeluGradExt()(x, y, 'tanh')", f32(2, 3), f32(2, 3)),
    *elementwise("G.FastGeLUGrad()(x, y)"),
    *elementwise("G.SiLUGrad()(x, y)"),
    case("A.MishGradExt()(x, y)", f32(2, 3), f32(2, 3)),
    case("A.LogSigmoidGrad()(x, y, z)", f32(2, 3), f32(2, 3), f32(2, 3)),
    case("A.logsigmoid_grad(x, y, z)", f32(2, 3), f32(2, 3), f32(2, 3)),
    *elementwise("G.SoftplusGrad()(x, y)"),
    case("A.SoftplusGradExt()(x, y, 2, 3)", f32(2, 3), f32(2, 3)),
    *elementwise("G.HSigmoidGrad()(x, y)"),
    corners("G.HSigmoidGrad()(x, y)"),
    *elementwise("G.HSwishGrad()(x, y)"),
    corners("G.HSwishGrad()(x, y)"),
    *elementwise("G.HShrinkGrad()(x, y)"),
    corners("G.HShrinkGrad(1.0)(x, y)"),
    *elementwise("G.SoftShrinkGrad()(x, y)"),
    corners("G.SoftShrinkGrad(1.0)(x, y)"),
    corners("A.HardtanhGrad()(x, y, -1, 1)"),
    corners("A.ThresholdGrad()(x, y, 0.5)"),
    *elementwise("G.EluGrad()(x, y)", -0.9, 2.0),
    corners("A.EluGradExt()(x, y, 2.0, False)"),
    corners("A.EluGradExt()(x, y, 2.0, True)"),
    *elementwise("G.SeluGrad()(x, y)"),
    corners("A.selu_grad(x, y)"),
    *elementwise("G.SoftmaxGrad()(x, y)", 0.0, 1.0),
    case("G.SoftmaxGrad()(x, y)", f32(2, 3, 4, low=0.0, high=1.0), f32(2, 3, 4)),
    *elementwise("G.LogSoftmaxGrad()(x, y)"),
    case("G.LogSoftmaxGrad(0)(x, y)", f32(2, 3), f32(2, 3), gradient="weighted"),
    case("G.GluGrad(1)(x, y)", f32(2, 2), f32(2, 4), gradient="weighted"),
    case("G.GluGrad(-1)(x, y)", f32(3, 2, 3), f32(3, 2, 6)),
    case("A.SwigluGrad()(x, y)", f32(2, 2), f32(2, 4)),
    case("A.swiglu_grad(x, y, 0)", f32(1, 4), f32(2, 4)),
]
CASES = ELEMENTARY + ACTIVATIONS
