"""Reductions, sorting and searching, gathering and scattering, shapes, and what depends on data."""

from __future__ import annotations

from benchmarks.cliffs.case import below, case, chance, forward, normal, positive

REDUCTIONS = (
    case("sum over axis 0", "x.sum(0)", "x.sum(0)", "x.sum(0)", x=normal(4096, 1024)),
    case("sum over axis 1", "x.sum(1)", "x.sum(1)", "x.sum(1)", x=normal(4096, 1024)),
    case("sum over the middle", "x.sum(1)", "x.sum(1)", "x.sum(1)", x=normal(32, 256, 512)),
    case("sum over axes 0 and 1", "x.sum((0, 1))", "x.sum((0, 1))", "x.sum((0, 1))", x=normal(32, 256, 512)),
    case("mean of all", "x.mean()", "x.mean()", "x.mean()", x=normal(2048, 1024)),
    case("mean over axis 0", "x.mean(0)", "x.mean(0)", "x.mean(0)", x=normal(1024, 1024)),
    case("max over axis 0", "ops.amax(x, 0)", "x.amax(0)", "x.max(0)", x=normal(1024, 1024)),
    case("max over axis 1", "ops.amax(x, 1)", "x.amax(1)", "x.max(1)", x=normal(1024, 1024)),
    case("prod over axis 1", "ops.prod(x, 1)", "x.prod(1)", "x.prod(1)", x=positive(1024, 64)),
    case("std over axis 1", "ops.std(x, 1)", "x.std(1)", "x.std(1, ddof=1)", x=normal(1024, 1024)),
    case("var over axis 0", "ops.var(x, 0)", "x.var(0)", "x.var(0, ddof=1)", x=normal(1024, 1024)),
    case("norm of all", "ops.norm(x)", "torch.linalg.norm(x)", "jnp.linalg.norm(x)", x=normal(1024, 1024)),
    case("logsumexp", "ops.logsumexp(x, 1)", "x.logsumexp(1)", "jax.nn.logsumexp(x, 1)", x=normal(1024, 1024)),
    case("cumsum over axis 1", "ops.cumsum(x, 1)", "x.cumsum(1)", "x.cumsum(1)", x=normal(256, 1024)),
    case("cumsum over axis 0", "ops.cumsum(x, 0)", "x.cumsum(0)", "x.cumsum(0)", x=normal(1024, 256)),
    case("cumprod", "ops.cumprod(x, 1)", "x.cumprod(1)", "x.cumprod(1)", x=positive(256, 256)),
    forward("argmax over axis 1", "ops.argmax(x, 1)", "x.argmax(1)", "x.argmax(1)", x=normal(1024, 1000)),
    forward("argmax over axis 0", "ops.argmax(x, 0)", "x.argmax(0)", "x.argmax(0)", x=normal(1024, 1000)),
    forward("argmax over channels of images", "ops.argmax(x, 1)", "x.argmax(1)", "x.argmax(1)", x=normal(4, 21, 128, 128)),
    forward("any over axis 1", "ops.any(x, 1)", "x.any(1)", "x.any(1)", x=chance(0.001, 1024, 1024)),
    forward("sum of int32", "x.sum(1)", "x.sum(1, dtype=torch.int32)", "x.sum(1)", x=below(100, 1024, 1024, dtype="int32")),
)  # fmt: skip

SORTING = (
    case("sort of rows", "ops.sort(x)[0]", "x.sort()[0]", "jnp.sort(x)", x=normal(256, 1024)),
    case("sort of a long vector", "ops.sort(x)[0]", "x.sort()[0]", "jnp.sort(x)", x=normal(200_000)),
    case("sort over axis 0", "ops.sort(x, 0)[0]", "x.sort(0)[0]", "jnp.sort(x, 0)", x=normal(1024, 128)),
    forward("sort of int32", "ops.sort(x)[0]", "x.sort()[0]", "jnp.sort(x)", x=below(1000, 100_000, dtype="int32")),
    forward("argsort", "ops.argsort(x)", "x.argsort()", "jnp.argsort(x)", x=normal(256, 1024)),
    case("topk, 10 of 1,000", "ops.topk(x, 10)[0]", "x.topk(10)[0]", "lax.top_k(x, 10)[0]", x=normal(256, 1000)),
    case("topk, 50 of 32,000", "ops.topk(x, 50)[0]", "x.topk(50)[0]", "lax.top_k(x, 50)[0]", x=normal(16, 32000)),
    case("topk, the 10 smallest", "ops.topk(x, 10, largest=False)[0]", "x.topk(10, largest=False)[0]", "-lax.top_k(-x, 10)[0]", x=normal(256, 1000)),
    case("median over axis 1", "ops.median(x, 1)[0]", "x.median(1)[0]", "jnp.median(x, 1)", x=normal(256, 1001)),
    case("kthvalue", "mint.kthvalue(x, 100)[0]", "x.kthvalue(100)[0]", x=normal(256, 1000)),
    forward("searchsorted", "ops.searchsorted(x, y)", "torch.searchsorted(x, y)", "jnp.searchsorted(x, y)",
            x=below(1 << 20, 1024, dtype="int32"), y=below(1 << 20, 65536, dtype="int32")),
    forward("bincount", "ops.bincount(x)", "torch.bincount(x)", x=below(1000, 100_000)),
    forward("unique", "mint.unique(x)", "torch.unique(x)", x=below(1000, 100_000)),
    forward("unique with positions", "ops.unique(x)", "torch.unique(x, return_inverse=True)", x=below(1000, 100_000, dtype="int32")),
    forward("nonzero", "ops.nonzero(x)", "x.nonzero()", x=chance(0.3, 512, 512)),
    forward("masked_select", "ops.masked_select(x, m)", "x.masked_select(m)", x=normal(512, 512), m=chance(0.5, 512, 512)),
    forward("index by a mask", "x[m]", "x[m]", x=normal(512, 512), m=chance(0.5, 512, 512)),
)  # fmt: skip

