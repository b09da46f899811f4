"""Wrong axes, shapes, types and names: the type of the error must be MindSpore's."""

from __future__ import annotations

from tools.oracle.case import Case, case, f32, i32, literal, several

VALUES = "a compiled function cannot look at values"

CASES: list[Case] = [
    *several(
        """
        P.ReduceMean()(x, 5)
        P.ReduceSum()(x, -4)
        ops.sum(x, 5)
        ops.argmax(x, 4)
        ops.softmax(x, 7)
        ops.cumsum(x, 5)
        ops.concat((x, x), 4)
        ops.stack((x, x), 5)
        ops.split(x, 2, 5)
        ops.expand_dims(x, 7)
        ops.squeeze(x, 7)
        ops.transpose(x, (0, 0))
        ops.transpose(x, (0,))
        ops.transpose(x, (0, 5))
        ops.gather(x, Tensor([0]), 4)
        ops.flip(x, (5,))
        ops.swapaxes(x, 0, 5)
        ops.unstack(x, 5)
        x.sum(axis=5)
        x.argmax(axis=4)
        x.squeeze(7)
        x.swapaxes(0, 4)
        P.ReduceSum()(x, (0, 0))
        ops.topk(x, 2, 5)
        ops.max(x, 5)
        ops.tile(x, (-1, 1))
        x.mean(axis=3)
        """,
        x=f32(2, 3),
        raises=("ValueError", "IndexError"),
    ),
    *several(
        """
        ops.reshape(x, (4, 2))
        ops.reshape(x, (-1, -1))
        x.reshape(5)
        x.view(4, -1)
        ops.broadcast_to(x, (3, 3))
        ops.concat((x, ops.zeros((2, 2))))
        ops.stack((x, ops.zeros((2, 2))))
        ops.split(x, [1, 1], 1)
        P.Split(1, 2)(x)
        x + ops.zeros((4, 4))
        ops.add(x, ops.zeros(2))
        ops.mul(x, ops.zeros((3, 3)))
        P.MatMul()(x, x)
        ops.matmul(x, x)
        x @ x
        P.MatMul()(x, ops.zeros((2, 2, 3)))
        ops.bmm(x, x)
        ops.dot(x, x)
        P.BatchMatMul()(x, x)
        ops.conv2d(x, x)
        P.MaxPool(2, 2)(x)
        ops.mse_loss(x, ops.zeros((4, 4)))
        ops.one_hot(Tensor([0]), -1)
        ops.scatter_nd(Tensor([[0]]), x, (4,))
        ops.select(Tensor([True, False]), x, x)
        ops.layer_norm(x, (5,))
        P.SoftmaxCrossEntropyWithLogits()(x, ops.zeros((2, 2)))
        ops.tensor_dot(x, x, 1)
        ops.outer(x, x)
        ops.gather_d(x, 1, Tensor([0]))
        """,
        x=f32(2, 3),
        raises=("ValueError",),
    ),
    *several(
        """
        ops.add(x, 'a')
        ops.add(x, None)
        ops.mul(x, np.ones(3))
        x + None
        x + 'a'
        x < None
        x * {}
        x << 1
        divmod(x, 2)
        ops.reshape(x, 'a')
        ops.reshape(x, (1.5, 2))
        ops.cast(x, 'abc')
        ops.cast(x, None)
        P.Shape()(3)
        ops.relu('a')
        ops.relu(None)
        ops.concat(5)
        ops.concat((1, 2))
        ops.sum('a')
        ops.sum(x, 'a')
        ops.softmax(x, 1.5)
        P.ReduceSum(keep_dims=1)(x)
        ops.zeros('a')
        ops.zeros(1.5)
        ops.full((2,), 'a')
        ops.tile(x, 1.5)
        ops.expand_dims(x, 1.5)
        ops.gather(x, 1.5, 0)
        x.astype('abc')
        x.reshape('a')
        ops.one_hot(x, 3, 1.0, 0.0)
        ops.bitwise_and(x, x)
        ops.topk(x, 'a')
        ops.masked_fill(x, x, 1.0)
        ops.select(x, x, x)
        ops.where('a', x, x)
        ops.gather(x, x, 0)
        ops.cross_entropy(x, 'a')
        ops.exp('a')
        P.Concat('a')((x, x))
        P.Softmax('a')(x)
        P.Transpose()(x, 1)
        ops.transpose(x, 'a')
        len(x.sum())
        ops.add()
        ops.add(x)
        ops.add(x, x, x)
        ops.relu()
        ops.sum(x, foo=1)
        P.ReLU()(x, x, x)
        Tensor('a')
        Tensor(None)
        Tensor(x, 'float32')
        Tensor({})
        Tensor([1, 'a'])
        f'{x:.3f}'
        ops.matmul(x, Tensor(np.ones((3, 2), 'int32')))
        Tensor([[1], [1, 2]])
        [i for i in x.sum()]
        """,
        x=f32(2, 3),
        raises=("TypeError",),
    ),
    *several(
        """
        ops.cross_entropy(x, Tensor([0, 1]), reduction='abc')
        ops.pad(x, (1, 1), mode='abc')
        ops.mse_loss(x, x, 'abc')
        ops.gelu(x, approximate='abc')
        ops.conv2d(ops.ones((1, 1, 3, 3)), ops.ones((1, 1, 2, 2)), pad_mode='abc')
        P.Conv2D(1, 2, pad_mode='abc')
        P.Conv2D(-1, 2)
        P.Conv2D(1, 0)
        P.MaxPool(-1, 1)
        P.MaxPool(2, 2, 'abc')
        ops.flatten(x, order='X')
        ops.div(x, x, rounding_mode='abc')
        ops.dropout(x, 1.5)
        bool(x)
        int(x)
        x.item()
        ops.meshgrid(x[0], x[0], indexing='abc')
        ops.kl_div(x, x, 'abc')
        ops.zeros((-1, 2))
        ops.arange(0, 5, 0)
        ops.linspace(0, 1, -1)
        ops.clip_by_value(x)
        ops.clamp(x)
        """,
        x=f32(2, 3),
        raises=("ValueError",),
    ),
    *several(
        """
        ms.grad(lambda a: a, 5)(x)
        ms.grad(lambda a: a, -1)(x)
        ms.grad(lambda a: a, 'a')(x)
        ms.grad(lambda a: a, None)(x)
        ms.grad(lambda a: a, 0, has_aux=True)(x)
        C.GradOperation(get_all=1)
        ms.grad(3)(x)
        """,
        x=f32(2, 3),
        raises=True,
    ),
    case("ops.sqrt('a')", raises=True),
    case("ops.gather(x, y, 0)", f32(3, 2), literal([0, 7], "int32"), raises=("IndexError",), eager_only=VALUES),
    case("ops.gather_nd(x, y)", f32(3, 2), literal([[7, 0]], "int32"), raises=("IndexError",), eager_only=VALUES),
    case("ops.assign(p, x)", f32(3), p=f32(2), raises=True),
    case("x[0, 0, 0]", i32(2, 2), raises=True),
]
