"""``mindspore.ops._grad``: the registries of gradients by their path in MindSpore 1.x."""
