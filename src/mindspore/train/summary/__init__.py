"""Summaries: what networks report while they train, in files TensorBoard reads."""

from mindspore.train.summary import enums as enums
from mindspore.train.summary import summary_record as summary_record
from mindspore.train.summary.summary_record import SummaryRecord

__all__ = ["SummaryRecord"]
