"""The methods of MindSpore's pipeline tree that libraries call: here nodes run as they are, without an intermediate tree."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from importlib import import_module
from typing import Any

from mindspore._utils.checks import shown
from mindspore.dataset._pipeline.dataset_info import DatasetQuestions


class TreeNode(DatasetQuestions):
    """The tree part of Dataset. Split off for readability; not used on its own."""

    _input_indexs: Any = ()

    def parse(self, children: Any = None) -> TreeNode:
        """The node that does the work: this one."""
        return self

    def parse_tree(self, getter_mode: bool = False) -> TreeNode:
        """The node that does the work of the whole tree: this one."""
        return self

    def create_ir_tree(self, getter_mode: bool = False) -> tuple[TreeNode, TreeNode]:
        """The tree that is run, and a copy of the one that the program made."""
        return self, copy.copy(self)

    def pre_parse(self, getter_mode: bool) -> None:
        """Called before a tree is taken for a run: there is nothing to prepare."""

    def post_parse(self, ir_node: TreeNode) -> TreeNode:
        """Called after a tree was taken for a run; returns what is run."""
        return ir_node

    def pre_process(self, dataset: TreeNode) -> TreeNode:
        """Called with the copy of a tree before its run; returns what is run."""
        return dataset

    def iterator_bootstrap(self) -> None:
        """Called before the first row: iterators start their threads themselves."""

    def prepare_multiprocessing(self) -> None:
        """Called before the first row: iterators start their processes themselves."""

    @property
    def input_indexs(self) -> Any:
        """Which columns the network takes, in order, where a program says so: of this node or the first child that knows."""
        known = [self._input_indexs, *(getattr(child, "input_indexs", ()) for child in self.children)]
        return next((one for one in known if one != ()), ())

    @input_indexs.setter
    def input_indexs(self, value: Any) -> None:
        self._input_indexs = value

    # -- rows between processes ------------------------------------------------------------------------------------------
    def send(self, tensor: Any = None, dst: int | Sequence[int] = 0, group: str | None = None) -> None:
        """Send Tensors to other processes of the job, which call :meth:`recv`.

        Args:
            tensor: a Tensor or a list of them; by default the first row of this dataset.
            dst: the rank of the process, or a list of ranks.
            group: the group of processes; all by default.
        """
        sent = self._row_to_send() if tensor is None else tensor
        own = _processes().get_rank()
        for rank in _ranks("send", "dst", dst):
            if rank == own:
                raise RuntimeError(
                    f"For 'Dataset.send', the 'dst' must be the rank of another process, but got {rank}."
                )
            _processes().send_object_list([_to_arrays(sent)], rank, group)

    def recv(self, src: int | Sequence[int] = 0, group: str | None = None) -> Any:
        """Receive what other processes :meth:`send`; from this process itself, the first row of this dataset.

        Args:
            src: the rank of the process, or a list of ranks: then the result is a list.
            group: the group of processes; all by default.

        Examples:
            >>> import mindspore.dataset as ds
            >>> print(ds.NumpySlicesDataset([5, 6], shuffle=False).recv(0)[0])
            5
        """
        received = []
        for rank in _ranks("recv", "src", src):
            if rank == _processes().get_rank():
                received.append(self._row_to_send())
                continue
            objects: list[Any] = []
            _processes().recv_object_list(objects, rank, group)
            received.append(_to_tensors(objects[0]))
        return received[0] if isinstance(src, int) else received

    def _row_to_send(self) -> list[Any]:
        rows: Any = self
        return next(iter(rows.create_tuple_iterator(num_epochs=1)))


def _ranks(method: str, name: str, value: Any) -> list[int]:
    ranks = list(value) if isinstance(value, (list, tuple)) else [value]
    for rank in ranks:
        if isinstance(rank, bool) or not isinstance(rank, int):
            raise TypeError(
                f"For 'Dataset.{method}', the '{name}' must be an int or a list of ints, but got {shown(rank)}."
            )
    return ranks


def _processes() -> Any:
    """Communication between processes, which worker processes of pipelines do without."""
    return import_module("mindspore.mint.distributed")


def _to_arrays(value: Any) -> Any:
    return [_to_arrays(one) for one in value] if isinstance(value, (list, tuple)) else value.asnumpy()


def _to_tensors(value: Any) -> Any:
    if isinstance(value, list):
        return [_to_tensors(one) for one in value]
    return import_module("mindspore.common.tensor").Tensor(value)
