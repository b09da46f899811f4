"""Environment variables and configuration keys, each declared once with name, default and help."""
