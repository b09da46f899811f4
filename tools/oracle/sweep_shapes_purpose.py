"""Where this package answers a call of ``sweep_shapes.py`` otherwise than real MindSpore on purpose, and why."""

from __future__ import annotations

EMPTY = (
    r"\w+Error.*(empty|positive|not (be|contain) 0|larger than 0|greater|got ?0|zero|batch size|\b0\b|must have value)"
)
NO, VALUE, TYPE = "no error", "ValueError", "TypeError"
# The call, our answer, real's answer (each matched from its beginning), and the reason. First what holds for all operators.
ON_PURPOSE: tuple[tuple[str, str, str, str], ...] = (
    (
        ".*: (without|one more|misspelt)",
        "TypeError|ValueError",
        "(Type|Value|Runtime)Error|no error",
        "a call that does not fit the signature is a TypeError, as in Python; of Primitives that are not generated a ValueError",
    ),
    (
        "",
        "ValueError|TypeError",
        "(Runtime|Key|Attribute|Index|Memory|NotImplemented|UFuncType)Error",
        "the same mistake is a ValueError or TypeError in other operators; real's kernels say RuntimeError or stumble",
    ),
    (
        r".*: \w+=",
        f"{NO}|{VALUE}",
        r"TypeError.*takes \d+ positional",
        "what real takes by name only may stand there, too",
    ),
    (
        r".*: \w+=('a'|None|1\.5|\(1\.5,\)|1|2|3|\[0\.5\])$",
        TYPE,
        VALUE,
        "a value of another type is a TypeError everywhere",
    ),
    (r".*: \w+='a'", VALUE, TYPE, "a text where one of several choices or numbers is due may be either"),
    (
        r".*\.(diff|pinv|L2Normalize|FractionalMaxPool3DWithFixedKsize): (0-d|rank)",
        VALUE,
        "TypeError.*(dim|rank|shape|0-D)",
        "a wrong shape is a ValueError, as in other operators",
    ),
    (".*: (empty|0-d|rank-)", NO, EMPTY, "an empty Tensor is computed with as NumPy does; real's kernels refuse some"),
    (
        r".*: \w+=(-?\d+|\(.*\))$",
        f"{NO}|{VALUE}",
        "TypeError.*(tuple|Tuple|list|int)",
        "an int and a tuple of one int are the same",
    ),
    (
        r".*\.(am(in|ax)|max|min|argmin|combinations|fill|max_pool[23]d|nll_loss|StopGradient|matrix_norm|norm|Lstsq|relu|stft"
        r"|addb?mm|cosine_similarity|multilabel_soft_margin_loss|[Ll]cm): \w+=",
        "TypeError|ValueError",
        NO,
        "real does not look at the type of these arguments, or takes lists and numbers for Tensors there",
    ),
    # Then operators where more is possible here.
    (
        r"\w+\.([Cc]dist|[Cc]holesky_?[Ss]olve|[Mm]atrix_?\w*[Ss]olve\w*|[Pp]olar|[Pp]olygamma|[Zz]eta|cosine_similarity"
        r"|IndexPut|[Tt]race|Ger|MatrixSolveLs): (rank|0-d other|one|empty 2)",
        NO,
        "ValueError|RuntimeError",
        "more axes and broadcasting are allowed, as in NumPy",
    ),
    (
        r"\w+\.([Cc]ross: one|hsplit: rank|lp_pool2d: rank|MaskedScatter: (one|0-d))",
        NO,
        VALUE,
        "inputs are broadcast, as NumPy does it",
    ),
    (
        r"ops\.adaptive_(avg|max)_pool1d|ops.cond|\w+\.ExtractVolumePatches|\w+\.stft",
        NO,
        VALUE,
        "every size is possible, not only those real's kernel divides",
    ),
    (r"ops\.multilabel_soft_margin_loss: 0-d", NO, "IndexError", "broadcasting, as for every other shape"),
    (r"\w+\.[Rr]everse_?[Ss]equence: \w+_dim=-", NO, VALUE, "axes are counted from the end everywhere"),
    # Numbers that lead outside of a Tensor.
    (
        r"\w+\.(cross_entropy|nll_loss|CTCLoss|ROIAlign|[Rr]everse_?[Ss]equence|NoRepeatNGram): one|P.UnravelIndex: (one|empty)",
        NO,
        "ValueError|RuntimeError",
        "numbers out of range are refused where looking at them is free; in a kernel they are nan or nothing",
    ),
    (
        r"\w+\.(CTCLoss|CTCLossV2|ctc_loss|SparseSoftmaxCrossEntropyWithLogits|[Tt]ensor_?[Ss]catter_?[Ee]lements): (one|rank\+ all)",
        NO,
        NO,
        "numbers out of range are nan or nothing; real reads or writes past the end",
    ),
    (r"\w+\.[Tt]ensor_?[Ss]catter_?\w+: one", VALUE, NO, "an index out of range is refused; real writes past the end"),
    (
        r"P\.SparseSoftmaxCrossEntropyWithLogits: one",
        "RuntimeError",
        NO,
        "labels out of range are refused; real reads past the end",
    ),
    (
        r"P\.InplaceUpdate: one",
        "RuntimeError",
        VALUE,
        "positions out of range are a RuntimeError, as in real's function",
    ),
    (r"P.SelectView: (empty|one)", VALUE, NO, "an index out of range is refused; real reads past the end"),
    (r"(ops\.(max|min)|P\.LpNorm): 0-d", VALUE, NO, "an axis out of range is refused for a 0-d Tensor, too"),
    # Real's kernel leaves results unwritten, or divides by a count of 0 in its own way: NumPy's answer counts.
    (
        r"\w+\.(any|mean|norm|prod|std(_mean)?|var_mean|nanmean|matrix_norm|Reduce(Mean|Prod|Std|Any)|LpNorm|Pad|Histogram|histc|p?dist"
        r"|Pdist|b?addb?mm|batch_dot|[Bb]inary_?[Cc]ross_?[Ee]ntropy|huber_loss|l1_loss|mse_loss|gaussian_nll_loss|ctc_loss"
        r"|tensor_dot|ReduceProd|ResizeBilinearV2): (empty|0-d)",
        f"{NO}|gradient",
        f"{NO}|gradient",
        "real's kernel leaves results of empty inputs unwritten, or gives infinity for a mean of nothing",
    ),
    (
        r"\w+\.(\w*Triangular\w*|[Mm]atrix_?[Ss]olve|Ger|outer|PReLU|prelu|std|var): (empty|0-d)",
        "gradient",
        "gradient",
        "real's kernel leaves gradients of empty inputs unwritten",
    ),
    (r"ops\.(dsplit|hsplit|vsplit|tensor_split): empty", NO, NO, "as many pieces as asked for, also of nothing"),
    (r"ops\.copysign: empty", VALUE, NO, "lengths 0 and 3 do not broadcast"),
    (r"ops\.i?h?r?fft[2n]: dim=\(\)", NO, NO, "no axes are all axes; real gives numbers from elsewhere"),
    # Real takes what does not belong together.
    (
        r"\w+\.(Grid\w+|grid_sample|MaxPool|ResizeNearest\w+|ResizeBicubic|ROIAlign|ctc_loss|MaskedScatter|DiagPart"
        r"|SparseToDense|[Bb]ounding_?[Bb]ox_?\w+|ParallelConcat|[Dd]eform\w+): (empty|longer|rank-)",
        VALUE,
        NO,
        "there is nothing to read, or the inputs do not belong together: refused",
    ),
    (r"\w+\.[Pp]olar: one", VALUE, NO, "lengths and angles have one shape; real reads past the end of the shorter one"),
    (r"\w+\.([Cc]onv3[Dd]|Im2Col): one", VALUE, NO, "a kernel larger than the input is refused, as in conv2d"),
    (
        r"\w+\.(addbmm|addmv|addr|mv|cross_entropy|nll_loss|CTCLossV2|ctc_loss|SparseSoftmaxCrossEntropyWithLogits"
        r"|SparseTensorDenseMatmul|Conv3DTranspose|FractionalMaxPool3DWithFixedKsize): (rank|one|longer)",
        VALUE,
        NO,
        "ranks and lengths must be those of the documentation; real reads what happens to be there",
    ),
    (r"ops\.t: rank\+", VALUE, NO, "of more than two axes it is not said which to swap"),
    (r"P\.ReduceStd: axis=\(0, 0\)", VALUE, NO, "an axis cannot be reduced two times"),
    # What is no operator of its own.
    (
        r".*(mean|any|sometrue|std|var|nan\w+|median|unique|intersect1d|setdiff1d|clip_by_global_norm|count_nonzero)\(.*: empty",
        NO,
        NO,
        "real's kernel leaves results of empty inputs unwritten, or forgets their shape; NumPy's answer counts",
    ),
    (r".*mnp\.(tri[lu]_indices_from|digitize)\(.*: empty", NO, NO, "positions are int32, also those of nothing"),
    (r".*bincount\(.*: empty", NO, NO, "a Tensor of no counts; real returns an object of its own"),
    (r".*clip_by_global_norm\(.*: 0-d", NO, NO, "a 0-d Tensor stays a 0-d Tensor"),
    (
        r".*mnp\.(diff|trapz|cov|corrcoef|array_split|histogram2d|histogramdd|multi_dot|choose)\(",
        NO,
        r"\w+Error",
        "as NumPy answers it, without a refusal",
    ),
    (r".*mnp\.cross\(.*: axis=", NO, VALUE, "any axis of length 2 or 3, as in NumPy"),
    (r".*mnp\.(diff|matmul)\(.*: 0-d", TYPE, VALUE, "a number is no array there: a TypeError in these two"),
    (
        r".*(mnp\.(arg(max|min)|sum|nan(max|min)|histogram\w+|stack)|x\.(max|argmin|argmax_with_value))\(.*: (0-d|empty)",
        VALUE,
        NO,
        "an axis that a Tensor lacks, an extreme of nothing and parts of different shapes are refused, as in NumPy",
    ),
    (r".*x\.argmin\(\): 0-d", NO, NO, "positions are int32 here, whatever the shape; there int64 of a 0-d Tensor"),
    (r".*mnp\.minimum\(.*: 0-d", NO, NO, "a number does not change the dtype of a Tensor, 0-d or not"),
    (
        r".*x\.(add|sub|mul|div|copy)_\(y\): (0-d|empty)",
        VALUE,
        NO,
        "a Tensor keeps its shape when it is changed in place",
    ),
    (r".*take_along_axis\(.*: empty|.*ExtractGlimpse.*: empty", VALUE, NO, "lengths 0 and 3 do not belong together"),
    (r".*masked_scatter\(.*: 0-d", NO, VALUE, "numbers out of range are not looked at in a kernel"),
    (r".*x\[.*: 0-d", "IndexError", r"\w+Error", "indexing says IndexError of too many indices, as NumPy does"),
    (r".*(mnp\.unique|CopyWithSlice).*: 0-d", NO, "RuntimeError", "as NumPy answers it, without a refusal"),
    (r".*mint\.nn\.Softmax.*: 0-d", VALUE, NO, "a number has no axis to share among, as in ops.softmax"),
    (r".*mint\.chunk\(.*: empty", NO, NO, "one piece of nothing, as ops.chunk gives"),
    (r".*numpy\(\)", NO, NO, "what NumPy itself shows differs between its versions"),
    # Real is wrong, or its answer is one of several.
    (r"(P\.Eig|ops\.eig(vals)?): ", NO, NO, "the order of eigenvalues is not defined"),
    (r"(P\.TopK|ops\.top_?k): longer", NO, NO, "the order of equal elements is not defined"),
    (
        r"\w+\.([Cc]ross|[Pp]olar|NextAfter): (one|0-d|rank)",
        NO,
        NO,
        "real's kernel reads past the end of what it broadcasts",
    ),
    (
        r"ops\.cosine_similarity: (one|0-d)",
        NO,
        NO,
        "a cosine is at most 1; real forgets to broadcast before the lengths",
    ),
    (r"ops\.multilabel_soft_margin_loss: rank", NO, NO, "a mean over the classes; real divides by another axis"),
    (r"P\.MaxPoolWithArgmax: ", NO, NO, "paddings of a kernel that is not square are swapped there"),
    (r"P\.ResizeBicubic: ", NO, NO, "weights come from a table of 1024 steps there"),
    (r"P\.Svd: ", NO, NO, "the signs of singular vectors are not defined"),
    (r"P\.LayerNorm: begin_norm_axis=-2", NO, "RuntimeError", "every axis can be the first; there not -2 of two"),
    (r"P\.LSTM: base", NO, NO, "the last results are a device's own notes for the gradient"),
    (r"P\.Lstsq: longer", NO, NO, "of several solutions the shortest; there any"),
    (r"ops\.norm: dim=\(\)", NO, NO, "no axes are all axes, as in other reductions"),
    (r"ops\.argmin: 0-d", NO, NO, "positions are int32 here, whatever the shape; there int64 of a 0-d Tensor"),
    (
        r"\w+\.(Gather|gather|SeLU|selu|IOU|iou|NLLLoss|[Ii]nplace_?(Add|add|Sub|sub|[Uu]pdate(V2)?)|EmbeddingLookup|Mod"
        r"|MatrixSolveLs|[Cc]holesky_?([Ss]olve|[Ii]nverse)): ",
        "gradient",
        "gradient",
        "real's rule is not the slope: it forgets negative indices, weights or whole inputs",
    ),
)
