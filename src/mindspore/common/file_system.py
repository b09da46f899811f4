"""Names of MindIO, a cache of checkpoints in the memory of an Ascend server. Files are read directly here."""

from __future__ import annotations

from mindspore._utils.checks import check_positive_int, check_str

__all__ = ["mindio_preload", "set_mindio_server_info"]


def set_mindio_server_info(data_block_pool_capacity_in_gb: int = 100) -> None:
    """How much memory MindIO would use; there is none.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_mindio_server_info(50)
    """
    check_positive_int("set_mindio_server_info", "data_block_pool_capacity_in_gb", data_block_pool_capacity_in_gb)


def mindio_preload(ckpt_file_name: str) -> bool:
    """Whether MindIO has read this checkpoint ahead: it has not, and ``load_checkpoint`` reads the file itself.

    Examples:
        >>> import mindspore as ms
        >>> ms.mindio_preload("net.ckpt")
        False
    """
    check_str("mindio_preload", "ckpt_file_name", ckpt_file_name, allow_empty=False)
    return False
