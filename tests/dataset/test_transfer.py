"""Rows sent to a named queue and fetched by a network."""

import numpy as np
import pytest

import mindspore as ms
import mindspore.dataset as ds
from mindspore import nn


def sender(name):
    data = ds.NumpySlicesDataset({"x": np.arange(6, dtype=np.float32)}, shuffle=False).batch(2)
    return data.device_que(queue_name=name)


class Doubled(nn.Cell):
    """A network without inputs."""

    def __init__(self, name):
        super().__init__()
        self.fetch = nn.GetNextSingleOp([ms.float32], [(2,)], name)

    def construct(self):
        (x,) = self.fetch()
        return x * 2


def test_a_network_fetches_row_after_row(mode):
    sender(f"rows{mode}").send(1)
    net = Doubled(f"rows{mode}")
    assert [net().asnumpy().tolist() for _ in range(3)] == [[0, 2], [4, 6], [8, 10]]
    with pytest.raises(RuntimeError, match="has no more data"):
        net()


def test_endless_epochs_start_over(mode):
    transfer = sender(f"endless{mode}")
    transfer.send()
    net = Doubled(f"endless{mode}")
    assert [net().asnumpy()[0] for _ in range(7)] == [0, 4, 8, 0, 4, 8, 0]
    transfer.stop_send()


def test_other_rows_than_declared_are_told(mode):
    sender(f"wrong{mode}").send(1)
    with pytest.raises(RuntimeError, match=r"holds rows of float32\[2\], but int32\[3\] was declared"):
        nn.GetNextSingleOp([ms.int32], [(3,)], f"wrong{mode}")()


def test_a_queue_nobody_sends_to_is_told(mode):
    with pytest.raises(RuntimeError, match="no device queue named 'nobody'"):
        nn.GetNextSingleOp([ms.int32], [(3,)], "nobody")()


def test_an_error_of_the_pipeline_reaches_the_network(mode):
    def broken(x):
        raise ValueError("no good")

    ds.NumpySlicesDataset({"x": [1.0]}).map(broken, "x").device_que(queue_name=f"broken{mode}").send(1)
    with pytest.raises(RuntimeError, match="no good"):
        nn.GetNextSingleOp([ms.float64], [()], f"broken{mode}")()


def test_a_sender_tells_what_it_sends():
    assert sender("info").get_data_info() == ([np.dtype("float32")], [[2]])
