"""What SciPy has, for Tensors: matrices, cosine transforms, minimization."""

from mindspore.scipy import fft, linalg, ops, optimize, sparse, utils, utils_const

__all__ = ["fft", "linalg", "ops", "optimize", "sparse", "utils", "utils_const"]
