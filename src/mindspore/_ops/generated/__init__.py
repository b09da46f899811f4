"""Operators found only among MindSpore's generated names; declared when first asked for."""
