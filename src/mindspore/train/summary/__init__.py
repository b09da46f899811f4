"""Summaries: what networks report while they train, in files TensorBoard reads."""

from mindspore.train.summary import enums, summary_record
from mindspore.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryRecord", "enums", "summary_record"]
