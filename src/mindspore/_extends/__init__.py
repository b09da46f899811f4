"""What extends networks."""

from mindspore._extends.utils import cell_attr_register

__all__ = ["cell_attr_register"]
