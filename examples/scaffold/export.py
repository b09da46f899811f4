"""Writes a trained network for inference.

python export.py --file_format=ONNX
"""

from pathlib import Path

import numpy as np
from src.model import Net
from src.model_utils.config import config
from src.model_utils.moxing_adapter import moxing_wrapper
from src.utils import chosen_checkpoint, init_env

import mindspore as ms
from mindspore import Tensor


@moxing_wrapper()
def export_net():
    init_env(config)
    net = Net(config.num_classes)
    ms.load_checkpoint(chosen_checkpoint(config), net)
    images = Tensor(np.zeros((config.batch_size, 1, config.image_height, config.image_width), np.float32))
    target = Path(config.output_path) / config.file_name
    ms.export(net, images, file_name=str(target), file_format=config.file_format)
    print(f"written: {target}.{config.file_format.lower()}")


if __name__ == "__main__":
    export_net()
