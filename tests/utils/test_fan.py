"""Fans and gains."""

import math

import pytest

from mindspore._utils.fan import calculate_fan_in_and_fan_out, calculate_gain, fan_of_mode


@pytest.mark.parametrize(("shape", "fans"), [((3, 4), (4, 3)), ((3, 4, 5, 6), (120, 90)), ((8, 1, 3), (3, 24))])
def test_fans_count_the_window(shape, fans):
    assert calculate_fan_in_and_fan_out(shape) == fans
    assert (fan_of_mode(shape, "fan_in"), fan_of_mode(shape, "FAN_OUT")) == fans


@pytest.mark.parametrize("shape", [(), (3,)])
def test_fans_need_two_dimensions(shape):
    with pytest.raises(ValueError, match=f"fewer than 2 dimensions, but got dimensions {len(shape)}"):
        calculate_fan_in_and_fan_out(shape)


@pytest.mark.parametrize(("nonlinearity", "param", "gain"), [
    ("linear", None, 1), ("sigmoid", 3, 1), ("conv2d", None, 1), ("conv_transpose3d", None, 1), ("tanh", None, 5 / 3),
    ("relu", None, math.sqrt(2)), ("leaky_relu", None, 1.4141428569978354), ("leaky_relu", 1, 1.0),
    ("leaky_relu", 0, math.sqrt(2))])  # fmt: skip
def test_gains(nonlinearity, param, gain):
    assert calculate_gain(nonlinearity, param) == pytest.approx(gain, rel=1e-15)


@pytest.mark.parametrize("slope", ["a", True])
def test_a_slope_must_be_a_number_where_it_is_used(slope):
    assert calculate_gain("relu", slope) == math.sqrt(2)
    with pytest.raises(ValueError, match="the 'negative_slope' must be an int or a float"):
        calculate_gain("leaky_relu", slope)


def test_unknown_nonlinearities_and_modes_are_refused():
    with pytest.raises(ValueError, match=r"the 'nonlinearity' must be one of .*, but got 'selu'"):
        calculate_gain("selu")
    with pytest.raises(ValueError, match="'mode' both not supported"):
        fan_of_mode((2, 2), "both")
