"""What people who know PyTorch or Keras type first is answered with what to write here."""

from __future__ import annotations

import importlib
import re

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import Tensor, nn, ops, train
from mindspore._engine.tensor.hints import TENSOR_HINTS
from mindspore._hints import HINTS as TOP_HINTS
from mindspore._utils.hints import MissingName, keyword_hint
from mindspore.dataset._hints import HINTS as DATASET_HINTS
from mindspore.experimental import optim as experimental_optim
from mindspore.nn._hints import CELL_HINTS
from mindspore.nn._hints import HINTS as NN_HINTS
from mindspore.nn.optim._hints import OPTIMIZER_HINTS
from mindspore.ops._hints import HINTS as OPS_HINTS
from mindspore.train._hints import MODEL_HINTS


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.fc = nn.Dense(4, 3)

    def construct(self, x):
        return self.fc(x)


def model() -> train.Model:
    net = Net()
    return train.Model(net, nn.CrossEntropyLoss(), nn.SGD(net.trainable_params(), 0.1))


def optimizer(kind=nn.SGD):
    return kind(Net().trainable_params(), 0.1)


ON_OBJECTS = [
    (lambda: Tensor(1.0).backward(), "value_and_grad"),
    (lambda: Tensor(1.0).detach(), "stop_gradient"),
    (lambda: Tensor(1.0).cuda(), "set_device"),
    (lambda: Tensor(1.0).cpu(), "asnumpy"),
    (lambda: Tensor(1.0).grad, "value_and_grad"),
    (lambda: Tensor(1.0).requires_grad, "value_and_grad"),
    (lambda: Tensor([1.0]).relu(), "mindspore.ops.relu"),
    (lambda: Tensor([1.0]).log_softmax(-1), "mindspore.ops.log_softmax"),
    (lambda: Tensor([1.0]).unsqueze(0), "Did you mean 'unsqueeze'"),
    (lambda: ms.Parameter(Tensor(1.0)).backward(), "value_and_grad"),
    (lambda: Net().forward(Tensor(1.0)), "construct"),
    (lambda: Net().parameters(), "trainable_params()"),
    (lambda: Net().named_parameters(), "parameters_and_names()"),
    (lambda: Net().zero_grad(), "value_and_grad"),
    (lambda: Net().train(), "set_train()"),
    (lambda: Net().eval(), "set_train(False)"),
    (lambda: Net().cuda(), "set_device"),
    (lambda: Net().half(), "to_float"),
    (lambda: Net().fit(1, 2), "Model"),
    (lambda: Net().summary(), "mindspore.summary"),
    (lambda: Net().modules(), "cells_and_names"),
    (lambda: optimizer().step(), "optimizer(gradients)"),
    (lambda: optimizer().zero_grad(), "value_and_grad"),
    (lambda: optimizer().param_groups, "optimizer.parameters"),
    (lambda: optimizer().lr, "learning_rate"),
    (lambda: optimizer(experimental_optim.SGD).step(), "optimizer(gradients)"),
    (lambda: model().compile(optimizer="adam"), "metrics="),
    (lambda: model().summary(), "mindspore.summary"),
    (lambda: model().evaluate(1), "model.eval"),
    (lambda: model().parameters(), "net.trainable_params()"),
]


@pytest.mark.parametrize("number", range(len(ON_OBJECTS)))
def test_an_attribute_of_another_framework_is_answered(mode, number):
    act, words = ON_OBJECTS[number]
    with pytest.raises(AttributeError, match=re.escape(words)) as caught:
        act()
    assert type(caught.value).__name__ == "AttributeError"
    assert "\n" not in str(caught.value)


def test_attributes_inside_construct_are_answered_with_the_users_line(mode):
    class Detaches(Net):
        def construct(self, x):
            return self.fc(x).detach()

    with pytest.raises(AttributeError, match="stop_gradient") as caught:
        Detaches()(Tensor(np.ones((2, 4), np.float32)))
    assert mode != ms.GRAPH_MODE or "self.fc(x).detach()" in str(caught.value)


KEYWORDS = [
    (lambda: nn.SGD(Net().trainable_params(), lr=0.1), "Write learning_rate="),
    (lambda: nn.Adam(Net().trainable_params(), lr=0.1), "Write learning_rate="),
    (lambda: nn.optim.Momentum(Net().trainable_params(), lr=0.1, momentum=0.9), "Write learning_rate="),
    (lambda: nn.Adam(Net().trainable_params(), 0.1, betas=(0.9, 0.99)), "Write beta1=..., beta2="),
    (lambda: nn.Dense(3, 4, bias=False), "Write has_bias="),
    (lambda: nn.Conv2d(3, 4, 3, bias=False), "Write has_bias="),
    (lambda: nn.Conv2d(3, 4, 3, groups=1), "Write group="),
    (lambda: nn.Dense(in_features=3, out_features=4), "Write in_channels="),
    (lambda: nn.Embedding(num_embeddings=3, embedding_dim=4), "Write vocab_size="),
    (lambda: nn.LayerNorm((3,), eps=1e-5), "Write epsilon="),
    (lambda: nn.ReLU(inplace=True), "Leave it out"),
    (lambda: nn.Dense(3, 4, device="cuda"), "set_device"),
    (lambda: nn.Dense(units=4), "Write out_channels="),
    (lambda: nn.Dense(3, 4, weight_inti="zeros"), "Did you mean 'weight_init'"),
    (lambda: model().fit(x=1, y=2, epochs=3), "train_dataset"),
    (lambda: model().train(epochs=3, train_dataset=None), "Write epoch="),
    (lambda: model().fit(3, None, batch_size=8), "dataset.batch"),
    (lambda: ms.tensor([1.0], requires_grad=True), "value_and_grad"),
]


