"""Datasets in files of general formats."""

from mindspore.dataset.engine._csv_files import CSVDataset
from mindspore.dataset.engine._mindrecords import MindDataset, OBSMindDataset
from mindspore.dataset.engine._tf_records import TFRecordDataset

__all__ = ["CSVDataset", "MindDataset", "OBSMindDataset", "TFRecordDataset"]
