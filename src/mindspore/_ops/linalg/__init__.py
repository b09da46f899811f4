"""Products of matrices, factorizations, triangular solves, Fourier transforms, and the parts of `mindspore.scipy` and `mindspore.numpy` on them."""
