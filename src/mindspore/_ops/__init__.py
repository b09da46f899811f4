"""Operator families: importing this package declares every operator."""

# Hooks and indexing attach themselves to Tensor and register their Primitives.
from mindspore._engine import hooks as hooks
from mindspore._engine import indexing as indexing
from mindspore._ops import activation as activation
from mindspore._ops import activation_limits as activation_limits
from mindspore._ops import adaptive_pooling as adaptive_pooling
from mindspore._ops import affine as affine
from mindspore._ops import arithmetic as arithmetic
from mindspore._ops import bitwise as bitwise
from mindspore._ops import clip as clip
from mindspore._ops import compare as compare
from mindspore._ops import composite as composite
from mindspore._ops import convolution as convolution
from mindspore._ops import elementary as elementary
from mindspore._ops import elementwise as elementwise
from mindspore._ops import extremes as extremes
from mindspore._ops import linalg as linalg
from mindspore._ops import matrix as matrix
from mindspore._ops import norms as norms
from mindspore._ops import pooling as pooling
from mindspore._ops import printing as printing
from mindspore._ops import reduce as reduce
from mindspore._ops import scan as scan
from mindspore._ops import sort as sort
from mindspore._ops import special as special
from mindspore._ops import state as state
from mindspore._ops import statistics as statistics
from mindspore._ops import tensor_methods as tensor_methods
from mindspore._ops import transposed_convolution as transposed_convolution
from mindspore._ops import trigonometric as trigonometric
from mindspore._ops import values as values
