"""The communication functions of ``mindspore.ops``: on real processes, in place and not."""

import json

import pytest

from mindspore import Tensor, ops
from tests.parallel.launching import PROGRAMS, msrun


@pytest.mark.heavy
def test_functions_of_ops_store_what_other_processes_hold(tmp_path):
    ended = msrun("--worker_num=2", f"--log_dir={tmp_path}", "--join=True", PROGRAMS / "in_place.py", tmp_path)
    assert ended.returncode == 0, ended.stderr
    first, second = (json.loads((tmp_path / f"found_{rank}.json").read_text()) for rank in (0, 1))
    a, b = [0, 1, 2, 3], [10, 11, 12, 13]
    total = [10, 12, 14, 16]
    assert first == {
        "place": [0, 2, [0, 1]],
        "all_reduce_sum": [total],
        "all_reduce_avg": [[5, 6, 7, 8]],
        "all_reduce_max": [b],
        "returned": [total, a, a + b],
        "mint_stays_in_place": [total],
        "reduce_scatter_tensor": [[5, 6]],
        "gather_into_tensor": [[0] * 8],
        "scatter_tensor": [b[:2]],
        "gather": [a, b],
        "send": [a],
        "broadcast": [b],
        "objects": [{"rank": 0}, {"rank": 1}],
    }
    assert second == {
        **first,
        "place": [1, 2, [0, 1]],
        "returned": [total, b, a + b],
        "reduce_scatter_tensor": [[7, 8]],
        "gather_into_tensor": [a + b],
        "scatter_tensor": [b[2:]],
        "gather": [[0] * 4, [0] * 4],
    }


def test_a_group_is_made_and_left_by_its_name():
    ops.init_process_group()
    name = ops.new_group([0])
    assert ops.get_process_group_ranks(name) == [0] and ops.get_world_size(name) == 1 and ops.get_rank(name) == 0
    assert ops.get_global_rank(name, 0) == ops.get_group_rank(name, 0) == 0
    ops.destroy_process_group(name)
    with pytest.raises(Exception, match=name):
        ops.get_process_group_ranks(name)


def test_only_functions_that_communicate_can_be_told_to_return():
    with pytest.raises(ValueError, match="'func_list"):
        ops.set_comm_ops_inplace(False, ["get_rank"])
    with pytest.raises(TypeError, match="'is_enable' must be"):
        ops.set_comm_ops_inplace(1)
    with pytest.raises(TypeError, match="must be a list of names or None, but got 3"):
        ops.set_comm_ops_inplace(False, 3)
    ops.set_comm_ops_inplace(False, ["broadcast"])  # stores in any case
    x = Tensor([1.0])
    assert ops.broadcast(x, 0) is None
