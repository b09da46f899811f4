"""Networks and losses that a graph cannot hold as a whole."""

import numpy as np

from mindspore import nn

X = np.random.default_rng(0).standard_normal((8, 4)).astype(np.float32)
Y = np.random.default_rng(1).standard_normal((8, 3)).astype(np.float32)


class Net(nn.Cell):
    def __init__(self, dropout: bool = False):
        super().__init__()
        self.dense = nn.Dense(4, 3)
        self.norm = nn.BatchNorm1d(3)
        self.dropout = nn.Dropout(p=0.5) if dropout else None

    def construct(self, x):
        x = self.norm(self.dense(x))
        return x if self.dropout is None else self.dropout(x)


class ByValue(nn.Cell):
    """A loss that needs a value."""

    def construct(self, outputs, labels):
        difference = outputs - labels
        largest = float(difference.abs().max().asnumpy())
        return (difference * difference).mean() * (1.0 + min(largest, 1.0))


class ByEffect(nn.Cell):
    """A loss that writes a diary."""

    def __init__(self):
        super().__init__()
        self.diary = []

    def construct(self, outputs, labels):
        loss = ((outputs - labels) ** 2).mean()
        self.diary.append(loss)
        return loss


def graphs_of(cell):
    return cell._graphs_of()
