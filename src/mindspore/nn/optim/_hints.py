"""What to write instead of names that ``mindspore.nn.optim`` does not have."""

from __future__ import annotations

HINTS = {
    "SparseAdam": "Write nn.LazyAdam, which updates the rows that have a gradient.",
    "lr_scheduler": "Schedulers are in mindspore.experimental.optim.lr_scheduler; learning rates as lists in mindspore.nn.",
}
