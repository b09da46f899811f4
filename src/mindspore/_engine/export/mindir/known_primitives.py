"""Facts, recorded by tools/oracle/mindir_primitives.py: primitives that MindSpore 2.10 writes to MINDIR files and runs on CPUs."""

# They take the arguments of their constructors as inputs.
_FUNCTIONS = """
ACos Abs Acosh AdaptiveMaxPool2D Add AddN AddScalar Addcdiv Addcmul Angle ArgMaxExt ArgMaxWithValue ArgMinWithValue
Argmax Argmin Asin Asinh Assign AssignAdd AssignSub Atan Atan2 Atanh AvgPool BCEWithLogitsLoss BatchMatMul BatchNorm
Betainc BiasAdd BinaryCrossEntropy BroadcastTo Cast Cdist CeLU Ceil Cholesky ClampScalar ClampTensor Complex Concat
Conj Contiguous Correlate Cos Cosh CumProd CumSum Cummax Cummin Dense Diag Diagonal Div DivMod DivMods Divs Dropout
Eig Elu Embedding EqScalar Equal Erf Erfc Erfinv Exp ExpandDims Expm1 Eye FFT FFT2 FFTFreq FFTN FFTShift FastGeLU
Flatten FlattenExt Floor FloorDiv FloorMod GLU Gather GatherD GatherNd Gcd GeLU Geqrf Greater GreaterEqual
GridSampler2D GridSampler3D GroupNorm HFFT HFFT2 HFFTN HShrink HSigmoid HSwish IFFT IFFT2 IFFTN IFFTShift IHFFT IHFFT2
IHFFTN IRFFT IRFFT2 IRFFTN Identity IsClose IsFinite IsInf LayerNorm LeftShift Lerp Less LessEqual LessScalar Log
Log1p LogMatrixDeterminant LogSoftmax LogSoftmaxExt LogicalAnd LogicalNot LogicalOr LogicalXor MaskedFillScalar
MaskedScatter MaskedSelect MatMul MatMulExt MatrixDeterminant Max MaxDim Maximum MeanExt Meshgrid Min MinDim Minimum
Mul Muls NLLLoss NanToNum Neg NewOnes NewZeros NextAfter NonZero NotEqual OneHot Ones OnesLike PReLU Polar Pow
PowScalarTensor PowTensorScalar ProdExt Qr RFFT RFFT2 RFFTFreq RFFTN Range ReLU ReLU6 Real RealDiv Reciprocal
ReduceAll ReduceAny ReduceMax ReduceMean ReduceMin ReduceProd ReduceStd ReduceSum RemainderScalarTensor
RemainderTensorScalar Reshape ResizeBicubic ResizeBilinearV2 ResizeLinear1D ResizeNearestNeighbor
ResizeNearestNeighborV2 ReverseV2 RightShift Round Rsqrt ScalarAdd ScalarFloorDiv ScalarMax ScalarMin ScalarMod
ScalarMul ScalarSub ScalarToTensor ScalarUsub Scatter ScatterNd ScatterValue Select Shape SiLU Sigmoid Sign Sin Sinc
Sinh Slice SmoothL1Loss SoftShrink Softmax Split Sqrt Square Squeeze StridedSlice Sub SubExt SubScalar SumExt Svd Tan
Tanh TensorCopySlices TensorScatterAdd TensorShape Tile Trace TraceV2 Transpose Triu Trunc UniqueConsecutive
UnsortedSegmentSum UpsampleNearest3D UpsampleTrilinear3D Xlogy Zeros ZerosLike
"""
# They have the arguments of their constructors as attributes.
_WITH_ATTRIBUTES = """
AdaptiveAvgPool2D AdaptiveAvgPool3D AdaptiveMaxPool3D AdjustHue AdjustSaturation AffineGrid ApproximateEqual AvgPool3D
BatchToSpaceND BesselI0 BesselI0e BesselI1 BesselI1e BesselJ0 BesselJ1 BesselK0 BesselK0e BesselK1 BesselK1e BesselY0
BesselY1 Bincount BitwiseAnd BitwiseOr BitwiseXor BoundingBoxDecode BoundingBoxEncode Bucketize CSRSparseMatrixToDense
CTCGreedyDecoder CTCLoss CTCLossV2 CheckNumerics CheckValid CholeskySolve Coalesce CombinedNonMaxSuppression
CompareAndBitpack ComplexAbs ConcatOffset ConjugateTranspose Conv2D Conv2DTranspose Conv3D Conv3DTranspose
CropAndResize CumulativeLogsumexp DataFormatDimMap DataFormatVecPermute DeformableOffsets DenseToCSRSparseMatrix
Depend DepthToSpace DiagPart Digamma DivNoNan EditDistance Eps EqualCount Expand ExtractGlimpse FillDiagonal FillV2
Fmax FractionalAvgPool FractionalMaxPool GetTupleIndexInfo HSVToRGB Heaviside Histogram Hypot IOU IdentityN Igamma
Igammac Imag InSequence InTopK IndexAdd IndexFill Inv Invert IsNan JoinedStr KLDivLoss L2Loss L2Normalize LRN Lcm
Lgamma ListDiff Load LowerBound Lstsq LuSolve LuUnpack MakeTuple MatrixDiagPartV3 MatrixInverse MatrixLogarithm
MatrixPower MatrixSetDiagV3 MatrixSolve MatrixSolveLs MatrixTriangularSolve MaxPool MaxPool3D MaxPool3DWithArgmax
MaxPoolWithArgmax MaxPoolWithArgmaxV2 MaxUnpool2D MaxUnpool3D Mish Mod MulNoNan Mvlgamma NMSWithMask NoRepeatNGram
NonMaxSuppressionWithOverlaps NthElement Orgqr PSROIPooling Pad Padding ParallelConcat Partial Pdist Polygamma
PopulationCount RGBToHSV ROIAlign RaggedRange RemoveExpandedDims ResizeArea ReverseSequence Rint STFT
ScaleAndTranslate ScatterAdd ScatterAddWithAxis ScatterMax ScatterMin ScatterMul ScatterNdAdd ScatterNdMax
ScatterNdMin ScatterNdMul ScatterNdUpdate ScatterUpdate SeLU SegmentMax SegmentMean SegmentMin SegmentProd SegmentSum
SequenceAdd SequenceSlice SigmoidCrossEntropyWithLogits SoftmaxCrossEntropyWithLogits Softplus Softsign Sort
SpaceToDepth SparseAdd SparseConcat SparseMatrixAdd SparseSegmentMean SparseSlice SparseSoftmaxCrossEntropyWithLogits
SparseTensorDenseAdd SparseToDense SquareSumAll SquaredDifference Stack SubAndFilter Switch TensorMove
TensorScatterDiv TensorScatterMax TensorScatterMin TensorScatterMul TensorScatterSub TensorScatterUpdate TopK
TridiagonalMatMul Tril TruncateDiv TruncateMod TupleGetItem Unique UniqueWithPad UnravelIndex UnsortedSegmentMax
UnsortedSegmentMin UnsortedSegmentProd Unstack UpdateState UpperBound Xdivy Zeta
"""
FUNCTIONS = frozenset(_FUNCTIONS.split())
WITH_ATTRIBUTES = frozenset(_WITH_ATTRIBUTES.split())
