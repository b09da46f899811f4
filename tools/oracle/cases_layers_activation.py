"""Activation layers."""

from __future__ import annotations

from tools.oracle.case import array, f32, i32
from tools.oracle.cases_nn import SELU
from tools.oracle.layer_case import AnyLayerCase, layer, layers

CASES: list[AnyLayerCase] = [
    *layers(
        """
        nn.CELU()
        nn.CELU(0.5)
        nn.ELU()
        nn.FastGelu()
        nn.GELU()
        nn.GELU(False)
        nn.GLU()
        nn.GLU(axis=0)
        nn.HShrink()
        nn.HShrink(0.25)
        nn.HSigmoid()
        nn.HSwish()
        nn.Hardtanh()
        nn.Hardtanh(-0.5, 1.5)
        nn.LeakyReLU()
        nn.LeakyReLU(1.5)
        nn.LogSigmoid()
        nn.LogSoftmax()
        nn.LogSoftmax(0)
        nn.Mish()
        nn.PReLU()
        nn.PReLU(4, 0.5)
        nn.PReLU(4, [0.1, 0.2, 0.3, 0.4])
        nn.PReLU(w=Tensor([0.5], ms.float16))
        nn.PReLUExt(4)
        nn.RReLU(0.25, 0.25)
        nn.ReLU()
        nn.ReLU6()
        nn.SiLU()
        nn.Sigmoid()
        nn.SoftShrink()
        nn.SoftShrink(1.0)
        nn.Softmax()
        nn.Softmax(axis=(0, 1))
        nn.Softmin()
        nn.Softsign()
        nn.Tanh()
        nn.Tanhshrink()
        nn.Threshold(0.1, 20)
        nn.layer.activation.SoftmaxExt()
        nn.get_activation('leakyrelu')
        nn.get_activation('softsign')
        """,
        f32(2, 4),
    ),
    layer("nn.RReLU()", f32(2, 4), not_compared="random", gradient_not_compared="random"),
    layer("nn.SeLU()", f32(2, 4), gradient_not_compared=SELU),
    layer("nn.LogSoftmaxExt()"),
    layer("nn.LRN()", f32(1, 7, 2, 2)),
    layer("nn.LRN(2, 2.0, 0.5, 0.75)", f32(1, 7, 2, 2)),
    layer("nn.Softmax2d()", f32(2, 3, 2, 2)),
    layer("nn.Softmax2d()", f32(3, 2, 2)),
    layer("nn.layer.activation.SoftmaxExt()", f32(2, 3, 2)),
    layer("nn.PReLU(3)", f32(2, 3, 2)),
    *layers("nn.GELU()\nnn.LeakyReLU()\nnn.Sigmoid()\nnn.Softmax()\nnn.PReLU()", array("float16", 2, 3)),
    *layers("nn.ReLU()\nnn.LeakyReLU()\nnn.Threshold(1, 7)\nnn.Hardtanh(-1, 1)", i32(2, 3)),
    *layers("nn.Softmax2d()\nnn.LogSoftmax(-5)\nnn.Softmax(2)\nnn.PReLU(2)\nnn.GLU(1)", f32(2, 3), raises=True),
    *layers(
        """
        nn.get_activation('foo')
        nn.get_activation('foo', 'Dense')
        nn.get_activation(nn.ReLU())
        nn.GELU('tanh')
        nn.Softmax('a')
        nn.Softmax(1.5)
        nn.Hardtanh(2.0, 1.0)
        nn.Hardtanh(1, 1)
        nn.PReLU(0)
        nn.PReLU(1.5)
        nn.PReLU(2, [0.1])
        nn.PReLU(2, 'a')
        nn.PReLU(2, Tensor([0.1], ms.float32))
        nn.PReLU(2, Tensor([1, 2], ms.int32))
        nn.RReLU(0.5, 0.1)
        nn.RReLU('a', 0.1)
        nn.HShrink('a')
        nn.LRN(5.0)
        nn.LRN(norm_region='X')
        """,
        raises=True,
    ),
]
