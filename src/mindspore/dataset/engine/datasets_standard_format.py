"""Datasets in files of general formats."""

from mindspore.dataset._sources.formats.csv import CSVDataset
from mindspore.dataset._sources.formats.mindrecord import MindDataset, OBSMindDataset, sync_wait_for_dataset
from mindspore.dataset._sources.formats.tfrecord import TFRecordDataset

__all__ = ["CSVDataset", "MindDataset", "OBSMindDataset", "TFRecordDataset", "sync_wait_for_dataset"]
