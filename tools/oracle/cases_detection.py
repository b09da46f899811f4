"""Boxes, regions of interest and their selection."""

from __future__ import annotations

from tools.oracle.case import Array, Case, array, case, f32, literal

_BOXES = [[0, 0, 9, 9], [5, 5, 14, 14], [20, 20, 29, 29], [1, 1, 10, 10], [6, 6, 14, 15], [3, 4, 3, 4], [8, 9, 4, 2]]
_SCORES = [0.5, 0.9, 0.3, 0.8, 0.95, 0.1, 0.7]
_SCORED = [[*box, score] for box, score in zip(_BOXES, _SCORES, strict=True)]
_OTHERS = [[0, 0, 9, 9], [2, 2, 11, 11.5], [7.5, 1, 20, 22]]
_ANCHORS = [[2, 2, 5, 6], [1, 1, 8, 9], [0, 3, 0.5, 12]]
_TARGETS = [[3, 2, 7, 6], [0, 1, 8, 12], [1, 1, 3, 4]]
_DELTAS = [[0.3, 0.1, 0.2, 0.5], [1, -1, 5, -6], [0, 2, -0.5, 0.1]]
_ROIS = [[0, 0.2, 0.3, 2.7, 3.1], [1, 1, 1, 2, 6], [0, -1, -1, 1, 1], [1, 3, 2, 2, 1], [0, 0, 0, 7, 5]]
_CROPS = [[0, 0, 1, 1], [0.13, 0.2, 0.9, 1.3], [1, 0, 0, 1], [-0.2, 0.3, 0.4, 0.35]]
_INDICES = literal([0, 1, 0, 1], "int32")
_ROW_BOXES = [[0, 0, 1, 1], [0, 0.1, 1, 1.1], [0, -0.1, 1, 0.9], [0, 10, 1, 11], [0, 10.1, 1, 11.1], [1, 101, 0, 100]]
_ROW_SCORES = literal([0.9, 0.75, 0.6, 0.95, 0.5, 0.3])
_END_MODE = "real MindSpore takes the gradient as if 'roi_end_mode' were 1"
_COUNT = "how many boxes stay depends on the numbers"
_SIZES = "the sizes decide the shape of the result"


def _boxes(values: list, dtype: str = "float32") -> Array:
    return literal(values, dtype)


