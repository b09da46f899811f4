"""Cells that split a batch into micro batches."""

from mindspore._utils.documented import claim as _claim
from mindspore.nn import GradAccumulationCell, MicroBatchInterleaved, PipelineCell, PipelineGradReducer

GradAccumulation = GradAccumulationCell
Pipeline = PipelineCell

__all__ = ["GradAccumulation", "MicroBatchInterleaved", "Pipeline", "PipelineCell", "PipelineGradReducer"]

_claim(__name__)
