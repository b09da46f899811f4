"""Strategies of mixed precision that are pushed decide what dtype operators run in."""

import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._c_expression import amp

# Level -> dtypes of matmul, exp of float32, exp of float16 and a sum, with MatMul in the white list and Exp in the black one.
DTYPES = {
    "AmpO0": (ms.float32, ms.float32, ms.float16, ms.float32),
    "AmpO1": (ms.float16, ms.float32, ms.float16, ms.float32),
    "AmpO2": (ms.float16, ms.float32, ms.float32, ms.float16),
    "AmpO3": (ms.float16, ms.float16, ms.float16, ms.float16),
    "AmpAuto": (ms.float16, ms.float32, ms.float32, ms.float32),
}


@pytest.mark.parametrize("level", DTYPES)
def test_operators_follow_the_strategy_until_it_is_popped(level, mode):
    x = Tensor([[1.0]])
    half = x.astype(ms.float16)
    amp.push_amp_strategy(amp.AmpLevel[level], ms.float16, [("MatMul", [])], [("Exp", [])])
    try:
        assert amp.get_curr_amp_strategy().get_amp_level() is amp.AmpLevel[level]
        assert (ops.matmul(x, x).dtype, ops.exp(x).dtype, ops.exp(half).dtype, (x + x).dtype) == DTYPES[level]
    finally:
        amp.pop_amp_strategy()
    assert ops.matmul(x, x).dtype == ms.float32 and amp.get_curr_amp_strategy() is None


# What MindSpore 2.10 answers, for MatMul in the white list and Exp in the black one.
INFORMATION = {
    "AmpO0": {"MatMul": "AmpIgnore Float32", "Exp": "AmpIgnore Float32", "Add": "AmpIgnore Float32", "AddN": "AmpIgnore Float32"},
    "AmpO1": {"MatMul": "AmpDoCast Float16", "Exp": "AmpIgnore Float32", "Add": "AmpIgnore Float32", "AddN": "AmpIgnore Float32"},
    "AmpO2": {"MatMul": "AmpDoCast Float16", "Exp": "AmpDoCast Float32", "Add": "AmpDoCast Float16", "AddN": "AmpDoCast Float16"},
    "AmpO3": {"MatMul": "AmpDoCast Float16", "Exp": "AmpDoCast Float16", "Add": "AmpDoCast Float16", "AddN": "AmpDoCast Float16"},
    "AmpAuto": {"MatMul": "AmpDoCast Float16", "Exp": "AmpDoCast Float32", "Add": "AmpIgnore Float32", "AddN": "AmpAutoPromote Float32"},
}  # fmt: skip


@pytest.mark.parametrize("level", INFORMATION)
def test_a_strategy_says_what_it_does_to_an_operator(level):
    strategy = amp.create_amp_strategy(amp.AmpLevel[level], ms.float16, [("MatMul", [])], [("Exp", [])])
    found = {name: amp.get_prim_cast_strategy_info(strategy, name) for name in INFORMATION[level]}
    assert {name: f"{one.strategy.name} {one.dtype}" for name, one in found.items()} == INFORMATION[level]
