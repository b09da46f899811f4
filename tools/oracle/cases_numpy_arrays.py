"""`mindspore.numpy`: making, moving, joining, cutting and choosing."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, i32, literal, mask, over, several

KINDS = ("float32", "float16", "int32", "int64", "bool")
COUNTED = "how many elements there are depends on the values"

CREATION: list[Case] = [
    *several(
        """
        mnp.array([1, 2])
        mnp.array([1.0, 2])
        mnp.array([True, False])
        mnp.array(3)
        mnp.array(2.5)
        mnp.array(x)
        mnp.array(x, mnp.int32)
        mnp.array([x, x])
        mnp.array([x, x], dtype=mnp.float16)
        mnp.array([[1, 2], [3, 4]], 'float64')
        mnp.array((1, 2), ndmin=3)
        mnp.array(x, copy=False, ndmin=4)
        mnp.asarray([1, 2])
        mnp.asarray(x, mnp.float16)
        mnp.asfarray([1, 2])
        mnp.asfarray(x, mnp.float64)
        mnp.asfarray([1, 2], mnp.int32)
        mnp.copy(x)
        mnp.zeros(3)
        mnp.zeros((2, 3), mnp.int32)
        mnp.zeros([2], 'bool')
        mnp.zeros(())
        mnp.zeros((0, 2))
        mnp.ones(3)
        mnp.ones((2, 3), mnp.int64)
        mnp.ones((2,), int)
        mnp.full((2, 2), 3)
        mnp.full(2, 0.5)
        mnp.full((2,), True)
        mnp.full((2, 3), [1, 2, 3])
        mnp.full((2,), 7, dtype=mnp.float16)
        mnp.zeros_like(x)
        mnp.zeros_like(x, dtype=mnp.int32, shape=(2,))
        mnp.zeros_like([[1, 2], [3, 4]])
        mnp.ones_like(x)
        mnp.ones_like([1.5, 2])
        mnp.ones_like(x, mnp.bool_)
        mnp.full_like(x, 3)
        mnp.full_like([1, 2], 0.5)
        mnp.full_like(x, 0.5, dtype=mnp.float16, shape=(2, 2))
        mnp.full_like([1, 2], 0.5, dtype=mnp.float32)
        mnp.arange(5)
        mnp.arange(5.0)
        mnp.arange(2, 7)
        mnp.arange(2, 7, 2)
        mnp.arange(0, 1, 0.25)
        mnp.arange(5, 0, -1)
        mnp.arange(5, dtype=mnp.float16)
        mnp.arange(start=1, stop=4, dtype='int64')
        mnp.arange(3, 1)
        mnp.linspace(0, 1)
        mnp.linspace(0, 5, 6)
        mnp.linspace(2.0, 3.0, num=5, endpoint=False)
        mnp.linspace(2.0, 3.0, num=5, retstep=True)
        mnp.linspace([0, 1], [1, 3], 3)
        mnp.linspace([0, 1], [1, 3], 3, axis=1)
        mnp.linspace(0, 10, 5, dtype=mnp.int32)
        mnp.linspace(0, 1, 1)
        mnp.logspace(0, 2, 3)
        mnp.logspace(0, 3, 4, base=2)
        mnp.logspace(0, 2, 4, endpoint=False)
        mnp.logspace([0, 1], 2, 3, axis=-1)
        mnp.logspace(0, 5, 6, base=2, dtype=mnp.int32)
        mnp.geomspace(1, 1000, 4)
        mnp.geomspace(1, 256, num=9, dtype=mnp.float64)
        mnp.geomspace(1, 16, 4, endpoint=False)
        mnp.geomspace([1, 2], [8, 16], 4)
        mnp.eye(3)
        mnp.eye(2, 3)
        mnp.eye(3, k=1)
        mnp.eye(3, 4, -1, mnp.int32)
        mnp.identity(2)
        mnp.identity(3, mnp.int32)
        mnp.tri(3)
        mnp.tri(3, 4, 1)
        mnp.tri(3, k=-1, dtype=mnp.int32)
        mnp.tril_indices(3)
        mnp.tril_indices(3, 1, 4)
        mnp.triu_indices(3)
        mnp.triu_indices(3, k=-1, m=2)
        mnp.diag_indices(3)
        mnp.diag_indices(2, 3)
        mnp.indices((2, 3))
        mnp.indices((2, 3), mnp.float32)
        mnp.indices((2, 3), sparse=True)
        mnp.meshgrid(mnp.arange(3), mnp.arange(2))
        mnp.meshgrid(mnp.arange(3), mnp.arange(2), indexing='ij')
        mnp.meshgrid(mnp.arange(3), mnp.arange(2), sparse=True)
        mnp.meshgrid(mnp.arange(3), mnp.arange(2), mnp.ones(4))
        mnp.mgrid[0:3]
        mnp.mgrid[0:3, 1:5]
        mnp.mgrid[0:1:5j, 0:2]
        mnp.mgrid[0:4:2, 0:1:0.5]
        mnp.ogrid[0:3]
        mnp.ogrid[0:3, 1:5]
        mnp.ogrid[0:1:5j, 0:2]
        mnp.ix_(mnp.array([0, 1]), mnp.array([2, 4, 5]))
        mnp.bartlett(5)
        mnp.blackman(6)
        mnp.hamming(5)
        mnp.hanning(6)
        mnp.hanning(1)
        mnp.vander([1, 2, 3])
        mnp.vander([1.0, 2.0, 3.0], 2)
        mnp.vander(mnp.array([1, 2, 3]), N=4, increasing=True)
        mnp.empty((2, 3)).shape
        mnp.empty_like(x).shape
        mnp.empty(2, mnp.int32).dtype
        mnp.empty_like(x, mnp.float16, (4,)).dtype
        mnp.rand(2, 3).shape
        mnp.randn(2, 3).shape
        mnp.rand(4, dtype=mnp.float16).dtype
        mnp.randint(3, 9, (2, 3)).shape
        mnp.randint(5).shape
        mnp.randint(5, shape=4).dtype
        """,
        x=f32(2, 3),
    ),
    *several(
        """
        mnp.diag(x)
        mnp.diag(x, 1)
        mnp.diag(x, k=-1)
        mnp.diagonal(x)
        mnp.diagonal(x, 1)
        mnp.diagonal(x, offset=-1, axis1=1, axis2=0)
        mnp.diagflat(x)
        mnp.diagflat(x, 1)
        mnp.trace(x)
        mnp.trace(x, 1)
        mnp.tril(x)
        mnp.tril(x, 1)
        mnp.triu(x)
        mnp.triu(x, k=-1)
        mnp.tril_indices_from(x)
        mnp.triu_indices_from(x, 1)
        """,
        x=f32(3, 4),
        gradient="weighted",
    ),
    case("mnp.full((2, 3), mnp.ones(3), mnp.int32)", waiver="real MindSpore ignores the dtype it documents"),
    case("mnp.trace(x, offset=-1, axis1=1, axis2=0, dtype=mnp.float16)", f32(3, 4)),
    *[case(source, i32(4, 4)) for source in ("mnp.trace(x)", "mnp.diag(x)", "mnp.tril(x)", "mnp.diagonal(x, 1)")],
    *[case(source, f32(3), gradient="weighted") for source in ("mnp.diag(x)", "mnp.diag(x, 1)", "mnp.diagflat(x, -1)")],
    case("mnp.diagonal(x, 0, 1, 2)", f32(2, 3, 3), gradient="weighted"),
    case("mnp.trace(x, 0, 1, 2)", f32(2, 3, 3), gradient="weighted"),
    *several(
        """
        mnp.pad(x, 1)
        mnp.pad(x, (1, 2))
        mnp.pad(x, ((1, 0), (0, 2)))
        mnp.pad(x, 1, constant_values=5)
        mnp.pad(x, ((1, 2), (3, 1)), 'constant', constant_values=((1, 2), (3, 4)))
        mnp.pad(x, 2, mode='edge')
        mnp.pad(x, 2, mode='wrap')
        mnp.pad(x, 1, mode='reflect')
        mnp.pad(x, 1, mode='reflect', reflect_type='odd')
        mnp.pad(x, 2, mode='symmetric')
        mnp.pad(x, 2, mode='maximum')
        mnp.pad(x, 2, mode='minimum')
        mnp.pad(x, 2, mode='mean')
        mnp.pad(x, 2, mode='mean', stat_length=2)
        mnp.pad(x, 2, mode='linear_ramp', end_values=3)
        mnp.pad(x, 1, mode='empty').shape
        """,
        x=f32(3, 4),
        gradient="weighted",
    ),
]

MOVES: list[Case] = [
    *several(
        """
        mnp.reshape(x, (4, 6))
        mnp.reshape(x, -1)
        mnp.reshape(x, [2, -1])
        mnp.ravel(x)
        mnp.transpose(x)
        mnp.transpose(x, (1, 0, 2))
        mnp.swapaxes(x, 0, 2)
        mnp.swapaxes(x, 0, -1)
        mnp.moveaxis(x, 0, -1)
        mnp.moveaxis(x, (0, 1), (-1, -2))
        mnp.rollaxis(x, 2)
        mnp.rollaxis(x, 0, 2)
        mnp.rollaxis(x, -1, -2)
        mnp.expand_dims(x, 0)
        mnp.expand_dims(x, -1)
        mnp.expand_dims(x, (0, 2))
        mnp.squeeze(x[:1])
        mnp.squeeze(x[:1], 0)
        mnp.squeeze(x, 0)
        mnp.flip(x)
        mnp.flip(x, 1)
        mnp.flip(x, (0, -1))
        mnp.fliplr(x)
        mnp.flipud(x)
        mnp.rot90(x)
        mnp.rot90(x, 2)
        mnp.roll(x, 2)
        mnp.roll(x, 1, axis=1)
        mnp.roll(x, (1, -2), (0, 2))
        mnp.roll(x, 2, (0, 1))
        mnp.tile(x, 2)
        mnp.tile(x, (2, 1, 1, 2))
        mnp.repeat(x, 2)
        mnp.repeat(x, 2, axis=1)
        mnp.repeat(x, [1, 2, 0], 1)
        mnp.broadcast_to(x[0], (2, 3, 4))
        mnp.broadcast_to(x[:1], (5, 3, 4))
        mnp.broadcast_arrays(x, x[0, 0])
        mnp.atleast_1d(x)
        mnp.atleast_2d(x[0, 0])
        mnp.atleast_3d(x[0])
        mnp.atleast_3d(x[0, 0])
        mnp.atleast_2d(x[0, 0], x)
        mnp.size(x)
        mnp.size(x, 1)
        """,
        x=f32(2, 3, 4),
        gradient="weighted",
    ),
    case("mnp.rot90(x, k=-1, axes=(1, 2))", f32(2, 3, 4)),
    case("mnp.array_str(x * 0)", i32(2), eager_only="the text of numbers"),
    case("mnp.atleast_1d(1, [2])"),
    case("mnp.tile(x, 3)", i32(2)),
    case("mnp.repeat(3, 4)"),
    case("mnp.repeat(x, 2)", mask(2, 2)),
    case("mnp.roll(x, 1)", i32(4)),
    case("mnp.size([1, 2, 3])"),
    case("mnp.broadcast_to(x, (2, 3))", f32(1), gradient="weighted"),
]

JOINS: list[Case] = [
    *over("mnp.concatenate((x, y))", [((2, 3), (1, 3)), ((2,), (3,))], KINDS, gradient="weighted"),
    case("mnp.concatenate((x, y))", i32(2), f32(3)),
    case("mnp.concatenate([x, y], axis=1)", f32(2, 3), f32(2, 1), gradient="weighted"),
    case("mnp.concatenate((x, y), axis=None)", f32(2, 3), f32(2, 1), gradient="weighted"),
    case("mnp.concatenate(x)", f32(2, 3)),
    *over("mnp.append(x, y)", [((2, 3), (3,))], KINDS, gradient="weighted"),
    case("mnp.append(x, y, axis=0)", f32(2, 3), f32(1, 3)),
    case("mnp.append([1, 2], 3)"),
    *over("mnp.stack((x, y))", [((2, 3), (2, 3)), ((), ())], KINDS, gradient="weighted"),
    case("mnp.stack([x, y], -1)", f32(2, 3), f32(2, 3), gradient="weighted"),
    case("mnp.stack((x, y))", i32(2), f32(2)),
    *[
        one
        for name in ("hstack", "vstack", "dstack", "column_stack")
        for one in over(
            f"mnp.{name}((x, y))", [((2, 3), (2, 3)), ((3,), (3,))], ("float32", "int32"), gradient="weighted"
        )
    ],
    case("mnp.hstack([[1, 2], [3]])"),
    case("mnp.vstack([[1, 2], [3, 4]])"),
    *several(
        """
        mnp.split(x, 2)
        mnp.split(x, 3, axis=-1)
        mnp.split(x, (1, 3))
        mnp.split(x, [2], 1)
        mnp.array_split(x, 3)
        mnp.array_split(x, 4, axis=1)
        mnp.array_split(x, (1, 3), 1)
        mnp.hsplit(x, 3)
        mnp.hsplit(x, (1, 2))
        mnp.vsplit(x, 2)
        mnp.vsplit(x, [1])
        mnp.dsplit(x, 2)
        mnp.dsplit(x, (1,))
        """,
        x=f32(4, 6, 2),
        gradient="weighted",
    ),
]

CHOICES: list[Case] = [
    *over(
        "mnp.where(z > 0, x, y)",
        [((2, 3), (2, 3), (2, 3)), ((3,), (2, 1), (2, 3))],
        ("float32", "float16", "int32"),
        gradient="weighted",
    ),
    case("mnp.where(x, y, z)", mask(3), i32(3), f32(3)),
    case("mnp.where(x, 1, 0)", mask(3)),
    case("mnp.where(x, 1, 0.5)", mask(3)),
    case("mnp.where([True, False], [1, 2], 3)"),
    *several(
        """
        mnp.take(x, mnp.array([0, 5, 11]))
        mnp.take(x, [0, 2], axis=1)
        mnp.take(x, mnp.array([[0, 1], [2, 3]]), axis=-1)
        mnp.take(x, 1, axis=0)
        mnp.take(x, [0, 20], mode='clip')
        mnp.take(x, [0, -1, 13], mode='wrap')
        mnp.take(x, [-1, 3], 1, 'wrap')
        mnp.take_along_axis(x, mnp.array([[0], [1], [3]]), 1)
        mnp.take_along_axis(x, mnp.array([[0, 1, 2, 0]]), axis=0)
        mnp.take_along_axis(x, mnp.array([0, 11]), None)
        mnp.piecewise(x, [x < 0, x >= 0], [-1, 1])
        mnp.piecewise(x, [x < 0, x >= 0], [lambda v: -v, lambda v: v * 2])
        mnp.piecewise(x, [x > 1], [1.0, 0.5])
        mnp.apply_along_axis(lambda v: v.sum(), 1, x)
        mnp.apply_along_axis(lambda v: v * 2, 0, x)
        mnp.apply_over_axes(mnp.sum, x, (0, 1))
        mnp.apply_over_axes(mnp.max, x, 1)
        """,
        x=f32(3, 4),
        gradient="weighted",
    ),
    *several(
        """
        mnp.select([x > 1, x > 0], [x, x * 2])
        mnp.select([x > 1, x > 0], [x, x * 2], default=-1)
        """,
        x=f32(3, 4),
        gradient="weighted",
        gradient_not_compared="real MindSpore gives zeros",
    ),
    case("mnp.choose([2, 0, 1], [[1, 2, 3], [4, 5, 6], [7, 8, 9]])"),
    case("mnp.choose(x, (y, z))", literal([[0, 1], [1, 0]], "int32"), f32(2, 2), f32(2, 2)),
    case("mnp.choose([2, 5, -1], [10, 20, 30], mode='wrap')"),
    case("mnp.choose([2, 5, -1], [10, 20, 30], mode='clip')"),
    case("mnp.select([[True, False], [True, True]], [[1, 2], [3, 4]])"),
    *several(
        """
        mnp.unravel_index([22, 41, 37], (7, 6))
        mnp.unravel_index(31, (4, 4, 4))
        mnp.unravel_index(mnp.array([[1, 2], [3, 4]]), (2, 3))
        mnp.unravel_index([22, 41, 37], (7, 6), order='F')
        mnp.ravel_multi_index(mnp.array([[3, 6, 6], [4, 5, 1]]), (7, 6))
        mnp.ravel_multi_index(((3, 6, 6), (4, 5, 1)), (7, 6), order='F')
        mnp.ravel_multi_index(mnp.array([[3, 6, 6], [4, 5, 1]]), (4, 6), mode='clip')
        mnp.ravel_multi_index(mnp.array([[3, 6, 6], [4, 5, 1]]), (4, 4), mode='wrap')
        """
    ),
    case("mnp.argwhere(x)", i32(2, 3, low=-1, high=2), eager_only=COUNTED),
    case("mnp.argwhere(x)", mask(5), eager_only=COUNTED),
    case("mnp.unique(x)", i32(2, 5), eager_only=COUNTED),
    case("mnp.unique(x, True)", i32(9), eager_only=COUNTED),
    case("mnp.unique(x, return_inverse=True)", i32(2, 5), eager_only=COUNTED),
    case("mnp.unique([3.5, 1.0, 3.5])", eager_only=COUNTED),
    case("mnp.intersect1d(x, [1, 2, -1, 3])", i32(8), eager_only=COUNTED),
    case("mnp.intersect1d([1, 2, 3, 4], [3, 1, 7], return_indices=True)", eager_only=COUNTED),
    case("mnp.intersect1d([4, 2, 3], [3, 4], assume_unique=True)", eager_only=COUNTED),
]

ERRORS: list[Case] = several(
    """
    mnp.array('a')
    mnp.array(None)
    mnp.array(np.ones(2))
    mnp.array([[1, 2], [3]])
    mnp.zeros('a')
    mnp.zeros(-1)
    mnp.zeros((2, -3))
    mnp.ones(2.5)
    mnp.ones((2,), 'abc')
    mnp.full('a', 1)
    mnp.arange('a')
    mnp.arange(1, 5, 0)
    mnp.linspace(0, 1, -1)
    mnp.linspace(0, 1, 2.5)
    mnp.linspace(0, 1, 5, endpoint=1)
    mnp.eye('a')
    mnp.eye(2.5)
    mnp.meshgrid(x, x, indexing='a')
    mnp.add(x, 'a')
    mnp.add(x, None)
    mnp.add(np.ones(3), x)
    mnp.add(x, mnp.ones(4))
    mnp.sum('a')
    mnp.sum(x, axis=5)
    mnp.sum(x, axis='a')
    mnp.mean(x, axis=5)
    mnp.max(x, axis=3)
    mnp.max(x, where=x > 0)
    mnp.max(x, initial='a')
    mnp.argmax(x, axis=3)
    mnp.reshape(x, (4, 4))
    mnp.reshape(x, 'a')
    mnp.transpose(x, (0, 0))
    mnp.expand_dims(x, 7)
    mnp.concatenate((x, mnp.ones((4, 4))))
    mnp.concatenate(3)
    mnp.stack((x, mnp.ones(4)))
    mnp.split(x, 4)
    mnp.split(x, 'a')
    mnp.hsplit(mnp.ones(()), 2)
    mnp.tile(x, 'a')
    mnp.repeat(x, -1)
    mnp.repeat(x, 'a')
    mnp.roll(x, 1, 5)
    mnp.flip(x, 5)
    mnp.rot90(x, 1, (0, 0))
    mnp.rot90(mnp.ones(3))
    mnp.broadcast_to(x, (4, 4))
    mnp.where(x, x)
    mnp.take(x, [0], axis=9)
    mnp.take(x, [0], mode='raise')
    mnp.clip(x, None, None)
    mnp.norm(x, ord='abc')
    mnp.dot(x, mnp.ones((5, 5)))
    mnp.inner(x, mnp.ones(7))
    mnp.matmul(x, mnp.ones((5, 5)))
    mnp.matmul(x, 2)
    mnp.tensordot(x, x, 'a')
    mnp.cross(mnp.ones(4), mnp.ones(4))
    mnp.convolve([], [1])
    mnp.convolve([1], [1], 'abc')
    mnp.trace(mnp.ones(3))
    mnp.diagonal(mnp.ones(3))
    mnp.diag(mnp.ones((2, 2, 2)))
    mnp.matrix_power(x, 2)
    mnp.average(x, weights=mnp.ones(7))
    mnp.pad(x, 1, mode='abc')
    mnp.promote_types('abc', 'int32')
    mnp.bincount([1.5, 2.5])
    mnp.histogram(x, 'auto')
    mnp.interp([1.0], [0.0, 1.0], [1.0])
    mnp.diff(x, n=-1)
    mnp.diff(1)
    mnp.swapaxes(x, 0, 5)
    mnp.moveaxis(x, 0, 5)
    mnp.rollaxis(x, 5)
    mnp.rand('a')
    mnp.randint(0)
    mnp.randint(5, 2)
    mnp.bartlett(2.5)
    mnp.take_along_axis(x, [0], 0)
    mnp.apply_along_axis(3, 0, x)
    mnp.select([x > 0], [x, x])
    mnp.polyder([1, 2], -1)
    mnp.gradient(x, 1, 2, 3)
    """,
    x=f32(2, 3),
    raises=("TypeError", "ValueError", "RuntimeError", "IndexError"),
)

ARRAYS = [*CREATION, *MOVES]
CHOICES_AND_ERRORS = [*JOINS, *CHOICES, *ERRORS]
