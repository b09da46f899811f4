"""Batches of map-style and iterable datasets: a DataLoader like PyTorch's."""

from mindspore._utils.documented import claim as _claim
from mindspore.dataset.dataloader._utils.collate import default_collate, default_convert
from mindspore.dataset.dataloader._utils.worker import get_worker_info
from mindspore.dataset.dataloader.dataloader import DataLoader
from mindspore.dataset.dataloader.dataset import Dataset, IterableDataset, TensorDataset
from mindspore.dataset.dataloader.distributed import DistributedSampler
from mindspore.dataset.dataloader.sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = [
    "BatchSampler",
    "DataLoader",
    "Dataset",
    "DistributedSampler",
    "IterableDataset",
    "RandomSampler",
    "Sampler",
    "SequentialSampler",
    "TensorDataset",
    "default_collate",
    "default_convert",
    "get_worker_info",
]

_claim(__name__)
