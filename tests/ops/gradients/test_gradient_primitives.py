"""Gradient primitives have MindSpore's names and orders of arguments, and are operators like all others."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ops.operations import _grad_ops as G
from tests.sampling import share
from tools.oracle.case import Case
from tools.oracle.execute import flat_tensors, public_names, run_eagerly
from tools.oracle.families import FAMILIES

CASES = [case for family, cases in FAMILIES.items() if family.startswith("gradient_") for case in cases]
SOURCES = {case.source: case for case in CASES if not case.raises}


def tensors(*shapes: tuple[int, ...], seed: int = 0) -> list[Tensor]:
    random = np.random.RandomState(seed)
    return [Tensor(random.uniform(0.3, 0.9, shape).astype(np.float32)) for shape in shapes]


def test_they_are_declared_when_first_asked_for():
    source = "import mindspore, sys; print('mindspore._ops.gradients.catalogue' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", source], capture_output=True, text=True).stdout.strip() == "False"


@pytest.mark.parametrize("name", ["ReluGrad", "TanhGrad", "Conv2DBackpropFilter", "StridedSliceGrad"])
def test_they_are_found_at_every_path(name: str):
    found = getattr(G, name)
    assert getattr(ops.operations, name) is found is getattr(ms.ops.auto_generate, name)
    assert isinstance(found, type) and found.__name__ == name


def test_they_name_the_modules_of_mindspore():
    assert G.ReluGrad.__module__ == "mindspore.ops.auto_generate.gen_ops_prim"
    assert G.SoftmaxGrad.__module__ == "mindspore.ops.operations._grad_ops"


def test_every_primitive_has_a_recorded_case():
    named = " ".join(case.source for case in CASES)
    assert [name for name in G._GRADIENTS.primitives if f".{name}(" not in named] == []


def test_none_is_without_a_docstring():
    assert [name for name, one in G._GRADIENTS.primitives.items() if not (one.__doc__ or "").strip()] == []


def test_cases_give_finite_numbers():
    """Also those that real MindSpore has no kernel for on a CPU: the recorded answers say nothing about them."""
    check_all([case for case in SOURCES.values() if share(case.source, 8) == 0])


@pytest.mark.heavy
def test_every_case_gives_finite_numbers():
    check_all(list(SOURCES.values()))


def check_all(cases: list[Case]) -> None:
    names = public_names(ms)
    ms.set_context(mode=ms.PYNATIVE_MODE)
    for case in cases:
        check_runs(case, names)


def check_runs(case: Case, names: dict) -> None:
    found = flat_tensors(run_eagerly(case, ms, names), ms)
    assert found, case.name
    assert all(np.isfinite(one.asnumpy().astype(np.float64)).all() for one in found), case.name


PAIRS = [
    (lambda x, dy: G.AtanGrad()(x, dy), ops.atan),
    (lambda x, dy: G.TanhGrad()(ops.tanh(x), dy), ops.tanh),
    (lambda x, dy: G.SqrtGrad()(ops.sqrt(x), dy), ops.sqrt),
    (lambda x, dy: G.RsqrtGrad()(ops.rsqrt(x), dy), ops.rsqrt),
    (lambda x, dy: G.SigmoidGrad()(ops.sigmoid(x), dy), ops.sigmoid),
    (lambda x, dy: G.EluGrad()(dy, ops.elu(x)), ops.elu),
    (lambda x, dy: G.SeluGrad()(dy, ops.selu(x)), ops.selu),
    (lambda x, dy: G.SoftmaxGrad()(ops.softmax(x), dy), ops.softmax),
    (lambda x, dy: G.LogSoftmaxGrad()(ops.log_softmax(x), dy), ops.log_softmax),
    (lambda x, dy: G.L2NormalizeGrad(1)(x, ops.L2Normalize(1)(x), dy), ops.L2Normalize(1)),
]


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: "")
def test_they_are_the_vjp_of_the_forward_operator(pair: tuple, mode: int):
    by_primitive, forward = pair
    x, dy = tensors((3, 3), (3, 3))
    wanted = ms.vjp(forward, x)[1](dy)
    np.testing.assert_allclose(by_primitive(x, dy).asnumpy(), ops.stack(wanted)[0].asnumpy(), 1e-4, 1e-5)


def test_gradients_of_gradients_are_those_of_the_forward_operator(mode: int):
    x, dy, scale = tensors((2, 5), (2, 5), (5,))
    shift = ops.zeros_like(scale)

    def by_primitive(x: Tensor) -> Tensor:
        _, mean, variance = ops.LayerNorm(1, 1)(x, scale, shift)
        return G.LayerNormGrad(1, 1)(x, dy, variance, mean, scale)[0]

    def by_grad(x: Tensor) -> Tensor:
        return ms.grad(lambda inputs: (ops.LayerNorm(1, 1)(inputs, scale, shift)[0] * dy).sum())(x)

    np.testing.assert_allclose(by_primitive(x).asnumpy(), by_grad(x).asnumpy(), 1e-3, 1e-4)
    first = ms.grad(lambda inputs: (by_primitive(inputs) ** 2).sum())(x)
    second = ms.grad(lambda inputs: (by_grad(inputs) ** 2).sum())(x)
    np.testing.assert_allclose(first.asnumpy(), second.asnumpy(), 1e-2, 1e-2)


def test_wrong_calls_name_primitive_and_argument():
    with pytest.raises(TypeError, match="ReluGrad"):
        G.ReluGrad()(Tensor([1.0]))
    with pytest.raises(TypeError, match=r"'GeLUGrad'.*'y'"):
        G.GeLUGrad()(Tensor([1.0]), Tensor([1.0]), "nothing")


def test_private_modules_are_attributes_of_their_packages():
    assert ms.ops.operations._grad_ops is G
    assert callable(ms.ops._grad_experimental.get_bprop_fn) and callable(ms.ops._utils.get_broadcast_shape)
    assert callable(ops.get_vm_impl_fn) and callable(ops.vm_impl_registry.register)
