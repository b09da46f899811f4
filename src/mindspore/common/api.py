"""``mindspore.common.api``: compiling functions into graphs."""

from __future__ import annotations

import gc
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from mindspore._c_expression import init_exec_dataset
from mindspore._engine.autodiff.saved_tensors import no_grad as _no_grad
from mindspore._engine.graph.jit import constexpr, jit, jit_class, ms_class, ms_function, mutable
from mindspore._engine.transforms.pynative_executor import PyNativeExecutor
from mindspore._utils.checks import check_positive_int

__all__ = [
    "_no_grad",
    "constexpr",
    "flops_collection",
    "jit",
    "jit_class",
    "ms_class",
    "ms_function",
    "ms_memory_recycle",
    "mutable",
    "set_recursion_limit",
]

_compiled_for: WeakKeyDictionary[Any, dict[str, tuple]] = WeakKeyDictionary()  # Cell -> phase -> inputs
cells_compile_cache: dict[int, Any] = {}  # graphs are kept by their Cells; programs only ever clear this


_PyNativeExecutor = PyNativeExecutor
_pynative_executor = PyNativeExecutor()


class _CellGraphExecutor:
    """What compiles and runs networks; programs ask it to compile a network for given inputs."""

    @staticmethod
    def compile(obj: Any, *args: Any, phase: str = "predict", do_convert: bool = True, jit_config_dict: Any = None,
                **kwargs: Any) -> tuple[str, bool]:  # fmt: skip
        """Compile a Cell for these inputs without running it; the phase, and whether it was compiled now.

        >>> from mindspore import Tensor, nn
        >>> _cell_graph_executor.compile(nn.ReLU(), Tensor([1.0]), phase="train")
        ('train', True)
        """
        obj.compile(*args, **kwargs)
        _compiled_for[obj] = {**_compiled_for.get(obj, {}), phase: args}
        return phase, True

    def __call__(self, obj: Any, *args: Any, phase: str = "predict") -> Any:
        """As ``run``."""
        return self.run(obj, *args, phase=phase)

    @staticmethod
    def run(obj: Any, *args: Any, phase: str = "predict") -> Any:
        """Run a Cell as a compiled graph, in either mode."""
        return obj.compile_and_run(*args)

    @staticmethod
    def has_compiled(obj: Any) -> bool:
        """Whether a Cell has been compiled."""
        return obj.compiled

    @staticmethod
    def init_dataset(queue_name: str, dataset_size: int, batch_size: int, dataset_types: Any, dataset_shapes: Any,
                     input_indexs: Any, phase: str = "dataset", need_run: bool = True) -> bool:  # fmt: skip
        """Announce the queue a network will fetch its data from; True when it may."""
        return init_exec_dataset(
            queue_name, dataset_size, batch_size, dataset_types, dataset_shapes, input_indexs, phase, need_run
        )

    @staticmethod
    def _get_func_graph_proto(obj: Any, exec_id: str, ir_type: str = "mind_ir", use_prefix: bool = False,
                              incremental: bool = False) -> bytes:  # fmt: skip
        """The graph of a Cell that was compiled, as the bytes of a MINDIR file."""
        if ir_type not in ("mind_ir", "onnx_ir"):
            raise ValueError(f"The 'ir_type' of a graph must be 'mind_ir' or 'onnx_ir', but got {ir_type!r}.")
        if exec_id not in _compiled_for.get(obj, {}):
            raise ValueError(
                f"{type(obj).__name__} was not compiled as {exec_id!r}: call `compile` with that phase first."
            )
        file_format, ending = {"mind_ir": ("MINDIR", "mindir"), "onnx_ir": ("ONNX", "onnx")}[ir_type]
        with tempfile.TemporaryDirectory() as folder:
            inputs = _compiled_for[obj][exec_id]
            serialization = import_module("mindspore.train.serialization")  # a layer above
            serialization.export(obj, *inputs, file_name=f"{folder}/graph", file_format=file_format)
            return Path(f"{folder}/graph.{ending}").read_bytes()

    @staticmethod
    def del_net_res(obj: Any, net_id: Any = None) -> None:
        """Drop what was compiled for a Cell."""
        getattr(obj, "compile_cache", set()).clear()
        _compiled_for.pop(obj, None)


def _convert_python_data(data: Any) -> Any:
    """What a graph returned, with its Tensors as the program knows them: they are so already."""
    return data


_cell_graph_executor = _executor = _CellGraphExecutor()  # the second name is 1.x's


def flops_collection(phase: str = "train") -> tuple[float, float, float, float, bool]:
    """The floating point operations of the largest network that was compiled, for training or not.

    Args:
        phase: ``'train'`` for networks in training, anything else for others.

    Returns:
        Those of the whole model, of the hardware, of one device's share of both, and whether shapes are dynamic.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn, ops
        >>> net = nn.Dense(4, 2).set_train()
        >>> net.compile(ops.ones((8, 4)))
        >>> ms.flops_collection("train")[0] > 0
        True
    """
    cells = import_module("mindspore.nn.cell").Cell.global_cells  # a layer above, so only when asked
    found = [cell.floating_point_operations() or 0.0 for cell in list(cells) if cell.training == (phase == "train")]
    count = max(found, default=0.0)
    return count, count, count, count, False


def _function_forbid_reuse(func: Any) -> Any:
    """A decorator: the function's body is a part of each graph of its own that calls it, as it always is here."""
    return func


def set_recursion_limit(recursion_limit: int = 1000) -> None:
    """How deep functions that are compiled may call each other.

    They are traced by calling them, so that Python's own limit is what counts: it is raised when it is lower.

    Examples:
        >>> import mindspore as ms
        >>> ms.set_recursion_limit(2000)
    """
    check_positive_int("set_recursion_limit", "recursion_limit", recursion_limit)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), recursion_limit))


def ms_memory_recycle() -> None:
    """Give back the memory of networks and Tensors that the program has dropped, now instead of some time later.

    Examples:
        >>> import mindspore as ms
        >>> ms.ms_memory_recycle()
    """
    gc.collect()