INDEXING = (
    case("gather of rows", "ops.gather(x, i, 0)", "x[i]", "x[i]", x=normal(10_000, 128), i=below(10_000, 4096)),
    case("gather along an axis", "ops.gather_elements(x, 1, i)", "x.gather(1, i)", "jnp.take_along_axis(x, i, 1)",
         x=normal(1024, 512), i=below(512, 1024, 256)),
    case("gather along axis 0", "ops.gather_elements(x, 0, i)", "x.gather(0, i)", "jnp.take_along_axis(x, i, 0)",
         x=normal(1024, 512), i=below(1024, 256, 512)),
    case("index_select of columns", "ops.index_select(x, 1, i)", "x.index_select(1, i)", "x[:, i]", x=normal(1024, 512), i=below(512, 256)),
    case("embedding, 30,000 x 128", "ops.embedding(i, x)", "F.embedding(i, x)", "x[i]", x=normal(30_000, 128), i=below(30_000, 32, 64)),
    case("scatter_add along an axis", "ops.tensor_scatter_elements(x, i, u, 1, 'add')", "x.scatter_add(1, i, u)",
         x=normal(1024, 512), i=below(512, 1024, 256), u=normal(1024, 256)),
    case("index_add of rows", "ops.unsorted_segment_sum(u, i, 1000)", "torch.zeros(1000, 64).index_add(0, i, u)",
         "jax.ops.segment_sum(u, i, 1000)", i=below(1000, 20_000), u=normal(20_000, 64)),
    case("x[:, ::2, 1:]", "x[:, ::2, 1:]", "x[:, ::2, 1:]", "x[:, ::2, 1:]", x=normal(32, 128, 256)),
    case("x[i, j]", "x[i, j]", "x[i, j]", "x[i, j]", x=normal(1024, 1024), i=below(1024, 20_000), j=below(1024, 20_000)),
    case("where", "ops.where(m, x, y)", "torch.where(m, x, y)", "jnp.where(m, x, y)", x=normal(1024, 1024), y=normal(1024, 1024), m=chance(0.5, 1024, 1024)),
    case("masked_fill", "ops.masked_fill(x, m, -1.0)", "x.masked_fill(m, -1.0)", "jnp.where(m, -1.0, x)", x=normal(1024, 1024), m=chance(0.5, 1024, 1024)),
    case("concat", "ops.cat((x, y), 1)", "torch.cat((x, y), 1)", "jnp.concatenate((x, y), 1)", x=normal(1024, 512), y=normal(1024, 512)),
    case("transpose", "ops.transpose(x, (0, 2, 1, 3)) * 2", "x.permute(0, 2, 1, 3).contiguous() * 2", "x.transpose(0, 2, 1, 3) * 2", x=normal(8, 128, 8, 64)),
    case("pad", "ops.pad(x, (1, 1, 1, 1))", "F.pad(x, (1, 1, 1, 1))", "jnp.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)))", x=normal(8, 64, 28, 28)),
    case("pad, reflected", "ops.pad(x, (2, 2, 2, 2), mode='reflect')", "F.pad(x, (2, 2, 2, 2), mode='reflect')", x=normal(8, 64, 28, 28)),
    case("tile", "ops.tile(x, (4, 2))", "x.tile(4, 2)", "jnp.tile(x, (4, 2))", x=normal(512, 512)),
    case("repeat_interleave", "ops.repeat_interleave(x, 4, 0)", "x.repeat_interleave(4, 0)", "jnp.repeat(x, 4, 0)", x=normal(512, 512)),
    case("roll", "ops.roll(x, (3, 5), (0, 1))", "x.roll((3, 5), (0, 1))", "jnp.roll(x, (3, 5), (0, 1))", x=normal(1024, 1024)),
    case("flip", "ops.flip(x, (1,))", "x.flip(1)", "jnp.flip(x, 1)", x=normal(1024, 1024)),
    forward("one_hot", "ops.one_hot(i, 1000, 1.0, 0.0)", "F.one_hot(i, 1000).float()", "jax.nn.one_hot(i, 1000)", i=below(1000, 1024)),
)  # fmt: skip

ARRAYS = (*REDUCTIONS, *SORTING, *INDEXING)
