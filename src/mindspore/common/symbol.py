"""``mindspore.common.symbol``: what is known of lengths left open."""

from mindspore._utils.symbol import Symbol

__all__ = ["Symbol"]
