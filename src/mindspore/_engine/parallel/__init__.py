"""Placing one graph on many devices: SPMD partitioning over a mesh, pipeline stages with a schedule, ZeRO-style sharded optimizer states."""
