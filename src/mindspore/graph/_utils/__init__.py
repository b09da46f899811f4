"""Helpers of graphs, by the modules programs import them from."""
