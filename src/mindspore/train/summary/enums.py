"""Words that summaries are described with."""

from __future__ import annotations

from enum import Enum

__all__ = ["ModeEnum", "PluginEnum"]


class _Words(Enum):
    @classmethod
    def to_list(cls) -> list[str]:
        """All words.

        >>> ModeEnum.to_list()
        ['train', 'eval']
        """
        return [member.value for member in cls]


class PluginEnum(_Words):
    """Kinds of values a SummaryRecord takes."""

    TENSOR = "tensor"
    SCALAR = "scalar"
    IMAGE = "image"
    HISTOGRAM = "histogram"
    TRAIN_LINEAGE = "train_lineage"
    EVAL_LINEAGE = "eval_lineage"
    DATASET_GRAPH = "dataset_graph"
    CUSTOM_LINEAGE_DATA = "custom_lineage_data"
    GRAPH = "graph"
    LANDSCAPE = "landscape"


class ModeEnum(_Words):
    """What the network is doing."""

    TRAIN = "train"
    EVAL = "eval"
