"""Converters of well-known data sets into MindRecord files."""
