"""Operators that move, join, cut and create data, and casts."""

from __future__ import annotations

from tools.oracle.case import ALL_DTYPES, Array, Case, array, case, f32, i32, literal, mask, over, several

SMALL = ("float32", "float16", "int32", "bool")
CUBE = f32(2, 3, 4)

MOVES: list[Case] = [
    *over("ops.reshape(x, (3, 2))", [(2, 3), (6,)], ALL_DTYPES, gradient="weighted"),
    *several(
        """
        ops.reshape(x, (-1,))
        ops.reshape(x, (4, -1, 1))
        P.Reshape()(x, [6, -1])
        ops.transpose(x, (2, 0, 1))
        P.Transpose()(x, (0, 2, 1))
        ops.swapaxes(x, 0, -1)
        ops.swapdims(x, 1, 2)
        ops.movedim(x, 0, 2)
        ops.moveaxis(x, 0, -1)
        ops.moveaxis(x, (0, 1), (2, 0))
        ops.expand_dims(x, 1)
        ops.expand_dims(x, -1)
        P.ExpandDims()(x, 0)
        ops.unsqueeze(x, -2)
        ops.flatten(x)
        ops.flatten(x, start_dim=0)
        ops.flatten(x, start_dim=0, end_dim=1)
        ops.flatten(x, order='F')
        P.Flatten()(x)
        ops.flip(x, (0, 2))
        ops.flip(x, (1,))
        ops.fliplr(x)
        ops.flipud(x)
        ops.rot90(x, 1, (0, 1))
        ops.permute(x, (1, 2, 0))
        P.ReverseV2(axis=[0, 2])(x)
        ops.unbind(x, 1)
        ops.unstack(x, 2)
        P.Unstack(axis=0)(x)
        ops.diagonal(x, 0, 1, 2)
        ops.tril(x)
        ops.triu(x, 1)
        ops.tril(x, -1)
        ops.repeat_interleave(x, 2, 1)
        ops.repeat_elements(x, 2, 2)
        ops.narrow(x, 1, 1, 2)
        """,
        x=CUBE,
        gradient="weighted",
    ),
    case("ops.roll(x, 1)", f32(4)),
    case("ops.roll(x, (1, 2), (0, 1))", f32(2, 3)),
    *over("ops.transpose(x, (1, 0))", [(2, 3)], SMALL, gradient="weighted"),
    *over("ops.squeeze(x)", [(1, 3, 1), (2, 3), (1,)], SMALL, gradient="weighted"),
    case("ops.squeeze(x, 0)", f32(1, 3, 1), gradient="weighted"),
    case("ops.squeeze(x, (0, 2))", f32(1, 3, 1)),
    case("P.Squeeze(2)(x)", f32(1, 3, 1)),
    case("ops.squeeze(x, 1)", f32(1, 3)),
    case("ops.flatten(x)", f32(3)),
    case("ops.flatten(x)", f32()),
    *over("ops.broadcast_to(x, (2, 3))", [(1, 3), (3,), (2, 1), ()], SMALL, gradient="weighted"),
    case("ops.broadcast_to(x, (4, -1, 3))", f32(2, 1)),
    case("P.BroadcastTo((2, 3))(x)", f32(3)),
    *over("ops.tile(x, (2, 2))", [(2, 3), (3,)], SMALL, gradient="weighted"),
    case("ops.tile(x, (2,))", f32(2, 3)),
    case("P.Tile()(x, (1, 2, 2))", f32(2, 2), gradient="weighted"),
    *over("ops.concat((x, y))", [((2, 3), (1, 3)), ((2,), (3,))], ALL_DTYPES, gradient="weighted"),
    case("ops.concat([x, y], axis=-1)", f32(2, 3), f32(2, 2), gradient="weighted"),
    case("ops.cat((x, y), 1)", f32(2, 3), f32(2, 2)),
    case("P.Concat(1)((x, y))", f32(2, 3), f32(2, 2), gradient="weighted"),
    *over("ops.stack((x, y))", [((2, 3), (2, 3)), ((), ())], SMALL, gradient="weighted"),
    case("ops.stack([x, y], axis=-1)", f32(2, 3), f32(2, 3), gradient="weighted"),
    case("P.Stack(axis=1)((x, y))", f32(2, 3), f32(2, 3)),
    case("ops.hstack((x, y))", f32(2, 1), f32(2, 2)),
    case("ops.vstack((x, y))", f32(2), f32(2)),
    case("ops.dstack((x, y))", f32(2), f32(2)),
    case("ops.column_stack((x, y))", f32(2), f32(2)),
    *over("ops.split(x, 2)", [(4, 2), (5,)], SMALL, gradient="weighted"),
    case("ops.split(x, [1, 3], 1)", f32(2, 4), gradient="weighted"),
    case("ops.split(x, 2, axis=1)", f32(2, 4)),
    case("P.Split(1, 2)(x)", f32(2, 4), gradient="weighted"),
    case("ops.chunk(x, 2)", f32(5), gradient="weighted"),
    case("ops.chunk(x, 3, 1)", f32(2, 7)),
    case("ops.tensor_split(x, 3)", f32(5)),
    case("ops.tensor_split(x, (1, 3))", f32(5)),
    case("ops.hsplit(x, 2)", f32(2, 4)),
    case("ops.vsplit(x, 2)", f32(4, 2)),
    *over("ops.pad(x, (1, 2))", [(2, 3), (4,)], ("float32", "int32"), gradient="weighted"),
    case("ops.pad(x, [1, 1, 0, 1], mode='constant', value=5)", f32(2, 3), gradient="weighted"),
    case("ops.pad(x, (-1, 0))", f32(2, 3)),
    case("ops.pad(x, (1, 1), mode='reflect')", f32(1, 2, 3), gradient="weighted"),
    case("ops.pad(x, (1, 1, 1, 0), mode='reflect')", f32(1, 2, 3, 3), gradient="weighted"),
    case("ops.pad(x, (1, 2), mode='replicate')", f32(1, 2, 3), gradient="weighted"),
    case("ops.pad(x, (1, 1), mode='circular')", f32(1, 2, 3)),
    case("P.Pad(((1, 0), (0, 2)))(x)", f32(2, 2), gradient="weighted"),
    case("P.MirrorPad(mode='REFLECT')(x, Tensor([[1, 1], [0, 0]]))", f32(3, 2)),
    case("P.MirrorPad(mode='SYMMETRIC')(x, Tensor([[1, 1], [0, 1]]))", f32(3, 2)),
    case("ops.repeat_interleave(x, 2)", f32(2, 2)),
    case(
        "ops.repeat_interleave(x, y, 0)",
        f32(2, 3),
        literal([1, 2], "int64"),
        eager_only="result shape depends on values",
    ),
    case("ops.diag(x)", f32(3), gradient="weighted"),
    case("ops.diag(x)", f32(3, 3)),
    case("ops.diag_embed(x)", f32(2, 2)),
    case("ops.diagonal(x, 1)", f32(3, 3)),
    case("ops.meshgrid(x, y)", f32(2), f32(3), gradient="weighted"),
    case("ops.meshgrid(x, y, indexing='ij')", f32(2), f32(3)),
    case("ops.atleast_2d(x)", f32(3)),
    case("ops.broadcast_to(x, y.shape)", f32(3), f32(2, 3)),
    *several(
        """
        ops.shape(x)
        ops.rank(x)
        ops.size(x)
        P.Shape()(x)
        P.Size()(x)
        P.Rank()(x)
        ops.dtype(x)
        P.DType()(x)
        ops.numel(x)
        ops.is_tensor(x)
        ops.is_floating_point(x)
        F.tuple_to_array((1, 2))
        ops.tuple_to_array((1.0, 2.0))
        P.TupleToArray()((1, 2))
        ops.identity(x)
        F.stop_gradient(x)
        ops.depend(x, x)
        P.Depend()(x, x)
        """,
        x=f32(2, 3),
    ),
]

