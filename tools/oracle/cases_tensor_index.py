"""Tensor indexing and slice assignment."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, i32, i64, literal, mask, several

MASK_INDEX = "result shape depends on values"

READS: list[Case] = [
    *several(
        """
        x[0]
        x[-1]
        x[1, 2]
        x[1, -1, 3]
        x[0, 1, 2]
        x[:]
        x[1:]
        x[:1]
        x[-1:]
        x[::-1]
        x[:, ::2]
        x[:, 1:3]
        x[:, :, 1:4:2]
        x[5:]
        x[1:1]
        x[:, -2:]
        x[:, -5:2]
        x[...]
        x[..., 0]
        x[0, ...]
        x[0, ..., 1]
        x[..., 1:]
        x[..., None]
        x[None]
        x[:, None]
        x[None, 0]
        x[0, None, :, 1]
        x[True]
        x[True, 0]
        x[()]
        x[0][1]
        x[1:][0]
        x[0:2, 1, ::2]
        x[[0, 1]]
        x[[1, 0, 1]]
        x[:, [0, 2]]
        x[[0, 1], [2, 0]]
        x[[0, 1], :, [3, 0]]
        x[..., [0, -1]]
        x[[[0, 1], [1, 0]]]
        x[(0, 1)]
        x[0, [1, 2]]
        x[[0, 1], 1]
        x[1:, [0, 1]]
        x[[-1]]
        x[None, [0, 1]]
        x[Tensor([0, 1])]
        x[Tensor(1)]
        x[Tensor([[0, 1], [1, 0]])]
        x[:, Tensor([0, 2])]
        x[Tensor([0, 1]), Tensor([2, 0])]
        x[Tensor([0]), :, Tensor([1, 2])]
        x[..., Tensor([0, 3])]
        x[Tensor([0, 1]), 1]
        x[0, Tensor([1, 2]), 1:]
        x[Tensor([[0], [1]]), Tensor([0, 2])]
        x[Tensor([1, 0], ms.int32)]
        x[0:Tensor(2)]
        x[slice(None, 1)]
        x[np.int64(1)]
        """,
        x=f32(2, 3, 4),
        gradient="weighted",
    ),
    *several(
        """
        x[x > 0]
        x[[True, False]]
        x[Tensor([True, False])]
        x[:, Tensor([True, False, True])]
        x[0, Tensor([True, False, True])]
        x[Tensor([True, True]), 1]
        x[Tensor([True, False]), [0]]
        """,
        x=f32(2, 3, 4),
        eager_only=MASK_INDEX,
    ),
    case("x[:, ::-1, ::-2]", f32(2, 3, 4), not_compared="real MindSpore reverses only one of the two axes"),
    case(
        "x[Tensor([-1, 0])]",
        f32(2, 3, 4),
        gradient="weighted",
        gradient_not_compared="real MindSpore loses the gradient of negative indices",
    ),
    case("x[y]", f32(4, 2), i64(3, low=0, high=4), gradient="weighted"),
    case("x[y]", f32(4), i32(2, 2, low=0, high=4), gradient="weighted"),
    case("x[y]", i32(3, 2), mask(3), eager_only=MASK_INDEX),
    case("x[y]", f32(3, 2), mask(3, 2), eager_only=MASK_INDEX),
    case("x[1]", mask(3)),
    case("x[1:]", i64(4)),
    case("x[...]", f32()),
    case("x[None]", f32()),
    case("x[()]", f32()),
]

WRITES: list[Case] = [
    *several(
        """
        x[0] = 5; x
        x[1, 2] = 5.5; x
        x[-1] = 0; x
        x[:] = 1; x
        x[1:] = 2; x
        x[:, ::2] = 3; x
        x[:, -1] = 4; x
        x[..., 0] = 7; x
        x[...] = 8; x
        x[0, 1:3] = 9; x
        x[::-1] = 1.5; x
        x[None] = 6; x
        x[0] = True; x
        x[5:] = 3; x
        x[:, None] = 2; x
        x[True] = 3; x
        x[0] = [1, 2, 3, 4]; x
        x[0, 0] = [1, 2, 3, 4]; x
        x[:, 1] = (1, 2, 3, 4); x
        x[0, 0, :2] = [7, 8]; x
        x[0] = Tensor([1.0, 2.0, 3.0, 4.0]); x
        x[:, 0] = Tensor([[1.0], [2.0]]); x
        x[1] = x[0]; x
        x[0] = Tensor(3); x
        x[0] = Tensor([1, 2, 3, 4]); x
        x[0, :, 1] = Tensor([1.0, 2.0, 3.0]); x
        x[[0, 1]] = 5; x
        x[[0, 1], [1, 2]] = 5; x
        x[:, [0, 2]] = 5; x
        x[[1]] = Tensor([1.0, 2.0, 3.0, 4.0]); x
        x[Tensor([0, 1])] = 6; x
        x[Tensor([1])] = Tensor([[[1.0], [2.0], [3.0]]]); x
        x[Tensor(0)] = 3; x
        x[Tensor([0, 1]), Tensor([2, 0])] = 7; x
        x[0, Tensor([0, 2])] = 8; x
        x[..., Tensor([0, 1])] = 1; x
        x[x > 0] = 0; x
        x[x > 0] = -1.5; x
        x[Tensor([True, False])] = 4; x
        x[:, Tensor([True, False, True])] = 2; x
        x[0, 0, 0] += 10; x
        x[0] += 1; x
        x[:, 1] *= 2; x
        y = x; y[0] = 100; x
        y = x.copy(); y[0] = 100; x
        x[1:, :, 1:3] = 2; x
        x[0, ..., 1] = 3; x
        """,
        x=f32(2, 3, 4),
    ),
    case("y = x[0]; y[0] = 100; x", f32(2, 3, 4), eager_only="slices are views in PyNative mode only"),
    case("x[0] = 2.7; x", i32(3)),
    case("x[0] = True; x", i32(3)),
    case("x[1] = 5; x", mask(3)),
    case("x[0:2] = Tensor([1.5, 2.5]); x", i32(3)),
    case("x[1] = 3; x", f32(3)),
    case("x[...] = 3; x", f32()),
    case("x[y] = 1; x", f32(4), i64(2, low=0, high=4)),
    case("x[y] = z; x", f32(4, 2), literal([2, 0], "int64"), f32(2, 2)),
    case(
        "x[y] = z; x",
        f32(2, 3),
        literal([[True, False, True], [False, True, False]], "bool"),
        f32(3),
        eager_only=MASK_INDEX,
    ),
]

ERRORS: list[Case] = several(
    """
    x[3]
    x[-4]
    x[0, 5]
    x[0, 0, 0]
    x[1.5]
    x['a']
    x[::0]
    x[range(2)]
    x[Tensor([0.5])]
    x[..., ...]
    x[{}]
    x[0, 'a']
    x[0] = None; x
    x[0] = Tensor([1.0, 2.0, 3.0]); x
    x[7] = 1; x
    x[0, 0, 0] = 1; x
    x['a'] = 1; x
    x[1.5] = 1; x
    x[0] = [1, 2, 3]; x
    x[Tensor([True, False])]
    x[[0, 1], [0, 1, 0]]
    """,
    x=f32(3, 2),
    raises=True,
)
ERRORS.append(case("x[0] = 'a'; x", f32(3, 2), raises=("TypeError",)))
ERRORS.append(
    case("x[Tensor([7])]", f32(3, 2), raises=("IndexError",), eager_only="a compiled function cannot look at values")
)

CASES = READS + WRITES + ERRORS
