"""`if` on a traced Tensor: both branches are traced into `lax.cond`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import jax
from jax import lax

from mindspore._engine.base.errors import GraphError
from mindspore._engine.base.kernel import Kernel, Mask
from mindspore._engine.base.mutation import Contents, MutationTarget
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.tape import paused
from mindspore._engine.execution.trace_scope import Scope
from mindspore._engine.syntax.closure_snapshot import Frozen, Shared, unshared
from mindspore._engine.syntax.errors import is_deliberate, mark_deliberate, stop_with
from mindspore._engine.syntax.exits import RESULT
from mindspore._engine.syntax.values import (
    Aval,
    Undefined,
    aval_of,
    blank,
    is_number,
    is_same,
    join,
    number_of,
    rebuild,
    rows_of,
    shown,
    shown_name,
    to_tensor,
)
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.traced_kernel import TensorFunction, TracedKernel, gradient_of

Code = Callable[[], Sequence[Any]]  # runs a branch, returns its output variables
_DEEPEST = 100
WAYS = ("the true branch", "the false branch")


class BranchKernel(TracedKernel):
    """`lax.cond` over functions of Tensors. Its vjp is the cond of the branches' vjps."""

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
            def gradients(tensors: list[Any]) -> list[Tensor]:
                found = gradient_of(function, tensors[:count], wanted[1:], given, tensors[count:])
                # a predicate that comes from an integer Parameter is recorded too
                return [Tensor.wrap(jax.numpy.zeros((), bool)), *found] if wanted[0] else found

            return gradients

        return BranchKernel(f"{self.name}Grad", [backward(f) for f in self.functions])


class Probe:
    """Abstract evaluation of a piece of user code: its effects, without keeping the trace.

    Nested constructs are only probed as well, so that the cost is not exponential in the nesting depth.
    """

    def __init__(self, code: Code):
        self.values: list[Any] = []
        self.ends: list[Any] = []  # the same with copies of all containers, as they are at the end
        self.error: Exception | None = None  # raised by the user's own raise statement
        self.reads: list[Tensor] = []
        self.writes: list[Tensor] = []
        self.written: list[Aval] = []  # avals of the written Tensors afterwards
        self.mutations: dict[
            Any, tuple[MutationTarget, Any]
        ] = {}  # mutated attributes and containers, with their new values
        if state.probing == _DEEPEST:
            raise GraphError(
                f"Conditions on Tensors are nested more than {_DEEPEST} deep. A recursion that a Tensor's value is to end "
                "has no end while the graph is compiled, whatever max_call_depth allows: end it by a Python value, or "
                "write a `while` loop."
            )
        state.probing += 1
        try:
            jax.eval_shape(lambda: self._trace(code))
        finally:
            state.probing -= 1

    def _trace(self, code: Code) -> None:
        with paused(), Scope() as scope:
            try:
                self.values = list(code())
            except Exception as error:
                if not is_deliberate(error):
                    raise
                self.error = error
            noted = {key: (target, before, target.read()) for key, (target, before) in scope.changed.items()}
            self.mutations = {key: (t, now) for key, (t, before, now) in noted.items() if not is_same([before, now])}
            self.ends = [_as_they_are(value) for value in self.values]
            for leaf in flatten([self.values, [value for _, value in self.mutations.values()]])[0]:
                if isinstance(leaf, Tensor):
                    scope.note_read(leaf)
            self.reads, self.writes = list(scope.reads), list(scope.writes)
            self.written = [aval_of(tensor)[:2] for tensor in self.writes]


