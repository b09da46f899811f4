"""Readers of image datasets: folders, arrays, annotations, captions."""
