"""Products of quantized matrices, and quantization with scales that follow from the values."""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array, DType
from mindspore._ops.declaring.requirements import require, require_choice
from mindspore._ops.generated.declare import body, generated_op

_LARGEST = 127.0
BYTES = (-128, 127)


def to_bytes(x: Any) -> Any:
    """Rounded, half to even, and limited to what int8 holds."""
    return jnp.clip(jnp.rint(x), *BYTES).astype(jnp.int8)


def real_scale(scale: Any) -> Any:
    """A scale as float32; Ascend also stores its bits in 64-bit integers."""
    if jnp.issubdtype(scale.dtype, jnp.integer) and scale.dtype.itemsize == 8:
        return jax.lax.bitcast_convert_type((scale & 0xFFFFFFFF).astype(jnp.uint32), jnp.float32)
    return scale.astype(jnp.float32)


def integer_product(a: Any, b: Any) -> Any:
    """A product of matrices whose sums are kept exactly."""
    exact = jnp.int32 if jnp.issubdtype(a.dtype, jnp.integer) else jnp.float32
    return jnp.matmul(a, b, preferred_element_type=exact)


def _whole(t: Any, *shape: int) -> np.ndarray:
    return np.rint(20 * t.normal(*shape)).astype(np.int8)


@generated_op(test=lambda t: [t.case(t.normal(2, 3), t.normal(3), t.normal(3), grad=False,
                                     expect=lambda x, s, o: np.clip(np.rint(x * s + o), -128, 127).astype(np.int8))])  # fmt: skip
def quantized(x: Array, scale: Array, offset: Array, sqrt_mode: bool = False, rounding_mode: str = "ROUND",
              dst_type: DType = dtypes.int8):  # fmt: skip
    """``x`` scaled, moved and rounded to int8."""
    require_choice("rounding_mode", rounding_mode, ("ROUND", "FLOOR", "CEIL", "TRUNC"))
    require(dst_type == dtypes.int8, f"the 'dst_type' must be int8, but got {dst_type}.")
    moved = x * (scale * scale if sqrt_mode else scale) + offset
    rounded = {"ROUND": jnp.rint, "FLOOR": jnp.floor, "CEIL": jnp.ceil, "TRUNC": jnp.trunc}[rounding_mode](moved)
    return jnp.clip(rounded, *BYTES).astype(jnp.int8)


def _numpy_dynamic(x: np.ndarray, smooth: np.ndarray | None = None) -> Any:
    x = x if smooth is None else x * smooth
    scale = np.abs(x).max(-1) / 127
    return np.rint(x / scale[..., None]).astype(np.int8), scale


@generated_op(test=lambda t: [t.case(t.normal(2, 5), grad=False, expect=_numpy_dynamic),
                              t.case(t.normal(2, 5), t.positive(5), grad=False, expect=_numpy_dynamic)])  # fmt: skip
def quantized_rows(x: Array, smooth_scales: Array | None = None):
    """Every row scaled so that its largest element is 127, as int8; and the scales."""
    wide = x.astype(jnp.float32)
    wide = wide if smooth_scales is None else wide * smooth_scales.astype(jnp.float32)
    scale = jnp.abs(wide).max(-1) / _LARGEST
    return to_bytes(wide / jnp.where(scale == 0, 1, scale)[..., None]), scale


