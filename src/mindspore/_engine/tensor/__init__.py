"""The handles users hold: Tensor, Parameter, deferred initialization and the initializers."""
