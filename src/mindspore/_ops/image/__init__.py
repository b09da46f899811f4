"""Operators on images and boxes: resizing, sampling, colours, regions of interest, suppression."""
