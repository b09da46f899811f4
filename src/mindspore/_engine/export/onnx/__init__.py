"""ONNX export: the jaxpr of a traced graph converted equation by equation."""

from mindspore._engine.export.onnx import control, elementwise, matrix, picking, reducing, scattering, shaping, windows
from mindspore._engine.export.onnx.model import to_onnx

__all__ = ["control", "elementwise", "matrix", "picking", "reducing", "scattering", "shaping", "to_onnx", "windows"]
