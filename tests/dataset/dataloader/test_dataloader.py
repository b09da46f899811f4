"""``mindspore.dataset.dataloader``: batches of samples by number or in order, here and in worker processes."""

import collections

import numpy as np
import pytest

from mindspore import Tensor
from mindspore.dataset import dataloader as dl


class Numbers(dl.Dataset):
    def __init__(self, count):
        self.count = count

    def __getitem__(self, index):
        return index

    def __len__(self):
        return self.count


class Rows(Numbers):
    def __getitem__(self, index):
        return index, float(index), f"s{index}", {"a": np.full(2, index), "b": [index]}, Tensor([index])


class Parted(dl.IterableDataset):
    """Each worker has the numbers of its own."""

    def __iter__(self):
        info = dl.get_worker_info()
        return iter(range(5)) if info is None else iter(range(info.id, 5, info.num_workers))


class Failing(Numbers):
    def __getitem__(self, index):
        return 1 // (index - 3)


def lists(batches):
    return [batch.asnumpy().tolist() for batch in batches]


def test_numbers_become_batches():
    assert lists(dl.DataLoader(Numbers(5), batch_size=2)) == [[0, 1], [2, 3], [4]]
    assert lists(dl.DataLoader(Numbers(5), batch_size=2, drop_last=True)) == [[0, 1], [2, 3]]
    assert lists(dl.DataLoader(Numbers(5), batch_sampler=[[0, 1], [4]])) == [[0, 1], [4]]
    assert lists(dl.DataLoader(Numbers(5), sampler=[4, 2], batch_size=2)) == [[4, 2]]
    assert list(dl.DataLoader(Numbers(3), batch_size=None)) == [0, 1, 2]
    assert len(dl.DataLoader(Numbers(5), batch_size=2)) == 3 and lists(dl.DataLoader(Parted(), 2)) == [
        [0, 1],
        [2, 3],
        [4],
    ]


def test_samples_keep_their_form():
    numbers, floats, texts, columns, tensors = next(iter(dl.DataLoader(Rows(3), batch_size=2)))
    assert (numbers.dtype.name, floats.dtype.name, texts) == ("Int64", "Float64", ("s0", "s1"))
    assert columns["a"].asnumpy().tolist() == [[0, 0], [1, 1]] and columns["b"][0].asnumpy().tolist() == [0, 1]
    assert tensors.shape == (2, 1)
    pair = collections.namedtuple("pair", "x y")
    assert lists(dl.default_collate([pair(1, 2), pair(3, 4)])) == [[1, 3], [2, 4]]
    with pytest.raises(RuntimeError, match="equal size"):
        dl.default_collate([(1, 2), (3,)])
    with pytest.raises(TypeError, match="NoneType"):
        dl.default_collate([None])


def test_orders_for_a_seed_are_those_of_mindspore():
    def generator():
        return np.random.default_rng(1)

    assert list(dl.RandomSampler(range(6), generator=generator())) == [4, 0, 2, 1, 5, 3]
    assert list(dl.RandomSampler(range(6), True, 8, generator())) == [2, 3, 4, 5, 0, 0, 4, 5]
    assert list(dl.RandomSampler(range(6), False, 9, generator())) == [4, 0, 2, 1, 5, 3, 2, 3, 5]
    assert lists(dl.DataLoader(Numbers(5), 2, shuffle=True, generator=generator())) == [[4, 0], [1, 2], [3]]
    parts = [dl.DistributedSampler(Numbers(7), 2, rank, seed=3) for rank in (0, 1)]
    assert [list(part) for part in parts] == [[5, 2, 4, 0], [6, 1, 3, 5]]
    for part in parts:
        part.set_epoch(1)
    assert [list(part) for part in parts] == [[1, 0, 4, 6], [2, 5, 3, 1]]
    assert list(dl.DistributedSampler(Numbers(7), 2, 1, shuffle=False, drop_last=True)) == [1, 3, 5]


def test_workers_load_the_same():
    loader = dl.DataLoader(Rows(5), batch_size=2, num_workers=2, persistent_workers=True, worker_init_fn=np.random.seed)
    for _ in range(2):
        batches = list(loader)
        assert lists(batch[0] for batch in batches) == [[0, 1], [2, 3], [4]] and batches[2][2] == ("s4",)
        assert batches[0][3]["a"].asnumpy().tolist() == [[0, 0], [1, 1]]
    assert lists(dl.DataLoader(Parted(), 2, num_workers=2)) == [[0, 2], [1, 3], [4]]
    assert sorted(lists(dl.DataLoader(Numbers(5), 2, num_workers=2, in_order=False))) == [[0, 1], [2, 3], [4]]


def test_an_error_in_a_worker_names_the_worker():
    with pytest.raises(RuntimeError, match=r"DataLoader worker 1 \(pid: \d+\) caught ZeroDivisionError"):
        list(dl.DataLoader(Failing(5), num_workers=2))
    with pytest.raises(ZeroDivisionError):
        list(dl.DataLoader(Failing(5)))


@pytest.mark.parametrize("settings, text", [
    ({"shuffle": True, "sampler": [1]}, "sampler cannot be specified with shuffle"),
    ({"batch_size": 2, "batch_sampler": [[1]]}, "batch_size cannot be specified with batch_sampler"),
    ({"num_workers": -1}, "num_workers must be non-negative, but got: -1"),
    ({"prefetch_factor": 2}, "prefetch_factor must only be specified when num_workers"),
    ({"batch_size": 0}, "batch_size must be positive, but got: 0"),
])  # fmt: skip
def test_settings_that_contradict_each_other_are_refused(settings, text):
    with pytest.raises(ValueError, match=text):
        dl.DataLoader(Numbers(5), **settings)
