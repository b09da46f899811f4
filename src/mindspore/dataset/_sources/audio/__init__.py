"""Readers of audio datasets: WAV files and speech corpora."""
