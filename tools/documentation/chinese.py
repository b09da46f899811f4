"""Sentences that docstrings are composed of, in Chinese: the reference of the Chinese site shows them; what is written by hand stays English."""

from __future__ import annotations

import re

SENTENCES = {
    "The Tensor to compute with.": "输入 Tensor。", "The Tensors to compute with.": "输入的各个 Tensor。", "The input.": "输入。", "The inputs.": "各个输入。",
    "The first operand.": "第一个操作数。", "The second operand.": "第二个操作数。", "The Tensors, in order.": "按顺序给出的各个 Tensor。",
    "The axis, or the axes, to work along; negative ones count from the end. None: all axes, or the operator's own choice.":
        "沿哪个（或哪些）轴计算；负数从末尾数起。None 表示全部轴，或由算子决定。",
    "The axes, in order; negative ones count from the end.": "按顺序给出的轴；负数从末尾数起。", "The first of the two axes.": "两个轴中的第一个。",
    "The second of the two axes.": "两个轴中的第二个。",
    "The dtype of the result, or of the Parameters of a layer; None keeps the one that follows from the inputs.": "结果的数据类型；None 表示由输入推出。",
    "The dtype of the Parameters.": "Parameter 的数据类型。", "The dtype of the result.": "结果的数据类型。",
    "Whether reduced axes stay, with length 1.": "是否保留被归约的轴（长度为 1）。", "Positions to read or write, a Tensor of integers.": "要读取或写入的位置，整数 Tensor。",
    "Positions to read or write.": "要读取或写入的位置。", "The positions to read.": "要读取的位置。", "Further arguments by name.": "其他关键字参数。",
    "Further arguments by position.": "其他位置参数。", "Further inputs, by position.": "其他输入，按位置给出。",
    "How many workers read or compute at once; None for the setting of `dataset.config`.": "并行读取或计算的工作线程（进程）数；None 表示采用 `dataset.config` 的设置。",
    "How many rows are read at most; None for all.": "最多读取多少行；None 表示全部。",
    "Into how many parts the data is divided, one for each process; goes with `shard_id`.": "数据分成多少份，每个进程一份；与 `shard_id` 一起使用。",
    "Which part this process reads, from 0.": "本进程读取哪一份，从 0 开始。", "The seed of the random numbers; by default that of `set_seed`.": "随机种子；默认采用 `set_seed` 的设置。",
    "A second seed.": "第二个种子。", "The shape of the result.": "结果的形状。", "The shape or size of the result.": "结果的形状或大小。",
    "Whether rows come in random order; a `Shuffle` says how far. None for the dataset's own choice.": "是否混洗各行；`Shuffle` 指定混洗的范围。None 表示由数据集决定。",
    "What the prediction is compared with.": "与预测值比较的目标。", "The prediction.": "预测值。", "The right answers: classes, or values.": "正确答案：类别或数值。",
    "Scores before softmax or sigmoid.": "softmax 或 sigmoid 之前的分数。", "A `DatasetCache`; None for no cache.": "`DatasetCache`；None 表示不缓存。", "The name.": "名称。",
    "The name of the layer's Parameters.": "该层 Parameter 的名称。", "The value to write, fill in or multiply with.": "要写入、填充或相乘的值。",
    "The weight: of a layer, the Tensor that multiplies the input; of a loss, a factor for every class or element.": "权重：对网络层是与输入相乘的 Tensor，对损失函数是各类别或元素的系数。",
    "The values to write or combine at the indices.": "要在这些位置写入或合并的值。", "The values to write.": "要写入的值。", "The values, one for each index.": "各个值，每个索引一个。",
    "A small number that keeps divisions from zero.": "防止除以零的小数。", "Has no effect: updates are exclusive.": "不起作用：更新总是互斥的。", "Has no effect here.": "在这里不起作用。",
    "How the losses are put together: 'mean', 'sum', or 'none' for one number each.": "如何汇总损失：'mean' 取均值，'sum' 求和，'none' 各自给出。",
    "How far a window moves: an int, or one for each spatial axis.": "窗口移动的步长：一个 int，或每个空间轴一个。",
    "The size of a window: an int, or one for each spatial axis.": "窗口大小：一个 int，或每个空间轴一个。",
    "The distance between the elements of a window: an int, or one for each spatial axis.": "窗口内元素的间距：一个 int，或每个空间轴一个。",
    "The size of the result: an int, or one for each spatial axis.": "结果的大小：一个 int，或每个空间轴一个。",
    "What is added around the input: an int, one for each axis or side, or a mode.": "在输入四周填充多少：一个 int、每个轴或每一侧一个，或一种模式。",
    "The factor of the second operand, or the slope or scale of a function.": "第二个操作数的系数，或函数的斜率、比例。",
    "The factor of the first term, or the steepness or shape of a function.": "第一项的系数，或函数的陡度、形状参数。",
    "Which rows are read, in which order: a sampler, or an iterable of indices.": "读取哪些行、按什么顺序：采样器，或索引的可迭代对象。", "The group of processes.": "进程组。",
    "The gradient.": "梯度。", "The gradients, one for each Parameter, in their order.": "各 Parameter 的梯度，按其顺序。", "What is added to every output channel; None adds nothing.": "加到每个输出通道的偏置；None 表示不加。",
    "The probability, or the exponent of a norm.": "概率，或范数的阶。", "The variance, or the variable to update.": "方差，或要更新的变量。", "What went wrong.": "出错原因。",
    "How many, or which diagonal.": "个数，或哪一条对角线。", "The count, order or length that the name of the operator speaks of.": "算子名称所指的个数、阶数或长度。",
    "'same' keeps the lengths divided by the stride, 'valid' does not pad, 'pad' pads by `padding`.": "'same' 使输出长度为输入除以步长，'valid' 不填充，'pad' 按 `padding` 填充。",
    "The learning rate.": "学习率。", "the learning rate.": "学习率。", "The learning rate: a number, a Tensor, or a schedule.": "学习率：数、Tensor 或学习率策略。", "The learning rate: a number or a Tensor.": "学习率：数或 Tensor。",
    "The function to transform or call.": "要变换或调用的函数。", "Which variant is computed; the words are listed in the error for another one.": "计算哪一种形式；传入其他词时，报错会列出全部取值。",
    "The mean of the gradients, updated in place.": "梯度的均值，原地更新。", "The mean of their squares, updated in place.": "梯度平方的均值，原地更新。", "The accumulator, updated in place.": "累加器，原地更新。",
    "The upper bound.": "上界。", "The lower bound.": "下界。", "The lower bound, included.": "下界（包含）。", "The upper bound, not included.": "上界（不包含）。", "How many samples a second has.": "每秒的采样数。",
    "The matrix.": "矩阵。", "The first matrix.": "第一个矩阵。", "The second matrix.": "第二个矩阵。", "The vector.": "向量。", "The first vector.": "第一个向量。", "The second vector.": "第二个向量。", "The mean.": "均值。", "The standard deviation.": "标准差。",
    "whether images are decoded.": "是否解码图像。", "Whether images are decoded.": "是否解码图像。", "Which diagonal, or where counting begins.": "哪一条对角线，或从哪里开始计数。", "Which diagonal; positive ones lie above the main one.": "哪一条对角线；正数在主对角线上方。",
    "The first value or position.": "第一个值或位置。", "The value or position where it ends.": "结束的值或位置。", "The distance between values.": "相邻值的间隔。", "How many values.": "值的个数。", "How many.": "个数。", "How many elements.": "元素个数。",
    "How many channels the input has.": "输入的通道数。", "How many channels the result has.": "结果的通道数。", "The order of the axes: 'NCHW' or 'NHWC'.": "轴的排列：'NCHW' 或 'NHWC'。",
    "Where the random numbers come from; None: the default generator.": "随机数的来源；None 表示默认生成器。", "Whether a last window that fits only in part counts.": "最后一个不完整的窗口是否计入。", "Where the result is made.": "结果所在的设备。",
    "The segment of every row.": "每一行所属的分段。", "How many segments there are.": "分段数。", "How a transform is scaled: 'backward', 'forward' or 'ortho'.": "变换的缩放方式：'backward'、'forward' 或 'ortho'。",
    "The share of the past in a moving average, or the momentum of an optimizer.": "滑动平均中历史值的占比，或优化器的动量。", "Whether the input itself is overwritten.": "是否覆盖输入本身。",
    "Into how many parts the channels are split, each with kernels of its own.": "通道分成多少组，各组使用自己的卷积核。", "Into how many groups the channels are split, each with kernels of its own.": "通道分成多少组，各组使用自己的卷积核。",
    "The Parameters, or a weight for every element.": "Parameter，或每个元素的权重。", "The Parameters to update, or groups of them.": "要更新的 Parameter 或其分组。", "Parameters, or dicts that describe groups of them.": "Parameter，或描述其分组的字典。", "The Parameter that is written.": "被写入的 Parameter。",
    "Whether the upper triangle is meant.": "是否指上三角。", "Whether the lower triangle is meant.": "是否指下三角。", "Whether the corners of input and result coincide.": "输入与结果的角点是否对齐。", "How pixels between pixels are found.": "插值方式。",
    "The step along each axis.": "沿每个轴的步长。", "The size: an int, or (height, width).": "大小：一个 int，或（高，宽）。", "an int, or (height, width).": "一个 int，或（高，宽）。", "How far around zero values are changed.": "零附近多大范围内的值会被改变。",
    "The values to write, or the axes to move.": "要写入的值，或要移动的轴。", "'mean', 'sum' or 'none'.": "'mean'、'sum' 或 'none'。", "The dataset before this step.": "本步骤之前的数据集。", "The datasets before this step.": "本步骤之前的各数据集。", "The dataset.": "数据集。",
    "Whether the positions of the results are returned, too.": "是否同时返回结果的位置。", "How many parts, or where they begin.": "分成几份，或各份的起点。", "How many parts.": "分成几份。", "What is taken off the number of elements.": "从元素个数中减去的数（自由度修正）。",
    "The colour of added pixels.": "填充像素的颜色。", "The probability that it is applied.": "应用的概率。", "Which elements are meant, a Tensor of bool.": "选中的元素，bool Tensor。", "Which elements take part.": "哪些元素参与计算。", "The lengths of the transformed axes; None: those of the input.": "变换轴的长度；None 表示与输入相同。",
    "How far apart scores must be to cost nothing.": "分数相差多少才不计损失。", "How many classes there are.": "类别数。", "Whether a bias is added.": "是否加偏置。", "The network.": "网络。", "the network.": "网络。", "The network that is wrapped.": "被封装的网络。", "The optimizer.": "优化器。", "The loss function.": "损失函数。",
    "Below it the other value is taken.": "低于该阈值时取另一个值。", "The queries of the attention.": "注意力的 query。", "The keys of the attention.": "注意力的 key。", "How many heads the attention has.": "注意力的头数。", "What may not be attended to.": "不可关注的位置。", "What the scores are multiplied by.": "分数的缩放系数。",
    "The side of a block.": "块的边长。", "Which norm.": "哪一种范数。", "How much is added at both ends of each axis, the last first.": "每个轴两端填充多少，最后一个轴在前。", "How much is added before and after each axis.": "每个轴前后填充多少。", "How much is added at the borders.": "边界填充多少。", "What is added.": "填充的值。", "What every element is.": "每个元素的值。",
    "What a reduction begins with.": "归约的初始值。", "The decay of the mean of the gradients.": "梯度均值的衰减率。", "The decay of the mean of their squares.": "梯度平方均值的衰减率。", "Whether scale and shift are learnt.": "是否学习缩放和偏移。", "The sizes, by position.": "按位置给出的各个大小。", "The exponent.": "指数。",
    "Whether it is a training: False computes what evaluation needs.": "是否处于训练：False 表示按推理计算。", "The probability that an element stays.": "元素保留的概率。", "Whether the function returns more than the value to differentiate.": "函数是否返回除被求导值以外的内容。", "The factor of the first norm.": "L1 范数的系数。", "The factor of the second norm.": "L2 范数的系数。",
    "Whether padding counts as elements of a window's mean.": "求窗口均值时填充是否计入元素个数。", "Where to take the first choice.": "在何处取第一个选项。", "'ckpt' or 'safetensors'.": "'ckpt' 或 'safetensors'。", "kept for programs that give it.": "为传入它的程序保留。", "kept for old programs.": "为旧程序保留。", "whether to climb instead of descend.": "是否最大化而不是最小化。", "The array.": "数组。",
    "The relative tolerance.": "相对容差。", "The absolute tolerance.": "绝对容差。", "Whether NaN equals NaN.": "NaN 是否等于 NaN。", "The first factor.": "第一个因子。", "The second factor.": "第二个因子。", "Whether the window is one period, else symmetric.": "窗口是否为一个周期，否则为对称窗。", "Whether the results are in order.": "结果是否有序。", "How the weight begins: a Tensor, an initializer, its name or a number.": "权重的初始化：Tensor、初始化器、其名称或一个数。",
    "How the bias begins: a Tensor, an initializer, its name or a number.": "偏置的初始化：Tensor、初始化器、其名称或一个数。", "The path of the file.": "文件路径。", "The length of a window; None for that of the transform.": "窗口长度；None 表示与变换长度相同。", "The scale after normalization, or the exponent.": "归一化后的缩放，或指数。", "The label that counts for nothing.": "不参与计算的标签。", "The image.": "图像。",
    "How many bins, or their borders.": "分箱个数，或各箱的边界。", "Whether the index of each element among the results is returned, too.": "是否同时返回每个元素在结果中的索引。", "Whether the number of occurrences is returned, too.": "是否同时返回出现次数。", "How many digits after the point stay.": "保留几位小数。", "The factor of every spatial length.": "各空间轴长度的倍数。", "Whether the largest come first.": "是否从大到小。",
    "The values: a Tensor, an array, or a list.": "各个值：Tensor、数组或列表。", "The number of the step, a Tensor.": "step 数，Tensor。", "Whether the positions of tokens are returned, too.": "是否同时返回 token 的位置。", "How far windows lie apart; None for half a window.": "相邻窗口的间隔；None 表示半个窗口。", "The first batch of matrices.": "第一批矩阵。", "The second batch of matrices.": "第二批矩阵。", "The scale.": "缩放系数。",
    "Whether the matrix is transposed first.": "是否先转置矩阵。", "Whether the matrices are transposed and conjugated first.": "是否先取共轭转置。", "The size of a window, along each axis.": "窗口沿每个轴的大小。", "Whether Nesterov's form of momentum is computed.": "是否使用 Nesterov 动量。", "The factor of the weights' decay.": "权重衰减系数。", "What sums are divided by, instead of the number of elements.": "代替元素个数的除数。", "Whether equal elements keep their order.": "相等元素是否保持原有顺序。",
    "What stands outside the input: 'zeros', 'border', 'reflect' and the like.": "输入之外取什么值：'zeros'、'border'、'reflect' 等。", "How many steps there are in all.": "总 step 数。", "How many steps an epoch has.": "每个 epoch 的 step 数。", "The gain in decibels.": "增益（分贝）。", "The angle in degrees, or the range of it.": "角度（度），或其范围。", "The range of the crop's share of the image.": "裁剪面积占图像比例的范围。", "The folder of the data.": "数据所在目录。",
    "The length of a Fourier transform.": "傅里叶变换的长度。", "The lowest frequency.": "最低频率。", "The highest frequency; None for half the sample rate.": "最高频率；None 表示采样率的一半。", "The frequency in the middle of the band.": "频带的中心频率。", "The quality of the filter: middle divided by width.": "滤波器的品质因数：中心频率除以带宽。", "How many columns; None for as many as rows.": "列数；None 表示与行数相同。", "Whether infinities and NaN are refused.": "是否拒绝无穷大和 NaN。",
    "Whether names, shapes and dtypes must all fit.": "名称、形状和数据类型是否都必须一致。", "Parameters whose names begin so are left out.": "排除名称以此开头的 Parameter。", "Which inputs are differentiated by.": "对哪些输入求导。", "The quantile, from 0 to 1.": "分位数，从 0 到 1。", "How many numbers a step of the input has.": "输入每一步的特征数。", "How many numbers the hidden state has.": "隐藏状态的大小。", "How many layers are stacked.": "堆叠的层数。",
    "Whether the batch is the first axis.": "第一个轴是否为批次。", "Whether the sequence is read in both directions.": "是否双向读取序列。", "What gradients are divided by before the update.": "更新前梯度除以的损失缩放系数。", "What gradients are divided by.": "梯度除以的损失缩放系数。",
    "If arguments do not fit each other; the message says what was passed and what is allowed.": "参数之间不匹配；报错会说明传入了什么、允许什么。", "If the shapes of the operands cannot be broadcast to each other.": "操作数的形状无法广播。", "If an input has a number of dimensions that the operator does not take.": "输入的维数不是算子所接受的。",
    "If an input has too few dimensions.": "输入的维数太少。", "If an input does not hold floating-point numbers where they are needed.": "需要浮点数的输入不是浮点数。", "If an index is out of range; each operator raises what MindSpore raises.": "索引越界；各算子的异常类型与 MindSpore 相同。", "If inputs that must have the same dtype differ in it.": "要求数据类型相同的输入类型不同。",
    "If an argument is none of the words it can be.": "参数不是允许的取值之一。", "If an input does not have the shape that follows from the others.": "输入的形状与其他输入不符。", "If a matrix is not square.": "矩阵不是方阵。", "If an input is empty along an axis that must have elements.": "必须有元素的轴为空。", "If indices are neither int32 nor int64.": "索引既不是 int32 也不是 int64。", "If a size is not positive, or there are too many or too few of them.": "大小不是正数，或个数不对。",
    "Tensor, the result.": "Tensor，计算结果。", "The result; a Tensor unless said otherwise above.": "计算结果；除上文另有说明外为 Tensor。", "None.": "None。", "Tensor; its shape is that of the inputs, broadcast, and its dtype the one they are promoted to.": "Tensor；形状为各输入广播后的形状，数据类型为类型提升后的类型。",
    "Tensor of bool; its shape is that of the inputs, broadcast.": "bool Tensor；形状为各输入广播后的形状。", "Tensor of the shape and dtype of the input.": "Tensor，形状和数据类型与输入相同。", "Tensor of the shape and dtype of the input, normalized.": "归一化后的 Tensor，形状和数据类型与输入相同。",
    "Tensor without the reduced axes, or with length 1 there where they are kept; a pair of values and indices in the forms that give both.": "Tensor，去掉被归约的轴，或保留为长度 1；同时给出两者的形式返回值和索引。",
    "Tensor, the loss: a scalar for 'mean' and 'sum', one number per element or sample for 'none'.": "Tensor，损失：'mean' 和 'sum' 时为标量，'none' 时每个元素或样本一个数。",
    "Tensor of random numbers, drawn from the generator or seed that the call or `set_seed` names.": "随机数 Tensor，来自调用或 `set_seed` 指定的生成器或种子。", "Tensor with the same elements in the new shape.": "元素相同、形状为新形状的 Tensor。", "Tensor with the same elements, in their order, and the new shape.": "元素及其顺序不变、形状为新形状的 Tensor。",
    "Tensor, newly made.": "新创建的 Tensor。", "A tuple of Tensors: the parts, in order.": "由各部分组成的 Tensor 元组，按顺序排列。", "A tuple of Tensors.": "Tensor 元组。", "Tensor of shape (N, C_out, ...), where every spatial axis counts the places of the kernel along it.": "形状为 (N, C_out, ...) 的 Tensor，每个空间轴的长度为卷积核沿该轴的位置数。",
    "Tensor of shape (N, C, ...), where every spatial axis counts the windows along it.": "形状为 (N, C, ...) 的 Tensor，每个空间轴的长度为沿该轴的窗口数。", "Tensor of shape (N, C, ...), whose spatial axes have the lengths of `output_size`.": "形状为 (N, C, ...) 的 Tensor，空间轴的长度为 `output_size`。",
    "Tensor, the product of the matrices; axes before the last two are broadcast.": "Tensor，矩阵的乘积；最后两个轴之前的轴会广播。", "Tensor with the parts one behind the other along the axis.": "沿该轴依次拼接的 Tensor。", "Tensor with one axis more than each of the parts.": "比各部分多一个轴的 Tensor。", "Tensor of int64: positions along the axis, or in the flattened input without one.": "int64 Tensor：沿该轴的位置；未指定轴时为展平后的位置。", "Tensor of integers.": "整数 Tensor。",
}  # fmt: skip
_KINDS = {
    "a Tensor": "Tensor", "an int": "int", "a bool": "bool", "a float": "float", "a str": "str", "a Tensor or number": "Tensor 或数", "an int, tuple or list of ints": "int、int 元组或列表", "an int or tuple of ints": "int 或 int 元组",
    "a tuple or list of ints": "int 元组或列表", "a tuple or list of Tensors": "Tensor 元组或列表", "a Tensor, number or list": "Tensor、数或列表", "mindspore.dtype": "mindspore.dtype", "a float or an int": "float 或 int",
}  # fmt: skip
_GENERAL = {
    " has none of its types.": "的类型不在允许范围内。", " is out of range.": "超出范围。", " is none of the words that it can be.": "不是允许的取值之一。",
}  # fmt: skip
_DTYPES = {"floating-point": "浮点", "integer": "整数", "complex": "复数", "bool": "bool"}


