"""MobileNetV2: inverted residuals with depthwise convolutions."""

import mindspore.nn as nn
from mindspore import ops


def make_divisible(value, divisor=8):
    rounded = max(divisor, int(value + divisor / 2) // divisor * divisor)
    return rounded + divisor if rounded < 0.9 * value else rounded


class ConvBNReLU(nn.Cell):
    """Convolution, batch normalization, ReLU6."""

    def __init__(self, in_planes, out_planes, kernel_size=3, stride=1, groups=1):
        super().__init__()
        padding = (kernel_size - 1) // 2
        conv = nn.Conv2d(in_planes, out_planes, kernel_size, stride, pad_mode="pad", padding=padding, group=groups)
        self.features = nn.SequentialCell([conv, nn.BatchNorm2d(out_planes), nn.ReLU6()])

    def construct(self, x):
        return self.features(x)


class InvertedResidual(nn.Cell):
    """Widen, convolve depthwise, narrow."""

    def __init__(self, inp, oup, stride, expand_ratio):
        super().__init__()
        hidden_dim = round(inp * expand_ratio)
        self.use_res_connect = stride == 1 and inp == oup
        layers = []
        if expand_ratio != 1:
            layers.append(ConvBNReLU(inp, hidden_dim, kernel_size=1))
        layers.extend([
            ConvBNReLU(hidden_dim, hidden_dim, stride=stride, groups=hidden_dim),
            nn.Conv2d(hidden_dim, oup, kernel_size=1, stride=1, has_bias=False),
            nn.BatchNorm2d(oup),
        ])  # fmt: skip
        self.conv = nn.SequentialCell(layers)
        self.cast = ops.Cast()

    def construct(self, x):
        out = self.conv(x)
        if self.use_res_connect:
            return x + out
        return out


class MobileNetV2(nn.Cell):
    """The whole network with its classifier."""

    SETTINGS = (
        (1, 16, 1, 1),
        (6, 24, 2, 2),
        (6, 32, 3, 2),
        (6, 64, 4, 2),
        (6, 96, 3, 1),
        (6, 160, 3, 2),
        (6, 320, 1, 1),
    )

    def __init__(self, num_classes=10, width_mult=1.0, last_channel=1280, dropout=0.2, settings=SETTINGS):
        super().__init__()
        input_channel = make_divisible(32 * width_mult)
        self.out_channels = make_divisible(last_channel * max(1.0, width_mult))
        features = [ConvBNReLU(3, input_channel, stride=2)]
        for t, c, n, s in settings:
            output_channel = make_divisible(c * width_mult)
            for i in range(n):
                features.append(InvertedResidual(input_channel, output_channel, s if i == 0 else 1, expand_ratio=t))
                input_channel = output_channel
        features.append(ConvBNReLU(input_channel, self.out_channels, kernel_size=1))
        self.features = nn.SequentialCell(features)
        self.mean = ops.ReduceMean(keep_dims=False)
        self.head = nn.SequentialCell([nn.Dropout(keep_prob=1 - dropout), nn.Dense(self.out_channels, num_classes)])

    def construct(self, x):
        x = self.features(x)
        x = self.mean(x, (2, 3))
        return self.head(x)
