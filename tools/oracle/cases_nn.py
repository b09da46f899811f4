"""Activations, convolution, pooling and normalization."""

from __future__ import annotations

from tools.oracle.case import HALF_DTYPES, Case, array, case, f32, literal, over, parameter, several

# Real MindSpore evaluates these with float32 approximations, whose error the gradient 1 - tanh(x) ** 2 magnifies.
APPROXIMATE = ("ops.tanh(x)", "ops.mish(x)", "ops.log_softmax(x)", "ops.gelu(x, approximate='tanh')")
SELU = "real MindSpore: wrong sign of the gradient for negative inputs"
ACTIVATIONS: list[Case] = []
for _call in """
    ops.relu(x)
    ops.relu6(x)
    ops.sigmoid(x)
    ops.tanh(x)
    ops.hardsigmoid(x)
    ops.hardswish(x)
    ops.gelu(x)
    ops.gelu(x, approximate='tanh')
    ops.softmax(x)
    ops.log_softmax(x)
    ops.leaky_relu(x)
    ops.elu(x)
    ops.selu(x)
    ops.silu(x)
    ops.softplus(x)
    ops.softsign(x)
    ops.mish(x)
    ops.hardtanh(x)
    ops.hardshrink(x)
    ops.softshrink(x)
    ops.celu(x)
    ops.logsigmoid(x)
    """.strip().splitlines():
    _source = _call.strip()
    ACTIVATIONS += over(
        _source,
        [(2, 3), (4,), (2, 3, 2, 2)],
        HALF_DTYPES,
        -4.0,
        4.0,
        gradient="weighted",
        tolerance=1e-4 if _source in APPROXIMATE else None,
        gradient_not_compared=SELU if "selu" in _source else "",
    )
for _name in [
    "ReLU",
    "ReLU6",
    "Sigmoid",
    "Tanh",
    "HSigmoid",
    "HSwish",
    "GeLU",
    "FastGeLU",
    "Softmax",
    "LogSoftmax",
    "Elu",
    "SeLU",
    "Softplus",
    "Softsign",
    "Mish",
    "HShrink",
    "SoftShrink",
    "CeLU",
]:
    ACTIVATIONS += over(
        f"P.{_name}()(x)",
        [(2, 3)],
        ("float32",),
        -4.0,
        4.0,
        gradient="weighted",
        tolerance=1e-4,
        gradient_not_compared=SELU if _name == "SeLU" else "",
    )
ACTIVATIONS += [
    *several(
        """
        ops.softmax(x, axis=0)
        ops.softmax(x, 1)
        ops.log_softmax(x, axis=0)
        P.Softmax(axis=(0,))(x)
        P.LogSoftmax(axis=0)(x)
        ops.softmin(x, axis=1)
        ops.leaky_relu(x, 0.01)
        ops.celu(x, 2.0)
        ops.hardtanh(x, -0.5, 1.5)
        ops.hardshrink(x, 1.0)
        ops.softshrink(x, 0.25)
        ops.softplus(x, 2, 3)
        ops.threshold(x, 0.5, 9.0)
        ops.tanhshrink(x)
        ops.fast_gelu(x)
        ops.elu(x, alpha=1.0)
        """,
        x=f32(3, 4),
        gradient="weighted",
    ),
    case("ops.softmax(x, dtype=ms.float16)", f32(2, 3)),
    case("ops.softmax(x)", literal([[1000.0, 0.0, -1000.0]])),
    case("ops.log_softmax(x)", literal([[100.0, 0.0, -100.0]])),
    case("ops.softplus(x)", literal([-30.0, 19.0, 21.0, 50.0]), gradient="weighted"),
    case("ops.sigmoid(x)", literal([-100.0, 100.0]), gradient="weighted"),
    case("ops.logsigmoid(x)", literal([-50.0, 50.0]), gradient="weighted", tolerance=1e-4),
    case("ops.prelu(x, y)", f32(2, 3, low=-2, high=2), f32(3, low=0.1, high=0.5), gradient="weighted"),
    case("ops.prelu(x, y)", f32(2, 3, 2, 2), f32(3, low=0.1, high=0.5), gradient="weighted"),
    case("P.PReLU()(x, y)", f32(2, 3), f32(1, low=0.1, high=0.5), gradient="weighted"),
    case("ops.glu(x)", f32(2, 4), gradient="weighted"),
    case("ops.glu(x, 0)", f32(2, 4)),
    case("ops.relu(x)", array("int32", 4)),
    case("ops.dropout(x, 0.0)", f32(4)),
    case("ops.dropout(x, 0.5, False)", f32(4)),
    case("P.Dropout(1.0)(x)", f32(4)),
]

