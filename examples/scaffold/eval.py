"""Tells how many digits a trained network recognizes.

python eval.py --checkpoint_path=output/checkpoint/rank_0/digits-2_312.ckpt
"""

from src.dataset import create_dataset
from src.model import Net
from src.model_utils.config import config
from src.model_utils.moxing_adapter import moxing_wrapper
from src.utils import chosen_checkpoint, init_env

import mindspore as ms
from mindspore import nn
from mindspore.train import Model


@moxing_wrapper()
def eval_net():
    init_env(config)
    dataset = create_dataset(config, is_train=False)
    net = Net(config.num_classes)
    checkpoint = chosen_checkpoint(config)
    ms.load_checkpoint(checkpoint, net)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    model = Model(net, loss, metrics={"top_1_accuracy", "top_5_accuracy"})
    print("result:", model.eval(dataset), "ckpt=", checkpoint)


if __name__ == "__main__":
    eval_net()
