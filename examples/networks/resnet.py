"""ResNet with bottleneck blocks."""

import mindspore.nn as nn
from mindspore.ops import operations as P


def conv(in_channel, out_channel, kernel_size, stride=1):
    return nn.Conv2d(in_channel, out_channel, kernel_size, stride, pad_mode="same", weight_init="he_normal")


def batch_norm(channel, last=False):
    return nn.BatchNorm2d(channel, eps=1e-4, momentum=0.9, gamma_init=0 if last else 1, beta_init=0)


class ResidualBlock(nn.Cell):
    """1x1, 3x3 and 1x1 convolutions around a shortcut."""

    expansion = 4

    def __init__(self, in_channel, out_channel, stride=1):
        super().__init__()
        channel = out_channel // self.expansion
        self.conv1 = conv(in_channel, channel, 1)
        self.bn1 = batch_norm(channel)
        self.conv2 = conv(channel, channel, 3, stride)
        self.bn2 = batch_norm(channel)
        self.conv3 = conv(channel, out_channel, 1)
        self.bn3 = batch_norm(out_channel, last=True)
        self.relu = nn.ReLU()
        self.down_sample = stride != 1 or in_channel != out_channel
        if self.down_sample:
            self.down_sample_layer = nn.SequentialCell(
                [conv(in_channel, out_channel, 1, stride), batch_norm(out_channel)]
            )
        self.add = P.Add()

    def construct(self, x):
        identity = x
        out = self.relu(self.bn1(self.conv1(x)))
        out = self.relu(self.bn2(self.conv2(out)))
        out = self.bn3(self.conv3(out))
        if self.down_sample:
            identity = self.down_sample_layer(identity)
        return self.relu(self.add(out, identity))


class ResNet(nn.Cell):
    """A stem, four stages of blocks, and a classifier."""

    def __init__(self, layer_nums, num_classes=10, width=64):
        super().__init__()
        self.conv1 = conv(3, width, 7, stride=2)
        self.bn1 = batch_norm(width)
        self.relu = P.ReLU()
        self.maxpool = nn.MaxPool2d(kernel_size=3, stride=2, pad_mode="same")
        channels = [width, width * 4, width * 8, width * 16, width * 32]
        self.layer1 = self._make_layer(layer_nums[0], channels[0], channels[1], stride=1)
        self.layer2 = self._make_layer(layer_nums[1], channels[1], channels[2], stride=2)
        self.layer3 = self._make_layer(layer_nums[2], channels[2], channels[3], stride=2)
        self.layer4 = self._make_layer(layer_nums[3], channels[3], channels[4], stride=2)
        self.mean = P.ReduceMean(keep_dims=True)
        self.flatten = nn.Flatten()
        self.end_point = nn.Dense(channels[4], num_classes, has_bias=True)

    @staticmethod
    def _make_layer(layer_num, in_channel, out_channel, stride):
        layers = [ResidualBlock(in_channel, out_channel, stride=stride)]
        for _ in range(1, layer_num):
            layers.append(ResidualBlock(out_channel, out_channel, stride=1))
        return nn.SequentialCell(layers)

    def construct(self, x):
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.layer4(x)
        x = self.mean(x, (2, 3))
        return self.end_point(self.flatten(x))


def resnet50(class_num=10):
    """The 50-layer network of the paper."""
    return ResNet([3, 4, 6, 3], class_num)