@pytest.mark.parametrize("number", range(len(KEYWORDS)))
def test_an_argument_of_another_framework_is_answered(number):
    act, words = KEYWORDS[number]
    with pytest.raises(TypeError, match=re.escape(words)) as caught:
        act()
    assert "got an unexpected keyword argument" in str(caught.value)


def test_arguments_of_classes_of_the_users_own_are_pythons_affair():
    class Wide(nn.Dense):
        def __init__(self, width, bias=True):
            super().__init__(width, width, has_bias=bias)

    assert Wide(3, bias=False).has_bias is False
    with pytest.raises(TypeError, match=r"unexpected keyword argument 'lr'$"):
        Wide(3, lr=1)


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("from mindspore.nn import Module", "nn.Cell"),
        ("from mindspore.nn import Sequential", "nn.SequentialCell"),
        ("from mindspore import no_grad", "stop_gradient"),
        ("from mindspore import DataLoader", "GeneratorDataset"),
        ("from mindspore.dataset import DataLoader", "batch"),
        ("from mindspore.dataset.vision import Compose", "transforms.Compose"),
        ("from mindspore.ops import linear", "ops.dense"),
        ("from mindspore import randn", "mindspore.ops.randn"),
    ],
)
def test_an_import_of_another_frameworks_name_says_what_to_import(statement, words):
    with pytest.raises(ImportError, match="cannot import name") as caught:
        exec(statement, {})
    assert words in str(caught.value)


def test_a_name_that_is_looked_for_is_just_not_there():
    assert not hasattr(nn, "Module")
    assert getattr(ms, "no_grad", None) is None
    assert not hasattr(Tensor(1.0), "cuda")
    assert not hasattr(Net(), "forward")


@pytest.mark.parametrize("place", ["cuda", "cuda:0", "mps"])
def test_a_device_of_another_framework_is_answered(place):
    for act in (lambda: Tensor(1.0).to(place), lambda: Net().to(place), lambda: Tensor(1.0, device=place)):
        with pytest.raises(ValueError, match="set_device"):
            act()
    assert Tensor(1.0).to("cpu").dtype == ms.float32
    assert Net().to("cpu") is not None
    assert Tensor(1.0).to("float16").dtype == ms.float16


def test_a_computation_under_another_name_is_named():
    class Forward(nn.Cell):
        def forward(self, x):
            return x

    class Misspelt(nn.Cell):
        def contruct(self, x):
            return x

    class WithoutSelf(nn.Cell):
        def construct(x):  # noqa: N805 - the mistake
            return x

    for kind, words in ((Forward, "It has 'forward'"), (Misspelt, "It has 'contruct'")):
        with pytest.raises(AttributeError, match=words):
            kind()(Tensor(1.0))
    with pytest.raises(TypeError, match="the first argument of a method is self"):
        WithoutSelf()(Tensor(1.0))


TABLES = {"nn": NN_HINTS, "tensor": TENSOR_HINTS, "cell": CELL_HINTS, "optimizer": OPTIMIZER_HINTS, "model": MODEL_HINTS,
          "mindspore": TOP_HINTS, "ops": OPS_HINTS, "dataset": DATASET_HINTS}  # fmt: skip
OBJECTS = {"net": Net(), "model": model(), "optimizer": optimizer(), "x": Tensor(1.0), "nn": nn, "ops": ops, "mindspore": ms,
           "dataset": ds.NumpySlicesDataset([1])}  # fmt: skip


@pytest.mark.parametrize("table", TABLES)
def test_what_a_hint_names_exists(table):
    for hint in TABLES[table].values():
        for first, rest in re.findall(rf"\b({'|'.join(OBJECTS)})((?:\.\w+)+)", hint.replace("'net.ckpt'", "")):
            found = OBJECTS[first]
            for part in rest[1:].split("."):
                if found is ms and part in ("dataset", "parallel"):
                    found = importlib.import_module(f"mindspore.{part}")
                else:
                    found = getattr(found, part)
        if table == "dataset":
            assert all(hasattr(ds, called) for called in re.findall(r"It is called (\w+) here", hint)), hint


def test_the_message_of_a_missing_name_is_made_when_it_is_read():
    error = MissingName("'Tensor' object", "nothing", {}, lambda: pytest.fail("nobody reads it"))
    assert isinstance(error, AttributeError)


def test_an_argument_without_counterpart_lists_what_there_is():
    assert keyword_hint("qqq", ["first", "second"]) == " The arguments are (first, second)."
