"""Operators on functions: HyperMap, custom operators, loops, Python functions inside graphs."""
