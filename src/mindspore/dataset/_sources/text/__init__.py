"""Readers of text datasets: lines, tables, pairs, translations."""
