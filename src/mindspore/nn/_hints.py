"""What to write instead of names that ``mindspore.nn`` does not have."""

from __future__ import annotations

HINTS = {
    "Module": "It is called nn.Cell here, and its forward is construct.",
    "ModuleList": "It is called nn.CellList here.",
    "ModuleDict": "It is called nn.CellDict here.",
    "Sequential": "It is called nn.SequentialCell here.",
    "ConvTranspose1d": "It is called nn.Conv1dTranspose here.",
    "ConvTranspose2d": "It is called nn.Conv2dTranspose here.",
    "ConvTranspose3d": "It is called nn.Conv3dTranspose here.",
    "DataParallel": "Write mindspore.set_auto_parallel_context(parallel_mode='data_parallel').",
    "BCEloss": "It is called nn.BCELoss.",
    "Relu": "It is called nn.ReLU.",
    "UpsamplingBilinear2d": "Write nn.Upsample(size=..., mode='bilinear', align_corners=True).",
}
