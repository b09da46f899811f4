"""What a program tells its user while it runs: Print, Assert and summaries, in eager code and in compiled graphs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore._engine.base import version_counter
from mindspore._engine.base.dtype import from_numpy
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import host_callbacks
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import register_function, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import tensor_text
from mindspore._utils.refusals import WrongObject, refused

SummarySink = Callable[[str, str, np.ndarray], None]  # gets the kind of summary, its name and its value
_sinks: list[SummarySink] = []


def print_(*input_x: Any) -> None:
    """Print every argument on a line of its own; in a compiled graph whenever it runs.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.print_("loss:", Tensor([1.0, 2.0]))
        loss:
        Tensor(shape=[2], dtype=Float32, value= [ 1.00000000e+00,  2.00000000e+00])
    """
    if state.scope is None:
        for value in input_x:
            print(value if isinstance(value, str) else _shown(value))
        return
    # Tensors in tuples get lines of their own, as in MindSpore; the text between them is fixed when the graph is made.
    pieces = [piece for value in input_x for piece in _pieces(value)]
    tensors = [piece for piece in pieces if isinstance(piece, Tensor)]
    texts = [None if isinstance(piece, Tensor) else piece for piece in pieces]
    at_run_time(_Printer(texts), tensors)


def _shown(value: Any) -> str:
    """The text of a value in eager code: a Parameter is shown by its value, like any Tensor."""
    if isinstance(value, Tensor):
        return Tensor.__repr__(value)
    return repr(value) if isinstance(value, (tuple, list, dict)) else str(value)


def _pieces(value: Any) -> list[Any]:
    """The lines a value takes in a graph: Tensors, and text for everything else."""
    leaves = flatten(value)[0]
    if any(isinstance(leaf, Tensor) for leaf in leaves):
        return [leaf if isinstance(leaf, Tensor) else str(leaf) for leaf in leaves]
    if isinstance(value, tuple):
        return [f"({', '.join(map(str, value))})"]
    return [str(value)]


class _Printer:
    """Prints fixed texts, and Tensors where a text is None."""

    def __init__(self, texts: Sequence[str | None]):
        self.texts = texts

    def __call__(self, *arrays: np.ndarray) -> None:
        supply = iter(arrays)
        for text in self.texts:
            print(text if text is not None else _graph_text(next(supply)), flush=True)


def _graph_text(array: Any) -> str:
    array = np.asarray(array)
    return tensor_text.tensor_graph_print(array, from_numpy(array.dtype).name)


def at_run_time(function: Callable[..., None], tensors: Sequence[Tensor]) -> None:
    """Have ``function(*arrays)`` called whenever the graph that is being traced runs, in the order of the program."""
    host_callbacks.call(function, tensors)


@register_primitive
class Print(Primitive):
    """Prints its inputs, see :func:`mindspore.ops.print_`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value = ops.Print()("loss", Tensor(1.0))
        loss
        Tensor(shape=[], dtype=Float32, value= 1)
    """

    def __call__(self, *input_x: Any) -> None:
        print_(*input_x)


@register_primitive
class Assert(Primitive):
    """Stops the program with a RuntimeError when the condition is false, and shows the Tensors given with it.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.Assert()(Tensor(True), [Tensor([1.0, 2.0])])
    """

    def __init__(self, summarize: int = 3):
        super().__init__()
        if isinstance(summarize, bool) or not isinstance(summarize, int):
            raise TypeError(f"For 'Assert', the 'summarize' must be an int, but got {summarize!r}.")
        self.summarize = summarize
        self.attrs["summarize"] = summarize

    def __call__(self, condition: Any, input_data: Sequence[Tensor]) -> None:
        tensors = [condition if isinstance(condition, Tensor) else Tensor(bool(condition)), *input_data]
        if state.scope is not None:
            at_run_time(self._check, tensors)
        else:
            self._check(*[tensor.asnumpy() for tensor in tensors])

    def _check(self, condition: np.ndarray, *arrays: np.ndarray) -> None:
        if not np.all(condition):
            shown = "; ".join(f"[{' '.join(map(str, np.ravel(a)[: self.summarize]))}]" for a in arrays)
            raise RuntimeError(f"For 'Assert', the condition is false: assert failed. Input data: {shown}.")


def add_summary_sink(sink: SummarySink) -> None:
    """Have ``sink(kind, name, value)`` called for every summary from now on, once however often it is added."""
    if sink not in _sinks:
        _sinks.append(sink)
        _select_graphs()


def remove_summary_sink(sink: SummarySink) -> None:
    if sink in _sinks:
        _sinks.remove(sink)
        _select_graphs()


def remove_summary_sinks() -> None:
    """Nobody listens any more."""
    if _sinks:
        _sinks.clear()
        _select_graphs()


def _select_graphs() -> None:
    """Graphs compiled with and without a recorder differ: select the right ones from now on."""
    host_callbacks.want_summaries(bool(_sinks))
    version_counter.note()


class _Summary(Primitive):
    """Hands a value to whoever records summaries; without a recorder nothing happens."""

    kind = ""
    ranks: tuple[int, ...] | None = None  # the ranks a value may have; None: any

    def __call__(self, name: str, value: Tensor) -> None:
        if not isinstance(name, str) or not name:
            raise TypeError(f"For '{self.name}', the 'name' must be a str that is not empty, but got {name!r}.")
        if not isinstance(value, Tensor):
            raise refused(
                WrongObject, f"For '{self.name}', the 'value' must be a Tensor, but got {type(value).__name__}."
            )
        self._check_rank(value)
        if state.scope is not None:
            state.scope.root.summaries = bool(_sinks)
        if _sinks:
            self._hand_out(name, value)

    def _check_rank(self, value: Tensor) -> None:
        if self.ranks is not None and value.ndim not in self.ranks:
            raise ValueError(
                f"For '{self.name}', the 'value' must have {' or '.join(map(str, self.ranks))} dimension(s), but got "
                f"shape {value.shape}."
            )

    def _hand_out(self, name: str, value: Tensor) -> None:
        kind = self.kind

        def deliver(array: np.ndarray) -> None:
            for sink in list(_sinks):
                sink(kind, name, np.asarray(array))

        if state.scope is not None:
            at_run_time(deliver, [value])
        else:
            deliver(value.asnumpy())


@register_primitive
class ScalarSummary(_Summary):
    """Records a number under a name.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> ops.ScalarSummary()("loss", Tensor(0.5))
    """

    kind, ranks = "scalar", (0, 1)


@register_primitive
class TensorSummary(_Summary):
    """Records a Tensor under a name.

    Examples:
        >>> from mindspore import Tensor, nn, ops
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.record = ops.TensorSummary()
        ...     def construct(self, x):
        ...         self.record("x", x)  # written where a SummaryCollector or SummaryRecord listens
        ...         return x
        >>> print(Net()(Tensor([1.0])))
        [1.]
    """

    kind = "tensor"


@register_primitive
class ImageSummary(_Summary):
    """Records a batch of images (N, C, H, W) under a name.

    Examples:
        >>> from mindspore import nn, ops
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.record = ops.ImageSummary()
        ...     def construct(self, images):
        ...         self.record("images", images)  # written where a SummaryCollector or SummaryRecord listens
        ...         return images.mean()
        >>> print(Net()(ops.ones((2, 3, 4, 4))))
        1.0
    """

    kind, ranks = "image", (4,)


@register_primitive
class HistogramSummary(_Summary):
    """Records the distribution of a Tensor's values under a name.

    Examples:
        >>> from mindspore import Tensor, nn, ops
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.record = ops.HistogramSummary()
        ...     def construct(self, x):
        ...         self.record("values", x)  # written where a SummaryCollector or SummaryRecord listens
        ...         return x
        >>> print(Net()(Tensor([1.0])))
        [1.]
    """

    kind = "histogram"

    def _check_rank(self, value: Tensor) -> None:
        if value.ndim == 0:
            raise ValueError(
                "For 'HistogramSummary', the 'value' must have at least 1 dimension, but got a 0-d Tensor."
            )


register_function(print_)
