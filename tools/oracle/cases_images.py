"""Sampling of images, colours, patches and pooling with positions."""

from __future__ import annotations

from tools.oracle.case import Case, array, case, f32, literal

_MODES = [(mode, border, corners) for mode in ("bilinear", "nearest") for border in ("zeros", "border", "reflection")
          for corners in (True, False)]  # fmt: skip

CASES: list[Case] = [
    *[case(f"ops.grid_sample(x, y, {mode!r}, {border!r}, {corners})", f32(2, 2, 4, 5), f32(2, 3, 3, 2, low=-1.6, high=1.6),
           gradient="weighted" if corners else "") for mode, border, corners in _MODES],
    *[case(f"ops.grid_sample(x, y, {mode!r}, {border!r}, {corners})", f32(1, 2, 3, 4, 5),
           f32(1, 2, 2, 2, 3, low=-1.4, high=1.4), gradient="weighted" if corners else "")
      for mode, border, corners in _MODES],
    case("ops.grid_sample(x, y)", array("float64", 1, 1, 3, 3), array("float64", 1, 2, 2, 2)),
    case("ops.grid_sample(x, y)", array("float16", 1, 1, 3, 3), array("float16", 1, 2, 2, 2)),
    case("ops.grid_sample(x, y)", f32(1, 1, 3, 3), f32(1, 2, 2, 3), raises=True),
    case("ops.grid_sample(x, y, 'cubic')", f32(1, 1, 3, 3), f32(1, 2, 2, 2), raises=True),
    *[case(f"ops.affine_grid(x, {size}, {corners})", f32(2, 2, 3) if len(size) == 4 else f32(2, 3, 4),
           gradient="weighted") for size in ((2, 3, 3, 4), (2, 1, 2, 3, 4)) for corners in (True, False)],
    case("ops.AffineGrid(True)(x, (1, 1, 1, 2))", f32(1, 2, 3)),
    case("ops.affine_grid(x, (2, 1, 2, 2))", f32(1, 2, 3), raises=True),
    case("ops.col2im(x, Tensor([4, 5], ms.int32), [2, 3], [1, 1], [1, 0], [2, 1])", f32(2, 3, 6, 9), gradient="weighted"),
    case("P.Col2Im([2, 2], [1, 1], [0, 0], [2, 2])(x, Tensor([4, 4], ms.int32))", f32(1, 2, 4, 4)),
    case("P.Col2Im([2, 2], [1, 1], [0, 0], [2, 2])(x, Tensor([4, 4], ms.int32))", array("float16", 1, 2, 4, 4)),
    case("ops.col2im(x, Tensor([4, 4], ms.int32), [2, 2], [1, 1], [0, 0], [2, 2])", f32(1, 2, 4, 5), raises=True),
    case("P.Im2Col((2, 3), (1, 2), (2, 1), (1, 0))(x)", f32(2, 2, 5, 6), gradient="weighted"),
    case("P.Im2Col(2)(x)", array("float64", 1, 2, 3, 3)),
    case("P.Im2Col(2, 1, 1, 1)(x)", array("float16", 1, 1, 3, 3)),
    case("P.MaxUnpool2D(ksize=2, strides=2)(x, y)", f32(1, 1, 2, 2), literal([[[[0, 6], [9, 15]]]], "int64")),
    case("P.MaxUnpool2D(2, 2, 0, (1, 1, 5, 5))(x, y)", f32(1, 1, 2, 2), literal([[[[0, 6], [9, 24]]]], "int64"),
         gradient="weighted"),
    case("P.MaxUnpool2D(2, data_format='NHWC')(x, y)", f32(1, 1, 2, 2), literal([[[[0, 1], [6, 7]]]], "int64")),
    case("P.MaxUnpool3D(2)(x, y)", f32(1, 1, 1, 1, 2), literal([[[[[0, 9]]]]], "int64")),
    case("P.MaxUnpool3D(1, 1, 0, (1, 1, 1, 1, 2))(x, y)", f32(1, 1, 1, 1, 2), literal([[[[[1, 0]]]]], "int64")),
    case("P.MaxPool3DWithArgmax((2, 2, 1), (2, 1, 1), (0, 0, 0))(x)", f32(1, 2, 4, 3, 3), gradient=""),
    case("P.MaxPool3DWithArgmax((3, 2, 3), (2, 2, 1), (1, 0, 1), ceil_mode=True)(x)", f32(1, 1, 5, 5, 3)),
    case("P.MaxPool3DWithArgmax((2, 2, 2), (1, 1, 1), (0, 0, 0), (2, 1, 1), argmax_type=ms.int32)(x)", f32(1, 1, 4, 3, 3)),
    case("P.AdaptiveMaxPool3D()(x, Tensor([2, 3, 1], ms.int32))", f32(2, 3, 4, 4)),
    case("P.AdaptiveMaxPool3D()(x, Tensor([2, 2, 2], ms.int32))", f32(1, 2, 5, 4, 3)),
    case("P.FractionalMaxPoolWithFixedKsize((2, 2), (2, 3))(x, y)", f32(1, 2, 5, 6), f32(1, 2, 2, low=0, high=1)),
    case("P.FractionalMaxPoolWithFixedKsize(2, 2)(x, y)", f32(1, 2, 4, 4), f32(1, 2, 2, low=0, high=1)),
    case("P.FractionalMaxPool3DWithFixedKsize((1, 2, 2), (2, 2, 3))(x, y)", f32(1, 2, 3, 5, 6),
         f32(1, 2, 3, low=0, high=1)),
    case("P.FractionalMaxPool3DWithFixedKsize(2, 2)(x, y)", f32(1, 1, 3, 5, 6), f32(1, 1, 3, low=0, high=1)),
    case("P.FractionalMaxPool([1.0, 1.5, 2.0, 1.0], True, deterministic=True, seed=3)(x)", f32(1, 6, 8, 2),
         not_compared="the windows are random"),
    case("P.FractionalAvgPool([1.0, 2.0, 2.0, 1.0], deterministic=True, seed=3)(x)", f32(1, 4, 4, 2)),
    case("P.FractionalMaxPool([1.0, 2.0, 2.0, 1.0], overlapping=True)(x)", f32(1, 4, 4, 2)),
    *[case(f"ops.ExtractVolumePatches([1, 1, 2, 3, 2], [1, 1, 1, 2, 1], {pad!r})(x)", f32(1, 2, 3, 5, 4))
      for pad in ("VALID", "SAME")],
    *[case(f"P.ExtractGlimpse({flags}, noise={noise!r})(x, Tensor([2, 3], ms.int32), y)", f32(2, 4, 5, 2),
           literal([[0.3, -0.4], [1.0, 0.9]]))
      for flags, noise in (("True, True, False", "zero"), ("False, True, False", "zero"), ("True, False, False", "zero"),
                           ("False, False, False", "zero"))],
    *[case(f"ops.Dilation2D(stride={step}, dilation={gap}, pad_mode={pad!r})(x, y)", f32(2, 3, 5, 6), f32(3, 2, 2))
      for step, gap, pad in ((1, 1, "VALID"), (2, 1, "SAME"), ((1, 2), (2, 1), "VALID"),
                                                       (1, 2, "SAME"))],
    *[case(f"P.{name}()(x)", array(dtype, 2, 2, 3, 3, low=0, high=1)) for name in ("HSVToRGB", "RGBToHSV")
      for dtype in ("float32", "float64")],
    case("P.RGBToHSV()(x)", array("float16", 2, 2, 3, 3, low=0, high=1), waiver="real MindSpore: infinite saturation"),
    case("P.RGBToHSV()(x)", literal([[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [0.5, 0.5, 0.1]])),
    case("P.HSVToRGB()(x)", f32(2, 3), raises=True),
    *[case(f"P.{name}()(x, y)", array(dtype, 2, 3, 3, low=0, high=1), literal(amount))
      for name, amount in (("AdjustHue", 0.2), ("AdjustHue", -0.7), ("AdjustSaturation", 0.5), ("AdjustSaturation", 1.8))
      for dtype in ("float32", "float16")],
    *[case(f"P.ResizeArea({corners})(x, Tensor([{size}], ms.int32))", array(dtype, 1, 4, 5, 2))
      for corners in (False, True) for size in ("2, 2", "3, 7") for dtype in ("float32", "uint8")],
    *[case(f"P.ResizeLinear1D({mode!r})(x, {size})", f32(1, 2, 4), gradient="weighted")
      for mode in ("align_corners", "half_pixel") for size in ("(6,)", "(3,)")],
    *[case(f"P.ScaleAndTranslate({kernel!r}, {smooth})(x, Tensor([3, 6], ms.int32), y, z)", f32(1, 5, 4, 2),
           literal([0.63, 1.47]), literal([0.13, -0.73]))
      for kernel in ("lanczos3", "triangle", "gaussian", "keyscubic", "lanczos1", "lanczos5", "box")
      for smooth in (True, False)],
    case("ops.BatchToSpace(2, [[0, 1], [1, 0]])(x)", f32(8, 3, 2, 3), gradient="weighted"),
    case("ops.SpaceToBatch(2, [[0, 1], [1, 0]])(x)", f32(2, 3, 3, 5), gradient="weighted"),
    case("P.BatchToSpaceNDV2()(x, Tensor([2, 2], ms.int32), Tensor([[0, 1], [1, 0]], ms.int32))", f32(8, 2, 3, 2)),
    case("ops.BatchToSpace(2, [[0, 0], [0, 0]])(x)", f32(3, 3, 2, 3), raises=True),
    *[case("ops.DataFormatDimMap()(x)", literal([0, 1, 2, 3, -1, -4], dtype)) for dtype in ("int32", "int64")],
    case("ops.DataFormatDimMap('NCHW', 'NHWC')(x)", literal([[0, 1], [2, 3]], "int32")),
    case("ops.DataFormatDimMap('ABC', 'NHWC')(x)", literal([0], "int32"), raises=True),
    *[case(f"ops.DataFormatVecPermute({formats})(x)", literal(values, "int32"))
      for formats in ("'NHWC', 'NCHW'", "'NCHW', 'NHWC'") for values in ([1, 2, 3, 4], [[1, 2], [3, 4], [5, 6], [7, 8]])],
    case("ops.DataFormatVecPermute()(x)", literal([7, 8], "int32")),
    case("ops.deformable_conv2d(x, y, z, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0))", f32(1, 2, 4, 4), f32(3, 2, 2, 2),
         f32(1, 12, 3, 3)),
    case("ops.deformable_conv2d(x, y, z, (2, 2), (1, 1, 2, 2), (1, 1, 0, 1), dilations=(1, 1, 1, 2), deformable_groups=2)",
         f32(2, 4, 4, 5), f32(3, 4, 2, 2), f32(2, 24, 3, 2)),
    case("P.UpsampleNearest3D()(x, [2, 5, 3], None)", f32(1, 2, 2, 3, 2)),
    *[case(f"P.UpsampleTrilinear3D({corners})(x, None, [1.5, 2.0, 1.0])", f32(1, 2, 2, 3, 2)) for corners in (True, False)],
]  # fmt: skip
