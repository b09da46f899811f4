"""Traced graphs as graphs of MindSpore's primitives."""
