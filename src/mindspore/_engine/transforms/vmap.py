"""``vmap``: vectorize a function of single examples over a batch axis."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar, overload

import jax
import jax.numpy as jnp

from mindspore._engine.base.pytree import flatten, unflatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.index_bounds import failure
from mindspore._engine.execution.tape import paused
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.graph import jit
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.traced_kernel import TracedKernel
from mindspore._engine.transforms import mapped_axes
from mindspore._engine.transforms.ensemble import Ensemble
from mindspore._engine.transforms.vectorized_kernel import FAILURE, SHARED, VectorizedKernel

_NUMBERS = (bool, int, float, complex)


Inputs = ParamSpec("Inputs")
Result = TypeVar("Result")


@overload
def vmap(fn: Callable[Inputs, Result], in_axes: Any = 0, out_axes: Any = 0) -> Callable[Inputs, Result]: ...
@overload
def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]: ...
def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Callable[..., Any]:
    """A function that calls ``fn`` for every element along an axis of its arguments, all at once.

    Inside ``fn`` a mapped Tensor lacks its mapped axis. Parameters and other Tensors that ``fn`` reads are shared by all
    elements; so are random numbers, as in MindSpore: to have others for each element, make them outside and map them.

    Args:
        fn: a function, Cell or Primitive; or a CellList (or list) of at least two Cells of one structure, of which the
            first gets the first element of each argument, and so on: an ensemble.
        in_axes: the axis along which to map, for all arguments, or one per argument in a tuple or list (nested like
            the argument, if that is a tuple); None for an argument that is the same for every element. An argument
            given by name counts at its place in the signature of ``fn``.
        out_axes: where the mapped axis stands in the results, for all or one per result; None for a result that does
            not depend on what is mapped.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> def line(x, slope):
        ...     return (x * slope).sum()
        >>> print(ops.vmap(line, in_axes=(0, None))(Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor([1.0, 10.0])))
        [21. 43.]
    """
    return VmapFunction(fn, in_axes, out_axes)


class VmapFunction:
    """A vectorized function, jitted per signature of its arguments, in PyNative mode too."""

    def __init__(self, fn: Any, in_axes: Any, out_axes: Any):
        self.ensemble = Ensemble(fn) if _is_list_of_cells(fn) else None
        if self.ensemble is None and not callable(fn):
            raise RuntimeError(
                f"For 'vmap', the 'fn' must be a function, a Cell or a CellList, but got {fn!r} of type {type(fn).__name__}."
            )
        self.function = fn
        self.in_axes = mapped_axes.checked("in_axes", in_axes, none_allowed=self.ensemble is not None)
        self.out_axes = mapped_axes.checked("out_axes", out_axes)
        self.__name__ = f"vmap of {getattr(fn, '__name__', type(fn).__name__)}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if state.scope is not None:
            return self.vmap(*args, **kwargs)
        roots = (self.function,) if self.ensemble is None else self.ensemble.cells
        return jit.call_compiled(self.vmap, args, kwargs, self.identity, roots, falls_back=False)

    @property
    def identity(self) -> Any:
        of_function = jit.identity_of(self.function) if self.ensemble is None else tuple(map(id, self.ensemble.cells))
        return ("vmap", of_function, self.in_axes, self.out_axes)

    def vmap(self, *args: Any, **kwargs: Any) -> Any:
        """The call inside a trace; errors show this name."""
        args, kwargs = self._by_position(args, kwargs)
        leaves, description = flatten((args, kwargs))
        axes, size = mapped_axes.mapped(leaves, mapped_axes.of_arguments(self.in_axes, args, kwargs))
        if self.ensemble is not None:
            self.ensemble.check_size(size)
            size = len(self.ensemble.cells)
        if size is None:
            raise RuntimeError(
                f"For 'vmap', at least one argument must be a Tensor that is mapped, but got {args} with in_axes={self.in_axes}."
            )
        return _Call(self, leaves, description, axes, size).outcome()

    def _by_position(self, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]]:
        """Bind keyword arguments to positions where the signature allows."""
        if not kwargs:
            return args, kwargs
        called = self.ensemble.cells[0] if self.ensemble is not None else self.function
        bound = inspect.signature(getattr(called, "construct", called)).bind(*args, **kwargs)
        return bound.args, bound.kwargs


def _is_list_of_cells(fn: Any) -> bool:
    """Whether it is a CellList; recognised by class name, because ``nn`` is above this package."""
    return isinstance(fn, (list, tuple)) or any(kind.__name__ == "CellList" for kind in type(fn).__mro__)


class _Call:
    """One vectorized call while it is traced."""

    def __init__(self, owner: VmapFunction, leaves: list[Any], description: Any, axes: list[Any], size: int):
        self.owner, self.leaves, self.description, self.axes, self.size = owner, leaves, description, axes, size
        self.arguments = [leaf for leaf in leaves if isinstance(leaf, Tensor)]
        self.stacked = owner.ensemble.stacked() if owner.ensemble is not None else []
        state.probing += 1
        try:
            jax.eval_shape(self._probe)
        finally:
            state.probing -= 1

    def _probe(self) -> None:
        """Abstractly evaluate the function once, to learn what it reads, writes and returns."""
        with paused(), Scope() as scope:
            blanks = [_blank(_without(t.shape, axis), t) for t, axis in zip(self.arguments, self.axes, strict=True)]
            results, written = self._invoke([*blanks, *[_blank(t.shape[1:], t) for t in self.stacked]])
            found, self.form = flatten(results)
            axes = mapped_axes.of_results(self.owner.out_axes, results)
            for leaf in found:
                if isinstance(leaf, Tensor):
                    scope.note_read(leaf)
            self.members = list(written)  # indices of assigned ensemble Parameters
            self.writes = list(scope.writes)
            self.closure = [t for t in scope.reads if t not in scope.writes]
            self.outputs = [_is_output(leaf, axis) for leaf, axis in zip(found, axes, strict=True)]
            self.constants = [None if out else leaf for leaf, out in zip(found, self.outputs, strict=True)]
            self.out_axes = [axis for axis, out in zip(axes, self.outputs, strict=True) if out]

    def _invoke(self, tensors: Sequence[Tensor]) -> tuple[Any, dict[int, Tensor]]:
        """The function on one element: its results, and the ensemble Parameters it assigned."""
        supply = iter(tensors)
        given = [next(supply) if isinstance(leaf, Tensor) else leaf for leaf in self.leaves]
        args, kwargs = unflatten(self.description, iter(given))
        if self.owner.ensemble is not None:
            return self.owner.ensemble.call(list(supply), args, kwargs)
        return invoke.invoke(self.owner.function, args, kwargs), {}

    def _on_tensors(self, tensors: list[Any]) -> list[Tensor]:
        """The function on flat kernel operands: arguments, ensemble Parameters, then closed-over Tensors."""
        count = len(self.arguments) + len(self.stacked)
        with Scope(dict(zip([*self.closure, *self.writes], tensors[count:], strict=True))) as scope:
            results, written = self._invoke(tensors[:count])
            outputs = [leaf for leaf, out in zip(flatten(results)[0], self.outputs, strict=True) if out]
            outputs = [leaf if isinstance(leaf, Tensor) else Tensor(leaf) for leaf in outputs]
            for tensor in outputs:
                scope.note_read(tensor)
            return [Tensor.linked(t._value, t._link) for t in (*outputs, *written.values(), *self.writes)]

    def outcome(self) -> Any:
        """Run the kernel, then return results and apply assignments."""
        shared = [SHARED] * (len(self.closure) + len(self.writes))
        in_batching = [*self.axes, *[0] * len(self.stacked), *shared]
        of_writes = [FAILURE if tensor is failure else SHARED for tensor in self.writes]
        out_batching = [*self.out_axes, *[0] * len(self.members), *of_writes]
        body = TracedKernel("Vmap", self._on_tensors)
        kernel = VectorizedKernel(body, self.size, in_batching, out_batching, self._refusal)
        supply = iter(self._run(kernel) if out_batching else ())
        leaves = [next(supply) if out else leaf for leaf, out in zip(self.constants, self.outputs, strict=True)]
        for index in self.members:
            self.owner.ensemble.assign(index, next(supply))
        for tensor in self.writes:
            tensor._become(next(supply))
        return unflatten(self.form, iter(leaves))

    def _run(self, kernel: VectorizedKernel) -> Any:
        """Run the kernel; rejects host callbacks in branches, which run on both sides under vmap."""
        root = state.scope.root  # type: ignore[union-attr]
        before, root.calls_host = root.calls_host, False
        try:
            results = run(kernel, [*self.arguments, *self.stacked, *self.closure, *self.writes])
            calls_host = root.calls_host and not state.probing
            if calls_host and _has_conditional_effects(
                jax.make_jaxpr(kernel.body.function)(*self._element_forms()).jaxpr
            ):
                raise RuntimeError(
                    "For 'vmap', the 'fn' must not print, raise or call Python functions in a branch or loop that a Tensor "
                    "decides: there all elements take all ways. Do it after the vmap, on its results."
                )
            return results
        finally:
            root.calls_host = root.calls_host or before

    def _element_forms(self) -> list[jax.ShapeDtypeStruct]:
        """The abstract values of one element's operands."""
        shapes = [_without(t.shape, axis) for t, axis in zip(self.arguments, self.axes, strict=True)]
        shapes += [t.shape[1:] for t in self.stacked] + [t.shape for t in (*self.closure, *self.writes)]
        tensors = (*self.arguments, *self.stacked, *self.closure, *self.writes)
        return [jax.ShapeDtypeStruct(shape, t._read().dtype) for shape, t in zip(shapes, tensors, strict=True)]

    def _refusal(self, index: int) -> Exception:
        """The error for a result declared unmapped that differs between elements."""
        count = len(self.out_axes)
        if index < count:
            return RuntimeError(
                f"For 'vmap', the axis of result {index} in 'out_axes' must be an int, but got None: the result differs from "
                "element to element. None is for results that do not depend on what is mapped."
            )
        written = self.writes[index - count - len(self.members)]
        name = getattr(written, "name", "")
        what = f"the Parameter '{name}'" if name else "a Tensor from outside"
        return RuntimeError(
            f"For 'vmap', the 'fn' must not assign {what} a value that differs from element to element: it has room for one. "
            "Return the values instead, and assign what is to be kept of them outside, for example their mean."
        )


def _has_conditional_effects(program: Any) -> bool:
    """Whether a `cond` or `while` in a jaxpr has side effects."""
    for step in program.eqns:
        if not step.effects:
            continue
        inner = [getattr(value, "jaxpr", value) for value in step.params.values()]
        if step.primitive.name in ("cond", "while") or any(
            _has_conditional_effects(i) for i in inner if hasattr(i, "eqns")
        ):
            return True
    return False


def _is_output(leaf: Any, axis: Any) -> bool:
    """Whether a leaf of the results is a kernel output; an unmapped Python scalar stays a constant."""
    if isinstance(leaf, Tensor):
        if axis is not None:
            mapped_axes.within("out_axes", axis, leaf.ndim + 1)
        return True
    return axis is not None and isinstance(leaf, _NUMBERS)


def _without(shape: tuple[int, ...], axis: int | None) -> tuple[int, ...]:
    return shape if axis is None else shape[:axis] + shape[axis + 1 :]


def _blank(shape: tuple[int, ...], like: Tensor) -> Tensor:
    return Tensor.wrap(jnp.zeros(shape, like.dtype.np_dtype))