IMAGE = f32(1, 2, 5, 6)
KERNEL = f32(3, 2, 3, 3)
CONVOLUTION: list[Case] = [
    *several(
        """
        ops.conv2d(x, y)
        ops.conv2d(x, y, stride=2)
        ops.conv2d(x, y, stride=(1, 2), pad_mode='same')
        ops.conv2d(x, y, stride=2, pad_mode='same')
        ops.conv2d(x, y, None, 1, 'pad', 1)
        ops.conv2d(x, y, stride=2, pad_mode='pad', padding=(2, 1))
        ops.conv2d(x, y, dilation=2)
        ops.conv2d(x, y, pad_mode='same', dilation=(2, 1))
        P.Conv2D(3, 3)(x, y)
        P.Conv2D(3, 3, pad_mode='same', stride=2)(x, y)
        P.Conv2D(out_channel=3, kernel_size=(3, 3), mode=1, pad_mode='pad', pad=(0, 1, 2, 1), stride=(2, 1))(x, y)
        P.Conv2D(3, 3, dilation=2)(x, y)
        """,
        x=IMAGE,
        y=KERNEL,
        gradient="weighted",
        tolerance=1e-4,
    ),
    case("ops.conv2d(x, y, z)", IMAGE, KERNEL, f32(3), gradient="weighted", tolerance=1e-4),
    case("ops.conv2d(x, y, groups=2)", IMAGE, f32(4, 1, 3, 3), gradient="weighted", tolerance=1e-4),
    case("P.Conv2D(2, 3, group=2, pad_mode='same')(x, y)", IMAGE, f32(2, 1, 3, 3), gradient="weighted", tolerance=1e-4),
    case("ops.conv2d(x, y)", array("float16", 1, 2, 4, 4), array("float16", 2, 2, 3, 3), tolerance=2e-2),
    case("ops.conv2d(x, y, pad_mode='same', stride=2)", f32(1, 1, 4, 4), f32(1, 1, 2, 2), tolerance=1e-4),
    case("ops.conv2d(x, y, pad_mode='same', stride=3)", f32(1, 1, 7, 7), f32(1, 1, 2, 2), tolerance=1e-4),
    *several(
        """
        ops.conv1d(x, y)
        ops.conv1d(x, y, stride=2, pad_mode='same')
        ops.conv1d(x, y, pad_mode='pad', padding=2)
        ops.conv1d(x, y, dilation=2)
        """,
        x=f32(1, 2, 6),
        y=f32(3, 2, 3),
        gradient="weighted",
        tolerance=1e-4,
    ),
    *several(
        """
        ops.conv3d(x, y)
        ops.conv3d(x, y, stride=2, pad_mode='same')
        P.Conv3D(2, 2)(x, y)
        ops.conv3d(x, y, pad_mode='pad', padding=1)
        """,
        x=f32(1, 1, 3, 3, 3),
        y=f32(2, 1, 2, 2, 2),
        gradient="weighted",
        tolerance=1e-4,
    ),
    case(
        "P.Conv2DTranspose(2, 3)(x, y, (1, 3, 5, 5))",
        f32(1, 2, 3, 3),
        f32(2, 3, 3, 3),
        gradient="weighted",
        tolerance=1e-4,
    ),
    case(
        "P.Conv2DTranspose(2, 3, pad_mode='same', stride=2)(x, y, (1, 2, 6, 6))",
        f32(1, 2, 3, 3),
        f32(2, 2, 3, 3),
        tolerance=1e-4,
    ),
    case(
        "P.Conv2DTranspose(2, 3, pad_mode='pad', pad=1, stride=2)(x, y, (1, 2, 5, 5))",
        f32(1, 2, 3, 3),
        f32(2, 2, 3, 3),
        tolerance=1e-4,
    ),
    case("P.Conv2DBackpropInput(2, 3)(x, y, (1, 3, 5, 5))", f32(1, 2, 3, 3), f32(2, 3, 3, 3), tolerance=1e-4),
    case("P.Conv3DTranspose(1, 1, 2)(x, y)", f32(1, 1, 2, 2, 2), f32(1, 1, 2, 2, 2), tolerance=1e-4),
]

