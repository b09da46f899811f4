"""Parameters to files and back: saving, loading into networks, reports, sharded and distributed checkpoints."""
