"""Checks of inputs that libraries take from the modules of MindSpore's own transformer."""

import pytest

from mindspore import Tensor, nn
from mindspore.parallel._transformer.layers import (
    _args_type_validator_check,
    _check_past_none_input_none,
    _check_shape_equal,
    _LayerInputCheck,
    _valid_type_checks,
)
from mindspore.parallel._transformer.moe import _check_moe_config, default_moe_config
from mindspore.parallel._transformer.op_parallel_config import _check_config, default_dpmp_config


class Rows(nn.Cell):
    @_args_type_validator_check(width=_valid_type_checks([int], "Rows"))
    def __init__(self, width):
        super().__init__()
        self.width = width

    def construct(self, x, past=None):
        _check_shape_equal(x.shape, "x", "Rows", [[2, self.width], [3, self.width]])
        _check_past_none_input_none(False, "past", "Rows", None, False, past is None)
        return x


def test_a_layer_checks_its_inputs_in_both_modes(mode):
    net = Rows(4)
    assert net(Tensor([[1.0] * 4] * 2)).shape == (2, 4)
    with pytest.raises(ValueError, match=r"For 'Rows', the shape of 'x' must be one of .*\(1, 4\)"):
        net(Tensor([[1.0] * 4]))
    with pytest.raises(TypeError, match=r"'past' must be None"):
        net(Tensor([[1.0] * 4] * 2), 1)
    with pytest.raises(TypeError, match="'width'"):
        Rows("4")


def test_checks_of_axes_and_of_configurations():
    assert _LayerInputCheck.check_shape_length((2, 3), "x", "f", [2, 3])
    assert _LayerInputCheck.check_shape_equal_without_batch((9, 3), "x", "f", (1, 3))
    assert _LayerInputCheck.check_shape_value_on_axis((9, 3), 1, "x", "f", 3)
    for call in (
        lambda: _LayerInputCheck.check_shape_length((2,), "x", "f", 2),
        lambda: _LayerInputCheck.check_shape_equal_without_batch((9, 4), "x", "f", (1, 3)),
        lambda: _LayerInputCheck.check_shape_value_on_axis((9, 4), 1, "x", "f", 3),
    ):
        with pytest.raises(ValueError, match=r"For 'f'.*'x'"):
            call()
    _check_config(default_dpmp_config)
    _check_moe_config(default_moe_config, default_dpmp_config)
