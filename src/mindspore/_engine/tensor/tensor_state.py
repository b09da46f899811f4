"""What a Tensor holds, and how that is replaced: by a write, and by scopes and graphs around a trace."""

from __future__ import annotations

import weakref
from abc import ABCMeta
from typing import TYPE_CHECKING, Any

import numpy as np

from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor_methods import TensorMethods
from mindspore._utils.deferred import deferred

if TYPE_CHECKING:
    from mindspore._engine.execution.tape import Link
    from mindspore._engine.tensor.tensor import Tensor

views = deferred("mindspore._engine.execution.views")  # deferred: it imports Tensor


if TYPE_CHECKING:
    TensorMeta = type  # with another metaclass, pyright takes `tensor.__dict__` for that of a class
else:

    class TensorMeta(ABCMeta):
        """The type of Tensor: libraries mix it with other metaclasses, or give it members, which ``type`` itself refuses."""

        __instancecheck__ = type.__instancecheck__  # twice as fast as those of ABCMeta
        __subclasscheck__ = type.__subclasscheck__


class TensorState(TensorMethods, metaclass=TensorMeta):
    """The part of Tensor below its public members."""

    # Class-level defaults: wrapping a result costs two attribute writes.
    _value: Any = None
    _link: Link | None = None  # producer node and output index on the tape
    _birth: Any = None  # the trace this Tensor was created in; None outside traces
    _lazy: Any = None  # (shape, dtype, initializer) of deferred initialization
    _hooks: dict[int, Any] | None = None  # user hooks on the gradient
    _shared: weakref.ref[np.ndarray] | None = None  # what asnumpy returned, while it is in use
    _base: Any = None  # of a view: what it shows (execution/views.py)
    _part_of: Any = None  # in a graph, of y[0] in `y[0][1] = 2`: (y, 0)
    _views: list[Any] | None = None  # weak references to the views of this Tensor
    _is_state = False  # whether what is written to it is no step of a derivative

    def _set(self, value: Any, link: Link | None = None) -> None:
        """Rebind this handle to another array: the only mutation of a Tensor."""
        if state.scope is not None:
            state.scope.note_write(self)  # type: ignore[arg-type]  # only Tensor derives from this class
        self._value, self._link = value, link

    # What scopes and graphs do to a Tensor that was born outside; an attribute's stand-in does it in its own way.
    def _snapshot(self) -> Any:
        """What ``_restore`` puts back."""
        return self._value, self._link

    def _restore(self, snapshot: Any) -> None:
        """A trace is over."""
        self._value, self._link = snapshot

    def _stand_in(self, other: Tensor) -> None:
        """A trace begins in which another value stands for this one."""
        self._value, self._link = other._value, other._link

    def _store(self, value: Any) -> None:
        """A graph that wrote this Tensor has run."""
        self._value, self._link = value, None
        if (self._base is not None or self._views is not None) and state.scope is None:
            views.wrote(self)

    def _become(self, other: Tensor) -> None:
        """Take over another Tensor's array and tape link."""
        if state.scope is not None:
            if self._base is not None or self._views is not None:
                views.before_write_in_trace(self)
            state.scope.note_read(other)
        self._set(other._value, other._link)
        if (self._base is not None or self._views is not None) and state.scope is None and not state.modes:
            views.wrote(self)

    def _overwrite(self, other: Tensor) -> None:
        """Take over another Tensor's array and keep the own tape link: state that is written is no step of a derivative.

        What reads it later adds to the gradient of this Tensor, as what has read it before does.
        """
        if state.scope is not None:
            if self._base is not None or self._views is not None:
                views.before_write_in_trace(self)
            if self._is_trained():
                # an input of the graph, to which gradients of later reads go
                state.scope.note_read(self)  # type: ignore[arg-type]
            state.scope.note_read(other)
        self._set(other._value, self._link)
        if (self._base is not None or self._views is not None) and state.scope is None and not state.modes:
            views.wrote(self)

    def _is_trained(self) -> bool:
        return False

    def _write_elements(self, written: Tensor) -> None:
        """Elements were assigned, or changed in place."""
        self._overwrite(written) if self._is_state else self._become(written)
