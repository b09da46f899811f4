"""Gradient primitives, declared when first asked for."""
