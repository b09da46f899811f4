"""Declaring operators: `@op`, its registry, the Primitive classes it makes, argument binding, and sharding rules."""
