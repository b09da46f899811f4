"""``run_check``: whether the installation computes correctly."""

from __future__ import annotations

import numpy as np

import mindspore
from mindspore import ops
from mindspore._engine.runtime.context import get_context
from mindspore._engine.tensor.tensor import Tensor

__all__ = ["run_check"]


def run_check() -> None:
    """Compute something small, and print the version and whether the result is right.

    Examples:
        >>> from mindspore.run_check import run_check
        >>> run_check()
        MindSpore version:  ...
        The result of multiplication calculation is correct, MindSpore has been installed on platform [CPU] successfully!
    """
    report()


def report() -> bool:
    """The same; returns whether the result is right."""
    print(f"MindSpore version:  {mindspore.__version__}")
    platform = get_context("device_target")
    left = np.arange(1, 13, dtype=np.float32).reshape(2, 6)
    right = np.full((6, 3), 0.5, np.float32)
    try:
        product = ops.matmul(Tensor(left), Tensor(right)).asnumpy()
        problem = "" if np.array_equal(product, left @ right) else f"A product of matrices came out as {product}."
    except Exception as error:  # whatever is wrong with the installation is what the user asked for
        problem = f"{type(error).__name__}: {error}"
    if problem:
        print(f"MindSpore running check failed on platform [{platform}].\n{problem}")
        return False
    print(
        "The result of multiplication calculation is correct, MindSpore has been installed on platform "
        f"[{platform}] successfully!"
    )
    return True
