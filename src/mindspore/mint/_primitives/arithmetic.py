"""Element by element: the functions of ``mint`` as primitives, with the forms that take a number apart."""

from __future__ import annotations

import mindspore.common.dtype as mstype
from mindspore import mint, ops
from mindspore.mint.nn import functional as F
from mindspore.ops import Tensor


def _all_equal(input: Tensor, other: Tensor) -> Tensor:
    """Whether two Tensors have the same shape and elements."""
    return mint.all(mint.eq(input, other)) if input.shape == other.shape else mint.zeros((), dtype=mstype.bool_)


FORMS = {
    "AcosExt": lambda input: mint.acos(input),
    "AcoshExt": lambda input: mint.acosh(input),
    "AddExt": lambda input, other, alpha=1: mint.add(input, other, alpha=alpha),
    "AddScalar": lambda input, other, alpha=1: mint.add(input, other, alpha=alpha),
    "AddcdivExt": lambda input, tensor1, tensor2, value=1: mint.addcdiv(input, tensor1, tensor2, value=value),
    "AddcmulExt": lambda input, tensor1, tensor2, value=1: mint.addcmul(input, tensor1, tensor2, value=value),
    "AsinExt": lambda input: mint.asin(input),
    "AsinhExt": lambda input: mint.asinh(input),
    "Atan2Ext": lambda input, other: mint.atan2(input, other),
    "AtanExt": lambda input: mint.atan(input),
    "BitwiseAndScalar": lambda input, other: mint.bitwise_and(input, other),
    "BitwiseAndTensor": lambda input, other: mint.bitwise_and(input, other),
    "BitwiseNot": lambda input: mint.bitwise_not(input),
    "BitwiseOrScalar": lambda input, other: mint.bitwise_or(input, other),
    "BitwiseOrTensor": lambda input, other: mint.bitwise_or(input, other),
    "BitwiseXorScalar": lambda input, other: mint.bitwise_xor(input, other),
    "BitwiseXorTensor": lambda input, other: mint.bitwise_xor(input, other),
    "ClampScalar": lambda input, min=None, max=None: mint.clamp(input, min, max),
    "ClampTensor": lambda input, min=None, max=None: mint.clamp(input, min, max),
    "DivMod": lambda input, other, rounding_mode=None: mint.div(input, other, rounding_mode=rounding_mode),
    "DivMods": lambda input, other, rounding_mode=None: mint.div(input, other, rounding_mode=rounding_mode),
    "Divs": lambda input, other: mint.div(input, other),
    "EqScalar": lambda input, other: mint.eq(input, other),
    "EqualExt": lambda input, other: _all_equal(input, other),
    "Exp2": lambda input: mint.exp2(input),
    "FloorDivScalar": lambda input, other: mint.floor_divide(input, other),
    "FmodScalar": lambda input, other: mint.fmod(input, other),
    "FmodTensor": lambda input, other: mint.fmod(input, other),
    "Frac": lambda input: mint.frac(input),
    "GreaterEqualScalar": lambda input, other: mint.greater_equal(input, other),
    "IsNegInf": lambda input: mint.isneginf(input),
    "LessScalar": lambda input, other: mint.less(input, other),
    "Log10": lambda input: mint.log10(input),
    "Log2": lambda input: mint.log2(input),
    "LogAddExp": lambda input, other: mint.logaddexp(input, other),
    "LogAddExp2": lambda input, other: mint.logaddexp2(input, other),
    "Muls": lambda input, other: mint.mul(input, other),
    "PowScalarTensor": lambda input, exponent: mint.pow(input, exponent),
    "PowTensorScalar": lambda input, exponent: mint.pow(input, exponent),
    "RemainderScalarTensor": lambda input, other: mint.remainder(input, other),
    "RemainderTensorScalar": lambda input, other: mint.remainder(input, other),
    "RemainderTensorTensor": lambda input, other: mint.remainder(input, other),
    "SubExt": lambda input, other, alpha=1: mint.sub(input, other, alpha=alpha),
    "SubScalar": lambda input, other, alpha=1: mint.sub(input, other, alpha=alpha),
    "XLogYScalarOther": lambda input, other: mint.xlogy(input, other),
    "XLogYScalarSelf": lambda input, other: mint.xlogy(input, other),
    # products
    "Addbmm": lambda input, batch1, batch2, beta=1, alpha=1: mint.addbmm(input, batch1, batch2, beta=beta, alpha=alpha),
    "Addmm": lambda input, mat1, mat2, beta=1, alpha=1: mint.addmm(input, mat1, mat2, beta=beta, alpha=alpha),
    "Addmv": lambda input, mat, vec, beta=1, alpha=1: mint.addmv(input, mat, vec, beta=beta, alpha=alpha),
    "Baddbmm": lambda input, batch1, batch2, beta=1, alpha=1: mint.baddbmm(
        input, batch1, batch2, beta=beta, alpha=alpha
    ),
    "BatchMatMulExt": lambda input, mat2: mint.bmm(input, mat2),
    "Dot": lambda input, other: mint.dot(input, other),
    "EinsumExt": lambda equation, operands: mint.einsum(equation, *operands),
    "MatMulExt": lambda input, other: mint.matmul(input, other),
    "MatrixInverseExt": lambda input: mint.inverse(input),
    "Mm": lambda input, mat2: mint.mm(input, mat2),
    "Mv": lambda input, vec: mint.mv(input, vec),
    "Outer": lambda input, vec2: mint.outer(input, vec2),
    "Vdot": lambda input, other: mint.vdot(input, other),
    # activations
    "EluExt": lambda input, *, alpha=1.0: F.elu(input, alpha),
    "GeluExt": lambda input, approximate="none": F.gelu(input, approximate=approximate),
    "Hardtanh": lambda input, min_val=-1, max_val=1: F.hardtanh(input, min_val, max_val),
    "LeakyReLUExt": lambda input, negative_slope=0.01: F.leaky_relu(input, negative_slope),
    "LogSigmoid": lambda input: (F.logsigmoid(input), mint.exp(mint.neg(mint.abs(input)))),
    "MishExt": lambda input: F.mish(input),
    "NpuGelu": lambda input, approximate="none": mint.npu_gelu(input, approximate),
    "SeLUExt": lambda input: F.selu(input),
    "SoftplusExt": lambda input, beta=1, threshold=20: F.softplus(input, beta, threshold),
    "Swiglu": lambda input, dim=-1: ops.swiglu(input, dim),
    "Threshold": lambda input, threshold, value: F.threshold(input, threshold, value),
}
