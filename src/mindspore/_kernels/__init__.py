"""Kernels of our own for CPUs, where XLA's are slow: convolution, pooling, sums, products, recurrent layers, sorting,
random bits.

Each is a custom call of XLA (``native/``, C++) beside a plain form written with JAX. The plain form says what the kernel
computes; it serves on every other device, where the C++ part was not built, under ``vmap`` and in exported files.

- ``library``    loads the C++ part, if it is there and this processor can run it
- ``primitive``  how a kernel becomes part of a JAX program: shapes, derivatives, lowering
- ``convolution``, ``pooling``, ``channels``, ``product``, ``recurrent``, ``sorting``  the kernels
- ``reductions``, ``largest``, ``distances``, ``waves``, ``random_bits``  further ones, on arrays that are no images
- ``volumes``    volumes by the kernels for images
"""
