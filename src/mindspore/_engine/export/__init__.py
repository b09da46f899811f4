"""Traced graphs as files: StableHLO containers, ONNX models, and the trace that both start from."""
