"""Convolutions, pooling, normalization, attention and losses."""

from __future__ import annotations

from benchmarks.cliffs.case import below, case, chance, normal, unit

_IMAGE = ("NCHW", "OIHW", "NCHW")


def _jax_convolution(rank: int, stride: int = 1, padding: int = 1, groups: int = 1, dilation: int = 1) -> str:
    axes = "DHW"[3 - rank :]
    return (
        f"lax.conv_general_dilated(x, w, {(stride,) * rank}, {((padding, padding),) * rank}, rhs_dilation={(dilation,) * rank}, "
        f"feature_group_count={groups}, dimension_numbers=('NC{axes}', 'OI{axes}', 'NC{axes}'))"
    )


def _convolution(
    name: str,
    x: tuple[int, ...],
    w: tuple[int, ...],
    stride: int = 1,
    padding: int = 1,
    groups: int = 1,
    dilation: int = 1,
):
    rank = len(x) - 2
    settings = f"padding={padding}, stride={stride}, groups={groups}, dilation={dilation}"
    return case(
        name, f"ops.conv{rank}d(x, w, pad_mode='pad', {settings})", f"F.conv{rank}d(x, w, {settings})",
        _jax_convolution(rank, stride, padding, groups, dilation), x=normal(*x), w=normal(*w),
    )  # fmt: skip


CONVOLUTIONS = (
    _convolution("conv1d, 64 channels, kernel 5", (8, 64, 1024), (64, 64, 5), padding=2),
    _convolution("conv1d, first layer of audio, stride 5", (4, 1, 16000), (128, 1, 10), stride=5, padding=0),
    _convolution("conv1d, dilated by 8", (4, 64, 1024), (64, 64, 3), padding=8, dilation=8),
    _convolution("conv1d, depthwise", (8, 256, 512), (256, 1, 7), padding=3, groups=256),
    _convolution("conv2d, 3x3", (8, 64, 28, 28), (64, 64, 3, 3)),
    _convolution("conv2d, 1x1", (8, 128, 28, 28), (128, 128, 1, 1), padding=0),
    _convolution("conv2d, 7x7 of 3 channels, stride 2", (4, 3, 112, 112), (64, 3, 7, 7), stride=2, padding=3),
    _convolution("conv2d, 3x3, stride 2", (8, 64, 28, 28), (128, 64, 3, 3), stride=2),
    _convolution("conv2d, dilated by 2", (4, 64, 28, 28), (64, 64, 3, 3), padding=2, dilation=2),
    _convolution("conv2d, 8 groups", (8, 64, 28, 28), (64, 8, 3, 3), groups=8),
    _convolution("conv2d, depthwise", (8, 128, 28, 28), (128, 1, 3, 3), groups=128),
    _convolution("conv3d, 3x3x3", (2, 16, 16, 32, 32), (32, 16, 3, 3, 3)),
    _convolution("conv3d, 3x3x3 of 3 channels", (2, 3, 16, 32, 32), (16, 3, 3, 3, 3)),
    _convolution("conv3d, 3x3x3, stride 2", (2, 16, 16, 32, 32), (32, 16, 3, 3, 3), stride=2),
    _convolution("conv3d, 1x1x1", (2, 32, 8, 16, 16), (32, 32, 1, 1, 1), padding=0),
    case("conv2d_transpose, 4x4, stride 2",
         "ops.conv_transpose2d(x, w, padding=1, stride=2)", "F.conv_transpose2d(x, w, padding=1, stride=2)",
         "lax.conv_general_dilated(x, jnp.flip(jnp.swapaxes(w, 0, 1), (2, 3)), (1, 1), ((2, 2), (2, 2)), lhs_dilation=(2, 2))",
         x=normal(8, 64, 14, 14), w=normal(64, 32, 4, 4)),
    case("conv3d_transpose, 2x2x2, stride 2",
         "ops.Conv3DTranspose(32, 16, 2, stride=2)(x, w)", "F.conv_transpose3d(x, w, stride=2)",
         "lax.conv_general_dilated(x, jnp.flip(jnp.swapaxes(w, 0, 1), (2, 3, 4)), (1, 1, 1), ((1, 1),) * 3, lhs_dilation=(2, 2, 2), "
         "dimension_numbers=('NCDHW', 'OIDHW', 'NCDHW'))",
         x=normal(2, 32, 8, 16, 16), w=normal(32, 16, 2, 2, 2)),
    case("conv1d_transpose, 4, stride 2",
         "ops.Conv2DTranspose(32, (1, 4), pad_mode='pad', pad=(0, 0, 1, 1), stride=(1, 2))(x[:, :, None], w[:, :, None], (4, 32, 1, 1024))",
         "F.conv_transpose1d(x, w, padding=1, stride=2)",
         x=normal(4, 64, 512), w=normal(64, 32, 4)),
)  # fmt: skip