PLANE = f32(1, 2, 5, 5)
POOLING: list[Case] = [
    *several(
        """
        P.MaxPool(2, 2)(x)
        P.MaxPool(kernel_size=2, strides=2, pad_mode='same')(x)
        P.MaxPool((3, 2), (1, 2))(x)
        P.MaxPool(3, 2, 'SAME')(x)
        P.MaxPool(3, 2, 'VALID')(x)
        P.AvgPool(2, 2)(x)
        P.AvgPool(3, 2, 'same')(x)
        P.AvgPool((3, 2), (1, 2))(x)
        ops.max_pool2d(x, 2)
        ops.max_pool2d(x, 3, stride=2, padding=1)
        ops.max_pool2d(x, 2, stride=2, ceil_mode=True)
        ops.max_pool2d(x, 2, stride=1, dilation=2)
        ops.max_pool2d(x, 2, return_indices=True)
        ops.avg_pool2d(x, 2)
        ops.avg_pool2d(x, 2, 2)
        ops.avg_pool2d(x, 3, 2, 1)
        ops.avg_pool2d(x, 3, 2, 1, count_include_pad=False)
        ops.avg_pool2d(x, 2, 2, ceil_mode=True)
        ops.avg_pool2d(x, 2, 2, divisor_override=3)
        ops.adaptive_avg_pool2d(x, (2, 2))
        ops.adaptive_avg_pool2d(x, 3)
        ops.adaptive_avg_pool2d(x, (None, 2))
        ops.adaptive_avg_pool2d(x, 1)
        P.AdaptiveAvgPool2D((2, 3))(x)
        ops.adaptive_max_pool2d(x, (2, 2))
        ops.adaptive_max_pool2d(x, 3, True)
        P.MaxPoolWithArgmax(2, 2)(x)
        P.MaxPoolWithArgmaxV2(2, 2)(x)
        ops.interpolate(x, size=(3, 3), mode='nearest')
        ops.interpolate(x, size=(7, 8), mode='bilinear')
        ops.interpolate(x, size=(7, 8), mode='bilinear', align_corners=True)
        ops.interpolate(x, scale_factor=2.0, mode='nearest', recompute_scale_factor=True)
        P.ResizeNearestNeighbor((3, 7))(x)
        ops.unfold(x, 2)
        """,
        x=PLANE,
        gradient="weighted",
        tolerance=2e-5,
    ),
    *over("P.MaxPool(2, 2)(x)", [(1, 1, 4, 4)], ("float16",)),
    *over("P.AvgPool(2, 2)(x)", [(1, 1, 4, 4)], ("float16",)),
    *several(
        """
        ops.avg_pool1d(x, 2)
        ops.avg_pool1d(x, 3, 2, 1)
        ops.avg_pool1d(x, 2, 2, ceil_mode=True)
        ops.adaptive_avg_pool1d(x, 2)
        ops.adaptive_max_pool1d(x, 3)
        """,
        x=f32(1, 2, 6),
        gradient="weighted",
    ),
    *several(
        """
        ops.max_pool3d(x, 2)
        P.MaxPool3D(2, 1)(x)
        P.AvgPool3D(2, 1)(x)
        ops.avg_pool3d(x, 2)
        """,
        x=f32(1, 1, 3, 3, 3),
        gradient="weighted",
    ),
    case("P.MaxPool(2, 2, 'same')(x)", f32(1, 1, 3, 3, low=-3, high=-1), gradient="weighted"),
    case("P.ResizeBilinearV2(False, False)(x, (4, 4))", f32(1, 1, 2, 2), gradient="weighted"),
    case("P.ResizeBilinearV2(align_corners=True)(x, (4, 4))", f32(1, 1, 2, 2)),
    case("P.ResizeBilinearV2(half_pixel_centers=True)(x, (4, 4))", f32(1, 1, 2, 2)),
]

