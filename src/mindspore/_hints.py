"""What to write instead of names that ``mindspore`` itself does not have."""

from __future__ import annotations

from mindspore._utils.hints import ON_ONE_DEVICE, OperatorHints

_NO_RECORDING = (
    "Leave it out: gradients are recorded only inside mindspore.grad and its relatives; cut one with ops.stop_gradient."
)
_GRADIENT = "Gradients come from mindspore.grad and mindspore.value_and_grad; a Tensor needs no wrapper."
_DTYPE = "The dtype is given where a Tensor is made: mindspore.Tensor(data, mindspore.float32)."
_OPTIMIZER = "Optimizers are in mindspore.nn: nn.Adam(net.trainable_params(), 0.001)."

HINTS = OperatorHints({
    "no_grad": "Gradients are recorded only inside mindspore.grad and its relatives; cut one with ops.stop_gradient.",
    "inference_mode": _NO_RECORDING,
    "enable_grad": _NO_RECORDING,
    "set_grad_enabled": _NO_RECORDING,
    "FloatTensor": "Write mindspore.Tensor(data, mindspore.float32).",
    "LongTensor": "Write mindspore.Tensor(data, mindspore.int64).",
    "IntTensor": "Write mindspore.Tensor(data, mindspore.int32).",
    "as_tensor": "Write mindspore.Tensor(data).",
    "Variable": "A Tensor needs no wrapper; what is trained is a mindspore.Parameter.",
    "autograd": _GRADIENT,
    "GradientTape": _GRADIENT,
    "Module": "It is called nn.Cell here, and its forward is construct.",
    "Sequential": "It is called nn.SequentialCell here.",
    "Linear": "It is called nn.Dense here.",
    "Dense": "Write mindspore.nn.Dense.",
    "keras": "Networks are classes derived from mindspore.nn.Cell; mindspore.train.Model trains them.",
    "layers": "Layers are in mindspore.nn.",
    "functional": "Functions are in mindspore.ops.",
    "F": "Functions are in mindspore.ops.",
    "torch": "Operators are in mindspore.ops and mindspore.mint, layers in mindspore.nn.",
    "DataLoader": "Write mindspore.dataset.GeneratorDataset(samples, ['data', 'label']).batch(32).",
    "data": "Datasets are in mindspore.dataset.",
    "Adam": _OPTIMIZER,
    "SGD": _OPTIMIZER,
    "device": ON_ONE_DEVICE,
    "backends": ON_ONE_DEVICE,
    "compile": "Write mindspore.jit(function), or mindspore.set_context(mode=mindspore.GRAPH_MODE) for all Cells.",
    "function": "Write mindspore.jit(function), or mindspore.set_context(mode=mindspore.GRAPH_MODE) for all Cells.",
    "get_default_dtype": _DTYPE,
    "set_default_dtype": _DTYPE,
})  # fmt: skip