POOLING = (
    case("max_pool1d, 4", "layer(x)", "F.max_pool1d(x, 4)", layer="nn.MaxPool1d(4, 4)", x=normal(8, 64, 1024)),
    case("max_pool2d, 2", "ops.max_pool2d(x, 2, 2)", "F.max_pool2d(x, 2)",
         "lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2), (1, 1, 2, 2), 'VALID')", x=normal(8, 64, 56, 56)),
    case("max_pool2d, 3, stride 2", "ops.max_pool2d(x, 3, 2, 1)", "F.max_pool2d(x, 3, 2, 1)",
         "lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 3, 3), (1, 1, 2, 2), ((0, 0), (0, 0), (1, 1), (1, 1)))", x=normal(8, 64, 56, 56)),
    case("max_pool3d, 2", "ops.max_pool3d(x, 2, 2)", "F.max_pool3d(x, 2)",
         "lax.reduce_window(x, -jnp.inf, lax.max, (1, 1, 2, 2, 2), (1, 1, 2, 2, 2), 'VALID')", x=normal(2, 32, 16, 32, 32)),
    case("avg_pool1d, 4", "ops.avg_pool1d(x, 4, 4)", "F.avg_pool1d(x, 4)", x=normal(8, 64, 1024)),
    case("avg_pool2d, 2", "ops.avg_pool2d(x, 2, 2)", "F.avg_pool2d(x, 2)",
         "lax.reduce_window(x, 0.0, lax.add, (1, 1, 2, 2), (1, 1, 2, 2), 'VALID') / 4", x=normal(8, 64, 56, 56)),
    case("avg_pool2d, 3, stride 1", "ops.avg_pool2d(x, 3, 1, 1)", "F.avg_pool2d(x, 3, 1, 1)", x=normal(8, 64, 28, 28)),
    case("avg_pool3d, 2", "ops.avg_pool3d(x, 2, 2)", "F.avg_pool3d(x, 2)", x=normal(2, 32, 16, 32, 32)),
    case("adaptive_avg_pool2d to 1x1", "ops.adaptive_avg_pool2d(x, 1)", "F.adaptive_avg_pool2d(x, 1)", "x.mean((2, 3))", x=normal(16, 512, 7, 7)),
    case("adaptive_avg_pool2d to 7x7", "ops.adaptive_avg_pool2d(x, 7)", "F.adaptive_avg_pool2d(x, 7)", x=normal(8, 64, 30, 30)),
    case("adaptive_max_pool2d to 7x7", "ops.adaptive_max_pool2d(x, 7)", "F.adaptive_max_pool2d(x, 7)", x=normal(8, 64, 30, 30)),
    case("unfold, 3x3", "ops.unfold(x, 3, padding=1)", "F.unfold(x, 3, padding=1)",
         "lax.conv_general_dilated_patches(x, (3, 3), (1, 1), ((1, 1), (1, 1)))", x=normal(8, 32, 28, 28)),
    case("unfold, 16x16 patches", "ops.unfold(x, 16, stride=16)", "F.unfold(x, 16, stride=16)", x=normal(8, 3, 224, 224)),
    case("fold, 3x3", "ops.fold(x, (28, 28), 3, padding=1)", "F.fold(x, (28, 28), 3, padding=1)", x=normal(8, 288, 784)),
)  # fmt: skip

