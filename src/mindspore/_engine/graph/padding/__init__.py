"""Programs with symbolic sizes, run on padded arrays."""
