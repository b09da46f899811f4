"""Operators with effects outside their results: assignment, printing, dumping, device status."""
