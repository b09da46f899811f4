"""Speed and memory, always as a comparison within one run: ``python -m benchmarks --help``."""
