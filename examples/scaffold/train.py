"""Trains the network.

python train.py --epoch_size=3
msrun --worker_num=2 --join=True train.py --device_num=2
"""

from src.dataset import create_dataset
from src.model import Net
from src.model_utils.config import config
from src.model_utils.moxing_adapter import moxing_wrapper
from src.utils import checkpoint_folder, init_env

from mindspore import nn
from mindspore.train import CheckpointConfig, LossMonitor, Model, ModelCheckpoint, TimeMonitor


@moxing_wrapper()
def train_net():
    print(f"Please check the configuration:\n{config}")
    init_env(config)
    dataset = create_dataset(config, is_train=True)
    steps = dataset.get_dataset_size()
    net = Net(config.num_classes)
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    # The batch of all processes together is larger: so may be the step.
    rate = config.lr * config.device_num
    optimizer = nn.Momentum(net.trainable_params(), rate, config.momentum, weight_decay=config.weight_decay)
    model = Model(net, loss, optimizer, metrics={"accuracy"})
    saving = CheckpointConfig(save_checkpoint_steps=steps, keep_checkpoint_max=config.keep_checkpoint_max)
    callbacks = [
        LossMonitor(steps),
        TimeMonitor(steps),
        ModelCheckpoint("digits", str(checkpoint_folder(config)), saving),
    ]
    epochs = 1 if config.smoke else config.epoch_size
    model.train(epochs, dataset, callbacks, dataset_sink_mode=config.dataset_sink_mode)
    print(f"trained {epochs} epochs of {steps} steps as process {config.rank_id} of {config.device_num}", flush=True)


if __name__ == "__main__":
    train_net()
