"""Checkpoints that are of no use without the numbers that obfuscate_ckpt returned."""

from __future__ import annotations

import os

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn


class Inner(nn.Cell):
    def __init__(self):
        super().__init__()
        self.first, self.second, self.norm = nn.Dense(4, 5), nn.Dense(5, 4), nn.LayerNorm((4,))

    def construct(self, x):
        return self.norm(self.second(ms.ops.relu(self.first(x))))


class Block(nn.Cell):
    def __init__(self):
        super().__init__()
        self.attention = Inner()

    def construct(self, x):
        return x + self.attention(x)


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.head = nn.Dense(3, 4)
        self.blocks = nn.CellList([Block(), Block(), Block()])
        self.tail = Inner()

    def construct(self, x):
        x = self.head(x)
        for block in self.blocks:
            x = block(x)
        return self.tail(x)


X = Tensor(np.random.RandomState(0).randn(2, 3).astype(np.float32))


def config(name="key", **more):
    """The weight and bias of tail.first, hidden with numbers of a name."""
    operation = {"name": "mul", "input_x": "weight", "input_y": name}
    return {
        "obf_metadata_config": [
            {"name": name, "shape": [1], "type": "random", "save_metadata": True, "metadata_op": "invert", **more}
        ],
        "weight_obf_config": [
            {"target": f"tail/first/{one}", "weight_obf_ops": [operation]} for one in ("weight", "bias")
        ],
        "network_obf_config": [
            {"module": "tail", "target": "first", "insert_new_input": [{"name": name}], "insert_ops": [operation]}
        ],
    }


@pytest.mark.parametrize(("options", "hidden"), [
    ({"target_modules": ["tail", "first|second|norm"]}, 5),  # the beta of a normalization is 0
    ({"target_modules": ["", "head"]}, 2),
    ({"target_modules": ["blocks/attention", "first|second"]}, 12),
    ({"target_modules": ["blocks/attention", "first", "obfuscate_layers:2"]}, 4),
    ({"target_modules": ["blocks/attention", "first", "obfuscate_layers:all"]}, 6),
    ({"obf_config": config()}, 2),
])  # fmt: skip
def test_a_network_with_the_numbers_computes_what_it_did(mode, tmp_path, options, hidden):
    plain, secret = tmp_path / "plain", tmp_path / "secret"
    plain.mkdir()
    secret.mkdir()
    net = Net()
    expected = net(X).asnumpy()
    ms.save_checkpoint(net, str(plain / "net.ckpt"))
    keys = ms.obfuscate_ckpt(net, str(plain), saved_path=str(secret), obfuscate_scale=50, **options)
    assert os.listdir(secret) == ["net_obf.ckpt"] and all(key.dtype == np.float16 for key in keys.values())
    before, after = ms.load_checkpoint(str(plain / "net.ckpt")), ms.load_checkpoint(str(secret / "net_obf.ckpt"))
    changed = [name for name in before if (before[name].asnumpy() != after[name].asnumpy()).any()]
    assert len(changed) == hidden
    stolen = Net()
    ms.load_checkpoint(str(secret / "net_obf.ckpt"), stolen)
    assert np.abs(stolen(X).asnumpy() - expected).max() > 1e-3
    restored = ms.load_obf_params_into_net(stolen, **options)
    assert [one.name for one in restored.get_parameters()] == [one.name for one in net.get_parameters()]
    numbers = [Tensor(one) for one in keys.values()]
    np.testing.assert_allclose(restored(X, *numbers).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    with pytest.raises(TypeError, match="after its own inputs"):
        restored(None)
    other = Net()
    ms.load_checkpoint(str(secret / "net_obf.ckpt"), other)
    known = ms.load_obf_params_into_net(other, obf_ratios=numbers[0], **options)
    np.testing.assert_allclose(known(X).asnumpy(), expected, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(known(X, *numbers).asnumpy(), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("options", "error", "text"), [
    ({}, TypeError, "target_modules type should be list"),
    ({"target_modules": ["first"]}, ValueError, "at least two string values"),
    ({"target_modules": [1, 2]}, TypeError, "should be string"),
    ({"target_modules": ["a.b", "first"]}, ValueError, "in the form of"),
    ({"target_modules": ["tail", ""]}, ValueError, "non-empty string"),
    ({"target_modules": ["tail", "first", "all"]}, ValueError, "obfuscate_layers:all"),
    ({"target_modules": ["tail", "nope"]}, ValueError, r"all targets \['nope'\] do not exist in the path tail"),
    ({"target_modules": ["a/b", "first"]}, ValueError, "the path a/b does not exist"),
    ({"obf_config": 1}, TypeError, "should be dict"),
    ({"obf_config": {}}, ValueError, "empty or not valid"),
    ({"obf_config": config(name="key", type="magic")}, ValueError, "must be 'random'"),
    ({"obf_config": config(name=[1])}, TypeError, r"\['name'\] type should be str"),
    ({"target_modules": ["tail", "first"], "obfuscate_scale": 1}, ValueError, "greater than 1"),
    ({"target_modules": ["tail", "first"], "saved_path": "nowhere"}, ValueError, "nowhere is not exist"),
])  # fmt: skip
def test_mistakes_are_named(tmp_path, options, error, text):
    with pytest.raises(error, match=text):
        ms.obfuscate_ckpt(Net(), str(tmp_path), **{"saved_path": str(tmp_path), **options})
