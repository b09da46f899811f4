"""Wrong arguments of functions outside the operators: an exception of MindSpore's type that names the function and the argument."""

import pytest

import mindspore as ms
import mindspore.dataset as ds
import mindspore.numpy as mnp
from mindspore import CSRTensor, Tensor, mint, nn, ops
from mindspore.experimental import optim
from mindspore.nn.probability import bijector, distribution
from mindspore.scipy import linalg

T = Tensor([[1.0, 2.0], [3.0, 4.0]])
SPARSE = CSRTensor(Tensor([0, 1, 2], ms.int32), Tensor([0, 1], ms.int32), Tensor([1.0, 2.0]), (2, 2))

CALLS = {
    "jacfwd of a number": (lambda: ms.jacfwd(lambda x: (x, 3))(T), TypeError, "'jacfwd', the function must return"),
    "jacrev of nothing": (lambda: ms.jacrev(lambda x: None)(T), TypeError, "'jacrev', the function must return"),
    "jvp of a string": (lambda: ops.jvp(lambda x: "a", T, T), TypeError, "'jvp', the function must return"),
    "jacfwd without more outputs": (lambda: ms.jacfwd(ops.sin, has_aux=True)(T), ValueError, "more than one outputs"),
    "vjp without more outputs": (lambda: ops.vjp(ops.sin, T, has_aux=True), ValueError, "more than one outputs"),
    "jacfwd by position 5": (lambda: ms.jacfwd(ops.sin, 5)(T), ValueError, "'jacfwd', Position index 5"),
    "one sens for two outputs": (
        lambda: ops.GradOperation(sens_param=True)(lambda x: (x, x * 2))(T, T),
        TypeError,
        "one Tensor per output: 2, but got 1",
    ),
    "vjp along a number": (lambda: ops.vjp(ops.sin, T)[1](Tensor(1.0), T), RuntimeError, "one Tensor per output: 1"),
    "derivative of a string": (lambda: ops.derivative("a", T, 1), TypeError, "'derivative', the 'fn'"),
    "gamma of a matrix": (lambda: ops.random_gamma(T, Tensor(1.0)), ValueError, "'RandomGamma', the 'shape'.*1-D"),
    "poisson in complex": (
        lambda: ops.random_poisson((2,), Tensor(1.0), dtype=ms.complex64),
        TypeError,
        "'RandomPoisson', the 'dtype'",
    ),
    "product of a sparse matrix": (lambda: SPARSE.mv("a"), TypeError, "'CSRTensor.mv', the 'dense_vector'.*'a'"),
    "histogram": (lambda: mnp.histogram(T, range=[1, "a"]), TypeError, "'histogram', the 'range'"),
    "histogramdd": (lambda: mnp.histogramdd([]), ValueError, "'histogramdd', the 'sample'"),
    "piecewise": (lambda: mnp.piecewise(T, [], []), ValueError, "'piecewise', the 'condlist'"),
    "triangle": (lambda: mnp.tril_indices(3, None), TypeError, "'tril_indices', the 'k'"),
    "words for numbers": (lambda: distribution.Beta([1, "a"]), TypeError, "'Beta'"),
    "parameters of a bijector": (lambda: bijector.Bijector(param=3), TypeError, "'param'.*3"),
    "factors": (lambda: linalg.lu_solve([], T), ValueError, "'lu_solve', the 'lu_and_piv'"),
    "etas": (lambda: optim.Rprop([ms.Parameter(T, name="a")], etas=None), TypeError, "'Rprop', the 'etas'.*None"),
    "schedulers": (
        lambda: optim.lr_scheduler.SequentialLR(T, "ab", [1]),
        TypeError,
        "'SequentialLR', the 'schedulers'",
    ),
    "a class for a number": (lambda: mint.nn.Conv1d(int, 1, 1), TypeError, "'Conv1d', the 'in_channels'"),
    "a window of nothing": (
        lambda: mint.nn.functional.avg_pool1d(T, []),
        ValueError,
        "'avg_pool1d', the 'kernel_size'",
    ),
    "axes": (lambda: mint.permute(T, None), TypeError, "'permute', the 'dims'"),
    "an axis": (lambda: mint.kthvalue(T, 1, 5), ValueError, r"'kthvalue', the 'dim' must be in \[-2, 2\)"),
    "an activation": (lambda: nn.get_activation(["relu"]), TypeError, "'get_activation', the 'name'"),
    "a table": (lambda: mint.nn.Embedding(2, 2, _weight=3), TypeError, "'_weight'.*3"),
    "weights": (lambda: ms.ParameterTuple(None), TypeError, "'ParameterTuple'.*None"),
    "a schema": (lambda: ds.Schema(3), TypeError, "'Schema', the 'schema_file'.*3"),
    "files": (lambda: ds.MindDataset([3]), TypeError, "dataset_files.*3"),
    "a stored pipeline": (lambda: ds.deserialize(3), ValueError, "'deserialize', the 'input_dict'.*3"),
    "pipelines": (lambda: ds.compare(None, None), TypeError, "must be a dataset, but got None"),
}


@pytest.mark.parametrize("name", CALLS)
def test_wrong_arguments_are_named(name):
    call, kind, words = CALLS[name]
    with pytest.raises(kind, match=words):
        call()
