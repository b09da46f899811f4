"""Tensors written to files while a program runs, in eager code and in compiled graphs; and where tensors are kept."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np

from mindspore._engine.autodiff.hooks import InsertGradientOf
from mindspore._engine.base.dtype import from_numpy
from mindspore._engine.base.trace_state import state
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.effects.printing import at_run_time
from mindspore._ops.methods.tensor_views import move_to as _moved
from mindspore._utils.checks import check_bool, shown
from mindspore._utils.refusals import WrongObject, refused

_numbers = itertools.count()
_SIDES = ("in", "out")


class _Writer:
    """Writes an array to a file whose name tells its dtype and a number that grows with every file."""

    def __init__(self, file: str):
        self.path = Path(file)

    def __call__(self, array: Any) -> None:
        array = np.asarray(array)
        name = from_numpy(array.dtype).name.lower()
        stem = self.path.name.removesuffix(".npy")
        if name == "bfloat16":  # NumPy's files do not know it
            array = array.astype(np.float32)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        np.save(self.path.with_name(f"{stem}_{name}_{next(_numbers)}.npy"), array)


def _write(owner: str, file: Any, tensor: Any) -> None:
    if not isinstance(file, str):
        raise TypeError(f"For '{owner}', the type of 'file' should be 'str', but got type '{type(file).__name__}'.")
    if not file:
        raise ValueError(f"For '{owner}', the input argument[file] cannot be an empty string.")
    if not isinstance(tensor, Tensor):
        raise TypeError(
            f"For '{owner}', the type of 'input_x' should be 'Tensor', but got type '{type(tensor).__name__}'."
        )
    writer = _Writer(file)
    if state.scope is None:
        writer(tensor.asnumpy() if str(tensor.dtype) != "BFloat16" else tensor._host(owner, ""))
    else:
        at_run_time(writer, [tensor])


def _side(owner: str, name: str, value: Any) -> str:
    if value not in _SIDES:
        raise ValueError(f"For '{owner}', the '{name}' argument should be one of {list(_SIDES)}, but got: {value}")
    return value


@register_primitive
class TensorDump(Primitive):
    """Writes a tensor to ``<file>_<dtype>_<number>.npy``; the number grows with every file of the process.

    Args:
        input_output: 'in' or 'out': the side of a redistribution whose value is meant. They are the same here.

    Examples:
        >>> import pathlib, tempfile
        >>> from mindspore import Tensor, ops
        >>> folder = tempfile.mkdtemp()
        >>> ops.TensorDump()(f"{folder}/x", Tensor([1.0, 2.0]))
        >>> [path.name.rpartition("_")[0] for path in pathlib.Path(folder).iterdir()]
        ['x_float32']
    """

    def __init__(self, input_output: str = "out"):
        super().__init__()
        self.add_prim_attr("input_output", _side("TensorDump", "input_output", input_output))

    def __call__(self, file: str, input_x: Tensor) -> None:
        _write("TensorDump", file, input_x)


def tensordump(file_name: str, tensor: Tensor, mode: str = "out") -> None:
    """Write a tensor to ``<file_name>_<dtype>_<number>.npy``, see :class:`TensorDump`.

    Examples:
        >>> import pathlib, tempfile
        >>> from mindspore import Tensor, ops
        >>> folder = tempfile.mkdtemp()
        >>> ops.tensordump(f"{folder}/x", Tensor([1, 2]))
        >>> [path.name.rpartition("_")[0] for path in pathlib.Path(folder).iterdir()]
        ['x_int64']
    """
    _side("tensordump", "mode", mode)
    _write("tensordump", file_name, tensor)


@register_primitive
class DumpGradient(Primitive):
    """Passes a tensor on; during backward its gradient is written to ``<path>_<dtype>_<number>.npy``.

    Examples:
        >>> import pathlib, tempfile
        >>> import mindspore as ms
        >>> from mindspore import Tensor, ops
        >>> folder, dump = tempfile.mkdtemp(), ops.DumpGradient()
        >>> print(ms.grad(lambda x: dump(f"{folder}/dx.npy", x, "out") * 3)(Tensor(2.0)))
        3.0
        >>> [path.name.rpartition("_")[0] for path in pathlib.Path(folder).iterdir()]
        ['dx_float32']
    """

    def __call__(self, path: str, x: Tensor, input_output: str) -> Tensor:
        _side("DumpGradient", "input_output", input_output)
        if not isinstance(x, Tensor):
            raise refused(WrongObject, f"For 'DumpGradient', the 'x' must be a Tensor, but got {shown(x)}.")

        def written(gradient: Tensor) -> None:
            _write("DumpGradient", path, gradient)

        return InsertGradientOf(written)(x)


# -- devices -----------------------------------------------------------------------------------------------------------
def move_to(input: Any, to: str = "CPU", blocking: bool = True) -> Tensor:
    """The tensor for use on a device. XLA decides where it is kept: this gives a tensor of its own.

    Args:
        input: a Tensor, or a list or tuple of ints.
        to: "CPU" or "Ascend".
        blocking: whether to wait; what uses the result waits in any case.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.move_to(Tensor([1, 2, 3]), "CPU"))
        [1 2 3]
    """
    check_bool("move_to", "blocking", blocking)
    if isinstance(input, (list, tuple)):
        input = Tensor(list(input))
    if not isinstance(input, Tensor):
        raise refused(
            WrongObject, f"For 'move_to', the 'input' must be a Tensor or a list of ints, but got {shown(input)}."
        )
    return _moved(input, to, blocking)


@register_primitive
class MoveTo(Primitive):
    """The tensor for use on a device, see :func:`move_to`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.MoveTo()(Tensor([1, 2, 3]), "CPU", True))
        [1 2 3]
    """

    def __call__(self, input: Any, to: str = "CPU", blocking: bool = True) -> Tensor:
        return move_to(input, to, blocking)


def reshard(tensor: Tensor, layout: Any) -> Tensor:
    """The tensor, laid out over devices as ``layout`` says. Its elements stay the same, and so does the tensor here.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore.parallel import Layout
        >>> print(ops.reshard(Tensor([1.0, 2.0]), Layout((1,), ("dp",))("dp")))
        [1. 2.]
    """
    if not isinstance(tensor, Tensor):
        raise refused(WrongObject, f"For 'reshard', the 'tensor' must be a Tensor, but got {shown(tensor)}.")
    if not hasattr(layout, "to_dict"):
        raise TypeError(f"For 'reshard', the 'layout' must be a Layout, but got {shown(layout)}.")
    return tensor


@register_primitive
class Reshard(Primitive):
    """The tensor, laid out over devices in another way, see :func:`reshard`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore.parallel import Layout
        >>> layout = Layout((1,), ("dp",))("dp")
        >>> print(ops.Reshard(layout, layout, ((1,),))(Tensor([1.0, 2.0])))
        [1. 2.]
    """

    def __init__(self, in_layout: Any, out_layout: Any, in_strategy: Any):
        super().__init__()
        self.in_layout, self.out_layout, self.in_strategy = in_layout, out_layout, in_strategy

    def __call__(self, tensor: Tensor) -> Tensor:
        if not isinstance(tensor, Tensor):
            raise refused(WrongObject, f"For 'Reshard', the 'tensor' must be a Tensor, but got {shown(tensor)}.")
        return tensor


for _function in (tensordump, move_to, reshard):
    register_function(_function)
