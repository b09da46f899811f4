"""Sparse Tensors: what they hold, what they compute, and that Cells take and return them in both modes."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore.common.sparse_tensor import COOTensor, CSRTensor, RowTensor, SparseTensor

DENSE = np.array([[0, 1.5, 0, 2], [0, 0, 0, 0], [3, 0, -4, 0]], np.float32)


@pytest.fixture(params=[ms.GRAPH_MODE, ms.PYNATIVE_MODE], ids=["graph", "pynative"])
def mode(request):
    before = ms.get_context("mode")
    ms.set_context(mode=request.param)
    yield request.param
    ms.set_context(mode=before)


@pytest.fixture
def coo():
    return COOTensor(Tensor([[2, 0], [0, 1], [2, 2], [0, 3]]), Tensor([3.0, 1.5, -4.0, 2.0]), (3, 4))


@pytest.fixture
def csr():
    return CSRTensor(
        Tensor([0, 2, 2, 4], ms.int32), Tensor([1, 3, 0, 2], ms.int32), Tensor([1.5, 2.0, 3.0, -4.0]), (3, 4)
    )


def test_every_form_stands_for_the_same_matrix(coo, csr):
    for form in (coo, csr, coo.to_csr(), csr.to_coo(), Tensor(DENSE).to_coo(), Tensor(DENSE).to_csr(), coo.coalesce()):
        np.testing.assert_array_equal(form.to_dense().asnumpy(), DENSE)


def test_printed_form_names_shape_dtype_and_members(csr):
    assert repr(csr) == (
        "CSRTensor(shape=[3, 4], dtype=Float32, indptr=Tensor(shape=[4], dtype=Int32, value=[0 2 2 4]), "
        "indices=Tensor(shape=[4], dtype=Int32, value=[1 3 0 2]), values=Tensor(shape=[4], dtype=Float32, "
        "value=[ 1.50000000e+00  2.00000000e+00  3.00000000e+00 -4.00000000e+00]))"
    )
    assert repr(SparseTensor(Tensor([[0, 0]]), Tensor([1.0]), (1, 1))).startswith("COOTensor(shape=[1, 1]")


def test_products_and_sums_agree_with_the_dense_matrix(csr):
    random = np.random.RandomState(0)
    matrix, column = random.randn(4, 2).astype(np.float32), random.randn(4, 1).astype(np.float32)
    np.testing.assert_allclose(csr.mm(Tensor(matrix)).asnumpy(), DENSE @ matrix, rtol=1e-5)
    np.testing.assert_allclose(ops.csr_mv(csr, Tensor(column)).asnumpy(), DENSE @ column, rtol=1e-5)
    np.testing.assert_allclose(ops.csr_reduce_sum(csr, -1).asnumpy(), DENSE.sum(1, keepdims=True))
    np.testing.assert_allclose(ops.csr_mm(csr, csr, trans_b=True).to_dense().asnumpy(), DENSE @ DENSE.T)
    np.testing.assert_allclose(ops.csr_mul(csr, Tensor(DENSE)).to_dense().asnumpy(), DENSE * DENSE)
    np.testing.assert_allclose((csr / 2).to_dense().asnumpy(), DENSE / 2)
    assert ops.csr_gather(csr.indptr, csr.indices, Tensor(DENSE), (3, 4)).asnumpy().tolist() == [1.5, 2, 3, -4]


def test_values_of_more_than_one_axis_stand_in_the_first_two_axes():
    x = CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([[1.0, 2.0], [3.0, 4.0]]), (2, 2, 2))
    assert x.to_dense().asnumpy().tolist() == [[[0, 0], [1, 2]], [[3, 4], [0, 0]]]


def test_sparse_softmax_leaves_its_input_alone(csr):
    result = ops.csr_softmax(csr, ms.float32)
    assert csr.values.asnumpy().tolist() == [1.5, 2, 3, -4]
    sums = ops.csr_reduce_sum(result, 1).asnumpy().ravel()
    np.testing.assert_allclose(sums, [1, 0, 1], atol=1e-6)


class Layer(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = ms.Parameter(Tensor(np.ones((4, 2), np.float32)), name="weight")

    def construct(self, sparse):
        return sparse.mm(self.weight), CSRTensor(sparse.indptr, sparse.indices, sparse.values * 2, sparse.shape)


def test_cells_take_and_return_sparse_tensors(mode, csr):
    product, doubled = Layer()(csr)
    np.testing.assert_allclose(product.asnumpy(), DENSE.sum(1, keepdims=True).repeat(2, 1))
    assert isinstance(doubled, CSRTensor) and doubled.shape == (3, 4)
    np.testing.assert_array_equal(doubled.to_dense().asnumpy(), 2 * DENSE)


def test_another_shape_is_another_graph(mode):
    network = nn.SparseToDense()
    for shape in ((1, 2), (2, 2)):
        assert network(COOTensor(Tensor([[0, 1]]), Tensor([1.0]), shape)).shape == shape


def test_gradients_reach_values_and_weights(mode, csr):
    layer = Layer()

    def loss(values):
        return layer(CSRTensor(csr.indptr, csr.indices, values, csr.shape))[0].sum()

    _, (of_values, of_weights) = ms.value_and_grad(loss, 0, layer.trainable_params())(csr.values)
    assert of_values.asnumpy().tolist() == [2, 2, 2, 2]
    np.testing.assert_allclose(of_weights[0].asnumpy(), DENSE.sum(0)[:, None].repeat(2, 1))


def test_row_tensor_is_a_kind_of_its_own_for_multitype_functions():
    scale = ops.MultitypeFuncGraph("scale")

    @scale.register("Tensor", "Tensor")
    def _(factor, gradient):
        return gradient * factor

    @scale.register("Tensor", "RowTensor")
    def _(factor, gradient):
        return RowTensor(gradient.indices, gradient.values * factor, gradient.dense_shape)

    row = RowTensor(Tensor([1]), Tensor([[1.0, 2.0]]), (3, 2))
    scaled = scale(Tensor(2.0), row)
    assert (
        isinstance(scaled, RowTensor) and scaled.values.asnumpy().tolist() == [[2, 4]] and scaled.dense_shape == (3, 2)
    )


@pytest.mark.parametrize(
    ("make", "kind", "text"),
    [
        (lambda c: c * 2, TypeError, "unsupported operand type"),
        (lambda c: c * Tensor(1.0), ValueError, "same shape"),
        (lambda c: COOTensor(coo_tensor=1), TypeError, "Expect input `coo_tensor` to be a COOTensor"),
        (lambda c: Tensor([1.0]).to_coo(), ValueError, "the length of 'shape' must be 2"),
        (lambda c: ops.coo_concat((c, c), 2), ValueError, "'concat_dim' must be in"),
        (lambda c: c.to_csr().mv(Tensor([1.0, 1.0, 1.0, 1.0])), ValueError, r"must have shape \(4, 1\)"),
        (lambda c: c.to_csr().sum(0), ValueError, "`axis` should be 1"),
        (lambda c: ms.jit(lambda x: x + x, fullgraph=True)(c), RuntimeError, "to_dense"),
    ],
)
def test_wrong_use_is_refused_in_words(coo, make, kind, text):
    with pytest.raises(kind, match=text):
        make(coo)


def test_every_elementwise_function_keeps_the_positions(coo, csr):
    for short, form in (("coo", coo), ("csr", csr)):
        for name in ("square", "sin", "isnan"):
            result = getattr(ops, f"{short}_{name}")(form)
            np.testing.assert_array_equal(result.indices.asnumpy(), form.indices.asnumpy())
            np.testing.assert_array_equal(result.values.asnumpy(), getattr(ops, name)(form.values).asnumpy())


def test_members_have_functions_of_their_own(coo, csr):
    assert ops.coo_tensor_get_indices(coo) is coo.indices and ops.csr_tensor_get_indptr(csr) is csr.indptr
    assert ops.coo_tensor_get_values(coo) is coo.values and ops.csr_tensor_get_values(csr) is csr.values
    assert ops.csr_tensor_get_indices(csr) is csr.indices
    assert ops.coo_tensor_get_dense_shape(coo) == ops.csr_tensor_get_dense_shape(csr) == (3, 4)
    row = ops.make_row_tensor(Tensor([1]), Tensor([[1.0]]), (3, 1))
    assert ops.row_tensor_get_dense_shape(row) == (3, 1) and ops.row_tensor_get_indices(row) is row.indices
    assert ops.row_tensor_get_values(row) is row.values
    assert ops.make_sparse_tensor(coo.indices, coo.values, (3, 4)).shape == (3, 4)
