"""The networks of the examples, whose Parameters have the names real MindSpore gives them."""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mindspore import nn

PROJECT = Path(__file__).parents[2]


def networks() -> dict[str, Callable[[], Any]]:
    """How to make each of them, by name."""
    lenet, gpt = _module("examples/networks/lenet.py").LeNet5, _module("examples/networks/gpt.py").GPT
    bert, resnet = _module("examples/networks/bert.py"), _module("examples/networks/resnet.py")

    def with_loss(make: Any) -> Any:
        return nn.WithLossCell(make(), nn.SoftmaxCrossEntropyWithLogits(sparse=True))

    def step(make: Any) -> Any:
        network = with_loss(make)
        return nn.TrainOneStepCell(network, nn.Adam(network.trainable_params()))

    def clipped_step() -> Any:
        network = with_loss(lenet)
        optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
        return _module("examples/custom_training_cell.py").ClippedTrainOneStep(network, optimizer, 1.0)

    return {
        "BERT": lambda: bert.BertMaskedLanguageModel(bert.BertConfig()),
        "GPT": gpt,
        "LeNet": lenet,
        "LSTM": lambda: _module("examples/networks/lstm_classifier.py").SentimentNet(50, 12, 8),
        "MobileNetV2": _module("examples/networks/mobilenet_v2.py").MobileNetV2,
        "ResNet-50": resnet.resnet50,
        "small ResNet": lambda: resnet.ResNet([1, 1, 1, 1], width=8),
        "LeNet of the demo": _module("demo/train_mnist.py").LeNet5,
        "LeNet of the quick start": _module("examples/quick_start.py").LeNet5,
        "LeNet of the scaffold": _module("examples/scaffold/src/model.py").Net,
        "network with summaries": _module("examples/callbacks_and_summaries.py").Watched,
        "network in mixed precision": _module("examples/mixed_precision.py").Mixed,
        "Cells without Parameters": lambda: nn.SequentialCell(_module("examples/pynative_and_graph.py").Halver()),
        "training step of LeNet": lambda: step(lenet),
        "training step of GPT": lambda: step(gpt),
        "training step with clipping": clipped_step,
    }


def _module(path: str) -> Any:
    """The classes and functions of a program; what it imports may be missing, as long as the networks do not need it."""
    scope: dict[str, Any] = {"__name__": Path(path).stem}
    for statement in ast.parse((PROJECT / path).read_text()).body:
        if isinstance(statement, (ast.Import, ast.ImportFrom, ast.ClassDef, ast.FunctionDef, ast.Assign)):
            with contextlib.suppress(ImportError, NameError):
                exec(compile(ast.Module([statement], []), path, "exec"), scope)
    if "LeNet5" not in scope and "networks.lenet" in (PROJECT / path).read_text():
        scope["LeNet5"] = _module("examples/networks/lenet.py").LeNet5
    return SimpleNamespace(**scope)