def in_chinese(sentence: str) -> str:
    """A sentence of a composed docstring in Chinese; any other as it is."""
    sentence, default = re.fullmatch(r"(.*?)( Default: .*)?", sentence, re.DOTALL).groups()  # type: ignore[union-attr]
    made = SENTENCES.get(sentence) or _refused(sentence) or _returned(sentence) or sentence
    gap = " " if made.endswith(".") else ""
    return made + (gap + default.replace(" Default: ", "默认值：").rstrip(".") + "。" if default else "")


def kind_in_chinese(kind: str) -> str:
    """A type of a composed docstring in Chinese."""
    kind, optional = (kind.removesuffix(", optional"), ", 可选") if kind.endswith(", optional") else (kind, "")
    found = next((said for one, said in _KINDS.items() if one.split(" ", 1)[-1] == kind or one == kind), None)
    return (found or ("可选" if kind == "optional" else kind.replace(" or ", " 或 "))) + optional


def _refused(sentence: str) -> str:
    if found := re.fullmatch(r"If the dtype of (.+?) is not (.+)\.", sentence):
        kinds = [_DTYPES.get(one, one) for one in found[2].split(" or ")]
        return f"{_names(found[1])} 的数据类型不是{'或'.join(kinds)}类型。"
    if found := re.fullmatch(r"If (.+) differ in dtype\.", sentence):
        return f"{_names(found[1])} 的数据类型不同。"
    if found := re.fullmatch(r"If ((?:`\w+`(?:, | or )?)+) is not greater than or equal to (\S+)\.", sentence):
        return f"{_names(found[1])} 小于 {found[2]}。"
    if found := re.fullmatch(r"If ((?:`\w+`(?:, | or )?)+) is not (?:one of|in|in range) ([\[(].*)\.", sentence):
        return f"{_names(found[1])} 不在 {found[2]} 中。"
    for ending, said in _GENERAL.items():
        if sentence.endswith(ending) and (
            found := re.fullmatch(r"If (`\**\w+`) ", sentence.removesuffix(ending) + " ")
        ):
            return f"{found[1]} {said}"
    found = re.fullmatch(r"If ((?:`\w+`(?:, | or )?)+) is not (.+?)( or None)?\.", sentence)
    if found and found[2] in _KINDS:
        return f"{_names(found[1])} 不是 {_KINDS[found[2]]}{'，也不是 None' if found[3] else ''}。"
    return ""


def _names(text: str) -> str:
    names = re.findall(r"`\w+`", text)
    return "、".join(names) if len(names) < 3 else "、".join(names[:-1]) + " 或 " + names[-1]


def _returned(sentence: str) -> str:
    if found := re.fullmatch(r"Tensor of the (shape and dtype|shape|dtype) of (`\w+`)\.", sentence):
        what = {"shape": "形状", "dtype": "数据类型", "shape and dtype": "形状和数据类型"}[found[1]]
        return f"Tensor，{what}与 {found[2]} 相同。"
    if found := re.fullmatch(r"A tuple of (\d+) Tensors\.", sentence):
        return f"由 {found[1]} 个 Tensor 组成的元组。"
    found = re.fullmatch(r"([\w.\[\], ]+), the result\.", sentence)
    return f"{found[1]}，计算结果。" if found else ""
