"""A network that is to be trained without graphs in a mode that plans them for all processes."""

import mindspore as ms
from mindspore import nn
from mindspore.communication import init

init()
ms.set_context(mode=ms.PYNATIVE_MODE)
ms.set_auto_parallel_context(parallel_mode="auto_parallel")
net = nn.Dense(2, 1)
nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
