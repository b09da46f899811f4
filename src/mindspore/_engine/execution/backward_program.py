"""The backward pass as one executable.

Walking a tape dispatches one executable per recorded operator. If all nodes are kernel calls (no hook, no custom ``bprop``)
and the walk itself is not recorded, nothing can observe intermediate cotangents: the whole walk is jitted as one program,
cached by the structure of the tape, and called with the saved inputs. The forward pass stays one call per operator, so that
it can be printed and stepped through.

Compiling costs more than one walk, so it is done for recurring tapes: at once for gradients of Parameters, for others after a
few walks.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import jax
import numpy as np

from mindspore._engine.base import jax_errors
from mindspore._engine.base.kernel import gradient_sum, is_inexact
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution import recorded_walk
from mindspore._engine.execution.cotangents import RowCotangent, walk, whole
from mindspore._engine.execution.process_program import NeedsProcesses
from mindspore._engine.execution.tape import KernelNode, LeafNode
from mindspore._engine.interpreter import choice, host_graph
from mindspore._engine.runtime.context import state as context
from mindspore._engine.runtime.transfer import to_device
from mindspore._kernels import rewriting
from mindspore._utils import log

if TYPE_CHECKING:
    from mindspore._engine.execution.tape import Link, Node
    from mindspore._engine.tensor.tensor import Tensor

FEWEST = 2  # fewest operators worth compiling for
MOST = 200  # a long tape takes seconds to compile, and dispatch overhead matters little there
PLANS_OF_ONE_KIND, PLANS = 16, 512  # bounds on recompilation for tapes that never repeat
KEPT = 256  # executables, by tape and forms of its arrays: each takes about half a megabyte
CHEAP, CHEAP_STEPS = 512, 12  # elements of a saved array, and steps, of a tape that is always walked with NumPy
LARGEST = 1 << 29  # bytes: a program holds all residuals until its end; the walk frees them step by step

# One step is (kernel, indices of its inputs, its parents, number of outputs); a leaf is (None, (), (), 1), or has a parent if it
# belongs to a grad inside of this one. A parent is (step, output), or None for an input without a gradient.
Step = tuple[Any, tuple[int, ...], tuple[Any, ...], int]
TapePlan = tuple[tuple[Step, ...], tuple[tuple[int, int], ...], tuple[int, ...]]

_programs: dict[TapePlan, BackwardProgram | None] = {}  # None: walk instead
_executables: OrderedDict[tuple, Any] = OrderedDict()  # by program and forms, the least recently used first
_families: dict[Any, int] = {}


def backward(
    nodes: Sequence[Node], seeds: Sequence[tuple[Link, Tensor]], leaves: Sequence[LeafNode], often: bool
) -> list | None:
    """The cotangent of each leaf (None if the seeds do not depend on it) as arrays; None if the tape must be walked.

    ``often``: the same tape will recur, as in training.
    """
    if not FEWEST <= len(nodes) - len(leaves) <= MOST or state.scope is not None or context.pynative_synchronize:
        return None
    if _is_cheap(nodes):
        return None
    described = _describe(nodes, seeds, leaves)
    if described is None:
        return None
    plan, values = described
    try:
        program = _programs[plan]
    except KeyError:
        if len(_programs) >= PLANS:
            _programs.clear()
            _families.clear()
        program = _programs[plan] = BackwardProgram(plan, len(values))
    if program is None:
        return None
    try:
        return program([*values, *[seed._value for _, seed in seeds]], often)
    except NeedsProcesses:  # a collective, which a single-process program cannot run
        _programs[plan] = None
    except Exception as error:  # the walk names the operator that fails
        _programs[plan] = None
        log.once(("backward", plan), f"A backward pass runs step by step: as one program it fails ({error}).", log.INFO)
    return None


def _describe(nodes: Sequence[Node], seeds: Sequence, leaves: Sequence[LeafNode]) -> tuple[TapePlan, list] | None:
    """The structure of the tape (the cache key), and the saved arrays, deduplicated.

    Around a ``grad`` inside of this one a network is often called again on the same inputs, with the same results: derivatives
    with respect to coordinates. What the second call saved stands for the first one's, so that the program computes it once.
    """
    index_of: dict[Node, int] = {}
    slots: dict[Any, int] = {}  # identity of an array -> its index in values
    values: list[Any] = []
    steps: list[Step] = []
    equal = _EqualCalls() if sum([node.__class__ is LeafNode for node in nodes]) > len(leaves) else None
    for index, node in enumerate(nodes):
        index_of[node] = index
        if node.__class__ is LeafNode:
            origin = node.parents[0]
            if origin is None or origin[0] not in index_of:
                steps.append(_LEAF)
            else:  # of another grad inside this one
                steps.append((None, (), ((index_of[origin[0]], origin[1]),), 1))
            continue
        if node.__class__ is not KernelNode:
            return None
        operands = []
        for identity, value in zip(map(id, node.inputs) if equal is None else equal.identities(node), node.inputs):  # type: ignore[attr-defined]
            slot = slots.get(identity)
            if slot is None:
                slot = len(values)
                values.append(value)
                if isinstance(value, (jax.Array, np.ndarray)):  # a Python scalar may be the same object by chance
                    slots[identity] = slot
            operands.append(slot)
        parents = tuple([None if p is None or p[0] not in index_of else (index_of[p[0]], p[1]) for p in node.parents])
        steps.append((node.kernel, tuple(operands), parents, node.outputs))  # type: ignore[attr-defined]
    starts = tuple([(index_of[link[0]], link[1]) for link, _ in seeds])
    return (tuple(steps), starts, tuple([index_of[leaf] for leaf in leaves])), values


class _EqualCalls:
    """Which calls on a tape had the same kernel and the same inputs as an earlier one, and so the same results."""

    def __init__(self) -> None:
        self.first: dict[Node, Node] = {}
        self.calls: dict[tuple, Node] = {}

    def identities(self, node: Node) -> list[Any]:
        """What identifies each input: the call that it comes from and which of its results it is, or the array."""
        first, found = self.first, []
        for value, link in zip(node.inputs, node.parents, strict=True):  # type: ignore[attr-defined]
            source = None if link is None else first.get(link[0])
            found.append(id(value) if source is None else (source, link[1]))  # type: ignore[index]
        first[node] = self.calls.setdefault((node.kernel, *found), node)  # type: ignore[attr-defined]
        return found


def _is_cheap(nodes: Sequence[Node]) -> bool:
    """Whether NumPy walks the tape faster than a program on the device is called: all saved arrays are small, on the host."""
    if choice.is_settled():
        return False
    for node in nodes:
        if node.__class__ is KernelNode:
            for value in node.inputs:  # type: ignore[attr-defined]
                if value.__class__ is not np.ndarray:
                    if value.__class__ not in choice.NUMBERS:
                        return False
                elif value.size > CHEAP:
                    return False
    return len(nodes) <= CHEAP_STEPS


def _placed(value: Any) -> Any:
    return to_device((value,))[0] if value.__class__ is np.ndarray else value


_LEAF: Step = (None, (), (), 1)


def _is_refused(plan: TapePlan, values: Sequence[Any]) -> bool:
    """Whether a tape that came often is walked all the same: one of very many like it, or one that keeps too much."""
    steps, starts, leaves = plan
    family = (steps[starts[0][0]][0], len(starts), len(leaves)) if starts else None
    _families[family] = _families.get(family, 0) + 1
    return _families[family] > PLANS_OF_ONE_KIND or sum(getattr(value, "nbytes", 0) for value in values) > LARGEST


class BackwardProgram:
    """The backward pass of one plan, compiled for each form of its arrays that comes often.

    jax.jit would keep, for each form and as long as the function lives, what it was compiled from: three times its size.
    """

    def __init__(self, plan: TapePlan, count: int):
        self.plan, self.count = plan, count
        self.forms = choice.CountedForms(recorded_walk.walks_of(plan[0]))

    def __call__(self, values: list[Any], often: bool) -> list[Any] | None:
        """The cotangents of the leaves; None if arrays of these shapes are better walked."""
        form = tuple([x.__class__ if x.__class__ in _NUMBERS else (x.shape, x.dtype, getattr(x, "weak_type", False))
                      for x in values])  # fmt: skip
        first = not self.forms.compiled
        if not self.forms.worth_compiling(form, often and choice.is_settled()):
            return None
        if first and _is_refused(self.plan, values[: self.count]):
            _programs[self.plan] = None
            return None
        key = (self, form)
        executable = _executables.get(key)
        if executable is None:
            executable = self._on_host(values)
            if executable is not None:
                _executables[key] = executable
            else:
                choice.came_often([(step[0], [values[slot] for slot in step[1]]) for step in self.plan[0] if step[0]])
        if isinstance(executable, HostWalk):
            _executables.move_to_end(key)
            return executable.run(*values)
        if executable is not None:
            _executables.move_to_end(key)
            try:
                return executable(*values)
            except ValueError as error:
                if not jax_errors.is_elsewhere(error):
                    raise
        # A program is compiled for arrays on the device; it takes those of the host as they are, in less time than a transfer.
        executable = _executables[key] = self._compiled([_placed(value) for value in values])
        if len(_executables) > KEPT:
            _executables.popitem(last=False)
        return executable(*values)

    def _on_host(self, values: list[Any]) -> HostWalk | None:
        """The walk as a program of the host, if it is small."""
        if choice.is_settled() or not host_graph.is_possible():
            return None
        if sum([1 if value.__class__ in _NUMBERS else value.size for value in values]) > host_graph.MOST_ELEMENTS:
            return None
        run = host_graph.function_of(jax.jit(self._walked).trace(*values))
        return None if run is None else HostWalk(run)

    def _compiled(self, values: list[Any]) -> Any:
        return rewriting.compiled(jax.jit(self._walked).lower(*values))

    def _walked(self, *given: Any) -> list[Any]:
        return _walk(self.plan, given[: self.count], given[self.count :])


class HostWalk(NamedTuple):
    """A backward pass that is no executable of XLA."""

    run: Any


_NUMBERS = (bool, int, float, complex)


def _walk(plan: TapePlan, values: Sequence[Any], seeds: Sequence[Any]) -> list[Any]:
    """The backward pass on traced arrays; steps and parents are indices into the plan."""
    steps, starts, leaves = plan

    def _is_lookup(parents: Sequence[Any], table: Any) -> bool:
        """Whether rows of a leaf were looked up, by numbers that want no gradient."""
        first, *others = parents
        return first is not None and steps[first[0]][0] is None and not any(others) and is_inexact(table.dtype)

    def pull(step: int, cotangents: list[Any]) -> list[Any]:
        kernel, operands, parents, _ = steps[step]
        if kernel is None:
            return cotangents if parents else []
        inputs = [values[slot] for slot in operands]
        seeds = [whole(cotangent) for cotangent in cotangents if cotangent is not None]
        if kernel.rows is not None and _is_lookup(parents, inputs[0]):
            rows, found = kernel.row_vjp().jitted(*inputs, *seeds)
            return [RowCotangent(rows, found, inputs[0].shape[0]), *[None] * (len(parents) - 1)]
        wanted = tuple([parent is not None for parent in parents])
        given = tuple([cotangent is not None for cotangent in cotangents])
        gradients = iter(kernel.vjp(wanted, given).jitted(*inputs, *seeds))
        return [next(gradients) if want else None for want in wanted]

    found = walk(
        range(len(steps) - 1, -1, -1), zip(starts, seeds, strict=True), set(leaves),
        outputs_of=lambda step: steps[step][3], parents_of=lambda step: steps[step][2], pull=pull,
        add=_sum,
    )  # fmt: skip
    return [found.get(leaf) for leaf in leaves]


def _sum(present: Any, cotangent: Any) -> Any:
    if present.__class__ is RowCotangent and cotangent.__class__ is RowCotangent:
        return present.plus(cotangent)
    return gradient_sum.jitted(whole(present), whole(cotangent))
