"""A backward pass inside an enclosing ``grad`` as one kernel, recorded like any operator.

Derivatives of higher order walk a tape that is differentiated again: every vjp is a call, which is recorded, and has a vjp of its
own, so that the number of calls multiplies with each order. A walk that recurs becomes one kernel of the saved arrays and
the seeds; JAX differentiates that as a whole.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from mindspore._engine.base.kernel import Kernel, gradient_sum, is_inexact
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.cotangents import walk
from mindspore._engine.execution.dispatch import run
from mindspore._engine.execution.tape import KernelNode, LeafNode
from mindspore._engine.interpreter import choice, host_graph
from mindspore._engine.runtime.context import state as context
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils import log

if TYPE_CHECKING:
    from mindspore._engine.execution.tape import Link, Node

FEWEST, MOST = 2, 200  # operators worth compiling for: a long walk takes seconds to compile
WALKS = choice.RECURRING  # walks of the same nodes before they are compiled
PLANS = 512  # bound on cache entries of walks that never repeat

# One step is (kernel, indices of its inputs, its parents, number of outputs). The leaf of another ``grad`` has no kernel and passes
# its cotangent on. A parent is (step, output), or None where no gradient is wanted.
Step = tuple[Kernel | None, tuple[int, ...], tuple[Any, ...], int]
WalkPlan = tuple[tuple[Step, ...], tuple[tuple[int, int], ...], tuple[int | None, ...]]

_kernels: dict[WalkPlan, Any] = {}  # a kernel, with the leaves it has results for; None: it failed


def backward(
    nodes: Sequence[Node], seeds: Sequence[tuple[Link, Tensor]], leaves: Sequence[LeafNode], reached: set[Node]
) -> list[Tensor | None] | None:
    """The cotangent of each leaf, recorded; None if the nodes must be walked one by one.

    ``reached``: the nodes that depend on a leaf, the leaves among them.
    """
    if state.scope is not None or state.precision is not None or state.modes or state.saving is not None:
        return None
    if context.pynative_synchronize:
        return None
    described = _describe(nodes, seeds, leaves, reached)
    if described is None:
        return None
    plan, arguments = described
    try:
        known = _kernels[plan]
    except KeyError:
        if len(_kernels) >= PLANS:
            _kernels.clear()
        known = _kernels[plan] = _walk_kernel(plan), _found(plan)
    if known is None:
        return None
    kernel, found = known
    values = [x if x.__class__ in choice.NUMBERS else x._value for x in arguments]
    form = tuple([x.__class__ if x.__class__ in choice.NUMBERS else (x.shape, x.dtype) for x in values])
    if form not in kernel.shapes.compiled:
        # Where everything is compiled at once, so is this: a resumed training has the same bits.
        if not kernel.shapes.worth_compiling(form, bool(choice.tier.settled)):
            return None
        kernel.take_over([*values, *[seed._value for _, seed in seeds]], plan)
    try:
        results = iter(run(kernel, [*arguments, *[seed for _, seed in seeds]]))
    except Exception as error:  # the walk names the operator that fails
        _kernels[plan] = None
        log.once(
            ("walk", plan), f"A recorded backward pass runs step by step: as a whole it fails ({error}).", log.INFO
        )
        return None
    return [next(results) if leaf in found else None for leaf in plan[2]]


def _describe(
    nodes: Sequence[Node], seeds: Sequence[tuple[Link, Tensor]], leaves: Sequence[LeafNode], reached: set[Node]
) -> tuple[WalkPlan, list[Any]] | None:
    """The structure of the walk (the cache key), and the saved inputs with their links."""
    stops = set(leaves)
    needed = {link[0] for link, _ in seeds}
    for node in reversed(nodes):
        if node in needed and node not in stops:
            needed.update(parent[0] for parent in node.parents if parent is not None and parent[0] in reached)
    index_of: dict[Node, int] = {}
    slots: dict[tuple, int] = {}  # by array and link
    arguments: list[Any] = []
    steps: list[Step] = []
    for node in nodes:
        if node not in needed or node not in reached:
            continue
        index_of[node] = len(steps)
        parents = tuple([None if p is None or p[0] not in index_of else (index_of[p[0]], p[1]) for p in node.parents])
        if node.__class__ is LeafNode:
            steps.append((None, (), () if node in stops else parents, 1))
            continue
        if node.__class__ is not KernelNode:
            return None
        operands = []
        for value, link in zip(node.inputs, node.parents, strict=True):  # type: ignore[attr-defined]
            number = value.__class__ in choice.NUMBERS
            if link is not None and (number or not is_inexact(value.dtype)):
                return None
            key = (id(value), None if link is None else (id(link[0]), link[1]))
            slot = None if number else slots.get(key)
            if slot is None:
                slot = slots[key] = len(arguments)
                arguments.append(value if number else Tensor.linked(value, link))
            operands.append(slot)
        steps.append((node.kernel, tuple(operands), parents, node.outputs))  # type: ignore[attr-defined]
    if not FEWEST <= len(steps) - len(leaves) <= MOST or any(link[0] not in index_of for link, _ in seeds):
        return None
    starts = tuple([(index_of[link[0]], link[1]) for link, _ in seeds])
    return (tuple(steps), starts, tuple([index_of.get(leaf) for leaf in leaves])), arguments


def walks_of(steps: Sequence[Step]) -> int:
    """How often these steps are walked before they are compiled; around a walk that came again, once will do."""
    return 1 if any(step[0].__class__ is WalkKernel for step in steps) else WALKS


def _walk_kernel(plan: WalkPlan) -> WalkKernel:
    steps, starts, leaves = plan
    count = 1 + max((slot for _, slots, _, _ in steps for slot in slots), default=-1)

    def function(*given: Any) -> tuple:
        def pull(step: int, cotangents: list[Any]) -> list[Any]:
            kernel, operands, parents, _ = steps[step]
            if kernel is None:
                return cotangents
            wanted = tuple([parent is not None for parent in parents])
            masks = wanted, tuple([cotangent is not None for cotangent in cotangents])
            supplied = [cotangent for cotangent in cotangents if cotangent is not None]
            gradients = iter(kernel.vjp(*masks).jitted(*[given[slot] for slot in operands], *supplied))
            return [next(gradients) if want else None for want in wanted]

        found = _walked_back(plan, zip(starts, given[count:], strict=True), pull, gradient_sum.jitted)
        return tuple([found[leaf] for leaf in leaves if leaf in found])

    return WalkKernel(function, walks_of(steps))


class WalkKernel(Kernel):
    """A walk that came often enough to be one kernel; so did what is recorded around it."""

    __slots__ = ("shapes",)

    def __init__(self, function: Any, walks: int):
        super().__init__("RecordedWalk", function)
        self.shapes = choice.CountedForms(walks)

    def take_over(self, values: list[Any], plan: WalkPlan) -> None:
        """Choose what computes walks of these arrays from now on: a program of the host if it is small, else XLA.

        The arrays belong to one step of a program and are used once or twice: they move nowhere.
        """
        if choice.is_settled():
            return
        form = host_graph.form_of(self.jitted.trace(*values), values)
        if form is None:  # its operators have been interpreted often enough
            choice.came_often([(step[0], [values[slot] for slot in step[1]]) for step in plan[0] if step[0]])
            form = choice.KernelForm()
            form.moves = False
        self.forms[choice.signature_of(values)] = form


def _found(plan: WalkPlan) -> set[int]:
    """The leaves that the seeds depend on."""
    seeds = [(start, True) for start in plan[1]]
    return set(_walked_back(plan, seeds, lambda step, _: [True] * len(plan[0][step][2]), lambda a, b: True))


def _walked_back(plan: WalkPlan, seeds: Any, pull: Any, add: Any) -> dict[int, Any]:
    steps, _, leaves = plan
    return walk(
        range(len(steps) - 1, -1, -1), seeds, set(leaves),
        outputs_of=lambda step: steps[step][3], parents_of=lambda step: steps[step][2], pull=pull, add=add,
    )  # fmt: skip
