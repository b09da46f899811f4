"""The network: LeNet-5."""

from mindspore import nn
from mindspore.common.initializer import Normal


class Net(nn.Cell):
    """Two convolutions, three fully connected layers."""

    def __init__(self, num_classes=10):
        super().__init__()
        self.features = nn.SequentialCell(
            nn.Conv2d(1, 6, 5, pad_mode="valid", weight_init=Normal(0.1)),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Conv2d(6, 16, 5, pad_mode="valid", weight_init=Normal(0.1)),
            nn.ReLU(),
            nn.MaxPool2d(2, 2),
            nn.Flatten(),
        )
        self.head = nn.SequentialCell(
            nn.Dense(16 * 5 * 5, 120, weight_init=Normal(0.05)),
            nn.ReLU(),
            nn.Dense(120, 84, weight_init=Normal(0.05)),
            nn.ReLU(),
            nn.Dense(84, num_classes, weight_init=Normal(0.05)),
        )

    def construct(self, x):
        return self.head(self.features(x))
