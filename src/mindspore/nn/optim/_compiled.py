"""A Cell whose call is a compiled graph in both modes."""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from mindspore._engine.base.trace_state import state
from mindspore._engine.config import config
from mindspore._engine.interpreter import choice, host_graph
from mindspore._engine.runtime import context
from mindspore._utils import log
from mindspore._utils.user_call import READERS
from mindspore.nn.cell import Cell
from mindspore.nn.cell.arguments import read_call, signature_of

_FIRST_UPDATES = 8  # operator by operator in PyNative mode
_updates: WeakKeyDictionary[Any, int] = WeakKeyDictionary()  # not attributes: a graph looks at those
_MOST_GRAPHS = 16  # a Cell that needs another graph all the time is faster without


class CompiledCell(Cell):
    """Base of optimizers: an update of many Parameters is a single launch on the device, also in PyNative mode.

    A program's own ``construct`` runs in PyNative mode as it is written: it may print, or ask for values.
    """

    _cell_lists_are_looked_at = False  # an optimizer keeps Parameters of others, and rates of its own, in lists

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if state.scope is not None or not self._runs_compiled():
            return super().__call__(*args, **kwargs)
        if self._is_new():
            return self._update_eagerly(args, kwargs)
        if not self.__dict__.get("_cell_called"):
            self._prepare_first_call()
        signature_of(self).check(args, kwargs, type(self).__name__)
        self._choose_tier()
        if self._graphs_of().compilations > _MOST_GRAPHS and context.state.mode != context.GRAPH_MODE:
            self._run_eagerly("its Python state changes from call to call")
            return super().__call__(*args, **kwargs)
        try:
            return self._cell_compiled(args, kwargs)
        except Exception as error:
            if context.state.mode == context.GRAPH_MODE or not self._calls_the_program():
                raise
            reason = error
        # What the program added may be Python that only PyNative mode can run.
        result = super().__call__(*args, **kwargs)
        self._run_eagerly(reason)
        return result

    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The update; every optimizer defines its own."""
        raise NotImplementedError(
            f"For '{type(self).__name__}', the method 'construct(self, gradients)' must be defined."
        )

    def _run_eagerly(self, reason: Any) -> None:
        self.__dict__["_runs_eagerly"] = True
        log.once(
            (id(self), "eager"), f"{type(self).__name__} runs operator by operator from now on: {reason}", log.INFO
        )

    def _runs_compiled(self) -> bool:
        own = type(self).construct.__module__.startswith("mindspore.") and "construct" not in self.__dict__
        watched = self._forward_hook or self._forward_pre_hook or "_runs_eagerly" in self.__dict__
        return own and not watched and config.jit_enabled.value

    def _is_new(self) -> bool:
        """Whether this is one of the first updates, for which compiling takes longer than running operators."""
        if context.state.mode == context.GRAPH_MODE or choice.is_settled():
            return False
        count = _updates.get(self, 0)
        if count < _FIRST_UPDATES:
            _updates[self] = count + 1
        return count < _FIRST_UPDATES

    def _update_eagerly(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        """The update operator by operator; one that fails changes nothing, as in a graph."""
        written = {id(one): one for one in (*self.get_parameters(), *getattr(self, "parameters", ()))}.values()
        before = [(parameter, parameter._snapshot()) for parameter in written]
        try:
            return super().__call__(*args, **kwargs)
        except Exception:
            for parameter, snapshot in before:
                parameter._restore(snapshot)
            raise

    def _choose_tier(self) -> None:
        """In PyNative mode the update of small Parameters is a program of the host."""
        graphs, eager = self._graphs_of(), context.state.mode != context.GRAPH_MODE and not choice.is_settled()
        if graphs.graphs and not choice.is_settled():  # what is compiled stays when the mode changes
            return
        on_host = eager and host_graph.is_possible() and self._elements() <= host_graph.MOST_ELEMENTS
        if graphs.on_host is not on_host:
            graphs.on_host = on_host
            graphs.graphs.clear()

    def _elements(self) -> int:
        """How many numbers an update changes, states of the optimizer left out."""
        known = self.__dict__.get("_counted_elements")
        if known is None:
            known = self.__dict__["_counted_elements"] = sum([one.size for one in getattr(self, "parameters", ())])
        return known

    def _calls_the_program(self) -> bool:
        """Whether ``construct`` calls Cells that the program defines."""
        return not all(type(cell).__module__.startswith("mindspore.") for _, cell in self.cells_and_names())


READERS[CompiledCell.__call__.__code__] = read_call
