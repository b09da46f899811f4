"""Operators of every family, ours against the same in PyTorch and JAX: where do we fall off a cliff?

- ``case``      what a case is, and how inputs are made
- ``layers``, ``arrays``, ``matrices``, ...  the cases, by family; ``rest``, what no other lists
- ``worker``    a process that serves all cases under one framework: ``ours``, ``pytorch`` or ``plain_jax``
- ``theme``     the benchmark itself
"""
