"""Quantized and grouped products as primitives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mindspore.common.dtype as mstype
from mindspore import mint, ops
from mindspore._engine.operator.function_primitive import form_of
from mindspore._ops.generated import grouped, quantized
from mindspore.ops import Tensor


def _ends(group_list: Any) -> Tensor:
    return group_list if isinstance(group_list, Tensor) else Tensor([int(end) for end in group_list], mstype.int64)


def _real(weight: Any, scale: Any, offset: Any) -> Tensor:
    """A quantized weight as real numbers."""
    if scale is None:
        return weight
    scale, offset = (
        one if one is None or one.ndim == weight.ndim else mint.unsqueeze(one, -2) for one in (scale, offset)
    )
    moved = ops.cast(weight, scale.dtype)
    return (moved if offset is None else moved + offset) * scale


def _one_product(x: Any, weight: Any, bias: Any, scale: Any, per_row: Any, dtype: Any = None) -> Tensor:
    if scale is not None:
        wanted = dtype or (scale.dtype if scale.dtype in (mstype.bfloat16, mstype.float16) else mstype.float16)
        return quantized.quantized_product(x, weight, scale, None, bias, per_row, False, False, wanted)
    product = mint.matmul(x, ops.cast(weight, x.dtype))
    return product if bias is None else product + bias


def _grouped_rows(
    x: Any, weight: Any, bias: Any, scale: Any, per_row: Any, group_list: Any, kind: int, dtype: Any
) -> Tensor:
    """Rows of one Tensor, every group with the matrix, the bias and the scale of its expert."""
    ends = _ends(group_list)
    product = grouped.product_of_groups(x, weight, ends, kind)
    ones = mint.ones((x.shape[0], 1))

    def of_rows(values: Any) -> Tensor:
        return grouped.product_of_groups(ones, mint.unsqueeze(ops.cast(values, mstype.float32), 1), ends, kind)

    product = product if bias is None else product + ops.cast(of_rows(bias), product.dtype)
    if scale is None:
        return product
    result = ops.cast(product, mstype.float32) * of_rows(scale)
    result = result if per_row is None else result * mint.unsqueeze(per_row, 1)
    return ops.cast(result, dtype or (scale.dtype if scale.dtype != mstype.float32 else mstype.float16))


def _grouped(x: Sequence[Any], weight: Sequence[Any], bias: Any = None, scale: Any = None, antiquant_scale: Any = None,
             antiquant_offset: Any = None, pre_token_scale: Any = None, group_list: Any = None, split_item: int = 0,
             group_type: int = -1, group_list_type: int = 0, output_dtype: Any = None) -> tuple[Tensor, ...]:  # fmt: skip
    """Products of lists of matrices, or of the groups of one."""
    count = len(weight)
    lists = [
        [None] * count if not one else list(one)
        for one in (bias, scale, antiquant_scale, antiquant_offset, pre_token_scale)
    ]
    weights = [_real(*three) for three in zip(weight, lists[2], lists[3], strict=True)]
    if group_type == 2:
        return (grouped.product_of_column_groups(x[0], weights[0], _ends(group_list), group_list_type),)
    if group_type == 0 and len(x) == 1 and group_list is not None:
        matrices, shifts, factors = (_joined(one) for one in (weights, lists[0], lists[1]))
        rows = lists[4][0]
        return (_grouped_rows(x[0], matrices, shifts, factors, rows, group_list, group_list_type, output_dtype),)
    parts = zip(x, weights, lists[0], lists[1], lists[4], strict=True)
    products = tuple(_one_product(*five, output_dtype) for five in parts)
    return (mint.concat(products),) if split_item in (2, 3) else products


def _joined(values: list[Any]) -> Any:
    """The experts' Tensors as one with an axis of experts."""
    if values[0] is None:
        return None
    return values[0] if len(values) == 1 else mint.stack(values)


def _without_quantized_results(owner: str, **given: Any) -> None:
    for name, value in given.items():
        if value:
            raise ValueError(f"For '{owner}', the '{name}' must be None: MindSpore does not support it yet, too.")


def _grouped_v1(x: Any, weight: Any, bias: Any = None, scale: Any = None, offset: Any = None, antiquant_scale: Any = None,
                antiquant_offset: Any = None, group_list: Any = None, split_item: int = 0, group_type: int = -1,
                transpose_a: bool = False, transpose_b: bool = False) -> tuple[Tensor, ...]:  # fmt: skip
    _without_quantized_results("GroupedMatmul", offset=offset)
    left = [one.swapaxes(-1, -2) if transpose_a else one for one in x]
    right = [one.swapaxes(-1, -2) if transpose_b else one for one in weight]
    return _grouped(
        left, right, bias, scale, antiquant_scale, antiquant_offset, None, group_list, split_item, group_type
    )


def _grouped_v4(x: Any, weight: Any, bias: Any = None, scale: Any = None, offset: Any = None, antiquant_scale: Any = None,
                antiquant_offset: Any = None, pre_token_scale: Any = None, group_list: Any = None,
                activation_input: Any = None, activation_quant_scale: Any = None, activation_quant_offset: Any = None,
                split_item: int = 0, group_type: int = -1, group_list_type: int = 0, act_type: int = 0,
                output_dtype: Any = None) -> tuple[Tensor, ...]:  # fmt: skip
    _without_quantized_results("GroupedMatmulV4", offset=offset, activation_input=activation_input, act_type=act_type,
                               activation_quant_scale=activation_quant_scale,
                               activation_quant_offset=activation_quant_offset)  # fmt: skip
    return _grouped(x, weight, bias, scale, antiquant_scale, antiquant_offset, pre_token_scale, group_list, split_item,
                    group_type, group_list_type, output_dtype)  # fmt: skip