NORMALIZATION = (
    case("layer_norm", "ops.layer_norm(x, (512,), w, b)", "F.layer_norm(x, (512,), w, b)",
         "(x - x.mean(-1, keepdims=True)) * lax.rsqrt(x.var(-1, keepdims=True) + 1e-5) * w + b",
         x=normal(8, 128, 512), w=normal(512), b=normal(512)),
    case("group_norm", "ops.group_norm(x, 8, w, b)", "F.group_norm(x, 8, w, b)", x=normal(8, 64, 28, 28), w=normal(64), b=normal(64)),
    case("batch_norm of images, training", "ops.batch_norm(x, w * 0, w * 0 + 1, w, b, training=True)",
         "F.batch_norm(x, torch.zeros(64), torch.ones(64), w, b, training=True)", x=normal(8, 64, 28, 28), w=normal(64), b=normal(64)),
    case("batch_norm of rows, training", "ops.batch_norm(x, w * 0, w * 0 + 1, w, b, training=True)",
         "F.batch_norm(x, torch.zeros(512), torch.ones(512), w, b, training=True)", x=normal(256, 512), w=normal(512), b=normal(512)),
    case("rms_norm", "ops.rms_norm(x, w)[0]", "F.rms_norm(x, (512,), w)",
         "x * lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-6) * w", x=normal(8, 128, 512), w=normal(512)),
    case("softmax", "ops.softmax(x, -1)", "F.softmax(x, -1)", "jax.nn.softmax(x)", x=normal(64, 128, 128)),
    case("log_softmax of 32,000", "ops.log_softmax(x, -1)", "F.log_softmax(x, -1)", "jax.nn.log_softmax(x)", x=normal(64, 32000)),
    case("gelu", "ops.gelu(x, approximate='tanh')", "F.gelu(x, approximate='tanh')", "jax.nn.gelu(x)", x=normal(8, 128, 2048)),
    case("silu", "ops.silu(x)", "F.silu(x)", "jax.nn.silu(x)", x=normal(8, 128, 2048)),
    case("dropout", "ops.dropout(x, 0.1)", "F.dropout(x, 0.1)", x=normal(8, 128, 512)),
)  # fmt: skip

_ATTENTION = (
    "softmax(ops.matmul(q, k.swapaxes(-1, -2)) * 0.125, -1)",
    "jax.nn.softmax(q @ jnp.swapaxes(k, -1, -2) * 0.125)",
)


def _attention(name: str, batch: int, heads: int, length: int, keys: int = 0):
    query, key = normal(batch, heads, length, 64), normal(batch, heads, keys or length, 64)
    return case(
        name, f"ops.matmul(ops.{_ATTENTION[0]}, v)", "F.scaled_dot_product_attention(q, k, v)", f"{_ATTENTION[1]} @ v",
        q=query, k=key, v=key,
    )  # fmt: skip


ATTENTION = (
    _attention("attention, 64 tokens", 8, 3, 64),
    _attention("attention, 512 tokens", 2, 8, 512),
    _attention("attention, 2,048 tokens", 1, 4, 2048),
    case("flash_attention_score, 2,048 tokens, causal",
         "ops.flash_attention_score(q, k, v, 4, scalar_value=0.125, input_layout='BNSD', sparse_mode=2, attn_mask=mask)",
         "F.scaled_dot_product_attention(q, k, v, is_causal=True)",
         q=normal(1, 4, 2048, 64), k=normal(1, 4, 2048, 64), v=normal(1, 4, 2048, 64), mask=chance(0.5, 2048, 2048)),
)  # fmt: skip

LOSSES = (
    case("cross_entropy, 1,000 classes", "ops.cross_entropy(x, y)", "F.cross_entropy(x, y)",
         "-jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()", x=normal(256, 1000), y=below(1000, 256)),
    case("cross_entropy, 32,000 classes", "ops.cross_entropy(x, y)", "F.cross_entropy(x, y)",
         "-jnp.take_along_axis(jax.nn.log_softmax(x), y[:, None], 1).mean()", x=normal(256, 32000), y=below(32000, 256)),
    case("binary_cross_entropy_with_logits", "ops.binary_cross_entropy_with_logits(x, y, y * 0 + 1, y * 0 + 1)",
         "F.binary_cross_entropy_with_logits(x, y)", x=normal(256, 1000), y=unit(256, 1000)),
    case("mse_loss", "ops.mse_loss(x, y)", "F.mse_loss(x, y)", "((x - y) ** 2).mean()", x=normal(1024, 1024), y=normal(1024, 1024)),
    case("smooth_l1_loss", "ops.smooth_l1_loss(x, y, reduction='mean')", "F.smooth_l1_loss(x, y)", x=normal(1024, 1024), y=normal(1024, 1024)),
    case("kl_div", "ops.kl_div(ops.log_softmax(x), ops.softmax(y))", "F.kl_div(F.log_softmax(x, -1), F.softmax(y, -1))",
         x=normal(512, 1000), y=normal(512, 1000)),
    case("cosine_similarity", "ops.cosine_similarity(x, y)", "F.cosine_similarity(x, y)", x=normal(4096, 256), y=normal(4096, 256)),
)  # fmt: skip

LAYERS = (*CONVOLUTIONS, *POOLING, *NORMALIZATION, *ATTENTION, *LOSSES)
