"""Running one kernel: dispatch, the tape that records it, the program that walks back, random state, indexing, autocast."""