_AFFINE = {"g": f32(2, low=0.5, high=2.0), "b": f32(2), "m": f32(2), "v": f32(2, low=0.5, high=2.0)}
NORMALIZATION: list[Case] = [
    case("P.BatchNorm()(x, g, b, m, v)[0]", f32(3, 2), **_AFFINE, gradient="weighted"),
    case("P.BatchNorm(epsilon=1e-3)(x, g, b, m, v)[0]", f32(2, 2, 2, 3), **_AFFINE, gradient="weighted"),
    case("P.BatchNorm(is_training=True)(x, g, b, m, v)[0]", f32(4, 2), **_AFFINE, gradient="weighted", tolerance=1e-4),
    case(
        "P.BatchNorm(is_training=True)(x, g, b, m, v)[0]",
        f32(2, 2, 2, 3),
        **_AFFINE,
        gradient="weighted",
        tolerance=1e-4,
    ),
    case("P.BatchNorm(is_training=True)(x, g, b, m, v)[3]", f32(2, 2, 2, 3), **_AFFINE),
    case(
        "y = P.BatchNorm(is_training=True, momentum=0.3)(x, g, b, m, v); (y[0], m, v)",
        f32(3, 2),
        g=parameter("float32", 2),
        b=parameter("float32", 2),
        m=parameter("float32", 2),
        v=parameter("float32", 2),
        tolerance=1e-4,
    ),
    case("ops.batch_norm(x, m, v, g, b)", f32(3, 2), **_AFFINE),
    case("ops.batch_norm(x, m, v, g, b, True, 0.1, 1e-5)", f32(3, 2), **_AFFINE, tolerance=1e-4),
    case("P.LayerNorm()(x, y, z)", f32(2, 3), f32(3), f32(3), gradient="weighted", tolerance=1e-4),
    case("P.LayerNorm(1, 1, 1e-5)(x, y, z)", f32(2, 3, 2), f32(3, 2), f32(3, 2), gradient="weighted", tolerance=1e-4),
    case(
        "P.LayerNorm(begin_norm_axis=-1, begin_params_axis=-1)(x, y, z)[0]",
        array("float16", 2, 4),
        array("float16", 4),
        array("float16", 4),
    ),
    case("ops.layer_norm(x, (3,), y, z)", f32(2, 3), f32(3), f32(3)),
    case("ops.group_norm(x, 2)", f32(2, 4, 3), gradient="weighted", tolerance=1e-4),
    case("ops.group_norm(x, 2, y, z, 1e-3)", f32(2, 4, 3), f32(4), f32(4), tolerance=1e-4),
    case("P.L2Normalize()(x)", f32(2, 3), gradient="weighted"),
    case("P.L2Normalize(axis=1, epsilon=1e-12)(x)", f32(2, 3), gradient="weighted"),
    case("P.L2Normalize(axis=1)(x)", literal([[0.0, 0.0], [3.0, 4.0]])),
    case("ops.lrn(x)", f32(1, 4, 2, 2), gradient="weighted"),
    case("P.LRN(2, 1.0, 0.5, 0.75)(x)", f32(1, 4, 2, 2), gradient="weighted"),
    case("ops.rms_norm(x, y)", f32(2, 3), f32(3)),
]

CASES = ACTIVATIONS + CONVOLUTION + POOLING + NORMALIZATION
