"""The kinds of numbers that operators refuse, although the computation itself would do something with them.

The bodies of operators check what they cannot compute. Beyond that MindSpore refuses what has no meaning
there: an order of complex numbers, the softmax of truth values, a fraction as an index. Lists of single dtypes are not
repeated here: an operator that takes one floating-point (or integer) dtype takes them all. Operators that only move
elements take everything.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Sequence
from typing import Any

from mindspore._engine import dtype as dtypes
from mindspore._engine.registry import OPS
from mindspore._ops.promotion import is_weak, kind_of
from mindspore._ops.requirements import require

_WORDS = {"b": "bool", "i": "integer", "f": "floating-point", "c": "complex"}

# By the kinds that are accepted (bool, integer, floating point, complex): operators with the arguments it concerns.
# Of several arguments, numbers included, the widest kind counts, because the others are converted to it.
_ACCEPTED = {
    "i": "bitwise_left_shift(input,other) bitwise_right_shift(input,other) invert(x) no_repeat_ngram(state_seq) "
    "polygamma(n) reverse_sequence(seq_lengths) unravel_index(indices,dims)",
    "f": "adaptive_avg_pool1d(input) adaptive_avg_pool2d(input) adaptive_max_pool1d(input) affine_grid(theta) "
    "avg_pool1d(input_x) avg_pool2d(input_x) avg_pool3d(input_x) avg_pool3d_primitive(x) batch_dot(x1,x2) "
    "bessel_i0(x) bessel_i0e(x) bessel_i1(x) bessel_j0(x) bessel_j1(x) bessel_k0(x) bessel_k0e(x) "
    "bessel_k1(x) bessel_k1e(x) bessel_y0(x) bessel_y1(x) betainc(a,b,x) binary_cross_entropy(logits,labels) "
    "binary_cross_entropy_with_logits(input,target) bounding_box_decode(anchor_box,deltas) "
    "bounding_box_encode(anchor_box,groundtruth_box) cdist(x1,x2) ceil(input) celu(x) check_numerics(x) "
    "conv2d_transpose_primitive(dout,weight) conv3d(input,weight) conv3d_primitive(x,weight) "
    "cosine_similarity(x1,x2) cross_entropy(input) ctc_loss(log_probs) ctc_loss_v2(log_probs) deg2rad(x) "
    "digamma(input) dot(input,other) eps(x) fast_gelu(x) fractional_max_pool3d_with_fixed_ksize(x) "
    "fractional_max_pool_with_fixed_ksize(input_x) gelu(input) gelu_primitive(input) group_norm(input) "
    "hardshrink(input) hinge_embedding_loss(inputs) hsv_to_rgb(x) hypot(input,other) igamma(input,other) "
    "igammac(input,other) iou(anchor_boxes,gt_boxes) kl_div(logits,labels) l2_loss(input_x) "
    "l2_normalize(input_x) lerp(input,end) logaddexp(input,other) logaddexp2(input,other) logcumsumexp(input) "
    "lp_norm(input) lrn(x) max_pool3d_primitive(x) mish(x) mvlgamma(input) nanmean(input) "
    "nextafter(input,other) nms_with_mask(bboxes) no_repeat_ngram(log_probs) polygamma(input) "
    "prelu(input,weight) rad2deg(x) relu6(x) rgb_to_hsv(images) roi_align(features,rois) softmax(input) "
    "softmax_cross_entropy_with_logits(logits,labels) softmin(x) softplus(input) softshrink(input) "
    "softsign(x) sparse_ctc_loss(x) sparse_softmax_cross_entropy_with_logits(logits) "
    "stft_of_windows(x,window) zeta(input,other)",
    "fc": "conv3d_transpose(inputs,weight) conv3d_transpose_primitive(dout,weight) stft(x) "
    "tridiagonal_matmul(superdiag,maindiag,subdiag,rhs) xdivy(x,y)",
    "if": "adaptive_avg_pool3d(input) addcdiv(input,tensor1,tensor2) addcmul(input,tensor1,tensor2) bessel_i1e(x) "
    "bucketize(input) bucketize_primitive(input) conv1d(input,weight) conv2d(input,weight) "
    "conv2d_primitive(x,weight) copysign(x,other) fmax(input,other) hardsigmoid(input) "
    "heaviside(input,values) histc(input) histogram(x) lgamma(input) lower_bound(sorted_x,values) "
    "max_pool2d(x) max_pool3d(x) max_pool3d_with_argmax(x) max_pool_with_argmax(x) max_pool_with_argmax_v2(x) "
    "median(input) median_of_axis(x) nanmedian(input) nth_element(input) round(input) selu(input_x) "
    "tensor_scatter_max(input_x,updates) tensor_scatter_min(input_x,updates) top_k(input_x) topk(input) "
    "upper_bound(sorted_x,values)",
    "ifc": "clamp(input) cov(input) huber_loss(input,target) mul_no_nan(x,y)",
    "bif": "aminmax(input) arg_min_with_value(x) argsort(input) lp_pool1d(x) lp_pool2d(x) min(input) "
    "minimum(input,other) msort(input) relu(input) sort(input_x)",
}
# The Tensors among these arguments must have one dtype; elsewhere different dtypes are converted.
_ALIKE = (
    "addcdiv(input,tensor1,tensor2) addcmul(input,tensor1,tensor2) batch_dot(x1,x2) bidense(input1,input2) "
    "cosine_embedding_loss(input1,input2) heaviside(input,values) igamma(input,other) igammac(input,other) inplace_add(x,v) "
    "inplace_sub(x,v) inplace_update(x,v) inplace_update_v2(x,v) lerp(input,end) margin_ranking_loss(input1,input2) "
    "nextafter(input,other) scatter(input,src) select_scatter(input,src) sparse_tensor_dense_matmul(values,dense) "
    "tensor_scatter_elements(input_x,updates) zeta(input,other)"
)
Check = Callable[[Sequence[str], Sequence[Any]], None]


def _require_kinds(kinds: str, names: Sequence[str], values: Sequence[Any]) -> None:
    given = [(name, x) for name, x in zip(names, values, strict=True) if hasattr(x, "dtype")]
    if given:
        name, widest = max(given, key=lambda pair: "bifc".index(kind_of(pair[1].dtype)))
        listed = " or ".join(_WORDS[kind] for kind in kinds)
        got = dtypes.from_numpy(widest.dtype)
        text = f"the '{name}' must be a Tensor of {listed} dtype, but got {got}. Convert it with astype()."
        require(kind_of(widest.dtype) in kinds, text, TypeError)


def _is_number(x: Any) -> bool:
    """Whether the value came from a Python number, which is converted."""
    return is_weak(x) or (x.dtype == bool and x.ndim == 0)


def _require_alike(names: Sequence[str], values: Sequence[Any]) -> None:
    pairs = zip(names, values, strict=True)
    tensors = [(name, x) for name, x in pairs if hasattr(x, "dtype") and not _is_number(x)]
    listed = ", ".join(f"'{name}': {dtypes.from_numpy(x.dtype)}" for name, x in tensors)
    first, last = names[0], names[-1]
    text = f"the '{first}' and '{last}' must have the same dtype, but got {listed}. Convert one with astype()."
    require(len({x.dtype for _, x in tensors}) <= 1, text, TypeError)


def _restrict(table: str, check: Check) -> None:
    for name, listed in re.findall(r"(\w+)\(([^)]*)\)", table):
        declared, names = OPS[name], listed.split(",")
        order = [argument.name for argument in declared.arguments]
        declared.body = _checked(declared.body, [order.index(one) for one in names], names, check)


def _checked(body: Callable[..., Any], places: list[int], names: list[str], check: Check) -> Callable[..., Any]:
    @functools.wraps(body)
    def checked(*values: Any) -> Any:
        check(names, [values[place] for place in places])
        return body(*values)

    return checked


def restrict_all() -> None:
    """Put the checks in front of the operators, once all are declared."""
    for kinds, table in _ACCEPTED.items():
        _restrict(table, functools.partial(_require_kinds, kinds))
    _restrict(_ALIKE, _require_alike)
