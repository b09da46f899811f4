"""Readers of general file formats: CSV, MindRecord, TFRecord, MATLAB."""
