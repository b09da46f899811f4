"""Operators that draw random numbers, from keys that the random state gives out."""