def _numpy_blocks(x: np.ndarray, least: float, mode: str, rows: int, columns: int) -> Any:
    blocks = x.reshape(x.shape[0] // rows, rows, x.shape[1] // columns, columns)
    scale = np.abs(blocks).max((1, 3)) / 127
    return np.rint(blocks / scale[:, None, :, None]).reshape(x.shape).astype(np.int8), scale


@generated_op(test=lambda t: [t.case(t.normal(4, 6), 0.0, "rint", 2, 3, grad=False, expect=_numpy_blocks)])
def quantized_blocks(x: Array, min_scale: float, round_mode: str, rows: int, columns: int, dst_type: str = "int8"):
    """Every block scaled so that its largest element is the largest of the dtype; and the scales."""
    require_choice("round_mode", round_mode, ("rint", "round", "hybrid"))
    down, across = -x.shape[-2] % rows, -x.shape[-1] % columns
    wide = jnp.pad(x.astype(jnp.float32), [(0, 0)] * (x.ndim - 2) + [(0, down), (0, across)])
    blocks = wide.reshape(*x.shape[:-2], wide.shape[-2] // rows, rows, wide.shape[-1] // columns, columns)
    largest = _LARGEST if dst_type == "int8" else float(jnp.finfo(dst_type).max)
    scale = jnp.abs(blocks).max((-3, -1)) / largest
    scale = jnp.minimum(scale, 1 / min_scale) if min_scale else scale
    scaled = (blocks / jnp.where(scale == 0, 1, scale)[..., :, None, :, None]).reshape(wide.shape)
    scaled = scaled[..., : x.shape[-2], : x.shape[-1]]
    return to_bytes(scaled) if dst_type == "int8" else scaled.astype(dst_type), scale


def _numpy_product(a: np.ndarray, b: np.ndarray, scale: np.ndarray, offset: Any, bias: Any, rows: np.ndarray) -> Any:
    return ((a.astype(np.int32) @ b + bias) * scale * rows[:, None]).astype(np.float16)


@generated_op(test=lambda t: [t.case(_whole(t, 2, 3), _whole(t, 3, 4), 0.01 * t.positive(4), None,
                                     np.arange(4, dtype=np.int32), t.positive(2), grad=False, tolerance=1e-2,
                                     expect=_numpy_product)])  # fmt: skip
def quantized_product(x1: Array, x2: Array, scale: Array, offset: Array | None = None, bias: Array | None = None,
                      pertoken_scale: Array | None = None, transpose_x1: bool = False, transpose_x2: bool = False,
                      dtype: DType = dtypes.float16):  # fmt: skip
    """The product of int8 matrices, scaled by column and by row; int8 results are moved by ``offset`` and rounded."""
    left = x1.swapaxes(-1, -2) if transpose_x1 else x1
    right = x2.swapaxes(-1, -2) if transpose_x2 else x2
    product = integer_product(left, right)
    whole = bias is not None and jnp.issubdtype(bias.dtype, jnp.integer)
    product = product + bias if whole and bias is not None else product
    result = product.astype(jnp.float32) * real_scale(scale)
    result = result if pertoken_scale is None else result * pertoken_scale.astype(jnp.float32)[..., None]
    result = result if bias is None or whole else result + bias.astype(jnp.float32)
    if dtype == dtypes.int8:
        return to_bytes(result if offset is None else result + offset.astype(jnp.float32))
    return result.astype(dtype.np_dtype)


def real_weight(weight: Any, scale: Any, offset: Any, group: int = 0) -> Any:
    """``(weight + offset) * scale``; with groups, a scale belongs to each group of rows."""
    if scale is None:
        return weight
    parts = [scale, offset]
    if group:
        parts = [one if one is None else jnp.repeat(one, group, -2)[..., : weight.shape[-2], :] for one in parts]
    moved = weight.astype(scale.dtype) if parts[1] is None else weight.astype(scale.dtype) + parts[1]
    return moved * parts[0]


@generated_op(test=lambda t: [t.case(t.normal(2, 3), _whole(t, 3, 4), t.positive(4), t.normal(4), grad=(0, 2, 3),
                                     expect=lambda x, w, s, o: x @ ((w + o) * s), tolerance=1e-4)])  # fmt: skip
def product_with_quantized(x: Array, weight: Array, antiquant_scale: Array, antiquant_offset: Array | None = None,
                           quant_scale: Array | None = None, quant_offset: Array | None = None,
                           bias: Array | None = None, transpose_x: bool = False, transpose_weight: bool = False,
                           antiquant_group_size: int = 0):  # fmt: skip
    """``x`` times an int8 matrix with its scales; int8 again where a scale for the result is given."""
    left = x.swapaxes(-1, -2) if transpose_x else x
    if transpose_weight and antiquant_scale.ndim > 1:
        antiquant_scale = antiquant_scale.swapaxes(-1, -2)
        antiquant_offset = None if antiquant_offset is None else antiquant_offset.swapaxes(-1, -2)
    matrix = real_weight(weight.swapaxes(-1, -2) if transpose_weight else weight, antiquant_scale, antiquant_offset,
                         antiquant_group_size)  # fmt: skip
    result = left @ matrix.astype(left.dtype)
    result = result if bias is None else result + bias.astype(result.dtype)
    if quant_scale is None:
        return result
    scaled = result.astype(jnp.float32) * real_scale(quant_scale)
    return to_bytes(scaled if quant_offset is None else scaled + quant_offset.astype(jnp.float32))


def _numpy_gated(x: np.ndarray, scale: np.ndarray, rows: np.ndarray) -> Any:
    left, right = np.split(x * scale * rows[:, None], 2, -1)
    return _numpy_dynamic(left * right / (1 + np.exp(-right)))


@generated_op(test=lambda t: [t.case(_whole(t, 3, 4).astype(np.int32), 0.1 * t.positive(4), t.positive(3),
                                     quant_mode="dynamic", grad=False, tolerance=1e-5,
                                     expect=lambda x, s, r, quant_mode: _numpy_gated(x, s, r))])  # fmt: skip
def gated_and_quantized(x: Array, weight_scale: Array | None, activation_scale: Array | None, bias: Array | None = None,
                        quant_scale: Array | None = None, quant_offset: Array | None = None,
                        group_index: Array | None = None, activate_left: bool = False,
                        quant_mode: str = "static"):  # fmt: skip
    """Made real, one half gated by the SiLU of the other, and quantized again; and the scales of the rows."""
    require_choice("quant_mode", quant_mode, ("static", "dynamic"))
    parts = [weight_scale, bias, quant_scale, quant_offset]
    if group_index is not None:
        group = jnp.searchsorted(jnp.cumsum(group_index), jnp.arange(x.shape[0]), side="right")
        parts = [one if one is None or one.ndim < 2 else one[jnp.minimum(group, one.shape[0] - 1)] for one in parts]
    of_columns, shift, scale, offset = parts
    whole = shift is not None and jnp.issubdtype(shift.dtype, jnp.integer)
    wide = (x + jnp.asarray(shift) if whole else x).astype(jnp.float32)
    wide = wide if of_columns is None else wide * of_columns
    wide = wide if activation_scale is None else wide * activation_scale.reshape(*x.shape[:-1], 1)
    wide = wide if shift is None or whole else wide + shift
    left, right = jnp.split(wide, 2, -1)
    result = jax.nn.silu(left) * right if activate_left else left * jax.nn.silu(right)
    result = result if scale is None else result * scale
    if quant_mode == "dynamic":
        return body(quantized_rows)(result)
    return to_bytes(result if offset is None else result + offset), jnp.zeros(x.shape[:-1], jnp.float32)


@generated_op(primitive="Dequant", init=("sqrt_mode", "relu_flag", "dtype"),
              test=lambda t: [t.case(_whole(t, 2, 3).astype(np.int32), np.array([0.5, 2, 1], np.float16), grad=False,
                                     expect=lambda x, scale: (x * scale.astype(np.float32)).astype(np.float16)),
                              t.case(_whole(t, 2, 3).astype(np.int32), np.array([0.5], np.float32).view(np.uint32).astype(np.uint64),
                                     True, True, grad=False, expect=lambda x, *_: np.maximum(x * 0.25, 0).astype(np.float16))])  # fmt: skip
def dequant(
    input_x: Array, deq_scale: Array, sqrt_mode: bool = False, relu_flag: bool = False, dtype: DType = dtypes.float16
):
    """Integers scaled back, twice with ``sqrt_mode``; negative results are 0 with ``relu_flag``."""
    scale = real_scale(deq_scale)
    result = input_x.astype(jnp.float32) * (scale * scale if sqrt_mode else scale)
    return (jnp.maximum(result, 0) if relu_flag else result).astype(dtype.np_dtype)
