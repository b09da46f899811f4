"""Facts, recorded by tools/oracle/mindir_dtypes.py: dtypes that kernels of MindSpore 2.10 for CPUs do not take."""

_REFUSED = """
Neg bool
Exp bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Log bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Tanh bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Sin bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Cos bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Tan bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Asin bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
ACos bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Atan bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Sinh bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Cosh bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Asinh bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Acosh bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Atanh bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Abs uint16 uint32 uint64 bfloat16
Sign bool int8 int16 uint8 uint16 uint32 uint64 bfloat16
Floor bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
Ceil bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
Sqrt bfloat16
Sigmoid bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Erf bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
Erfc bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
Erfinv bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
Log1p bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Expm1 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Rsqrt bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16
Square bool bfloat16
IsFinite bfloat16 complex64 complex128
IsNan bfloat16 complex64 complex128
Lgamma bool int8 int16 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
Digamma bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
LogicalNot bfloat16
Invert bool float16 float32 float64 bfloat16 complex64 complex128
BesselI0e bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
BesselI1e bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
PopulationCount bool float16 float32 float64 bfloat16 complex64 complex128
Add bool
Sub bool uint32 uint64 bfloat16
Maximum uint16 bfloat16 complex64 complex128
Minimum bool bfloat16 complex64 complex128
Pow bool bfloat16
Atan2 bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
Equal bfloat16
NotEqual bfloat16
Less bfloat16 complex64 complex128
LessEqual bfloat16 complex64 complex128
Greater bfloat16 complex64 complex128
GreaterEqual bfloat16 complex64 complex128
TruncateMod bool int16 int64 uint16 uint32 uint64 bfloat16 complex64 complex128
NextAfter bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 complex64 complex128
LogicalAnd bfloat16
LogicalOr bfloat16
LogicalXor bfloat16
BitwiseAnd float16 float32 float64 bfloat16 complex64 complex128
BitwiseOr float16 float32 float64 bfloat16 complex64 complex128
BitwiseXor float16 float32 float64 bfloat16 complex64 complex128
RealDiv bool bfloat16
TruncateDiv bool bfloat16 complex64 complex128
LeftShift bool float16 float32 float64 bfloat16 complex64 complex128
RightShift bool float16 float32 float64 bfloat16 complex64 complex128
Igamma bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 complex64 complex128
Igammac bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 complex64 complex128
Zeta bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 complex64 complex128
ReduceSum bfloat16
ReduceMax bool bfloat16 complex64 complex128
ReduceMin bool bfloat16 complex64 complex128
ReduceProd bfloat16
TensorScatterUpdate bfloat16
TensorScatterAdd bool bfloat16 complex64 complex128
TensorScatterSub bool bfloat16 complex64 complex128
TensorScatterMul bool bfloat16 complex64 complex128
TensorScatterMin bool bfloat16 complex64 complex128
TensorScatterMax bool bfloat16 complex64 complex128
Select bfloat16
Gather bfloat16
GatherNd bfloat16
GatherD bfloat16
ReverseV2 bfloat16
Sort bool uint16 uint32 uint64 bfloat16 complex64 complex128
TopK bool bfloat16 complex64 complex128
CumSum bool bfloat16
CumProd bool bfloat16
Stack bfloat16
MatMul bool uint16 uint32 uint64 bfloat16
BatchMatMul bool bfloat16
Argmax bool bfloat16 complex64 complex128
Argmin bool bfloat16 complex64 complex128
Round bool int8 int16 uint8 uint16 uint32 uint64 bfloat16 complex64 complex128
Tile bfloat16
"""
REFUSED = {line.split()[0]: frozenset(line.split()[1:]) for line in _REFUSED.split("\n") if line}