def conditional(predicate: Tensor, branches: Sequence[Code], names: Sequence[str], frozen: Frozen) -> list[Any]:
    """The values of the variables after a `cond` on the predicate."""
    predicate = as_condition(predicate)
    probes = [Probe(branch) for branch in branches]
    changed = {**probes[0].mutations, **probes[1].mutations}
    mutations = [target for target, _ in changed.values() if frozen.concerns(target)]
    starts = [frozen.start_of(target) for target in mutations]
    ways = [probe for probe in probes if probe.error is None]
    where = [way for way, probe in zip(WAYS, probes, strict=True) if probe.error is None]
    owners = [target for target in mutations if isinstance(target, Contents)]

    def planned(name: str, values: list[Any], ends: list[Any]) -> _VariablePlan:
        kept = [frozen.shared(value, owners) for value in values]
        if _agree(kept):
            return _VariablePlan(name, kept, where, lambda value: frozen.shared(value, owners))
        return _VariablePlan(name, ends, where)

    plans = [planned(name, [p.values[i] for p in ways], [p.ends[i] for p in ways]) for i, name in enumerate(names)]
    for target, start in zip(mutations, starts, strict=True):
        values = [_after(p, target, start) for p in ways]
        plans.append(planned(str(target), values, values))
    reads = [*[t for p in probes for t in p.reads], *[t for t in flatten(starts)[0] if isinstance(t, Tensor)]]
    writes = list(dict.fromkeys(t for p in probes for t in p.writes))
    check_writes(probes, "a branch")
    inputs = list(dict.fromkeys([*reads, *writes]))

    def on_tensors(branch: Code) -> TensorFunction:
        def function(tensors: list[Any]) -> list[Tensor]:
            with Scope(dict(zip(inputs, tensors, strict=True))) as scope:
                try:
                    values = [*branch(), *[target.read() for target in mutations]]
                    outputs = [o for plan, value in zip(plans, values, strict=True) for o in plan.outputs(value)]
                except Exception as error:
                    if not is_deliberate(error):
                        raise
                    stop_with(error)
                    outputs = [o for plan in plans for o in plan.blanks()]
                for tensor in outputs:
                    scope.note_read(tensor)
                return [Tensor.linked(t._value, t._link) for t in (*outputs, *writes)]

        return function

    if state.probing:
        results: Any = iter([*[o for plan in plans for o in plan.blanks()], *[_like(t) for t in writes]])
    else:
        results = iter(run(BranchKernel("If", [on_tensors(branch) for branch in branches]), [predicate, *inputs]))
    if not ways:  # both branches raise: so does the enclosing code
        raise mark_deliberate(probes[0].error, in_graph=True)
    after = [plan.value_after(results) for plan in plans]
    for tensor in writes:
        tensor._become(next(results))
    put([frozen.program_target(target) for target in mutations], after[len(names) :])
    return after[: len(names)]


def _as_they_are(value: Any) -> Any:
    """The value with copies of its containers, which are put back when the branch ends."""
    kind = value.__class__
    if kind in (tuple, list):
        return kind([_as_they_are(member) for member in value])
    return {key: _as_they_are(member) for key, member in value.items()} if kind is dict else value


def _agree(values: Sequence[Any]) -> bool:
    """Whether all branches leave the same outer containers at the same positions of the results."""
    columns = [flatten(value) for value in values if not isinstance(value, Undefined)]
    if not any(leaf.__class__ is Shared for leaves, _ in columns for leaf in leaves):
        return True
    if any(form != columns[0][1] for _, form in columns):
        return False
    rows = zip(*[leaves for leaves, _ in columns], strict=True)
    return all(is_same(row) for row in rows if any(leaf.__class__ is Shared for leaf in row))


def put(mutations: Sequence[MutationTarget], values: Sequence[Any]) -> None:
    """Assign attributes and containers."""
    for target, value in zip(mutations, values, strict=True):
        if state.scope is not None:
            state.scope.note_change(target)
        target.write(value)


def _after(probe: Probe, target: MutationTarget, start: Any) -> Any:
    found = probe.mutations.get(target.key)
    return start if found is None else found[1]


def _like(tensor: Tensor) -> Tensor:
    return blank(aval_of(tensor)[:2])


