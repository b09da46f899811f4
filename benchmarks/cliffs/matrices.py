"""Products of every size and dtype, linear algebra, transforms, resizing, sampling, random numbers."""

from __future__ import annotations

from benchmarks.cliffs.case import below, case, definite, forward, normal, unit

PRODUCTS = (
    case("matmul, 512 x 512", "x @ y", "x @ y", "x @ y", x=normal(512, 512), y=normal(512, 512)),
    case("matvec, 2,048 x 2,048", "ops.matmul(x, y)", "x @ y", "x @ y", x=normal(2048, 2048), y=normal(2048)),
    forward("Dense of batch 1, 2,048 to 8,192", "ops.dense(x, w, b)", "F.linear(x, w, b)", "x @ w.T + b",
            x=normal(1, 2048), w=normal(8192, 2048), b=normal(8192)),
    case("Dense of batch 1, with gradient", "ops.dense(x, w, b)", "F.linear(x, w, b)", "x @ w.T + b",
         x=normal(1, 1024), w=normal(4096, 1024), b=normal(4096)),
    forward("Dense of batch 4", "ops.dense(x, w, b)", "F.linear(x, w, b)", "x @ w.T + b",
            x=normal(4, 2048), w=normal(4096, 2048), b=normal(4096)),
    case("Dense of batch 64", "ops.dense(x, w, b)", "F.linear(x, w, b)", "x @ w.T + b", x=normal(64, 1024), w=normal(1024, 1024), b=normal(1024)),
    case("bmm, 64 of 64 x 64", "ops.bmm(x, y)", "torch.bmm(x, y)", "x @ y", x=normal(64, 64, 64), y=normal(64, 64, 64)),
    case("matmul of float64", "x @ y", "x @ y", "", x=normal(256, 256, dtype="float64"), y=normal(256, 256, dtype="float64")),
    case("matmul of float16", "x @ y", "x @ y", "x @ y", x=normal(256, 256, dtype="float16"), y=normal(256, 256, dtype="float16")),
    case("matmul of bfloat16", "x @ y", "x @ y", "x @ y", x=normal(256, 256, dtype="bfloat16"), y=normal(256, 256, dtype="bfloat16")),
    forward("matmul of int32", "ops.matmul(x, y)", "x @ y", "x @ y", x=below(100, 256, 256, dtype="int32"), y=below(100, 256, 256, dtype="int32")),
    case("einsum bij,bjk->bik", "ops.einsum('bij,bjk->bik', x, y)", "torch.einsum('bij,bjk->bik', x, y)",
         "jnp.einsum('bij,bjk->bik', x, y)", x=normal(16, 128, 64), y=normal(16, 64, 128)),
    case("outer", "ops.outer(x, y)", "torch.outer(x, y)", "jnp.outer(x, y)", x=normal(2048), y=normal(2048)),
    case("cdist", "ops.cdist(x, y)", "torch.cdist(x, y)", "jnp.sqrt(((x[:, None] - y[None]) ** 2).sum(-1))", x=normal(512, 64), y=normal(512, 64)),
    case("cdist, p = 1", "ops.cdist(x, y, 1.0)", "torch.cdist(x, y, 1.0)", "jnp.abs(x[:, None] - y[None]).sum(-1)", x=normal(256, 64), y=normal(256, 64)),
)  # fmt: skip

ALGEBRA = (
    case("inverse, 128 x 128", "ops.inverse(x)", "torch.linalg.inv(x)", "jnp.linalg.inv(x)", x=definite(128, 128)),
    case("inverse, 256 of 16 x 16", "ops.inverse(x)", "torch.linalg.inv(x)", "jnp.linalg.inv(x)", x=definite(256, 16, 16)),
    case("cholesky, 256 x 256", "ops.cholesky(x)", "torch.linalg.cholesky(x)", "jnp.linalg.cholesky(x)", x=definite(256, 256)),
    case("det, 64 of 32 x 32", "ops.det(x)", "torch.linalg.det(x)", "jnp.linalg.det(x)", x=definite(64, 32, 32)),
    case("solve, 256 x 256", "ops.matrix_solve(x, y)", "torch.linalg.solve(x, y)", "jnp.linalg.solve(x, y)", x=definite(256, 256), y=normal(256, 16)),
    forward("svd, 128 x 128", "ops.svd(x)", "torch.linalg.svd(x)", "jnp.linalg.svd(x)", x=normal(128, 128)),
    case("svd, the values alone", "ops.svd(x, compute_uv=False)", "torch.linalg.svdvals(x)", "jnp.linalg.svd(x, compute_uv=False)", x=normal(128, 64)),
    forward("qr, 256 x 128", "ops.qr(x)", "torch.linalg.qr(x)", "jnp.linalg.qr(x)", x=normal(256, 128)),
    case("fft of rows", "ops.abs(ops.fft(x))", "torch.fft.fft(x).abs()", "jnp.abs(jnp.fft.fft(x))", x=normal(256, 1024)),
    case("rfft2 of images", "ops.abs(ops.rfft2(x))", "torch.fft.rfft2(x).abs()", "jnp.abs(jnp.fft.rfft2(x))", x=normal(8, 3, 128, 128)),
)  # fmt: skip

IMAGES = (
    case("interpolate, bilinear", "ops.interpolate(x, size=(56, 56), mode='bilinear')",
         "F.interpolate(x, size=(56, 56), mode='bilinear')", "jax.image.resize(x, (8, 32, 56, 56), 'bilinear')", x=normal(8, 32, 28, 28)),
    case("interpolate, nearest", "ops.interpolate(x, size=(56, 56), mode='nearest')",
         "F.interpolate(x, size=(56, 56), mode='nearest')", x=normal(8, 32, 28, 28)),
    case("interpolate, bicubic", "ops.interpolate(x, size=(56, 56), mode='bicubic')",
         "F.interpolate(x, size=(56, 56), mode='bicubic')", "jax.image.resize(x, (8, 32, 56, 56), 'bicubic')", x=normal(8, 32, 28, 28)),
    case("grid_sample", "ops.grid_sample(x, g, align_corners=False)", "F.grid_sample(x, g, align_corners=False)",
         x=normal(4, 32, 32, 32), g=unit(4, 32, 32, 2)),
    case("pixel_shuffle", "ops.pixel_shuffle(x, 2)", "F.pixel_shuffle(x, 2)", x=normal(8, 64, 28, 28)),
)  # fmt: skip

RANDOM = (
    forward("standard_normal", "ops.standard_normal((512, 512))", "torch.randn(512, 512)"),
    forward("uniform", "ops.rand(512, 512)", "torch.rand(512, 512)"),
    forward("randint", "ops.randint(0, 1000, (512, 512))", "torch.randint(0, 1000, (512, 512))"),
    forward("randperm", "ops.randperm(10_000)", "torch.randperm(10_000)"),
    forward("bernoulli", "ops.bernoulli(x * 0 + 0.5)", "torch.bernoulli(x * 0 + 0.5)", x=unit(512, 512)),
    forward("multinomial", "ops.multinomial(ops.softmax(x), 1)", "torch.multinomial(F.softmax(x, -1), 1)", x=normal(64, 32000)),
)  # fmt: skip

MATRICES = (*PRODUCTS, *ALGEBRA, *IMAGES, *RANDOM)
