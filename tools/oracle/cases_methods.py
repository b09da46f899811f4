"""Tensor attributes and methods."""

from __future__ import annotations

from dataclasses import replace

from tools.oracle.case import Case, array, case, f32, i32, i64, literal, mask, several

SHAPE_DEPENDS = "result shape depends on values"

ATTRIBUTES: list[Case] = several(
    """
    x.shape
    x.dtype
    x.ndim
    x.size
    x.itemsize
    x.nbytes
    x.strides
    x.T
    x.has_init
    x.dim()
    x.is_contiguous()
    x.is_floating_point()
    x.numel()
    """,
    x=f32(2, 3),
)

SHAPES: list[Case] = several(
    """
    x.reshape(3, 2)
    x.reshape((6,))
    x.reshape(-1, 2)
    x.view(3, 2)
    x.view((-1,))
    x.flatten()
    x.ravel()
    x.flatten(order='F')
    x.expand_dims(0)
    x.unsqueeze(1)
    x.transpose()
    x.transpose(1, 0)
    x.transpose((1, 0))
    x.permute(1, 0)
    x.swapaxes(0, 1)
    x.broadcast_to((2, 2, 3))
    x.squeeze()
    x.expand_as(Tensor(np.zeros((2, 2, 3), 'float32')))
    x.tile((2, 1))
    x.repeat(2)
    x.repeat(2, axis=0)
    x.split(1)
    x.split(2, axis=1)
    x.chunk(2, 1)
    x.unbind(1)
    x.flip((0,))
    x.diagonal()
    x.triu(1)
    x.tril()
    x.repeat_interleave(2, 0)
    x.moveaxis(0, 1)
    x.view_as(x)
    x.reshape_as(x)
    x.copy()
    x.contiguous()
    x.narrow(1, 0, 2)
    """,
    x=f32(2, 3),
    gradient="weighted",
)

TYPES: list[Case] = several(
    """
    x.astype(ms.int32)
    x.astype('float16')
    x.to(ms.float64)
    x.int()
    x.long()
    x.half()
    x.float()
    x.bool()
    x.bfloat16()
    x.double()
    x.byte()
    x.short()
    x.type_as(Tensor([1]))
    """,
    x=f32(2, 3, low=1, high=9),
)

REDUCTIONS: list[Case] = [
    *several(
        """
        x.sum()
        x.sum(axis=1)
        x.sum(1, keepdims=True)
        x.sum(axis=0, dtype=ms.float16)
        x.mean()
        x.mean(1)
        x.mean(axis=(0, 1))
        x.mean(0, keep_dims=True)
        x.prod()
        x.prod(1)
        x.max()
        x.max(axis=1)
        x.max(1)
        x.max(axis=0, keepdims=True)
        x.max(axis=1, return_indices=True)
        x.min()
        x.min(axis=0)
        x.min(axis=1, return_indices=True)
        x.std()
        x.std(axis=1, ddof=1)
        x.var()
        x.var(axis=0)
        x.var(axis=1, ddof=1, keepdims=True)
        x.norm()
        x.norm(2, 1)
        x.cumsum(1)
        x.cumsum()
        x.cumprod(1)
        x.logsumexp(1)
        x.amax(1)
        x.amin((0, 1))
        x.median()
        """,
        x=f32(2, 3),
        gradient="weighted",
    ),
    *several(
        """
        x.argmax()
        x.argmax(1)
        x.argmin()
        x.argmin(axis=1)
        x.argmax_with_value(1)
        x.argmin_with_value(0)
        x.all()
        x.any(1)
        x.topk(2)
        x.sort()
        x.sort(descending=True)
        x.argsort()
        x.nonzero()
        x.count_nonzero()
        x.isnan()
        x.isinf()
        x.isfinite()
        x.tolist()
        x.norm(1)
        x.numpy().sum()
        """,
        x=f32(2, 3),
        eager_only="some results are Python values",
    ),
]
REDUCTIONS = [
    replace(one, eager_only="a graph takes the form of max without positions") if one.source == "x.max(1)" else one
    for one in REDUCTIONS
]
_INTEGER_MEAN = "real MindSpore subtracts the truncated integer mean"
for _dtype in ("int32", "uint8", "bool", "float16", "int64"):
    for _call in ("x.sum()", "x.sum(axis=1)", "x.mean()", "x.prod()", "x.max()", "x.min()", "x.cumsum(1)"):
        REDUCTIONS.append(case(_call, array(_dtype, 2, 3)))
    for _call in ("x.std()", "x.var()"):
        _reason = "" if _dtype == "float16" else _INTEGER_MEAN
        REDUCTIONS.append(case(_call, array(_dtype, 2, 3), not_compared=_reason))

