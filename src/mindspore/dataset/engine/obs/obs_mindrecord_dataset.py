"""What waits for files of an object storage."""

from mindspore.dataset._sources.formats.mindrecord import sync_wait_for_dataset

__all__ = ["sync_wait_for_dataset"]
