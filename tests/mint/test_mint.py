"""``mindspore.mint``: every function against NumPy or its meaning, by PyTorch's names and arguments."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, mint
from mindspore.mint.nn import functional


def F(values):
    return np.asarray(values, np.float32)


X = np.array([[3, 1, 2], [0, 5, 4]], np.float32)
Y = np.array([[1, -2, 3], [4, 0.5, -6]], np.float32)
I64 = np.array([[3, 1, 2], [0, 5, 4]])
ROW, COLUMN = np.array([0, 2]), np.array([[0], [2]])


def softmax(x, axis):
    powers = np.exp(x - x.max(axis, keepdims=True))
    return powers / powers.sum(axis, keepdims=True)


def placed(operation, index, source):
    result = X.copy()
    operation(result, index, source)
    return result


CASES = [
    ("median(x)", F(2)), ("median(x, 1)", (F([2, 4]), [2, 2])), ("argmax(x)", 4), ("argmax(x, 1, True)", [[0], [1]]),
    ("argmin(x)", 3), ("argmin(x, dim=0)", [1, 0, 0]), ("argsort(x)", [[1, 2, 0], [0, 2, 1]]),
    ("argsort(x, dim=0, descending=True)", [[0, 1, 1], [1, 0, 0]]), ("sort(x)", (np.sort(X), [[1, 2, 0], [0, 2, 1]])),
    ("topk(x, 2)", (F([[3, 2], [5, 4]]), [[0, 2], [1, 2]])), ("topk(x, 1, 0, False)", (F([[0, 1, 2]]), [[1, 0, 0]])),
    ("kthvalue(x, 2)", (F([2, 4]), [2, 2])), ("cumsum(x, 1)", X.cumsum(1)), ("cumsum(i, 1)", I64.cumsum(1)),
    ("cumsum(i > 2, 1)", (I64 > 2).cumsum(1)), ("cummin(x, 1)", (np.minimum.accumulate(X, 1), [[0, 1, 1], [0, 0, 0]])),
    ("count_nonzero(x)", 5), ("count_nonzero(x, dim=1)", [3, 2]), ("std(x)", X.std(ddof=1)), ("var(x, 1)", X.var(1, ddof=1)),
    ("std(x, 1, correction=0, keepdim=True)", X.std(1, keepdims=True)), ("var_mean(x, 0)", (X.var(0, ddof=1), X.mean(0))),
    ("std_mean(x, 0)", (X.std(0, ddof=1), X.mean(0))), ("norm(x)", np.linalg.norm(X)), ("norm(x, 1, 1)", np.abs(X).sum(1)),
    ("norm(y, float('inf'))", F(6)), ("linalg.norm(x)", np.linalg.norm(X)), ("linalg.vector_norm(x, 3)", (X**3).sum() ** (1 / 3)),
    ("linalg.matrix_norm(y, 1)", np.linalg.norm(Y, 1)), ("linalg.inv(y[:, :2])", np.linalg.inv(Y[:, :2])),
    ("inverse(y[:, :2])", np.linalg.inv(Y[:, :2])), ("linalg.qr(y)[0] @ linalg.qr(y)[1]", Y), ("logsumexp(x, 1)", np.log(np.exp(X).sum(1))),
    ("gather(x, 1, c)", F([[3], [4]])), ("scatter_add(x, 1, c, x[:, :1] + 5)", F([[11, 1, 2], [0, 5, 9]])),
    ("scatter(x, 1, c, x[:, :1] + 5)", F([[8, 1, 2], [0, 5, 5]])), ("index_select(x, 1, r)", X[:, [0, 2]]),
    ("index_add(x, 1, r, y[:, :2], alpha=2)", placed(lambda a, i, s: np.add.at(a, (slice(None), i), 2 * s), ROW, Y[:, :2])),
    ("where(x > 2)", tuple(np.nonzero(X > 2))), ("where(x > 2, x, y)", np.where(X > 2, X, Y)), ("stack([x, y], dim=2)", np.stack([X, Y], 2)),
    ("concat([x, y], dim=1)", np.concatenate([X, Y], 1)), ("roll(x, 1, 1)", np.roll(X, 1, 1)), ("diag(x[0])", np.diag(X[0])),
    ("diag(x[0], -1)", np.diag(X[0], -1)), ("diag(x, 1)", np.diag(X, 1)), ("trace(x)", F(8)), ("tril(x)", np.tril(X)), ("triu(x, 1)", np.triu(X, 1)),
    ("outer(x[0], y[1])", np.outer(X[0], Y[1])), ("unique(i)", np.arange(6)),
    ("unique(i % 2, return_inverse=True, return_counts=True)", ([0, 1], I64 % 2, [3, 3])), ("unique(i % 2, dim=1)", [[0, 1, 1], [0, 0, 1]]),
    ("bincount(i[0])", [0, 1, 1, 1]), ("histc(x, 3)", F([2, 2, 2])), ("repeat_interleave(x, 2, 1)", X.repeat(2, 1)),
    ("full((2,), 3.0)", F([3, 3])), ("full_like(i, 7)", np.full_like(I64, 7)), ("arange(3)", np.arange(3)), ("arange(0, 3.0)", np.arange(3, dtype=np.float32)),
    ("linspace(0, 1, 3)", F([0, 0.5, 1])), ("empty((2, 3)).shape", (2, 3)), ("empty_like(x).shape", (2, 3)), ("allclose(x, x)", True),
    ("equal(x, y)", False), ("floor_divide(i, 2)", I64 // 2), ("frac(y)", Y - np.trunc(Y)), ("fix(y)", np.trunc(Y)), ("clone(x)", X), ("t(x)", X.T),
    ("item(x[0, 0])", 3.0), ("dot(x[0], y[0])", X[0] @ Y[0]), ("vdot(x[0], y[0])", X[0] @ Y[0]), ("mv(x, y[0])", X @ Y[0]), ("bmm(x[None], y.T[None])", (X @ Y.T)[None]),
    ("cross(x, y)", np.cross(X, Y)), ("cdist(x, y)", np.sqrt(((X[:, None] - Y[None]) ** 2).sum(-1))), ("unsqueeze(x, 1)", X[:, None]),
    ("isnan(x)", np.isnan(X)), ("bitwise_not(i)", ~I64), ("sqrt(x)", np.sqrt(X)), ("round(y)", np.round(Y)), ("special.sinc(y)", np.sinc(Y)),
    ("addr_(x @ x.T, x[:, 0], x[:, 1], beta=2)", 2 * (X @ X.T) + np.outer(X[:, 0], X[:, 1])), ("addcmul(x, y, y, value=2)", X + 2 * Y * Y),
    ("conv_tbc(x[:, :, None].swapaxes(0, 1), x[None, :1, :], x[0] * 0)", X.T[:, :, None] * X[None, :1, :]),
    ("ge(x, y)", X >= Y), ("clip(x, 1, 3)", X.clip(1, 3)), ("trunc(y)", np.trunc(Y)),
    ("nn.functional.one_hot(r)", np.eye(3, dtype=np.int64)[ROW]), ("nn.functional.one_hot(r, 4)", np.eye(4, dtype=np.int64)[ROW]),
    ("nn.functional.normalize(x)", X / np.linalg.norm(X, axis=1, keepdims=True)), ("nn.functional.linear(x, y)", X @ Y.T),
    ("nn.functional.log_softmax(x)", np.log(softmax(X, 1))), ("nn.functional.softmax(x[0])", softmax(X[0], 0)),
    ("nn.functional.leaky_relu(y)", np.where(Y > 0, Y, 0.01 * Y)), ("nn.functional.elu(y, 2.0)", np.where(Y > 0, Y, 2 * np.expm1(Y))),
    ("nn.functional.kl_div(y, x)", (np.where(X > 0, X * (np.log(np.where(X > 0, X, 1)) - Y), 0)).mean()),
    ("nn.functional.kl_div(y, x, 'sum', True)", (np.exp(X) * (X - Y)).sum()), ("nn.functional.pad(x, (1, 2))", np.pad(X, ((0, 0), (1, 2)))),
    ("nn.functional.smooth_l1_loss(x, y)", np.where(abs(X - Y) < 1, (X - Y) ** 2 / 2, abs(X - Y) - 0.5).mean()),
    ("nn.functional.threshold(x, 2, 9)", np.where(X > 2, X, 9)), ("nn.functional.hardtanh(y, -2, 2)", Y.clip(-2, 2)),
    ("nn.functional.binary_cross_entropy_with_logits(y, x > 2)", (np.logaddexp(0, Y) - (X > 2) * Y).mean()),
    ("nn.functional.nll_loss(y, r)", -(Y[0, 0] + Y[1, 2]) / 2), ("nn.functional.cross_entropy(y, r)", -np.log(softmax(Y, 1)[[0, 1], ROW]).mean()),
    ("nn.functional.avg_pool1d(x[None], 2)", np.array([[[2], [2.5]]])), ("nn.functional.max_pool2d(x[None, None], 2)", F([[[[5]]]])),
    ("nn.functional.adaptive_max_pool1d(x[None], 1, True)", (F([[[3], [5]]]), [[[0], [1]]])),
    ("nn.functional.interpolate(x[None, None], scale_factor=2)", X.repeat(2, 0).repeat(2, 1)[None, None]),
]  # fmt: skip


def names():
    return {"x": Tensor(X), "y": Tensor(Y), "i": Tensor(I64), "r": Tensor(ROW), "c": Tensor(COLUMN)}


def compare(found, expected):
    if isinstance(expected, tuple) and isinstance(found, tuple) and isinstance(found[0], Tensor):
        for one, other in zip(found, expected, strict=True):
            compare(one, other)
    elif isinstance(found, Tensor):
        expected = np.asarray(expected)
        assert found.shape == expected.shape
        assert (found.asnumpy().dtype.kind, expected.dtype.kind) in {(k, k) for k in "fib"}
        np.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-6)
    else:
        assert found == expected


@pytest.mark.parametrize(("call", "expected"), CASES, ids=[call for call, _ in CASES])
def test_function(call, expected):
    call = call.replace("x > 2)", "(x > 2).float())") if "logits" in call else call
    scope = {name: getattr(mint, name) for name in mint.__all__}
    compare(eval(call, scope, names()), expected)


@pytest.mark.parametrize("name", ["relu_", "elu_", "sigmoid_", "hardtanh_"])
def test_a_trailing_underscore_stores_the_result(name):
    x = Tensor(Y)
    expected = getattr(functional, name.rstrip("_"))(Tensor(Y)).asnumpy()
    assert getattr(functional, name)(x) is x
    np.testing.assert_array_equal(x.asnumpy(), expected)


def test_every_published_name_is_there():
    for module in (mint, mint.nn, functional, mint.linalg, mint.special, mint.optim, mint.distributed):
        assert all(hasattr(module, name) for name in module.__all__)


@pytest.mark.parametrize("call", ["normal(0.0, 1.0, (500,))", "randn(500)", "rand(500)", "randint(0, 9, (500,))", "randperm(500)",
                                  "normal(ones((500,)), 2.0)", "multinomial(ones((600,)), 500)"])  # fmt: skip
def test_random_numbers_follow_the_seed(call):
    scope = {name: getattr(mint, name) for name in mint.__all__}
    ms.set_seed(1)
    first, second = eval(call, scope).asnumpy(), eval(call, scope).asnumpy()
    ms.set_seed(1)
    assert first.shape == (500,) and not np.array_equal(first, second)
    np.testing.assert_array_equal(eval(call, scope).asnumpy(), first)


@pytest.mark.parametrize(
    ("call", "kind", "text"),
    [
        ("max(x, wrong=1)", TypeError, "dim, keepdim=False. or .input, other"),
        ("kthvalue(x, 9)", ValueError, r"'k' must be in \[1, 3\]"),
        ("rand(2, generator=3)", TypeError, "'generator' must be a mindspore.Generator, but got int"),
        ("nn.Threshold(1)", TypeError, r"missing .* 'value'; the arguments are \(threshold, value, inplace\)"),
        ("nn.Conv2d(3, 4, 3, groups=2)", ValueError, "must be multiples of 'groups'"),
        ("nn.BatchNorm2d(3)(x)", ValueError, "must have 4 dimensions, but got 2"),
    ],
)
def test_wrong_arguments_are_refused_in_words(call, kind, text):
    scope = {name: getattr(mint, name) for name in mint.__all__}
    with pytest.raises(kind, match=text):
        eval(call, scope, names())
