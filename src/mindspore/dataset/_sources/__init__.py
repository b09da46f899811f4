"""Readers: what a dataset on disk or in memory looks like, row by row."""
