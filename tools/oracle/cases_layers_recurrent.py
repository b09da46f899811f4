"""Recurrent layers and cells."""

from __future__ import annotations

from tools.oracle.case import array, f32, literal
from tools.oracle.layer_case import AnyLayerCase, layer, layers

_HALF = "real MindSpore's LSTM of float16 has gradient 0 on CPU"
_LENGTHS = literal([2, 3], "int32")

CASES: list[AnyLayerCase] = [
    *layers(
        """
        nn.RNN(2, 3)
        nn.RNN(2, 3, nonlinearity='relu', has_bias=False)
        nn.GRU(2, 3, has_bias=False, batch_first=True)
        nn.LSTM(2, 3)
        nn.LSTM(2, 3, 2, False)
        nn.LSTM(2, 3, bidirectional=True, batch_first=True, dropout=0.5)
        """,
        f32(3, 2, 2),
    ),
    layer("nn.LSTM(2, 3, 2, bidirectional=True)", f32(3, 2, 2), f32(4, 2, 3), f32(4, 2, 3), call="net(x, (y, z))"),
    layer("nn.GRU(2, 3)", f32(3, 2, 2), f32(1, 2, 3)),
    layer("nn.RNN(2, 3)", f32(3, 2, 2), f32(1, 2, 3), lengths=_LENGTHS),
    layer("nn.GRU(2, 3, bidirectional=True)", f32(3, 2, 2), f32(2, 2, 3), lengths=_LENGTHS),
    layer("nn.LSTM(2, 3)", f32(3, 2, 2), lengths=literal([0, 3], "int64"), call="net(x, seq_length=lengths)"),
    layer("nn.LSTM(2, 3)", array("float16", 3, 2, 2), tolerance=2e-2, gradient_not_compared=_HALF),
    layer("nn.GRU(2, 3, dtype=ms.float16)", array("float16", 3, 2, 2), tolerance=2e-2),
    *layers(
        """
        nn.RNN(2, 3, num_layers=2, bidirectional=True)
        nn.GRU(2, 3, num_layers=2, bidirectional=True)
        nn.LSTM(2, 3, num_layers=2, dropout=0.5)
        nn.LSTM(2, 3, dtype=ms.float16)
        """
    ),
    layer("nn.RNNCell(2, 3)", f32(4, 2), f32(4, 3)),
    layer("nn.RNNCell(2, 3, False, 'relu')", f32(4, 2), f32(4, 3)),
    layer("nn.GRUCell(2, 3)", f32(4, 2), f32(4, 3)),
    layer("nn.GRUCell(2, 3, has_bias=False)", f32(4, 2), f32(4, 3)),
    layer("nn.LSTMCell(2, 3)", f32(4, 2), f32(4, 3), f32(4, 3), call="net(x, (y, z))"),
    layer("nn.LSTMCell(2, 3, False)", f32(4, 2), f32(4, 3), f32(4, 3), call="net(x, (y, z))"),
    layer("nn.LSTMCell(2, 3, dtype=ms.float16)"),
    layer("nn.LSTM(2, 3)", f32(3, 2, 2), f32(1, 2, 3), raises=True),
    layer("nn.GRU(2, 3)", f32(3, 2, 2), f32(1, 2, 3), call="net(x, (y, y))", raises=True),
    layer("nn.GRU(2, 3)", array("float16", 3, 2, 2), f32(1, 2, 3), raises=True),
    layer("nn.GRU(2, 3)", f32(3, 2), raises=True),
    layer("nn.GRU(2, 3)", f32(3, 2, 4), raises=True),
    layer("nn.GRU(2, 3)", f32(3, 2, 2), lengths=f32(2), call="net(x, None, lengths)", raises=True),
    layer("nn.GRU(2, 3)", f32(3, 2, 2), lengths=literal([1, 2, 3], "int32"), call="net(x, None, lengths)", raises=True),
    layer("nn.LSTMCell(2, 3)", f32(4, 2), f32(4, 3), raises=True),
    layer("nn.GRUCell(2, 3)", f32(4, 2), raises=True),
    layer("nn.RNNCell(2, 3)", f32(4, 3), f32(4, 3), raises=True),
    layer("nn.RNNCell(2, 3)", f32(4, 2), f32(4, 2), raises=True),
    *layers(
        """
        nn.LSTM(0, 4)
        nn.LSTM(3, 0)
        nn.LSTM(3, 4, 0)
        nn.LSTM(3.0, 4)
        nn.LSTM(3)
        nn.LSTM(3, 4, foo=1)
        nn.LSTM(3, 4, dropout=1.0)
        nn.LSTM(3, 4, dropout=-0.1)
        nn.LSTM(3, 4, dropout='a')
        nn.LSTM(3, 4, has_bias=1)
        nn.LSTM(3, 4, batch_first=1)
        nn.LSTM(3, 4, bidirectional=1)
        nn.RNN(3, 4, nonlinearity='x')
        nn.RNN(3, 4, nonlinearity=1)
        nn.RNN(3, 4, 1, 'relu')
        nn.layer.rnns._RNNBase('X', 3, 4)
        nn.RNNCell(3, 4, True, 'x')
        nn.RNNCell(0, 4)
        nn.RNNCell(3, 4, 1)
        """,
        raises=True,
    ),
]
