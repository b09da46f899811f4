"""The random orders of real MindSpore, number for number."""
