"""What happens around a differentiated call: hooks, custom `bprop`, activation checkpointing, saved-tensor hooks, the cached forward pass."""
