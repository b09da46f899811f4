"""What to write instead of names that ``mindspore.train`` does not have."""

from __future__ import annotations

HINTS = {
    "SummaryLandscape": "The landscape of a loss is not drawn: evaluate Model.eval at parameters moved along two directions, "
    "and write the values with SummaryRecord.",
    "export_split_mindir": "A file is not cut for devices: export the network (mindspore.export) and let "
    "mindspore.parallel.AutoParallel place it.",
}
