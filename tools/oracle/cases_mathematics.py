"""Complex numbers, Fourier transforms, factors of matrices, order statistics, Bessel functions, in-place methods."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, i32, i64, literal, several

SHAPE_DEPENDS = "result shape depends on values"

COMPLEX: list[Case] = [
    *several(
        """
        P.Complex()(x, y)
        ops.polar(x, y)
        ops.real(P.Complex()(x, y))
        ops.imag(P.Complex()(x, y))
        ops.conj(P.Complex()(x, y))
        ops.angle(P.Complex()(x, y))
        P.Complex()(x, y).angle()
        P.Complex()(x, y).real()
        P.ComplexAbs()(P.Complex()(x, y))
        ops.view_as_real(P.Complex()(x, y))
        ops.adjoint(P.Complex()(x, y))
        P.ConjugateTranspose()(P.Complex()(x, y), (1, 0))
        ops.real(x)
        ops.imag(x)
        ops.conj(x)
        ops.adjoint(x)
        ops.eps(x)
        """,
        x=f32(2, 3),
        y=f32(2, 3),
    ),
    case("ops.real(x)", i64(2, 3)),
    case("ops.view_as_real(x)", f32(2), raises=("TypeError",)),
    case("P.ComplexAbs()(x)", f32(2), raises=("TypeError",)),
    case("ops.eps(x)", i64(2), raises=("TypeError",)),
]

FOURIER: list[Case] = [
    *several(
        """
        ops.fft(x)
        ops.fft(x, 3)
        ops.fft(x, 7, 0, 'ortho')
        ops.ifft(x, norm='forward')
        ops.fft2(x)
        ops.ifft2(x, (2, 5))
        ops.fftn(x, dim=(1, 0))
        ops.ifftn(x)
        ops.rfft(x)
        ops.rfft(x, 5, 0)
        ops.rfft2(x)
        ops.rfftn(x, norm='ortho')
        ops.irfft(x)
        ops.irfft(x, 7)
        ops.irfft2(x)
        ops.irfftn(x, (4, 5))
        ops.hfft(x)
        ops.hfft(x, 5, norm='ortho')
        ops.ihfft(x)
        ops.hfft2(x)
        ops.ihfft2(x)
        ops.hfftn(x)
        ops.ihfftn(x)
        ops.fftshift(x)
        ops.fftshift(x, 1)
        ops.ifftshift(x, (0,))
        ops.fft(P.Complex()(x, x + 1))
        ops.irfft(P.Complex()(x, x + 1))
        P.FFTWithSize(1, False, True)(x)
        P.FFTWithSize(2, False, True, onesided=False)(x)
        P.FFTWithSize(1, True, True, signal_sizes=(5,))(P.Complex()(x, x + 1))
        P.FFTWithSize(1, True, False, 'ortho')(P.Complex()(x, x + 1))
        """,
        x=f32(3, 4),
    ),
    case("ops.irfft(x, 6)", f32(3, 4), gradient="weighted"),
    case("ops.fftshift(x)", f32(5), gradient="weighted"),
    case("ops.fft(x)", i32(4)),
    case("ops.fftfreq(5)"),
    case("ops.fftfreq(4, 0.5)"),
    case("ops.rfftfreq(5, 2.0)"),
    case("ops.stft(x, 4)", f32(9), tolerance=1e-5),
    case("ops.stft(x, 4, 2, 3, y, False, return_complex=True)", f32(2, 9), f32(3), tolerance=1e-5),
    case("ops.stft(x, 4, normalized=True, pad_mode='CONSTANT', return_complex=True)", f32(9), tolerance=1e-5),
    case("P.STFT(4, 2, 4, False, True, True)(x, y)", f32(9), f32(4), tolerance=1e-5),
    case("P.STFT(4, 2, 4, False, False, False)(x, y)", f32(9), f32(4), tolerance=1e-5),
]

REGULAR = f32(3, 3, low=1.0, high=3.0)
MATRICES: list[Case] = [
    *several(
        """
        ops.cholesky_inverse(x)
        ops.cholesky_inverse(x, True)
        ops.cholesky_solve(y, x)
        ops.cholesky_solve(y, x, upper=True)
        P.MatrixTriangularSolve()(x, y)
        P.MatrixTriangularSolve(lower=False, adjoint=True)(x, y)
        ops.lu_solve(y, x, Tensor([3, 2, 3], ms.int32))
        ops.lu_unpack(x, Tensor([3, 2, 3], ms.int32))
        ops.lu_unpack(y, Tensor([2, 2], ms.int32))
        ops.geqrf(y)
        ops.orgqr(*ops.geqrf(y))
        P.Qr()(y)
        P.Qr(True)(y)
        y.qr()
        x.lstsq(y)
        P.NuclearNorm()(x)
        P.NuclearNorm([0, 1], True)(x)
        P.Pdist(3.0)(y)
        ops.dist(x, x * 2)
        ops.dist(x, x * 2, 3)
        ops.block_diag(x, y)
        """,
        x=REGULAR,
        y=f32(3, 2),
        tolerance=2e-3,
    ),
    case("P.MatrixSolveLs(True)(x, y, Tensor(0.5, ms.float64))", f32(4, 2), f32(4, 1), tolerance=1e-4),
    case("P.MatrixSolveLs(False)(x, y, Tensor(0.5, ms.float64))", f32(4, 2), f32(4, 1), tolerance=1e-4),
    case("ops.lstsq(x, y)", f32(4, 2), f32(4, 3), tolerance=1e-4),
    case("ops.lstsq(x, y)", f32(4, 2), f32(4), tolerance=1e-4),
    case("ops.eigvals(x)", literal([[1.0, 2.0], [3.0, 4.0]]), tolerance=1e-5),
    case("ops.abs(ops.matmul(x, ops.real(ops.eig(x)[1])))", literal([[1.0, 2.0], [3.0, 4.0]]), tolerance=1e-5),
    case("P.MatrixLogarithm()(P.Complex()(x, x * 0))", literal([[1.0, 2.0], [3.0, 4.0]]), tolerance=1e-5),
    case("P.MatrixLogarithm()(P.Complex()(x, x * 0))", literal([[2.0, 1.0], [0.0, 2.0]]), tolerance=1e-5),
    case("P.MatrixLogarithm()(x)", f32(2, 2), raises=("TypeError",)),
    case("ops.cartesian_prod(x, y)", f32(2), f32(3)),
    case("ops.combinations(x)", f32(4)),
    case("ops.combinations(x, 3, True)", f32(3)),
    case("P.TridiagonalMatMul()(x, x * 2, x + 1, y)", f32(1, 3), f32(3, 2)),
]

BANDS: list[Case] = [
    case("ops.matrix_diag(x)", f32(2, 3), gradient="weighted"),
    case("ops.matrix_diag(x, Tensor([0, 1], ms.int32), padding_value=Tensor(9.0))", f32(2, 3)),
    case("ops.matrix_diag(x, Tensor([-1, 0], ms.int32), align='LEFT_RIGHT')", f32(2, 3)),
    case("ops.matrix_diag(x, 1)", f32(3)),
    case("ops.matrix_diag(x, Tensor(1, ms.int32), Tensor(3, ms.int32), Tensor(5, ms.int32))", f32(3)),
    *several(
        """
        ops.matrix_diag_part(x, Tensor([-1, 1], ms.int32), Tensor(0.0))
        ops.matrix_diag_part(x, Tensor([-1, 2], ms.int32), Tensor(7.0), align='LEFT_LEFT')
        ops.matrix_diag_part(x, Tensor([-2, 0], ms.int32), Tensor(7.0), align='RIGHT_RIGHT')
        ops.matrix_diag_part(x, Tensor(1, ms.int32), Tensor(7.0))
        ops.matrix_set_diag(x, x[:, 0])
        ops.matrix_set_diag(x, x[:2, :3], Tensor([0, 1], ms.int32))
        ops.matrix_set_diag(x, x[:2, :3], Tensor([-1, 0], ms.int32), align='LEFT_LEFT')
        ops.diagonal_scatter(x, x[0, :3])
        ops.diagonal_scatter(x, x[0, :2], -1)
        ops.slice_scatter(x, x[:2] * 2, start=1)
        ops.slice_scatter(x, x[:, :2] * 2, 1, 0, 4, 2)
        """,
        x=f32(3, 4),
    ),
    case("ops.diagonal_scatter(x, x)", f32(2, 3), raises=("ValueError",)),
    case("ops.slice_scatter(x, x, start=1)", f32(4), raises=("ValueError",)),
]

ORDER: list[Case] = [
    *several(
        """
        ops.cov(x)
        ops.cov(x, correction=0)
        ops.cov(x, fweights=Tensor([1, 2, 3], ms.int32))
        ops.cov(x, aweights=Tensor([1.0, 2.0, 3.0]), fweights=Tensor([1, 2, 3], ms.int32))
        ops.cov(x[0])
        ops.renorm(x, 2, 0, 1.0)
        ops.renorm(x, 1, -1, 1.0)
        P.Renorm(1, 0, 1.0)(x)
        ops.bucketize(x, [-1, 0, 1])
        ops.bucketize(x, [-1.0, 0.5], right=True)
        P.Bucketize([-1.0, 0.5])(x)
        P.NthElement()(x, 1)
        P.NthElement(True)(x, 0)
        P.Histogram(4)(x)
        P.Histogram(4, -1.0, 1.0)(x)
        P.GLU(0)(x)
        x.sum_to_size(1, 3)
        x.sum_to_size((2, 1))
        x.select(1, 0)
        x.select(-1, -1)
        x.select(Tensor([True, False, True]), 1.0)
        x.inplace_update(x[:1] * 9, (1,))
        ops.padding(x[:, :1])
        P.Expand()(x[:1], (2, 3))
        P.CompareAndBitpack()(ops.tile(x, (1, 8)), Tensor(0.5))
        P.IdentityN()((x, x))
        P.EqualCount()(x, x)
        """,
        x=f32(2, 3),
    ),
    case("P.NthElement()(x, 5)", f32(2, 3), raises=("ValueError",)),
    case("P.LowerBound()(x, y)", literal([[1.0, 2.0, 2.0, 4.0]]), literal([[2.0, 0.0, 9.0]])),
    case("P.UpperBound(ms.int64)(x, y)", literal([[1.0, 2.0, 2.0, 4.0]]), literal([[2.0, 0.0, 9.0]])),
    case("P.LowerBound()(x, y)", f32(3), f32(2), raises=("ValueError",)),
    case("P.Bincount()(x, Tensor(3, ms.int32), y)", literal([1, 2, 5], "int32"), f32(3)),
    case("P.UnravelIndex()(x, Tensor([2, 3]))", literal([5, 3], "int64")),
    case("x.choose([[1, 2], [3, 4], [5, 6]])", literal([[0, 1], [2, 5]], "int64")),
    case("x.choose([[1, 2], [3, 4], [5, 6]], mode='wrap')", literal([[0, 1], [2, 1]], "int64")),
    case("P.Betainc()(x, y, z)", literal([1.0, 2.0]), literal([1.5, 0.5]), literal([0.25, 0.5]), tolerance=1e-5),
    case("P.ListDiff()(x, y)", literal([3, 1, 2], "int32"), literal([1], "int32"), eager_only=SHAPE_DEPENDS),
    case("P.UniqueConsecutive(True, True)(x)", literal([1, 1, 2, 1], "int64"), eager_only=SHAPE_DEPENDS),
    case("P.SegmentSum()(x, y)", f32(4, 2), literal([0, 0, 2, 2], "int32"), eager_only=SHAPE_DEPENDS),
    case("P.SegmentMean()(x, y)", f32(4), literal([0, 0, 2, 2], "int32"), eager_only=SHAPE_DEPENDS),
    case("P.SegmentMax()(x, y)", f32(4), literal([0, 0, 2, 2], "int32"), eager_only=SHAPE_DEPENDS),
    case("P.SegmentMin()(x, y)", f32(4), literal([1, 1, 2, 2], "int32"), eager_only=SHAPE_DEPENDS),
    case("P.SegmentProd()(x, y)", f32(4), literal([0, 0, 2, 2], "int32"), eager_only=SHAPE_DEPENDS),
    case("P.SegmentSum()(x, y)", f32(3), literal([2, 1, 0], "int32"), eager_only=SHAPE_DEPENDS, raises=("ValueError",)),
    case(
        "P.RaggedRange(ms.int32)(x, y, z)",
        literal([5, 0], "int32"),
        literal([0, 4], "int32"),
        literal([-2, 3], "int32"),
        eager_only=SHAPE_DEPENDS,
    ),
    case("P.SubAndFilter()(x, 3, 2)", literal([1, 3, 5, 4], "int32"), eager_only=SHAPE_DEPENDS),
    case(
        "P.CTCGreedyDecoder()(x, Tensor([5, 3], ms.int32))",
        f32(5, 2, 4),
        eager_only=SHAPE_DEPENDS,
        tolerance=1e-5,
    ),
    case("ops.ctc_greedy_decoder(x, Tensor([5, 3], ms.int32), False)", f32(5, 2, 4), eager_only=SHAPE_DEPENDS),
    case("P.NoRepeatNGram(2)(Tensor([[[1, 2, 1]]], ms.int32), x)", f32(1, 1, 4)),
    case("P.NoRepeatNGram(1)(Tensor([[[1, 2, 1]]], ms.int32), x)", f32(1, 1, 4)),
    case("P.CheckNumerics()(x)", f32(3)),
    case(
        "P.CheckNumerics()(x)",
        literal([1.0, float("inf")]),
        eager_only="an error at run time",
        raises=("RuntimeError",),
    ),
    case(
        "P.EditDistance()(x, Tensor([1, 2, 3]), y, z, Tensor([1, 2, 3, 1]), y)",
        literal([[0, 0, 0], [1, 0, 1], [1, 1, 1]], "int64"),
        literal([2, 2, 2], "int64"),
        literal([[0, 1, 0], [0, 0, 0], [1, 1, 0], [1, 0, 1]], "int64"),
        eager_only="reads its inputs on the host",
    ),
    case("P.InvertPermutation()((2, 0, 1))"),
]

BESSEL: list[Case] = [
    *several(
        """
        ops.bessel_j0(x)
        ops.bessel_j1(x)
        ops.bessel_y0(x)
        ops.bessel_y1(x)
        ops.bessel_k0(x)
        ops.bessel_k0e(x)
        ops.bessel_k1(x)
        ops.bessel_k1e(x)
        """,
        x=f32(2, 3, low=0.1, high=30.0),
        gradient="weighted",
        tolerance=1e-5,
    ),
    case("ops.bessel_j0(x)", i64(2), raises=("TypeError",)),
]

IN_PLACE: list[Case] = [
    *several(
        """
        x.add_(y)
        x.add_(2)
        x.add_(y, alpha=2)
        x.sub_(y)
        x.mul_(y)
        x.div_(y)
        x.div_(2, rounding_mode='floor')
        x.floor_divide_(2)
        x.remainder_(2)
        x.exp_()
        x.copy_(y)
        x.copy_(y[0])
        """,
        x=f32(2, 3),
        y=f32(2, 3, low=0.5, high=2.0),
        tolerance=1e-5,
    ),
    case(
        "x.add_(y); x",
        f32(2, 3),
        f32(3),
        waiver="on CPU real MindSpore returns a new tensor and leaves this one, against its documentation",
    ),
    case("x.storage_offset()", f32(2)),
    case("x.device", f32(2)),
    case("x.is_meta", f32(2)),
    case("x.is_pinned()", f32(2)),
]

FURTHER: list[Case] = [
    *several(
        """
        ops.cond(x)
        ops.cond(x, 1)
        ops.cond(x, -2)
        ops.cond(x, 'fro')
        ops.cond(x, 'nuc')
        ops.cond(x, float('inf'))
        """,
        x=literal([[3.0, 1.0], [0.5, 2.0]]),
        tolerance=1e-5,
    ),
    case("ops.bidense(x, y, z, w)", f32(2, 3), f32(2, 4), f32(5, 3, 4), f32(5), tolerance=1e-5, gradient="weighted"),
    case("P.IndexPut()(x, y, (Tensor([0], ms.int32), Tensor([1], ms.int32)))", f32(2, 3), f32(1)),
    case("P.IndexPut(1)(x, y, (Tensor([0, 0], ms.int32), Tensor([1, 1], ms.int32)))", f32(2, 3), f32(1)),
    case("P.ParallelConcat()((x, x * 2))", f32(1, 3)),
    case("P.InplaceUpdateV2()(x, (1,), y)", f32(3, 2), f32(1, 2)),
    case("ops.inplace_index_add(Parameter(x), Tensor([1], ms.int32), y, 0) + 0", f32(3, 2), f32(1, 2), eager=True),
    case("P.ForiLoop()(0, 3, lambda index, value: value * 2 + index, x)", f32(2), gradient="weighted"),
]

CASES: list[Case] = [*COMPLEX, *FOURIER, *MATRICES, *BANDS, *ORDER, *BESSEL, *IN_PLACE, *FURTHER]
