"""Python control flow inside graphs. See README.md in this folder."""
