"""docs/guide/reproducibility.md: what keeps its bits under the settings of other processors."""

import numpy as np
import pytest

from tools import processors


def test_a_difference_is_noticed_however_small():
    one = [np.float32([1, 2])]
    assert processors.distance(one, [np.float32([1, 2])]) == 0
    assert 0 < processors.distance(one, [np.nextafter(np.float32([1, 2]), np.float32(9))]) < 1e-6
    assert processors.distance(one, [np.float32([1, np.nan])]) == float("inf")
    assert processors.distance([np.float32([0.0])], [np.float32([-0.0])]) > 0
    assert processors.distance(one, [np.float64([1, 2])]) == float("inf")


@pytest.mark.heavy
@pytest.mark.parametrize("setting", ["AVX2 of Intel", "AVX-512 of Intel", "vectors of 256 bits", "16 cores"])
def test_functions_have_the_same_bits(setting):
    assert processors.compare([setting], ["functions"]) == {setting: {}}


@pytest.mark.heavy
@pytest.mark.parametrize("setting", ["1 core", "16 cores"])
def test_networks_have_the_same_bits_on_any_number_of_cores(setting):
    assert processors.compare([setting], ["networks"]) == {setting: {}}
