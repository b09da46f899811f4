"""Attributes of Primitives: added, hidden, taken away, and without effect on what the operator computes."""

import numpy as np
import pytest

from mindspore import Parameter, Tensor, nn, ops


def test_attributes_are_added_shown_and_taken_away():
    matmul = ops.MatMul(transpose_b=True)
    assert matmul.init_attrs == {"transpose_a": False, "transpose_b": True}
    assert matmul.get_attr_dict() == {}
    matmul.add_attr("hidden", 3)
    matmul.add_prim_attr("shown", 4)
    assert (matmul.hidden, matmul.shown) == (3, 4)
    assert matmul.get_attr_dict() == {"hidden": 3, "shown": 4}
    assert "shown=4" in repr(matmul)
    assert "hidden" not in repr(matmul)
    matmul.del_attr("hidden")
    assert matmul.del_prim_attr("shown") is matmul
    assert matmul.get_attr_dict() == {}
    assert not hasattr(matmul, "hidden")


def test_data_of_the_program_is_kept_with_an_operator():
    relu = ops.ReLU()
    relu.set_user_data("seen", [1])
    assert relu.get_user_data("seen") == [1]
    with pytest.raises(RuntimeError, match=r"'key' must be one that set_user_data was given for ReLU, \['seen'\]"):
        relu.get_user_data("other")


def test_a_clone_has_attributes_of_its_own():
    relu = ops.ReLU().add_prim_attr("group", 1)
    clone = relu._clone().add_prim_attr("group", 2)
    assert (relu.group, relu.attrs["group"], clone.group) == (1, 1, 2)
    assert clone(Tensor([-1.0, 1.0])).asnumpy().tolist() == [0.0, 1.0]


def test_hints_for_other_back_ends_change_no_result(mode):
    matmul = ops.MatMul().set_device("CPU").recompute()._offload()
    for tell in ("set_const_prim", "set_inplace_prim"):
        getattr(matmul, tell)(True)
    matmul.set_const_input_indexes([1])
    matmul.set_signatures(())
    x = Tensor(np.eye(2, dtype=np.float32))
    assert np.array_equal(matmul(x, x), x)
    assert matmul.check_elim(x, x) == (False, None)


def test_an_operator_that_updates_parameters_takes_attributes(mode):
    w = Parameter(Tensor([1.0, 2.0]), name="w")
    optimizer = nn.Momentum([w], 0.1, 0.9)
    optimizer.opt.add_prim_attr("primitive_target", "CPU")
    optimizer((Tensor([1.0, 1.0]),))
    assert np.allclose(w.asnumpy(), [0.9, 1.9])