_BOUNDS = {"bool": (0, 2), "uint8": (0, 100)}


def _castable(dtype: str) -> Array:
    low, high = _BOUNDS.get(dtype, (-100, 100))
    return array(dtype, 2, 3) if dtype == "bool" else array(dtype, 2, 3, low=low, high=high)


CAST_TYPES = ("bool", "int8", "int16", "int32", "int64", "uint8", "float16", "bfloat16", "float32", "float64")
CASTS: list[Case] = []
for _source in CAST_TYPES:
    for _target in CAST_TYPES:
        _range = _castable(_source)
        if _target == "uint8" and _source != "bool":
            _range = array(_source, 2, 3, low=0, high=100)
        CASTS.append(case(f"ops.cast(x, ms.{_target if _target != 'bool' else 'bool_'})", _range))
_UNDEFINED = "out of range float to integer is undefined in C++"
CASTS += [
    case("ops.cast(x, ms.uint8)", literal([300.0, -1.0, 1e10]), not_compared=_UNDEFINED),
    case("ops.cast(x, ms.int32)", literal([3e9, -3e9, float("nan")]), not_compared=_UNDEFINED),
    case("ops.cast(x, ms.int64)", literal([1e20, float("inf")]), not_compared=_UNDEFINED),
    case("ops.cast(x, ms.int8)", literal([300, -200, 100], "int32")),
    case("ops.cast(x, ms.uint8)", literal([300, -1, 7], "int64")),
    case("ops.cast(x, ms.int32)", literal([1.7, -1.7, 0.5, -0.5])),
    case("ops.cast(x, ms.bool_)", literal([0.5, 0.0, -1.0, float("nan")])),
    case("ops.cast(x, ms.float16)", literal([70000.0, 1e-9, 1.0])),
    case("ops.cast(3, ms.float32)"),
    case("ops.cast(True, ms.int32)"),
    case("P.Cast()(x, ms.float16)", f32(2, 3), gradient="weighted"),
    case("ops.cast(x, ms.float64)", f32(2, 3), gradient="weighted"),
    case("x.astype('float16')", f32(3)),
    case("x.astype(np.int32)", f32(3)),
]

