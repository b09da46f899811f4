"""Graphs of primitives in MindSpore's own MINDIR files."""
