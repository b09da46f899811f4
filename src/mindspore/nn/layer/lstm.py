"""``mindspore.nn.layer.lstm``: where MindSpore 1.0 to 1.3 have LSTM and its cell."""

from mindspore.nn.layer.rnn_cells import LSTMCell
from mindspore.nn.layer.rnns import LSTM

__all__ = ["LSTM", "LSTMCell"]