CASES: list[Case] = [
    *[case(f"ops.IOU('{mode}')(x, y)", _boxes(_BOXES, dtype), _boxes(_OTHERS, dtype))
      for mode in ("iou", "iof") for dtype in ("float32", "float16", "float64")],
    case("ops.iou(x, y, mode='iof')", _boxes(_BOXES), _boxes(_OTHERS)),
    case("ops.IOU('union')", raises=("ValueError",)),
    case("ops.IOU()(x, y)", array("int32", 2, 4), array("int32", 2, 4), raises=True),
    case("ops.IOU()(x, y)", f32(2, 3), f32(2, 4), raises=True),
    *[case(f"ops.NMSWithMask({threshold})(x)", _boxes(_SCORED, dtype))
      for threshold in (0.1, 0.5, 0.7) for dtype in ("float32", "float16")],
    case("ops.NMSWithMask(0.6)(x)", f32(20, 5, low=0, high=30)),
    case("ops.NMSWithMask()(x)", f32(3, 4), raises=True),
    *[case("ops.BoundingBoxEncode()(x, y)", _boxes(_ANCHORS, dtype), _boxes(_TARGETS, dtype))
      for dtype in ("float32", "float16")],
    case("ops.BoundingBoxEncode(means=(0.1, 0.2, 0.0, -0.1), stds=(0.1, 0.1, 0.2, 0.2))(x, y)", _boxes(_ANCHORS),
         _boxes(_TARGETS)),
    case("ops.bounding_box_encode(x, y, (0.0, 0.0, 0.0, 0.0), (1.0, 2.0, 1.0, 1.0))", _boxes(_ANCHORS),
         _boxes(_TARGETS)),
    case("ops.BoundingBoxEncode(means=(0, 0, 0, 0))(x, y)", _boxes(_ANCHORS), _boxes(_TARGETS),
         waiver="ints are as good as floats here"),
    case("ops.BoundingBoxEncode()(x, y)", f32(2, 4), f32(3, 4), raises=True),
    *[case("ops.BoundingBoxDecode(max_shape=(768, 1280))(x, y)", _boxes(_ANCHORS, dtype), _boxes(_DELTAS, dtype))
      for dtype in ("float32", "float16")],
    case("ops.BoundingBoxDecode((10, 12), (0.1, 0.1, 0.0, 0.0), (0.1, 0.1, 0.2, 0.2), 0.1)(x, y)", _boxes(_ANCHORS),
         _boxes(_DELTAS)),
    case("ops.bounding_box_decode(x, y, (10, 12))", _boxes(_ANCHORS), _boxes(_DELTAS)),
    case("ops.bounding_box_decode(x, y, (10, 12), wh_ratio_clip=0.5)", _boxes(_ANCHORS), _boxes(_DELTAS)),
    *[case("ops.CheckValid()(x, y)", literal([[0, 0, 5, 9], [0, 0, 20, 10], [1, 1, 19, 9], [3, 3, 2, 2]], dtype),
           literal([10, 20, 1], dtype)) for dtype in ("float32", "float16", "int16", "uint8")],
    case("ops.check_valid(x, y)", f32(12, 4, low=-4, high=40), literal([12, 20, 1.5])),
    case("ops.CheckValid()(x, y)", array("int32", 2, 4), array("int32", 3), raises=True),
    case("ops.CheckValid()(x, y)", f32(2, 3), f32(3), raises=True),
    *[case(f"ops.ROIAlign({arguments})(x, y)", array(dtype, 2, 3, 6, 5), _boxes(_ROIS, dtype), gradient=gradient,
           gradient_not_compared=_END_MODE if arguments.endswith("0") else "")
      for arguments, gradient in (("2, 3, 0.5", "weighted"), ("2, 2, 0.5, 2, 0", "weighted"), ("3, 2, 1.0, 3, 1", ""),
                                  ("1, 1, 1.0, 1, 0", ""))
      for dtype in (("float32", "float16") if not gradient else ("float32",))],
    case("ops.ROIAlign(2, 3, 1.0)(x, y)", f32(1, 2, 4, 4), f32(3, 4), raises=True),
    *[case(f"ops.CropAndResize('{method}', 7.0)(x, y, z, (3, 2))", f32(2, 4, 3, 2), _boxes(_CROPS), _INDICES)
      for method in ("bilinear", "nearest")],
    case("ops.CropAndResize('bilinear_v2', 7.0)(x, y, z, (3, 2))", f32(2, 4, 3, 2), _boxes(_CROPS[:2]),
         literal([0, 1], "int32")),
    case("ops.crop_and_resize(x, y, z, (1, 4))", f32(2, 5, 4, 1), _boxes(_CROPS), _INDICES),
    case("ops.crop_and_resize(x, y, z, (1, 4))", array("uint8", 2, 5, 4, 1), _boxes(_CROPS), _INDICES),
    case("ops.crop_and_resize(x, y, z, (1, 4))", array("float16", 2, 5, 4, 1), _boxes(_CROPS), _INDICES),
    case("ops.crop_and_resize(x, y, z, (2, 2))", f32(1, 5, 4, 1), _boxes(_CROPS), _INDICES, raises=True,
         eager_only="a compiled graph cannot see the numbers"),
    case("ops.crop_and_resize(x, y, z, (2, 2), method='cubic')", f32(2, 5, 4, 1), _boxes(_CROPS), _INDICES,
         raises=True),
    case("P.NonMaxSuppressionV3()(x, y, z, w, v)", _boxes(_ROW_BOXES), _ROW_SCORES, literal(3, "int32"), literal(0.5),
         v=literal(0.0), eager_only=_COUNT),
    case("P.NonMaxSuppressionV3()(x, y, z, w, v)", _boxes(_ROW_BOXES), _ROW_SCORES, literal(6, "int32"), literal(0.5),
         v=literal(0.4), eager_only=_COUNT),
    case("P.NonMaxSuppressionWithOverlaps()(x, y, z, w, v)", f32(6, 6, low=0, high=1), _ROW_SCORES,
         literal(5, "int32"), literal(0.5), v=literal(0.2), eager_only=_COUNT),
    case("P.CombinedNonMaxSuppression()(x, y, z, w, v, u)", f32(1, 5, 1, 4, low=0, high=1), f32(1, 5, 2, low=0, high=1),
         literal(3, "int32"), literal(4, "int32"), v=literal(0.5), u=literal(0.1), eager_only=_SIZES),
    case("P.CombinedNonMaxSuppression(True, False)(x, y, z, w, v, u)", f32(2, 6, 2, 4, low=0, high=2),
         f32(2, 6, 2, low=0, high=1), literal(3, "int32"), literal(9, "int32"), v=literal(0.3), u=literal(0.2), eager_only=_SIZES),
]  # fmt: skip
