"""Datasets of text."""

from mindspore.dataset._sources.text.folders import (
    CoNLL2000Dataset,
    EnWik9Dataset,
    IMDBDataset,
    PennTreebankDataset,
    UDPOSDataset,
    WikiTextDataset,
)
from mindspore.dataset._sources.text.lines import CLUEDataset, TextFileDataset
from mindspore.dataset._sources.text.pairs import Multi30kDataset, SQuADDataset, SST2Dataset
from mindspore.dataset._sources.text.tables import (
    AGNewsDataset,
    AmazonReviewDataset,
    DBpediaDataset,
    SogouNewsDataset,
    YahooAnswersDataset,
    YelpReviewDataset,
)
from mindspore.dataset._sources.text.translations import IWSLT2016Dataset, IWSLT2017Dataset

__all__ = [
    "AGNewsDataset",
    "AmazonReviewDataset",
    "CLUEDataset",
    "CoNLL2000Dataset",
    "DBpediaDataset",
    "EnWik9Dataset",
    "IMDBDataset",
    "IWSLT2016Dataset",
    "IWSLT2017Dataset",
    "Multi30kDataset",
    "PennTreebankDataset",
    "SQuADDataset",
    "SST2Dataset",
    "SogouNewsDataset",
    "TextFileDataset",
    "UDPOSDataset",
    "WikiTextDataset",
    "YahooAnswersDataset",
    "YelpReviewDataset",
]
