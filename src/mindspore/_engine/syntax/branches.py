"""if on a traced Tensor: both branches are compiled, the device picks one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax import lax

from mindspore._engine.dispatch import run
from mindspore._engine.failures import GraphError
from mindspore._engine.kernel import Kernel, Mask
from mindspore._engine.scope import Scope
from mindspore._engine.syntax.values import (
    Undefined,
    is_number,
    join_avals,
    rebuild,
    same_object,
    split,
    to_tensor,
)
from mindspore._engine.tape import paused
from mindspore._engine.tensor import Tensor
from mindspore._engine.traced import TensorFunction, TracedKernel, gradient_of

Branch = Callable[[], Sequence[Any]]  # runs the user's code, returns the variables it may have changed
PLACES = ["the true branch", "the false branch"]


class BranchKernel(TracedKernel):
    """lax.cond over functions of Tensors. The gradient of a choice is the choice between gradients."""

    __slots__ = ("functions",)

    def __init__(self, name: str, functions: Sequence[TensorFunction]):
        self.functions = functions
        super().__init__(name, lambda tensors: [])

    def on_arrays(self, *flat: Any) -> tuple:
        kernels = [TracedKernel(self.name, function) for function in self.functions]
        return lax.cond(flat[0], kernels[0].on_arrays, kernels[1].on_arrays, *flat[1:])

    def make_vjp(self, wanted: Mask, given: Mask) -> Kernel:
        count = len(wanted) - 1

        def backward(function: TensorFunction) -> TensorFunction:
            return lambda tensors: gradient_of(function, tensors[:count], wanted[1:], given, tensors[count:])

        return BranchKernel(f"{self.name}Grad", [backward(f) for f in self.functions])


class Probe:
    """What a piece of user code does, found out by tracing it without keeping the result."""

    def __init__(self, code: Callable[[], Sequence[Any]]):
        def trace() -> None:
            with paused(), Scope() as scope:
                self.values = list(code())
                self.reads, self.writes = list(scope.reads), list(scope.writes)
                self.written_avals = [(t.shape, t.dtype.np_dtype) for t in self.writes]

        jax.eval_shape(trace)


def conditional(predicate: Tensor, branches: Sequence[Branch], names: Sequence[str]) -> list[Any]:
    """The values of the variables after the branch that the predicate picks."""
    predicate = _checked_predicate(predicate)
    probes = [Probe(branch) for branch in branches]
    plans = [_plan(name, [p.values[i] for p in probes]) for i, name in enumerate(names)]
    reads = list(dict.fromkeys(t for p in probes for t in p.reads))
    writes = list(dict.fromkeys(t for p in probes for t in p.writes))
    _check_writes(probes)
    inputs = list(dict.fromkeys([*reads, *writes]))

    def on_tensors(branch: Branch) -> TensorFunction:
        def function(tensors: list[Any]) -> list[Tensor]:
            with Scope(dict(zip(inputs, tensors, strict=True))) as scope:
                values = branch()
                outputs = [o for plan, value in zip(plans, values, strict=True) for o in plan.pick(value)]
                for tensor in outputs:
                    scope.note_read(tensor)
                finals = [*outputs, *writes]
                return [Tensor.linked(t._value, t._link) for t in finals]

        return function

    kernel = BranchKernel("If", [on_tensors(branch) for branch in branches])
    results = iter(run(kernel, [predicate, *inputs]))
    after = [plan.place(results) for plan in plans]
    for tensor in writes:
        tensor._become(next(results))
    return after


def _checked_predicate(predicate: Tensor) -> Tensor:
    if predicate.size != 1:
        raise ValueError(
            f"A condition must be a Tensor of one element, but got shape {predicate.shape}. Use .any() or .all()."
        )
    flat = predicate if predicate.shape == () else predicate.reshape(())
    return to_tensor(flat, jax.numpy.bool_.dtype) if flat.dtype.np_dtype.kind != "b" else flat


def _check_writes(probes: list[Probe]) -> None:
    seen: dict[Tensor, tuple] = {}
    for probe in probes:
        for tensor, aval in zip(probe.writes, probe.written_avals, strict=True):
            before = seen.setdefault(tensor, (tensor.shape, tensor.dtype.np_dtype))
            if before != aval:
                raise GraphError(
                    f"{getattr(tensor, 'name', 'A Tensor')} has shape and dtype {before} before a branch on a Tensor "
                    f"condition, and {aval} after it. Inside such a branch they must stay the same."
                )


class _plan:  # noqa: N801 - a value, used like a function
    """How one variable comes out of the branches: unchanged, undefined, or as outputs."""

    def __init__(self, name: str, values: list[Any]):
        self.name = name
        self.constant = self.undefined = False
        self.rows: list[Any] = []
        missing = [_is_undefined(v) for v in values]
        if same_object(values):
            self.constant, self.value = True, values[0]
        elif any(missing) and not name.startswith("retval_"):
            self.undefined = True
            self.value = Undefined(name, PLACES[missing.index(True)])
        elif any(missing):  # the return value of a way that does not return yet: anything will do
            self._plan_rows([values[missing.index(False)]])
        else:
            self._plan_rows(values)

    def _plan_rows(self, values: list[Any]) -> None:
        rows, self.description = split(self.name, values[0], values[1:], PLACES)
        for row in rows:
            if all(is_number(v) for v in row) and not (len(row) > 1 and same_object(row)):
                self.rows.append(join_avals(self.name, row, PLACES))
            elif same_object(row):
                self.rows.append(("constant", row[0]))
            else:
                raise GraphError(
                    f"The variable '{self.name}' is {row[0]!r} in {PLACES[0]} but {row[1]!r} in {PLACES[1]}. Only Tensors "
                    "and numbers can depend on a Tensor condition."
                )

    def pick(self, value: Any) -> list[Tensor]:
        """The outputs of one branch for this variable."""
        if self.constant or self.undefined:
            return []
        targets = [row for row in self.rows if row[0] != "constant"]
        if _is_undefined(value):
            return [Tensor.wrap(jax.numpy.zeros(shape, dtype)) for shape, dtype in targets]
        leaves = split(self.name, value, [], PLACES)[0]
        chosen = [leaf[0] for leaf, row in zip(leaves, self.rows, strict=True) if row[0] != "constant"]
        return [to_tensor(leaf, dtype) for leaf, (_, dtype) in zip(chosen, targets, strict=True)]

    def place(self, results: Any) -> Any:
        """The variable after the branches."""
        if self.constant or self.undefined:
            return self.value
        return rebuild(self.description, [row[1] if row[0] == "constant" else next(results) for row in self.rows])


def _is_undefined(value: Any) -> bool:
    return isinstance(value, Undefined) or type(value).__name__ in ("Undefined", "UndefinedReturnValue")
