"""Every name of `mindspore.nn` and `mindspore.amp` that published programs use exists and is run by a test."""

import functools
import importlib
import re
from pathlib import Path

import pytest

from mindspore import nn

ROOT = Path(__file__).resolve().parents[2]

# Most used first, counted over the model zoos of MindSpore 1.6 and 2.x, MindCV and course material.
USED = """
    nn.Cell
    nn.Conv2d
    nn.Dense
    nn.SequentialCell
    nn.BatchNorm2d
    nn.ReLU
    nn.MaxPool2d
    nn.SoftmaxCrossEntropyWithLogits
    nn.Dropout
    nn.CellList
    nn.Adam
    nn.Flatten
    nn.AvgPool2d
    nn.Softmax
    nn.Sigmoid
    nn.Momentum
    nn.SGD
    nn.Top1CategoricalAccuracy
    nn.loss.loss.LossBase
    nn.TrainOneStepCell
    nn.Top5CategoricalAccuracy
    nn.Conv2dTranspose
    nn.BatchNorm1d
    nn.LayerNorm
    nn.Pad
    nn.wrap.grad_reducer.DistributedGradReducer
    nn.LeakyReLU
    nn.MSELoss
    nn.layer
    nn.DistributedGradReducer
    nn.wrap.loss_scale.DynamicLossScaleUpdateCell
    nn.Embedding
    nn.Tanh
    nn.layer.CellList
    nn.optim.momentum.Momentum
    nn.ClipByNorm
    nn.optim.Adam
    nn.loss.SoftmaxCrossEntropyWithLogits
    nn.Loss
    nn.ResizeBilinear
    nn.LogSoftmax
    nn.L1Loss
    nn.TrainOneStepWithLossScaleCell
    nn.optim.AdamWeightDecay
    nn.Conv1d
    nn.GELU
    nn.optim.Momentum
    nn.metrics.Accuracy
    nn.ReLU6
    nn.learning_rate_schedule.LearningRateSchedule
    nn.Metric
    nn.SmoothL1Loss
    nn.GroupNorm
    nn.RMSProp
    nn.BCELoss
    nn.learning_rate_schedule.WarmUpLR
    nn.learning_rate_schedule.PolynomialDecayLR
    nn.Conv3d
    nn.AdamWeightDecay
    nn.WithLossCell
    nn.MatMul
    nn.WithEvalCell
    nn.LossBase
    nn.metrics.Metric
    nn.optim.Lamb
    nn.PReLU
    nn.Conv2dBnAct
    nn.Accuracy
    nn.BatchNorm3d
    nn.cell.Cell
    nn.Norm
    nn.Range
    nn.LSTM
    nn.InstanceNorm2d
    nn.piecewise_constant_lr
    nn.SyncBatchNorm
    nn.optim.optimizer.Optimizer
    nn.BCEWithLogitsLoss
    nn.SSIM
    nn.HSwish
    nn.dynamic_lr.piecewise_constant_lr
    nn.DynamicLossScaleUpdateCell
    nn.Lamb
    nn.optim.adam.Adam
    nn.PSNR
    nn.wrap
    nn.wrap.FixedLossScaleUpdateCell
    nn.wrap.loss_scale
    nn.OneHot
    nn.optim.thor
    nn.get_activation
    nn.ELU
    nn.optim.Adagrad
    nn.dynamic_lr
    nn.exponential_decay_lr
    nn.Optimizer
    nn.learning_rate_schedule.CosineDecayLR
    nn.Conv3dTranspose
    nn.PolynomialDecayLR
    nn.Identity
    nn.wrap.cell_wrapper._VirtualDatasetCell
    nn.optim.SGD
    nn.metrics.metric.Metric
    nn.optim.optimizer.opt_init_args_register
    nn.layer.activation.get_activation
    nn.MaxPool1d
    nn.loss.LossBase
    nn.FixedLossScaleUpdateCell
    nn.optim.rmsprop.RMSProp
    nn.DenseBnAct
    nn.optim.Optimizer
    nn.CrossEntropyLoss
    nn.Conv1dTranspose
    nn.GRU
    nn.dynamic_lr.warmup_lr
    nn.metrics.ConfusionMatrixMetric
    nn.LogSigmoid
    nn.cosine_decay_lr
    nn.optim
    nn.optim.LARS
    nn.wrap.WithLossCell
    nn.dynamic_lr.cosine_decay_lr
    nn.HSigmoid
    nn.wrap.loss_scale.TrainOneStepWithLossScaleCell
    nn.ExponentialDecayLR
    nn.Unfold
    nn.loss.loss._Loss
    nn.loss.L1Loss
    nn.Adagrad
    nn.wrap.TrainOneStepWithLossScaleCell
    nn.loss
    nn.F1
    nn.EmbeddingLookup
    nn.optim.FTRL
    nn.optim.sgd.SGD
    nn.rearrange_inputs
    nn.DiceLoss
    nn.dynamic_lr.exponential_decay_lr
    nn.transformer.transformer.TransformerOpParallelConfig
    nn.SoftMarginLoss
    nn.metrics.metric.rearrange_inputs
    nn.metrics.Top5CategoricalAccuracy
    nn.metrics.Top1CategoricalAccuracy
    nn.Cell.__init__
    nn.SiLU
    nn.layer.get_activation
    nn.learning_rate_schedule
    nn.DenseQuant
    amp.auto_mixed_precision
    nn.InstanceNorm1d
    nn.optim.RMSProp
    nn.thor
    nn.transformer.loss.CrossEntropyLoss
    nn.Recall
    nn.EmbeddingLookup.TABLE_COLUMN_SLICE
    nn.EmbeddingLookup.TABLE_ROW_SLICE
    nn.AdaptiveAvgPool2d
    nn.ForwardValueAndGrad
    nn.Dropout2d
    nn.polynomial_decay_lr
    amp.build_train_network
    nn.cell
    nn.layer.basic
    nn.layer.basic.check_dense_input_shape
    nn.layer.quant.FakeQuantWithMinMaxObserver
    nn.ActQuant
    nn.LARS
    nn.CentralCrop
    nn.wrap.cell_wrapper.MicroBatchInterleaved
    nn.wrap.cell_wrapper.PipelineCell
    nn.EmbeddingLookup.FIELD_SLICE
    nn.ParameterUpdate
    nn.AdaSumByGradWrapCell
    nn.AdaSumByDeltaWeightWrapCell
    nn.ReflectionPad2d
    nn.Linear
    nn.probability.distribution
    nn.optim.optimizer.Optimizer.target
    nn.ROC
    nn.auc
    nn.MSE
    nn.Dropout3d
    nn.InstanceNorm3d
    nn.ZeroPad2d
    nn.MAELoss
    nn.layer.MaxPool2d
    nn.utils
    nn.wrap.loss_scale.shard_grad_scale
    nn.wrap.loss_scale.grad_scale
    nn.optim.adam.AdamWeightDecay
    nn.layer.Dense
    nn.probability.distribution.Uniform
    nn.FakeQuantWithMinMaxObserver
    nn.transformer.layers._LayerNorm
    nn.transformer.transformer.TransformerEncoder
    nn.transformer.transformer.AttentionMask
    nn.wrap.cell_wrapper.VirtualDatasetCellTriple
    nn.Tril
    nn.MultiheadAttention
    nn.layer.activation
    nn.layer.activation._activation.keys
    nn.transformer.layers._args_type_validator_check
    nn.layer.activation._activation
    nn.transformer.layers._valid_value_checks
    nn.transformer.TransformerEncoder
    nn.Hardtanh
    nn.SeLU
    nn.probability.distribution.Normal
    nn.loss.loss.MSELoss
    nn.MAE
    nn.layer.conv._check_input_3d
    nn.loss.loss.Loss
    nn.PixelShuffle
    nn.RMSELoss
    nn.AvgPool1d
    nn.CosineEmbeddingLoss
    nn.NLLLoss
    nn.probability.distribution.Categorical
    nn.ImageGradients
    nn.Conv2dQuant
    nn.Conv2dBnFoldQuantOneConv
    nn.TensorAddQuant
    nn.Conv2dBnFoldQuant
    nn.transformer.transformer.TransformerEncoderLayer
    nn.transformer.layers._Dropout
    nn.transformer.MoEConfig
    nn.transformer.transformer.VocabEmbedding
    nn.transformer.CrossEntropyLoss
    nn.transformer.TransformerOpParallelConfig
    nn.optim.LazyAdam
    nn.ConstantPad2d
    amp.DynamicLossScaler
    amp.all_finite
    amp.StaticLossScaler
    nn.metrics
    nn.metrics.Loss
    nn.Transformer
    nn.transformer.layers._Linear
    nn.transformer.layers._valid_type_checks
    nn.layer.normalization._BatchNorm
    nn.Moments
    nn.transformer.TransformerDecoder
    nn.inverse_decay_lr
""".split()


@functools.cache
def all_tests() -> str:
    """All tests and differential cases, but this file."""
    paths = [*ROOT.glob("tests/**/*.py"), *ROOT.glob("tools/oracle/cases_*.py"), *ROOT.glob("examples/**/*.py")]
    return "\n".join(path.read_text() for path in paths if path != Path(__file__).resolve())


def find(path: str) -> object:
    """What a dotted path leads to, through modules first and attributes after them."""
    parts = ["mindspore", *path.split(".")]
    for length in range(len(parts), 0, -1):
        try:
            found: object = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError:
            continue
        for name in parts[length:]:
            found = getattr(found, name)
        return found
    raise AssertionError(path)


@pytest.mark.parametrize("path", USED)
def test_used_names_exist(path: str) -> None:
    assert find(path) is not None


@pytest.mark.parametrize("name", sorted({path.rpartition(".")[2] for path in USED} | set(nn.__all__)))
def test_names_are_run_by_a_test(name: str) -> None:
    assert re.search(rf"\b{re.escape(name)}\b", all_tests()), f"no test or case mentions {name}"