CREATION: list[Case] = [
    *several(
        """
        ops.zeros((2, 3))
        ops.zeros(2, ms.int32)
        ops.zeros((2,), dtype=ms.bool_)
        ops.ones((2, 2))
        ops.ones(3, ms.float16)
        P.Zeros()((2, 2), ms.float32)
        P.Ones()((2, 2), ms.int32)
        ops.full((2,), 3, dtype=ms.float32)
        ops.full((2, 2), 1.5, dtype=ms.float16)
        ops.full((2,), 3)
        ops.fill(ms.float32, (2, 3), 2)
        ops.fill(ms.int32, (2,), 2.7)
        P.Fill()(ms.float32, (2,), 2)
        P.Fill()(ms.float32, (), 1.5)
        ops.fill(ms.bool_, (2,), True)
        ops.eye(3)
        ops.eye(2, 3)
        ops.eye(3, 2, ms.int32)
        P.Eye()(2, 2, ms.float16)
        ops.arange(5)
        ops.arange(3.0)
        ops.arange(1, 8, 3)
        ops.arange(0, 1, 0.25)
        ops.arange(5, 1, -2)
        ops.arange(2, 5, dtype=ms.float32)
        ops.arange(0, 3, 0.5, dtype=ms.int32)
        ops.linspace(0, 1, 5)
        ops.linspace(1, 10, 4)
        ops.linspace(Tensor(0.0), Tensor(2.0), 3)
        P.LinSpace()(Tensor(0.0), Tensor(1.0), 3)
        ops.range(0, 5, 2)
        ops.range(Tensor(0, ms.int32), Tensor(5, ms.int32), Tensor(2, ms.int32))
        P.Range()(Tensor(0.0), Tensor(1.0), Tensor(0.25))
        ops.logspace(0.0, 2.0, 3)
        ops.scalar_to_tensor(3)
        ops.scalar_to_tensor(2.5, ms.float16)
        P.ScalarToTensor()(3, ms.float32)
        ops.tril_indices(3, 3)
        ops.triu_indices(3, 3, 1)
        ops.hamming_window(4)
        ops.hann_window(4)
        ops.vander(Tensor([1., 2., 3.]))
        """,
        text=True,
    ),
    *over("ops.zeros_like(x)", [(2, 3), ()], ALL_DTYPES),
    *over("ops.ones_like(x)", [(2, 3), ()], ALL_DTYPES),
    case("ops.zeros_like(x, dtype=ms.float32)", i32(2)),
    case("ops.ones_like(x, dtype=ms.int32)", f32(2)),
    case("P.ZerosLike()(x)", f32(2)),
    case("P.OnesLike()(x)", i32(2)),
    case("ops.full_like(x, 3)", f32(2, 2)),
    case("ops.full_like(x, 3.5)", i32(2)),
    case("ops.full_like(x, 1.5, dtype=ms.float16)", i32(2)),
    case("ops.fill(ms.float32, x.shape, 1)", f32(2, 3)),
    *over("ops.tril(x)", [(3, 3), (2, 2, 3)], SMALL),
    *over("ops.triu(x, -1)", [(3, 3)], SMALL),
    case("P.OneHot()(x, 3, Tensor(1.0), Tensor(0.0))", literal([0, 2, -1, 5], "int32")),
    case("P.OneHot(axis=0)(x, 3, Tensor(2, ms.int32), Tensor(1, ms.int32))", literal([0, 2], "int64")),
    case("ops.one_hot(x, 3)", literal([0, 2, 1], "int64")),
    case("ops.one_hot(x, 4, 1.0, 0.0)", literal([[0, 2], [1, 3]], "int32")),
    case("ops.one_hot(x, 3, Tensor(5.0, ms.float16), Tensor(1.0, ms.float16), axis=0)", literal([0, 2], "int32")),
    case("ops.select(x, 1, 2)", mask(3)),
]

CASES = MOVES + CASTS + CREATION
