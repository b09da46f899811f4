"""Callbacks of data pipelines."""

from mindspore.dataset.callback.ds_callback import DSCallback, WaitedDSCallback

__all__ = ["DSCallback", "WaitedDSCallback"]
