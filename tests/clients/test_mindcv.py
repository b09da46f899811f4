"""mindcv's networks, where the library is installed (``pip install --no-deps mindcv``), compute and train."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops

mindcv = pytest.importorskip("mindcv", reason="mindcv is not installed: pip install --no-deps mindcv (docs/clients.md)")


@pytest.mark.parametrize("name", ["resnet18", "mobilenet_v3_small_075"])
def test_a_network_of_the_library_learns(name):
    ms.set_seed(1)
    net = mindcv.create_model(name, num_classes=3)
    images = Tensor(np.random.default_rng(0).normal(size=(4, 3, 64, 64)).astype(np.float32))
    labels = Tensor([0, 1, 2, 0], ms.int32)
    assert net.set_train(False)(images).shape == (4, 3)
    net.set_train()
    optimizer = nn.SGD(net.trainable_params(), 0.01)
    step = ms.value_and_grad(lambda x, y: ops.cross_entropy(net(x), y), None, optimizer.parameters)
    losses = []
    for _ in range(3):
        loss, gradients = step(images, labels)
        optimizer(gradients)
        losses.append(loss.asnumpy().item())
    assert losses[-1] < losses[0]
