"""``mindspore._c_expression.security``: how the package was built."""

__all__ = ["enable_security"]


def enable_security() -> bool:
    """Whether debugging and summaries were left out of the build: they never are.

    >>> enable_security()
    False
    """
    return False
