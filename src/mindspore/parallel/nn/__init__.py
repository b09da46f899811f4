"""Cells that cut a batch into smaller ones."""

from mindspore.nn import MicroBatchInterleaved, PipelineCell, PipelineGradReducer

Pipeline = PipelineCell

__all__ = ["MicroBatchInterleaved", "Pipeline", "PipelineCell", "PipelineGradReducer"]
