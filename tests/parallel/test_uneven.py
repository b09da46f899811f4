"""Collectives whose parts differ in size, between two real processes; and what they refuse."""

import json

import pytest

from mindspore import Tensor, ops
from tests.parallel.launching import PROGRAMS, msrun


@pytest.mark.heavy
def test_every_process_gets_parts_of_the_right_size(tmp_path):
    ended = msrun("--worker_num=2", f"--log_dir={tmp_path}", "--join=True", PROGRAMS / "uneven.py", tmp_path)
    assert ended.returncode == 0, ended.stderr
    first, second = (json.loads((tmp_path / f"found_{rank}.json").read_text()) for rank in (0, 1))
    joined = [0, 1, 10, 11, 12]
    assert first == {
        "all_gather": [joined],
        "gradient": [[3, 3]],  # what each process made of it comes back
        "jitted": [[2 * value for value in joined]],
        "reduce_scatter": [[10], [10, 11, 12]],
        "all_to_all": [[0, 10, 11]],
        "all_to_all_blocks": [[10, 11]],
        "received": [[10, 11, 12]],
        "batch": [[10, 11, 12, 13]],
        "borders": [[[0, 1], [2, 3], [10, 11]]],
        "product": [[1, 5, 21, 25]],
        "scattered": [[22]],
    }
    assert second == {
        **first,
        "gradient": [[3, 3, 3]],
        "reduce_scatter": [[12, 14, 16], [13]],
        "all_to_all": [[1, 2, 3, 12, 13]],
        "all_to_all_blocks": [[0, 1, 2, 3, 12, 13]],
        "received": [[0, 1, 2, 3]],
        "batch": [[0, 1, 2, 3]],
        "borders": [[[2, 3], [10, 11], [12, 13]]],
        "scattered": [[30]],
    }


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        (lambda x: ops.AllGatherV()(x, [3]), ValueError, r"For 'AllGatherV', the 'input_x' must have shape \(3,\)"),
        (lambda x: ops.AllGatherV()(x, [1, 1]), ValueError, "the 'output_split_sizes' must have 1 elements, but got 2"),
        (lambda x: ops.AlltoAllV()(x, 2, [2]), TypeError, "the 'send_numel_list' must be a tuple of ints"),
        (lambda x: ops.Send(0, 0)(x), ValueError, "For 'Send', the 'dest_rank' must be another process"),
        (lambda x: ops.Receive(0, 5, [2], x.dtype), ValueError, "the 'src_rank' must be"),
        (lambda x: ops.BatchISendIRecv(["isend"], []), ValueError, "must have one length"),
        (lambda x: ops.NeighborExchangeV2([0] * 8, [0] * 4, [-1] * 8, [0] * 4, "NCHW"), ValueError, "no process twice"),
        (lambda x: ops.all_gather_matmul(x, x, "hccl_world_group", 4), RuntimeError, "that of the group, 1, but got 4"),
    ],
)
def test_sizes_and_processes_that_do_not_fit_are_refused(call, kind, text):
    with pytest.raises(kind, match=text):
        call(Tensor([1.0, 2.0]))


def test_borders_that_nobody_sends_are_zero():
    nobody = [-1] * 8
    exchange = ops.NeighborExchangeV2(nobody, [0] * 4, nobody, [1, 0, 0, 1], "NCHW")
    assert exchange(ops.ones((1, 1, 1, 1))).asnumpy().tolist() == [[[[0, 0], [1, 0]]]]
