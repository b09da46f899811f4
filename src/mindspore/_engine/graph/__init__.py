"""Graph mode: trace a function once per signature, compile it with XLA, cache it, run it."""
