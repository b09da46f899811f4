"""Configuration, and where the program runs."""
