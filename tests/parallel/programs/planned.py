"""A network that is to be trained in a mode that plans the work of all processes."""

import mindspore as ms
from mindspore import nn
from mindspore.communication import init

init()
ms.set_auto_parallel_context(parallel_mode="semi_auto_parallel")
net = nn.Dense(2, 1)
nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.1))