def as_truth(value: Any) -> Tensor:
    """A condition as a bool Tensor of one element, which keeps its shape."""
    if not isinstance(value, Tensor):
        return Tensor.wrap(jax.numpy.asarray(bool(value)))
    if value.size != 1:
        raise ValueError(
            f"A condition must be a Tensor of one element, but got shape {value.shape}. Use .any() or .all()."
        )
    return to_tensor(value, (value.shape, jax.numpy.bool_.dtype))


def as_condition(value: Any) -> Tensor:
    """A loop or branch condition as a 0-d bool Tensor."""
    truth = as_truth(value)
    return truth.reshape(()) if truth.shape else truth


def check_writes(probes: Sequence[Probe], where: str) -> None:
    """Reject Tensor writes that change shape or dtype inside a construct."""
    for probe in probes:
        for tensor, aval in zip(probe.writes, probe.written, strict=True):
            before = aval_of(tensor)[:2]
            if before != aval:
                name = getattr(tensor, "name", "")
                raise GraphError(
                    f"{f'The Parameter {name!r}' if name else 'A Tensor'} has shape {before[0]} and dtype {before[1]} before "
                    f"{where} on a Tensor condition, and shape {aval[0]} and dtype {aval[1]} after it. They must stay the same."
                )


class _VariablePlan:
    """How a variable leaves the branches: unchanged, undefined, or as outputs of the cond."""

    def __init__(
        self, name: str, values: list[Any], ways: Sequence[str], kept: Callable[[Any], Any] = lambda value: value
    ):
        self.name = name
        self.kept = kept  # what stands for the value where containers of before are kept
        self.rows: list[Any] | None = None  # per leaf the aval of an output, or ("constant", value)
        self.value: Any = None
        defined = [v for v in values if not isinstance(v, Undefined)]
        if not values:
            return
        if is_same(values) and (len(values) > 1 or isinstance(values[0], Undefined)):
            self.value = unshared(values[0])
        elif len(defined) == len(values) or (defined and name == RESULT):
            # A branch that has not returned yet has no result: any value fits.
            self._plan_rows(defined, [w for w, v in zip(ways, values) if not isinstance(v, Undefined)])
        else:
            missing = next((w for w, v in zip(ways, values) if isinstance(v, Undefined)), "")
            self.value = Undefined(name, missing)

    def _plan_rows(self, values: list[Any], ways: Sequence[str]) -> None:
        rows, self.description = rows_of(self.name, values, ways)
        self.rows, self.numbers = [], []
        for row in rows:
            self.numbers.append(all(is_number(v) and aval_of(v)[2] for v in row))
            if (len(row) > 1 or not isinstance(row[0], Tensor)) and is_same(row):
                self.rows.append(("constant", row[0]))
            elif all(is_number(v) for v in row):
                self.rows.append(join(self.name, row, ways))
            else:
                raise GraphError(
                    f"Cannot join the values of {shown_name(self.name)}: it is {shown(row[0])} in {ways[0]} but {shown(row[-1])} "
                    f"in {ways[-1]}. Only Tensors and numbers can depend on a Tensor condition."
                )

    @property
    def targets(self) -> list:
        return [row for row in self.rows or () if row[0] != "constant"]

    def outputs(self, value: Any) -> list[Tensor]:
        """This variable's outputs of one branch."""
        if self.rows is None or isinstance(value, Undefined):
            return self.blanks()
        leaves = [row[0] for row in rows_of(self.name, [self.kept(value)], WAYS)[0]]
        return [to_tensor(leaf, row) for leaf, row in zip(leaves, self.rows, strict=True) if row[0] != "constant"]

    def blanks(self) -> list[Tensor]:
        return [blank(row) for row in self.targets]

    def value_after(self, results: Any) -> Any:
        """The variable rebuilt from the outputs of the cond."""
        if self.rows is None:
            return self.value
        leaves = [row[1] if row[0] == "constant" else next(results) for row in self.rows]
        leaves = [
            number_of(leaf) if number and row[0] != "constant" else leaf
            for leaf, number, row in zip(leaves, self.numbers, self.rows, strict=True)
        ]
        return unshared(rebuild(self.description, leaves))
