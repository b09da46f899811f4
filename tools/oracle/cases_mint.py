"""``mindspore.mint``, where real MindSpore's CPU has the kernels; most of mint runs on its NPUs alone."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, i64, literal, mask

_MATRIX = literal([[3, 1, 2], [0, 5, 4]])

CASES: list[Case] = [
    *[
        case(f"ms.mint.{call}", f32(2, 3), gradient="weighted")
        for call in (
            "sum(x)", "sum(x, 1)", "sum(x, dim=0, keepdim=True)", "mean(x)", "mean(x, 0)", "mean(x, (0, 1), True)",
            "prod(x)", "prod(x, 1, True)", "amax(x)", "amax(x, 1, True)", "amin(x, dim=0)", "max(x)", "min(x)",
            "cumprod(x, 1)", "select(x, 1, 2)", "clamp(x, -1, 1)", "clamp(x, min=0)", "add(x, 1, alpha=2)",
            "div(x, 2, rounding_mode='floor')", "fmod(x, 2)", "pow(2, x)", "narrow(x, 1, 0, 2)", "permute(x, (1, 0))",
            "transpose(x, 0, 1)", "flatten(x)", "flip(x, (0,))", "tile(x, (1, 2))", "diff(x)", "nansum(x, 1)",
            "softmax(x, 1)", "swapaxes(x, 0, 1)", "nn.functional.glu(x[:, :2])", "nn.Softmax()(x)",
            "where(x > 0, x, 0.0)", "scatter(x, 1, Tensor([[0], [2]]), 9.0)", "squeeze(x.reshape((1, 2, 3)), 0)",
        )
    ],
    *[
        case(f"ms.mint.{call}", _MATRIX)
        for call in (
            "all(x)", "all(x, 1)", "any(x)", "any(x, 1, True)", "max(x, 1)", "max(x, 1, True)", "min(x, 1)", "max(x, x + 1)",
            "cummax(x, 1)", "split(x, 2, dim=1)", "split(x, [1, 2], dim=1)", "chunk(x, 2, dim=1)", "unbind(x, 1)",
            "meshgrid(x[0], x[1])", "meshgrid(x[0], x[1], indexing='xy')", "cat([x, x], dim=1)", "isclose(x, x)",
            "searchsorted(Tensor([1.0, 3.0]), x)", "special.round(x)", "eye(2)", "ones(2)", "zeros((2,))",
            "nn.SmoothL1Loss()(x, x + 2)",
        )
    ],
    *[
        case(f"ms.mint.{call}", i64(2, 3))
        for call in ("sum(x)", "sum(x, dtype=ms.float32)", "prod(x)", "all(x)", "add(x, 1.5)", "div(x, 2)", "pow(x, 2)",
                     "remainder(x, 2)", "float_power(x, 2)")
    ],
    case("ms.mint.sum(x)", mask(2, 3)),
    case("ms.mint.prod(x)", mask(2, 3)),
    case("ms.mint.sub(x, y, alpha=0.5)", f32(2, 3), f32(2, 3), gradient="weighted"),
    case("ms.mint.nonzero(x)", _MATRIX, eager_only="the number of elements depends on the values"),
]  # fmt: skip