def _product(x: Any, weight: Any, bias: Any = None, group_list: Any = None, group_type: int = 0,
             group_list_type: int = 0) -> tuple[Tensor, ...]:  # fmt: skip
    return _grouped(x, weight, bias, group_list=group_list, split_item=3, group_type=group_type,
                    group_list_type=group_list_type)  # fmt: skip


def _product_by_inputs(grad: Any, weight: Any, group_list: Any, kind: int) -> tuple[Tensor, ...]:
    turned = [one.swapaxes(-1, -2) for one in weight]
    return _grouped(list(grad), turned, group_list=group_list, split_item=3, group_type=0, group_list_type=kind)


def _product_backward(grad: Any, x: Any, weight: Any, group_list: Any = None, group_list_type: int = 0) -> tuple:
    """The gradients by the rows and by the matrices."""
    ends = _ends(group_list)
    by_weights = grouped.product_of_column_groups(x[0].swapaxes(0, 1), grad[0], ends, group_list_type)
    return _product_by_inputs(grad, weight, group_list, group_list_type), (by_weights,)


def _feed_forward(x: Any, weight1: Any, weight2: Any, expertTokens: Any = None, bias1: Any = None, bias2: Any = None,
                  scale: Any = None, offset: Any = None, deqScale1: Any = None, deqScale2: Any = None,
                  antiquant_scale1: Any = None, antiquant_scale2: Any = None, antiquant_offset1: Any = None,
                  antiquant_offset2: Any = None, *, activation: str = "fastgelu", inner_precise: int = 0) -> Tensor:  # fmt: skip
    for name, value in (("scale", scale), ("offset", offset), ("deqScale1", deqScale1), ("deqScale2", deqScale2)):
        if value is not None:
            raise ValueError(f"For 'FFNExt', the '{name}' must be None. Use QuantBatchMatmul for int8 inputs.")
    tokens = None if expertTokens is None else _ends(expertTokens)
    first = _real(weight1, antiquant_scale1, antiquant_offset1)
    second = _real(weight2, antiquant_scale2, antiquant_offset2)
    return grouped.feed_forward(x, first, second, tokens, bias1, bias2, activation)


def _blocks(x: Any, min_scale: float = 0.0, round_mode: str = "rint", dst_type: Any = mstype.float8_e5m2,
            row_block_size: int = 1, col_block_size: int = 128) -> tuple[Tensor, Tensor]:  # fmt: skip
    name = {"Int8": "int8", "Float8E5M2": "float8_e5m2", "Float8E4M3FN": "float8_e4m3fn"}.get(str(dst_type))
    if name is None:
        raise TypeError(f"For 'DynamicBlockQuant', the 'dst_type' must be int8 or a float8 dtype, but got {dst_type}.")
    return quantized.quantized_blocks(x, min_scale, round_mode, row_block_size, col_block_size, name)


def _quantized(x1: Any, x2: Any, scale: Any, offset: Any = None, pertoken_scale: Any = None, bias: Any = None,
               output_dtype: Any = None, x1_dtype: Any = None, x2_dtype: Any = None, pertoken_scale_dtype: Any = None,
               scale_dtype: Any = None, group_sizes: Any = None) -> Tensor:  # fmt: skip
    dtype = output_dtype or mstype.int8
    return quantized.quantized_product(x1, x2, scale, offset, bias, pertoken_scale, False, False, dtype)


def _grouped_v2(x: Any, weight: Any, bias: Any = None, scale: Any = None, offset: Any = None, antiquant_scale: Any = None,
                antiquant_offset: Any = None, group_list: Any = None, split_item: int = 0,
                group_type: int = -1) -> tuple[Tensor, ...]:  # fmt: skip
    return _grouped_v1(
        x, weight, bias, scale, offset, antiquant_scale, antiquant_offset, group_list, split_item, group_type
    )


FORMS = {
    "DequantSwigluQuant": form_of(quantized.gated_and_quantized),
    "DynamicBlockQuant": _blocks,
    "DynamicQuantExt": form_of(quantized.quantized_rows),
    "FFNExt": _feed_forward,
    "Gmm": _product,
    "GmmV2": form_of(_product),
    "GmmBackward": _product_backward,
    "GmmV2Backward": form_of(_product_backward),
    "GmmBackwardFusion": lambda grad, weight, group_list=None, group_list_type=0: (
        _product_by_inputs(grad, weight, group_list, group_list_type)
    ),
    "GmmV2BackwardFusion": lambda grad, weight, group_list=None, group_list_type=0: (
        _product_by_inputs(grad, weight, group_list, group_list_type)
    ),
    "GroupedMatmul": form_of(_grouped_v1, "split_item group_type transpose_a transpose_b"),
    "GroupedMatmulV2": _grouped_v2,
    "GroupedMatmulV4": _grouped_v4,
    "QuantBatchMatmul": form_of(
        quantized.quantized_product, "transpose_x1 transpose_x2 dtype", pertoken_scale="pertokenScaleOptional"
    ),
    "QuantMatmul": _quantized,
    "QuantV2": form_of(quantized.quantized),
    "WeightQuantBatchMatmul": form_of(quantized.product_with_quantized, "transpose_x transpose_weight antiquant_group_size"),
}  # fmt: skip