ARITHMETIC: list[Case] = [
    *several(
        """
        x.abs()
        x.exp()
        x.log()
        x.sqrt()
        x.rsqrt()
        x.square()
        x.reciprocal()
        x.sin()
        x.cos()
        x.tan()
        x.tanh()
        x.sigmoid()
        x.erf()
        x.floor()
        x.ceil()
        x.round()
        x.trunc()
        x.sign()
        x.neg()
        x.negative()
        x.log1p()
        x.expm1()
        x.log2()
        x.pow(2)
        x.pow(0.5)
        x.clip(0.5, 1.5)
        x.clamp(0.5, 1.5)
        x.clip(max=1.0)
        x.softmax(1)
        x.acos()
        x.asin()
        x.atan()
        x.sinh()
        x.cosh()
        x.asinh()
        x.hardshrink()
        x.lerp(x * 2, 0.5)
        x.fmod(0.7)
        x.remainder(0.7)
        x.masked_fill(x > 1.0, 0.5)
        x.copy()
        x.value()
        """,
        x=f32(2, 3, low=0.1, high=0.9),
        gradient="weighted",
    ),
    *several(
        """
        x.add(y)
        x.sub(y)
        x.mul(y)
        x.div(y)
        x.divide(y)
        x.subtract(y)
        x.multiply(y)
        x.true_divide(y)
        x.floor_divide(y)
        x.pow(y)
        x.maximum(y)
        x.minimum(y)
        x.atan2(y)
        x.hypot(y)
        x.xlogy(y)
        x.equal(y)
        x.not_equal(y)
        x.greater(y)
        x.less(y)
        x.greater_equal(y)
        x.less_equal(y)
        x.gt(y)
        x.ge(y)
        x.lt(y)
        x.le(y)
        x.eq(y)
        x.ne(y)
        x.isclose(y)
        x.logical_and(y)
        x.logical_or(y)
        x.matmul(y.T)
        x.mm(y.T)
        x.addcmul(x, y)
        x.where(x > y, y)
        x.logical_xor(y)
        x.inner(y)
        x.cross(y)
        """,
        x=f32(2, 3, low=0.5, high=3.0),
        y=f32(2, 3, low=0.5, high=3.0),
    ),
    case("x.allclose(x)", f32(3), eager_only="Python value of a Tensor"),
    case("x.logical_not()", mask(4)),
    case("x.bitwise_and(3)", i32(4, low=0, high=9)),
    case("x.bitwise_or(3)", i32(4, low=0, high=9)),
    case("x.bitwise_xor(y)", i32(4), i32(4)),
]

INDEXING: list[Case] = [
    case("x.gather(y, 0)", f32(3, 2), i64(2, low=0, high=3), gradient="weighted"),
    case("x.gather_elements(1, y)", f32(2, 3), literal([[0, 2], [1, 0]], "int64")),
    case("x.gather_nd(y)", f32(2, 3), literal([[0, 1], [1, 2]], "int64")),
    case("x.index_select(0, y)", f32(3, 2), literal([2, 0], "int64")),
    case("x.take(y)", f32(2, 3), literal([0, 4], "int64")),
    case("x.take(y, axis=1)", f32(2, 3), literal([0, 2], "int64")),
    case("x.masked_select(y)", f32(2, 3), mask(2, 3), eager_only=SHAPE_DEPENDS),
    case("x.scatter(0, y, z)", f32(3, 2), literal([[0, 1]], "int64"), f32(1, 2)),
    case("x.item()", literal([2.5]), eager_only="Python value of a Tensor"),
    case("x.item()", literal(3, "int32"), eager_only="Python value of a Tensor"),
    case("x.fill(2)", f32(2, 2)),
    case("x.fill_diagonal(5.0)", f32(3, 3)),
    case("x.unique_consecutive()", literal([1, 1, 2], "int32"), eager_only=SHAPE_DEPENDS),
    case("x.itemset(1, 9.0)", f32(3)),
    case("x.searchsorted(3)", literal([1.0, 2.0, 4.0])),
    case("x.bincount()", literal([0, 1, 1], "int32"), eager_only=SHAPE_DEPENDS),
    case("x.new_zeros((2,))", f32(3)),
    case("x.new_ones((2, 2), dtype=ms.int32)", f32(3)),
    case("x.scatter_add(0, y, z)", f32(3, 2), literal([[0, 1]], "int64"), f32(1, 2)),
    case("x.resize(2, 2)", f32(6)),
    case("x.ptp()", f32(4)),
    case("x.trace()", f32(3, 3)),
    case("Tensor(x, ms.int32)", f32(3)),
    case("Tensor([1, 2.5])"),
    case("Tensor([True, False])"),
    case("Tensor(3)"),
    case("Tensor([[1, 2], [3, 4]], ms.float16)"),
    case("Tensor(2**40, ms.int32)"),
    case("Tensor(-1, ms.uint8)"),
    case("Tensor([])"),
    case("Tensor(np.float64(1.5))"),
    case("Tensor([x, x])", f32(2), eager_only="data from Python values"),
    case("ms.tensor([1, 2])"),
    case("Tensor.from_numpy(np.ones(2))"),
]

CASES = ATTRIBUTES + SHAPES + TYPES + REDUCTIONS + ARITHMETIC + INDEXING
