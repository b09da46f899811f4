"""Where this package answers a call of ``sweep_shapes.py`` otherwise than real MindSpore on purpose, and why."""

from __future__ import annotations

EMPTY = (
    r"\w+Error.*(empty|positive|not (be|contain) 0|larger than 0|greater|got ?0|zero|batch size|\b0\b|must have value)"
)
# The call, our answer, real's answer (each matched from its beginning), and the reason.
ON_PURPOSE: tuple[tuple[str, str, str, str], ...] = (
    (
        ".*: (without|one more|misspelt)",
        "TypeError",
        "",
        "a call that does not fit the signature is a TypeError, as in Python",
    ),
    (
        "",
        "ValueError|TypeError|IndexError",
        "(Runtime|Key|Attribute|Index|Memory|NotImplemented|UFuncType)Error",
        (
            "the same mistake is a ValueError or TypeError in other operators; real's kernels say RuntimeError"
            " or stumble"
        ),
    ),
    (
        r".*: \w+=",
        "no error|ValueError",
        r"TypeError.*takes \d+ positional",
        "what real takes by name only may stand in its place, too",
    ),
    (
        r".*: \w+=",
        "TypeError",
        "ValueError",
        "a value of another type is a TypeError, whichever check of real's meets it first",
    ),
    (
        r".*: \w+='a'",
        "ValueError",
        "TypeError",
        "a text where one of several choices or numbers is due may be either",
    ),
    (
        ".*: (0-d|rank|empty|longer|one)",
        "ValueError",
        "TypeError.*(dim|rank|shape|0-D)",
        "a wrong shape is a ValueError, as in other operators",
    ),
    (
        ".*: (empty|0-d|rank-)",
        "no error",
        EMPTY,
        "an empty Tensor is computed with as NumPy does; real's kernels refuse some",
    ),
    (
        r".*: \w+=(-?\d+|\(.*\))$",
        "no error|ValueError",
        "TypeError.*(tuple|Tuple|list|int)",
        "an int and a tuple of one int are the same",
    ),
    (
        r".*: \w+='a'",
        "TypeError|ValueError",
        "no error",
        "real does not look at the type of an argument it does not use",
    ),
    (
        r".*: \w+=(None|1|3|1\.5|2|\[0\.5\])$",
        "TypeError|ValueError",
        "no error",
        "real does not look at the type of some arguments; here it is said",
    ),
    (
        (
            r"\w+\.(\w*[Cc]dist|[Cc]holesky_?[Ss]olve|[Mm]atrix_?\w*[Ss]olve\w*|[Pp]olar|[Zz]eta|[Pp]olygamma"
            r"|cosine_similarity|IndexPut|[Cc]ross|hsplit|[Tt]race|lp_pool2d|MaskedScatter|LayerNorm"
            r"|ApplyRotaryPosEmb): "
        ),
        "no error",
        r"\w+Error",
        "more axes and broadcasting are allowed, as in NumPy",
    ),
    (
        r"ops\.adaptive_(avg|max)_pool1d|ops.cond|\w+\.ExtractVolumePatches|\w+\.stft",
        "no error",
        "ValueError",
        "every size is possible, not only those real's kernel divides",
    ),
    (
        (
            r"\w+\.(cross_entropy|nll_loss|CTCLoss\w*|ROIAlign|UnravelIndex|MaskedScatter|ReverseSequence"
            r"|reverse_sequence|NoRepeatNGram|TensorScatterElements|tensor_scatter_elements"
            r"|SparseSoftmaxCrossEntropyWithLogits|TensorScatter\w+|tensor_scatter_\w+): "
        ),
        "no error|ValueError",
        "ValueError|RuntimeError|no error",
        ("numbers out of range are refused where looking at them is free; real refuses others, or writes elsewhere"),
    ),
    (
        r"(ops\.(max|min)|P\.LpNorm): 0-d",
        "ValueError",
        "no error",
        "an axis out of range is refused for a 0-d Tensor, too",
    ),
    (
        (
            r"\w+\.(mean|ReduceMean|norm|Pad|tensor_dot|batch_dot|ReduceProd|prod|LpNorm|Ger|outer"
            r"|ResizeBilinearV2|BinaryCrossEntropy|binary_cross_entropy|PReLU|prelu"
            r"|Histogram|histc|P?[Dd]ist|ReduceStd|std|var|any|add\w+|\w+Solve): (empty|0-d)"
        ),
        "no error|gradient",
        "no error|gradient",
        "real's kernel leaves results unwritten; NumPy's answer counts",
    ),
    (
        (
            r"\w+\.(ROIAlign|Grid\w+|grid_sample|MaxPool|BoundingBox\w+|DiagPart|[Dd]eform\w+|Conv3D|Im2Col|Resize\w+"
            r"|SparseToDense|ParallelConcat|SparseTensorDenseMatmul|ReduceStd|add[bmr]\w*): "
        ),
        "ValueError",
        "no error",
        "there is nothing to sample, or the inputs do not belong together: refused",
    ),
    (
        (
            r"P\.(MaxPoolWithArgmax|Svd|ResizeBicubic|Polar|LSTM|Eig|TopK|Cross|NextAfter"
            r"|FractionalMaxPool\w+|Conv3DTranspose|Lstsq)"
            r"|ops\.(lstsq|norm: dim=|argmin: 0-d|cross|nextafter|topk|eig)"
        ),
        "",
        "no error",
        (
            "real is wrong or leaves it open: pads at one end, order of equal values, workspace as a result,"
            " memory past the end"
        ),
    ),
    (
        (
            r"\w+\.(Gather|gather|SeLU|selu|IOU|iou|NLLLoss|InplaceUpdateV2|inplace_update|EmbeddingLookup|Mod"
            r"|std|MatrixSolveLs): "
        ),
        "gradient",
        "gradient",
        "real's rule is not the slope: it forgets negative indices, weights or whole inputs",
    ),
)
