"""Errors about names that nothing has."""

import pytest

from mindspore import Tensor


def test_an_error_that_passes_a_cell_may_say_more():
    with pytest.raises(AttributeError) as caught:
        Tensor(1.0).nothing_of_the_kind  # type: ignore[attr-defined]  # noqa: B018 - asking for it is the test
    caught.value.args = (f"{caught.value} Cell path: Net.",)
    assert str(caught.value).endswith("Cell path: Net.") and "nothing_of_the_kind" in str(caught.value)
