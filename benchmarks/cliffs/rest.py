"""What no other family lists: the functions that are left, by the name that both frameworks have for them."""

from __future__ import annotations

from benchmarks.cliffs.case import Case, Values, below, case, chance, definite, forward, normal, positive, unit

_SHAPE = (512, 1024)


def _one(name: str, x: Values, peer: str = "") -> Case:
    """A function of one Tensor."""
    return case(name, f"mint.{name}(x)", f"torch.{peer or name}(x)", x=x)


def _two(name: str, x: Values, y: Values) -> Case:
    """A function of two Tensors."""
    make = case if x.inexact else forward
    return make(f"{name} of two Tensors", f"mint.{name}(x, y)", f"torch.{name}(x, y)", x=x, y=y)


def _decided(name: str, x: Values, *more: Values) -> Case:
    """A function whose result has no gradient."""
    names = ", ".join("xyz"[: 1 + len(more)])
    return forward(
        f"{name}, elementwise",
        f"mint.{name}({names})",
        f"torch.{name}({names})",
        **dict(zip("xyz", (x, *more), strict=False)),
    )


ELEMENTWISE = (
    *(_one(name, unit(*_SHAPE)) for name in ("acos", "asin", "atanh")),
    *(_one(name, normal(*_SHAPE)) for name in ("asinh", "cosh", "erfc", "exp2", "expm1", "frac", "neg", "sinc", "square", "tan")),
    *(_one(name, positive(*_SHAPE)) for name in ("log10", "log1p", "log2", "reciprocal", "rsqrt")),
    case("acosh", "mint.acosh(x + 1)", "torch.acosh(x + 1)", x=positive(*_SHAPE)),
    *(_decided(name, normal(*_SHAPE)) for name in ("floor", "ceil", "round", "trunc", "sign", "isfinite", "isinf", "isnan")),
    *(_decided(name, normal(*_SHAPE), normal(*_SHAPE)) for name in ("eq", "ge", "lt", "isclose", "floor_divide")),
    *(_decided(name, below(1 << 20, *_SHAPE, dtype="int32"), below(1 << 20, *_SHAPE, dtype="int32")) for name in ("bitwise_and", "bitwise_xor", "gcd")),
    *(_decided(name, chance(0.5, *_SHAPE), chance(0.5, *_SHAPE)) for name in ("logical_or", "logical_xor")),
    _decided("logical_not", chance(0.5, *_SHAPE)),
    *(_two(name, normal(*_SHAPE), normal(*_SHAPE)) for name in ("maximum", "minimum", "logaddexp", "logaddexp2", "sub", "mul", "atan2")),
    *(_two(name, positive(*_SHAPE), positive(*_SHAPE)) for name in ("xlogy", "div", "float_power")),
    case("lerp", "mint.lerp(x, y, z)", "torch.lerp(x, y, z)", x=normal(*_SHAPE), y=normal(*_SHAPE), z=unit(*_SHAPE)),
    case("addcdiv", "mint.addcdiv(x, y, z)", "torch.addcdiv(x, y, z)", x=normal(*_SHAPE), y=normal(*_SHAPE), z=positive(*_SHAPE)),
    case("nan_to_num", "mint.nan_to_num(x)", "torch.nan_to_num(x)", x=normal(*_SHAPE)),
    case("hardshrink", "F.hardshrink(x)", "F.hardshrink(x)", x=normal(*_SHAPE)),
    case("softshrink", "F.softshrink(x)", "F.softshrink(x)", x=normal(*_SHAPE)),
    case("tanhshrink", "ops.tanhshrink(x)", "F.tanhshrink(x)", x=normal(*_SHAPE)),
    case("threshold", "F.threshold(x, 0.1, 20.0)", "F.threshold(x, 0.1, 20.0)", x=normal(*_SHAPE)),
    case("softmin", "ops.softmin(x, -1)", "F.softmin(x, -1)", x=normal(*_SHAPE)),
    case("logit", "ops.logit(x, 1e-3)", "torch.logit(x, 1e-3)", x=positive(*_SHAPE)),
    case("bessel i0", "ops.bessel_i0(x)", "torch.special.i0(x)", x=normal(*_SHAPE)),
    case("bessel i0e", "ops.bessel_i0e(x)", "torch.special.i0e(x)", x=normal(*_SHAPE)),
    case("bessel i1", "ops.bessel_i1(x)", "torch.special.i1(x)", x=normal(*_SHAPE)),
    case("bessel i1e", "ops.bessel_i1e(x)", "torch.special.i1e(x)", x=normal(*_SHAPE)),
    forward("bessel j0", "ops.bessel_j0(x)", "torch.special.bessel_j0(x)", x=positive(256, 256)),
    forward("bessel j1", "ops.bessel_j1(x)", "torch.special.bessel_j1(x)", x=positive(256, 256)),
    forward("bessel y0", "ops.bessel_y0(x)", "torch.special.bessel_y0(x)", x=positive(256, 256)),
    forward("bessel k0", "ops.bessel_k0(x)", "torch.special.modified_bessel_k0(x)", x=positive(256, 256)),
    forward("bessel k1", "ops.bessel_k1(x)", "torch.special.modified_bessel_k1(x)", x=positive(256, 256)),
    forward("igamma", "ops.igamma(x, y)", "torch.special.gammainc(x, y)", x=positive(256, 256), y=positive(256, 256)),
    forward("igammac", "ops.igammac(x, y)", "torch.special.gammaincc(x, y)", x=positive(256, 256), y=positive(256, 256)),
    forward("zeta", "ops.zeta(x + 1, y)", "torch.special.zeta(x + 1, y)", x=positive(256, 256), y=positive(256, 256)),
    forward("polygamma", "ops.polygamma(ms.Tensor(2), x)", "torch.polygamma(2, x)", x=positive(256, 256)),
    case("mvlgamma", "ops.mvlgamma(x + 2, 3)", "torch.mvlgamma(x + 2, 3)", x=positive(256, 256)),
    forward("nextafter", "ops.nextafter(x, y)", "torch.nextafter(x, y)", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    forward("ldexp", "ops.ldexp(x, y)", "torch.ldexp(x, y)", x=normal(*_SHAPE), y=below(8, *_SHAPE, dtype="int32")),
    forward("heaviside", "ops.heaviside(x, y)", "torch.heaviside(x, y)", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    forward("lcm", "ops.lcm(x, y)", "torch.lcm(x, y)", x=below(1000, *_SHAPE, dtype="int32"), y=below(1000, *_SHAPE, dtype="int32")),
    forward("bitwise_left_shift", "ops.bitwise_left_shift(x, 3)", "torch.bitwise_left_shift(x, 3)", x=below(1000, *_SHAPE, dtype="int32")),
    forward("remainder int32", "x % 7", "x % 7", x=below(1 << 20, *_SHAPE, dtype="int32")),
    forward("floor_divide int64", "x // 7", "x // 7", x=below(1 << 20, *_SHAPE)),
    case("copysign", "ops.copysign(x, y)", "torch.copysign(x, y)", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    case("fmax", "ops.fmax(x, y)", "torch.fmax(x, y)", x=normal(*_SHAPE), y=normal(*_SHAPE)),
)  # fmt: skip

ARRANGED = (
    case("diff", "mint.diff(x)", "torch.diff(x)", x=normal(*_SHAPE)),
    case("diff, axis 0", "mint.diff(x, dim=0)", "torch.diff(x, dim=0)", x=normal(*_SHAPE)),
    case("rot90", "ops.rot90(x, 1, (0, 1))", "torch.rot90(x, 1, (0, 1)).contiguous()", x=normal(*_SHAPE)),
    case("hstack", "mint.hstack((x, y))", "torch.hstack((x, y))", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    case("dstack", "mint.dstack((x, y))", "torch.dstack((x, y))", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    case("column_stack", "ops.column_stack((x, y))", "torch.column_stack((x, y))", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    case("unbind and stack", "mint.stack(mint.unbind(x, 1), 0)", "torch.stack(torch.unbind(x, 1), 0)", x=normal(512, 64)),
    case("meshgrid", "ops.mul(*mint.meshgrid(x, y, indexing='ij'))", "torch.mul(*torch.meshgrid(x, y, indexing='ij'))", x=normal(512), y=normal(1024)),
    case("block_diag", "ops.block_diag(x, y)", "torch.block_diag(x, y)", x=normal(256, 256), y=normal(256, 256)),
    forward("cartesian_prod", "ops.cartesian_prod(x, y)", "torch.cartesian_prod(x, y)", x=normal(512), y=normal(512)),
    forward("combinations", "ops.combinations(x, 2)", "torch.combinations(x, 2)", x=normal(512)),
    case("diagflat", "ops.diagflat(x)", "torch.diagflat(x)", x=normal(1024)),
    case("diagonal, 64 x 128 x 128", "ops.diagonal(x, 0, 1, 2)", "torch.diagonal(x, 0, 1, 2)", x=normal(64, 128, 128)),
    case("diagonal_scatter", "ops.diagonal_scatter(x, y)", "torch.diagonal_scatter(x, y)", x=normal(1024, 1024), y=normal(1024)),
    case("select_scatter", "ops.select_scatter(x, y, 1, 5)", "torch.select_scatter(x, y, 1, 5)", x=normal(*_SHAPE), y=normal(512)),
    case("slice_scatter", "ops.slice_scatter(x, y, 1, 5, 900)", "torch.slice_scatter(x, y, 1, 5, 900)", x=normal(*_SHAPE), y=normal(512, 895)),
    case("movedim, stored", "ops.movedim(x, 0, 2) * 1", "torch.movedim(x, 0, 2).contiguous() * 1", x=normal(64, 96, 64)),
    forward("vander", "ops.vander(x, 8)", "torch.vander(x, 8)", x=unit(8192)),
    case("cummin", "mint.cummin(x, 1)[0]", "torch.cummin(x, 1)[0]", x=normal(*_SHAPE)),
    case("cumprod, 512 x 1024", "mint.cumprod(x, 1)", "torch.cumprod(x, 1)", x=unit(*_SHAPE)),
    case("logcumsumexp", "ops.logcumsumexp(x, 1)", "torch.logcumsumexp(x, 1)", x=normal(*_SHAPE)),
    case("std_mean", "mint.std_mean(x, 1)[0]", "torch.std_mean(x, 1)[0]", x=normal(*_SHAPE)),
    case("var_mean, axis 0", "mint.var_mean(x, 0)[0]", "torch.var_mean(x, 0)[0]", x=normal(*_SHAPE)),
    case("nansum", "mint.nansum(x, 1)", "torch.nansum(x, 1)", x=normal(*_SHAPE)),
    case("logsumexp, axis 0", "mint.logsumexp(x, 0)", "torch.logsumexp(x, 0)", x=normal(*_SHAPE)),
    case("amax over two axes", "mint.amax(x, (1, 2))", "torch.amax(x, (1, 2))", x=normal(64, 64, 128)),
    forward("nanmedian", "ops.nanmedian(x, 1)[0]", "torch.nanmedian(x, 1)[0]", x=normal(*_SHAPE)),
    forward("median, axis 0", "mint.median(x, 0)[0]", "torch.median(x, 0)[0]", x=normal(*_SHAPE)),
    forward("quantile, 512 x 1024", "ops.quantile(x, 0.3, 1)", "torch.quantile(x, 0.3, 1)", x=normal(*_SHAPE)),
    forward("nanquantile", "ops.nanquantile(x, 0.3, 1)", "torch.nanquantile(x, 0.3, 1)", x=normal(*_SHAPE)),
    forward("msort", "ops.msort(x)", "torch.msort(x)", x=normal(*_SHAPE)),
    forward("sort of int64", "mint.sort(x, dim=1)[0]", "torch.sort(x, dim=1)[0]", x=below(1 << 40, *_SHAPE)),
    forward("argwhere", "ops.argwhere(x)", "torch.argwhere(x)", x=chance(0.3, *_SHAPE)),
    forward("count_nonzero, axis 1", "mint.count_nonzero(x, 1)", "torch.count_nonzero(x, 1)", x=chance(0.3, *_SHAPE)),
    forward("any, axis 1", "mint.any(x, 1)", "torch.any(x, 1)", x=chance(0.001, *_SHAPE)),
    forward("all, axis 0", "mint.all(x, 0)", "torch.all(x, 0)", x=chance(0.999, *_SHAPE)),
    case("renorm", "ops.renorm(x, 2, 0, 1.0)", "torch.renorm(x, 2, 0, 1.0)", x=normal(*_SHAPE)),
    case("dist", "ops.dist(x, y)", "torch.dist(x, y)", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    case("trapz", "ops.trapz(x)", "torch.trapz(x)", x=normal(*_SHAPE)),
    case("scatter_reduce amax", "ops.tensor_scatter_max(x, i, y)",
         "x.index_reduce(0, i[:, 0], y, 'amax')", x=normal(1024, 64), i=below(1024, 4096, 1), y=normal(4096, 64)),
    case("tensor_scatter_add, 4096 x 64", "ops.tensor_scatter_add(x, i, y)", "x.index_add(0, i[:, 0], y)", x=normal(1024, 64), i=below(1024, 4096, 1), y=normal(4096, 64)),
    case("gather_nd, 256 x 256 x 16", "ops.gather_nd(x, i)", "x[i[:, 0], i[:, 1]]", x=normal(256, 256, 16), i=below(256, 8192, 2)),
    case("index_add", "mint.index_add(x, 0, i, y)", "torch.index_add(x, 0, i, y)", x=normal(1024, 64), i=below(1024, 4096), y=normal(4096, 64)),
    case("index_fill, 512 x 1024", "ops.index_fill(x, 1, i, 0.5)", "torch.index_fill(x, 1, i, 0.5)", x=normal(*_SHAPE), i=below(1024, 100)),
    case("x[mask] = 0, 512 x 1024", "ops.masked_fill(x, y, 0.0)", "x.masked_fill(y, 0.0)", x=normal(*_SHAPE), y=chance(0.3, *_SHAPE)),
    case("where of a row", "ops.where(y, x, 0.0)", "torch.where(y, x, 0.0)", x=normal(*_SHAPE), y=chance(0.3, 1024)),
    forward("linspace", "mint.linspace(0, 1, 100000)", "torch.linspace(0, 1, 100000)", x=normal(1)),
    forward("tril_indices", "ops.tril_indices(500, 500)", "torch.tril_indices(500, 500)", x=normal(1)),
    forward("eye", "mint.eye(1024)", "torch.eye(1024)", x=normal(1)),
)  # fmt: skip

ALGEBRA = (
    case("addbmm", "mint.addbmm(x, y, z)", "torch.addbmm(x, y, z)", x=normal(64, 96), y=normal(16, 64, 128), z=normal(16, 128, 96)),
    case("addr", "ops.addr(x, y, z)", "torch.addr(x, y, z)", x=normal(*_SHAPE), y=normal(512), z=normal(1024)),
    case("inner", "ops.inner(x, y)", "torch.inner(x, y)", x=normal(256, 512), y=normal(128, 512)),
    case("vecdot", "ops.vecdot(x, y)", "torch.linalg.vecdot(x, y)", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    case("tensordot, 64 x 32 x 48", "ops.tensor_dot(x, y, 2)", "torch.tensordot(x, y, 2)", x=normal(64, 32, 48), y=normal(32, 48, 96)),
    case("matrix_power", "ops.matrix_power(x, 5)", "torch.linalg.matrix_power(x, 5)", x=unit(8, 64, 64)),
    case("det", "ops.det(x)", "torch.linalg.det(x)", x=definite(16, 32, 32)),
    case("logdet", "ops.logdet(x)", "torch.logdet(x)", x=definite(16, 32, 32)),
    case("slogdet, 16 x 32 x 32", "ops.slogdet(x)[1]", "torch.linalg.slogdet(x)[1]", x=definite(16, 32, 32)),
    case("cholesky_inverse", "ops.cholesky_inverse(x)", "torch.cholesky_inverse(x)", x=definite(64, 64)),
    forward("geqrf", "ops.geqrf(x)", "torch.geqrf(x)", x=normal(8, 64, 64)),
    forward("lu_factor", "ms.scipy.linalg.lu_factor(x)",
            "torch.linalg.lu_factor(x)", x=definite(128, 128)),
    forward("eigvals", "ops.eigvals(x)", "torch.linalg.eigvals(x)", x=normal(48, 48)),
    case("pinv, 64 x 32", "ops.pinv(x)", "torch.linalg.pinv(x)", x=normal(64, 32)),
    forward("lstsq, 64 x 32", "ops.lstsq(x, y)", "torch.linalg.lstsq(x, y).solution", x=normal(64, 32), y=normal(64, 4)),
    forward("matrix_exp, 8 x 32 x 32", "ops.matrix_exp(x)", "torch.linalg.matrix_exp(x)", x=unit(8, 32, 32)),
    case("norm of rows", "mint.norm(x, 2, 1)", "torch.norm(x, 2, 1)", x=normal(*_SHAPE)),
    case("norm 1", "mint.norm(x, 1)", "torch.norm(x, 1)", x=normal(*_SHAPE)),
    case("normalize, 512 x 1024", "F.normalize(x, 2.0, 1)", "F.normalize(x, 2.0, 1)", x=normal(*_SHAPE)),
    forward("ifft", "ops.ifft(x).real()", "torch.fft.ifft(x).real", x=normal(128, 1024)),
    forward("fftn", "ops.fftn(x).real()", "torch.fft.fftn(x).real", x=normal(16, 64, 64)),
    forward("irfft2", "ops.irfft2(x)", "torch.fft.irfft2(x)", x=normal(32, 64, 33)),
    forward("fftshift", "ops.fftshift(x)", "torch.fft.fftshift(x)", x=normal(*_SHAPE)),
    case("x @ y of complex", "ops.abs(ops.Complex()(x, y) @ ops.Complex()(y, x))",
         "torch.abs(torch.complex(x, y) @ torch.complex(y, x))", x=normal(128, 128), y=normal(128, 128)),
    forward("int32 product", "x @ y", "x @ y", x=below(10, 256, 256, dtype="int32"), y=below(10, 256, 256, dtype="int32")),
)  # fmt: skip

LAYERS = (
    case("upsample bilinear", "ops.upsample(x, scale_factor=(2.0, 2.0), mode='bilinear')",
         "F.interpolate(x, scale_factor=2.0, mode='bilinear')", x=normal(4, 32, 28, 28)),
    case("pad reflect", "F.pad(x, (3, 3, 3, 3), 'reflect')", "F.pad(x, (3, 3, 3, 3), 'reflect')", x=normal(4, 32, 56, 56)),
    case("pad replicate, 4 x 32 x 56 x 56", "F.pad(x, (3, 3, 3, 3), 'replicate')", "F.pad(x, (3, 3, 3, 3), 'replicate')", x=normal(4, 32, 56, 56)),
    case("pad circular, 4 x 32 x 56 x 56", "F.pad(x, (3, 3, 3, 3), 'circular')", "F.pad(x, (3, 3, 3, 3), 'circular')", x=normal(4, 32, 56, 56)),
    case("pixel_shuffle, 4 x 64 x 56 x 56", "ops.pixel_shuffle(x, 2)", "F.pixel_shuffle(x, 2)", x=normal(4, 64, 56, 56)),
    case("pixel_unshuffle, 4 x 16 x 112 x 112", "ops.pixel_unshuffle(x, 2)", "F.pixel_unshuffle(x, 2)", x=normal(4, 16, 112, 112)),
    case("dropout3d", "ops.dropout3d(x, 0.5)", "F.dropout3d(x, 0.5)", x=normal(4, 32, 8, 16, 16)),
    case("dropout1d", "ops.dropout1d(x, 0.5)", "F.dropout1d(x, 0.5)", x=normal(8, 64, 512)),
    case("bilinear, 64 x 64", "layer(x, y)", "layer(x, y)", layer="nn.BiDense(64, 64, 32)", pytorch_layer="torch.nn.Bilinear(64, 64, 32)",
         x=normal(64, 64), y=normal(64, 64)),
    case("embedding bag", "ops.gather(x, i, 0).sum(1)", "F.embedding_bag(i, x, mode='sum')", x=normal(10000, 64), i=below(10000, 256, 16)),
    case("one-hot products", "ops.one_hot(i, 1000, 1.0, 0.0) @ x", "F.one_hot(i, 1000).float() @ x", x=normal(1000, 64), i=below(1000, 1024)),
    case("multilabel_margin_loss", "ops.multilabel_margin_loss(x, i)", "F.multilabel_margin_loss(x, i)", x=normal(256, 32), i=below(32, 256, 32)),
    case("triplet_margin_loss, 512 x 128", "ops.triplet_margin_loss(x, y, z, 1.0)", "F.triplet_margin_loss(x, y, z, 1.0)",
         x=normal(512, 128), y=normal(512, 128), z=normal(512, 128)),
    case("gaussian_nll_loss, 512 x 128", "ops.gaussian_nll_loss(x, y, z)", "F.gaussian_nll_loss(x, y, z)", x=normal(512, 128), y=normal(512, 128), z=positive(512, 128)),
    case("poisson nll", "layer(x, y)", "F.poisson_nll_loss(x, y)", layer="nn.PoissonNLLLoss()", x=normal(512, 128), y=positive(512, 128)),
    case("cosine_similarity, 512 x 1024", "ops.cosine_similarity(x, y, 1)", "F.cosine_similarity(x, y, 1)", x=normal(*_SHAPE), y=normal(*_SHAPE)),
    case("channel_shuffle, 4 x 64 x 56 x 56", "ops.channel_shuffle(x, 4)", "F.channel_shuffle(x, 4)", x=normal(4, 64, 56, 56)),
    case("gru cell", "layer(x, y)", "layer(x, y)", layer="nn.GRUCell(128, 256)", pytorch_layer="torch.nn.GRUCell(128, 256)",
         x=normal(32, 128), y=normal(32, 256)),
    case("rnn", "layer(x)[0]", "layer(x)[0]", layer="nn.RNN(64, 128, batch_first=True)", pytorch_layer="torch.nn.RNN(64, 128, batch_first=True)",
         x=normal(16, 50, 64)),
    case("bidirectional lstm", "layer(x)[0]", "layer(x)[0]", layer="nn.LSTM(64, 128, bidirectional=True)",
         pytorch_layer="torch.nn.LSTM(64, 128, bidirectional=True)", x=normal(50, 16, 64)),
    case("encoder layer", "layer(x)", "layer(x)", layer="nn.TransformerEncoderLayer(128, 4, 256, 0.0, batch_first=True)",
         pytorch_layer="torch.nn.TransformerEncoderLayer(128, 4, 256, 0.0, batch_first=True)", x=normal(8, 64, 128)),
    case("multi-head attention", "layer(x, x, x)[0]", "layer(x, x, x)[0]", layer="nn.MultiheadAttention(128, 4, batch_first=True)",
         pytorch_layer="torch.nn.MultiheadAttention(128, 4, batch_first=True)", x=normal(8, 64, 128)),
)  # fmt: skip


def _reduced(name: str, shape: tuple[int, ...], axis: int):
    return case(f"{name} {shape} over axis {axis}", f"mint.{name}(x, {axis})", f"x.{name}({axis})", x=normal(*shape))


def _broadcast(name: str, dtype: str, *shapes: tuple[int, ...]):
    x, y = (normal(*shape, dtype=dtype) for shape in shapes)
    return case(f"x * y of {dtype}, {name}", "x * y", "x * y", x=x, y=y)


FORMS = (  # other forms: few or many columns behind the axis, what is broadcast in half precision
    *(_reduced(name, shape, 0) for name in ("sum", "var", "logsumexp") for shape in ((16, 128, 256), (8, 64, 28, 28))),
    *(_reduced(name, (32, 1024, 3), axis) for name in ("sum", "var", "logsumexp") for axis in (1, 2)),
    case("softmax over axis 0", "ops.softmax(x, 0)", "F.softmax(x, 0)", x=normal(16, 128, 256)),
    case("log_softmax over axis 0", "ops.log_softmax(x, 0)", "F.log_softmax(x, 0)", x=normal(8, 64, 28, 28)),
    _broadcast("pairs", "bfloat16", (128, 1, 64), (1, 128, 64)),
    _broadcast("a row in the middle", "bfloat16", (16, 64, 256), (16, 1, 256)),
    _broadcast("a matrix of channels", "float16", (8, 64, 28, 28), (8, 1, 28, 28)),
    _broadcast("a batch", "float64", (1, 64, 512), (16, 64, 512)),
)  # fmt: skip

REST = (*ELEMENTWISE, *ARRANGED, *ALGEBRA, *LAYERS, *FORMS)
