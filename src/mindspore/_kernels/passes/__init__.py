"""What is looked for in a whole program before it is compiled: see `rewriting.py`, which calls these."""
