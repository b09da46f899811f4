"""What to write instead of names that ``mindspore.train`` and its Model do not have."""

from __future__ import annotations

from mindspore._utils.hints import ON_ONE_DEVICE

HINTS: dict[str, str] = {}

# On a Model, as Keras and PyTorch call it.
MODEL_HINTS = {
    "compile": "Give loss_fn, optimizer and metrics when the Model is made: Model(net, loss_fn, optimizer, metrics={'accuracy'}).",
    "summary": "Write mindspore.summary(net, x).",
    "evaluate": "It is called eval here: model.eval(dataset).",
    "test": "Write model.eval(dataset).",
    "train_on_batch": "Call model.train_network(x, y), which trains on one batch.",
    "parameters": "The network has them: net.trainable_params().",
    "trainable_params": "The network has them: net.trainable_params().",
    "layers": "The network has them: net.cells().",
    "network": "Keep the network you gave it; model.train_network is the one with loss and optimizer.",
    "forward": "Write model.predict(x), or call the network: net(x).",
    "construct": "Write model.predict(x), or call the network: net(x).",
    "save": "Write mindspore.save_checkpoint(net, 'net.ckpt').",
    "save_weights": "Write mindspore.save_checkpoint(net, 'net.ckpt').",
    "load": "Write mindspore.load_checkpoint('net.ckpt', net).",
    "load_weights": "Write mindspore.load_checkpoint('net.ckpt', net).",
    "state_dict": "The network has it: net.state_dict().",
    "load_state_dict": "Write mindspore.load_checkpoint('net.ckpt', net).",
    "set_train": "Model.train and Model.eval set it themselves.",
    "cuda": ON_ONE_DEVICE,
    "cpu": ON_ONE_DEVICE,
    "to": ON_ONE_DEVICE,
    "zero_grad": "Leave it out: Model.train takes care of the gradients.",
    "backward": "Leave it out: Model.train takes care of the gradients.",
    "step": "Leave it out: Model.train calls the optimizer.",
}
