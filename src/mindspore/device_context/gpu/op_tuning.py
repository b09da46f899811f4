"""Which algorithms convolutions use on a GPU; XLA chooses by itself, the settings are kept in the context."""

from mindspore._engine.runtime.context import set_context
from mindspore._utils.checks import check_str

__all__ = ["conv_dgrad_algo", "conv_fprop_algo", "conv_wgrad_algo"]


def conv_fprop_algo(mode: str) -> None:
    """The algorithm of convolutions: 'normal', 'performance' or one of cuDNN's."""
    set_context(gpu_config={"conv_fprop_algo": check_str("conv_fprop_algo", "mode", mode)})


def conv_dgrad_algo(mode: str) -> None:
    """The algorithm of the gradient of a convolution's input."""
    set_context(gpu_config={"conv_dgrad_algo": check_str("conv_dgrad_algo", "mode", mode)})


def conv_wgrad_algo(mode: str) -> None:
    """The algorithm of the gradient of a convolution's weight."""
    set_context(gpu_config={"conv_wgrad_algo": check_str("conv_wgrad_algo", "mode", mode)})
