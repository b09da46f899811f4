"""What happens when a compiled function meets a new size: another graph, one that serves many sizes, or Python.

Calls that differ in sizes alone are a family. Its first size is compiled as it is; for the next one a graph with open sizes is
tried (``bucket_graph``), which serves all sizes up to its limit. Where the program does not allow that, every size is compiled,
from the fourth on only when it comes back.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from mindspore._engine.base.errors import LostProcess
from mindspore._engine.base.open_sizes import LEAST, NotPadded
from mindspore._engine.base.trace_state import state
from mindspore._engine.config import config
from mindspore._engine.graph import breaks, new_graph, size_notes
from mindspore._engine.graph.bucket_graph import BucketGraph
from mindspore._engine.graph.size_plan import InputAxis, SizePlan, generous, power_of_two, related, varying
from mindspore._engine.runtime import mesh
from mindspore._engine.tensor.tensor import Tensor

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled

OFTEN = 10  # compilations for single sizes before a warning
_AT_ONCE = 3  # sizes that are compiled at once where a graph serves one only
_REMEMBERED = 64  # calls that say which sizes belong together
_COUNTED = 2048  # shapes whose calls are counted
_BUCKETS = 8  # graphs with open sizes of one family


class Family:
    """Calls that differ in sizes alone."""

    def __init__(self) -> None:
        self.seen: list[tuple] = []  # shapes of the inputs
        self.calls: dict[tuple, int] = {}
        self.keys: dict[tuple, tuple] = {}  # by shapes
        self.graphs: list[BucketGraph] = []
        self.tight: set[tuple] = set()  # shapes whose padding less than doubles the work
        self.exact: set[tuple] = set()  # shapes that get a graph of their own
        self.refused = False  # no graph with open sizes is possible
        self.reason = ""  # why not
        self.fine = False  # large buckets were refused
        self.hopeless = False  # at any limit: an operator has no padding rule
        self.compiled = 0  # for one size each

    def note(self, shapes: tuple, key: tuple) -> None:
        self.calls[shapes] = self.calls.get(shapes, 0) + 1
        self.keys[shapes] = key
        if shapes not in self.seen:
            self.seen.append(shapes)
            del self.seen[:-_REMEMBERED]
        if len(self.keys) > _COUNTED:
            oldest = next(iter(self.keys))
            del self.keys[oldest], self.calls[oldest]


class Sizes:
    """The families of one compiled function."""

    def __init__(self, owner: Compiled):
        self.owner = owner
        self.families: dict[tuple, Family] = {}

    def serve(self, leaves: list[Any], description: Any, key: tuple) -> tuple[Any, list[Any]] | None:
        """A graph or break for a call that no graph was compiled for; None to compile one for its very sizes."""
        input_leaves = self.owner.key_of(leaves, description)[1]
        inputs = [leaves[index] for index in input_leaves]
        if not self._applies() or not inputs or not all(type(x) is Tensor for x in inputs):
            return None
        family = self.families.setdefault(self._family(leaves, description, set(input_leaves)), Family())
        shapes = tuple(tuple(x._value.shape) for x in inputs)
        family.note(shapes, key)
        declared = size_notes.declared(self.owner, description, len(leaves), input_leaves)
        changing = varying(family.seen, declared)
        if shapes in family.exact or (len(family.seen) == 1 and not declared) or not changing:
            return None
        broken = self._broken(family, key)
        if broken is not None:
            return broken, []
        found = self._with_open_sizes(family, shapes, changing, leaves, description)
        if found is not None:
            new_graph.keep(self.owner, key, found)
            return found, inputs
        return self._one_size(family, shapes, changing, leaves, description, input_leaves)

    def _applies(self) -> bool:
        """Cells and jit functions on one device, outside of gradients."""
        owner = self.owner
        mine = owner.settle is not None or (owner.traces_once and owner.falls_back)
        plain = state.tape is None and state.saving is None and not state.modes
        return config.size_buckets.value and mine and plain and mesh.current() is None and not owner.processes

    def _family(self, leaves: list[Any], description: Any, input_leaves: set[int]) -> tuple:
        words: list[Any] = [description, state.precision and state.precision.key]
        words.append(getattr(self.owner.roots[0], "training", None))
        for index, leaf in enumerate(leaves):
            if index in input_leaves:
                words.append((len(leaf._value.shape), leaf._value.dtype, tuple(leaf._hooks or ())))
            else:
                words.append((type(leaf), leaf if isinstance(leaf, (int, float, str, type(None))) else id(leaf)))
        return tuple(words)

    def _broken(self, family: Family, key: tuple) -> Any:
        """The break that another size of the family has met: running as Python is right for every size."""
        for one in family.keys.values():
            broken = self.owner.broken.get(one)
            fits = broken is not None and broken.attempt is None and broken.holds()
            if broken is not None and fits and (not broken.faithful or self.owner.is_faithful()):
                self.owner.broken[key] = broken
                return broken
        return None

    # -- graphs for many sizes --------------------------------------------------------------------------------------
    def _with_open_sizes(
        self, family: Family, shapes: tuple, changing: list[InputAxis], leaves: list[Any], description: Any
    ) -> BucketGraph | None:
        for graph in reversed(family.graphs):
            tight = shapes not in family.tight or graph.plan.is_tight(shapes)
            if tight and graph.plan.fits(shapes) and graph.is_current():
                return graph
        if family.refused or self._does_more():
            return None
        open_axes = related(family.seen, changing)
        plan = SizePlan(shapes, open_axes, dict.fromkeys(sorted({name for name, _ in open_axes.values()}), 0))
        sizes = plan.sizes(shapes)
        if any(size < LEAST for size in sizes.values()):
            return None
        for round_up in [power_of_two] if family.fine or shapes in family.tight else [generous, power_of_two]:
            plan.limits = {name: round_up(size) for name, size in sizes.items()}
            graph = self._try(family, plan, leaves, description)
            if graph is not None:
                return graph
            if family.hopeless:
                break
            family.fine = True
        family.refused = not family.graphs
        return None

    def _does_more(self) -> bool:
        """Whether the graph in use writes to Parameters or talks to the host."""
        for graph in itertools.chain.from_iterable(self.owner.graphs.values()):
            if graph.is_current():
                return bool(graph.trace.written or graph.trace.changed or graph.trace.calls_host)
        return False

    def _try(self, family: Family, plan: SizePlan, leaves: list[Any], description: Any) -> BucketGraph | None:
        owner, counted = self.owner, self.owner.compilations
        before = size_notes.attributes(self.owner)

        def make(*given: Any) -> BucketGraph:
            return BucketGraph(*given, plan=plan)

        try:
            graph: Any = new_graph.compile_graph(owner, list(leaves), description, make)[0]
            leaked = size_notes.put_back(before)
        except LostProcess:
            raise
        except Exception as error:  # any such error occurs in graphs for one size, too, or does not matter there
            size_notes.put_back(before)
            owner.compilations = counted
            family.reason = str(error).partition("\n")[0]
            family.hopeless = isinstance(error, NotPadded)
            return None
        if leaked:
            family.reason = "a size is kept in an attribute"
            return None
        graph.executable.when_too_much = lambda sizes: self._leave(family, graph, sizes)
        family.graphs.append(graph)
        del family.graphs[:-_BUCKETS]
        return graph

    def _leave(self, family: Family, graph: BucketGraph, sizes: tuple[int, ...]) -> None:
        """From now on a size has a graph of its own, or a smaller bucket together with the sizes that fit into that."""
        plan, shapes = graph.plan, tuple(graph.plan.shapes(sizes))
        if plan.is_tight(shapes):
            leaving = {shapes}
            family.exact |= leaving
        else:
            limits = plan.rounded(shapes)
            leaving = {one for one in family.calls if plan.fits(one) and plan.rounded(one) == limits}
            family.tight |= leaving
        for one in leaving:
            kept = self.owner.graphs.get(family.keys[one], [])
            if graph in kept:
                kept.remove(graph)

    def drop(self, graph: Any) -> None:
        """Forget a graph that fits no longer."""
        families = [family.graphs for family in self.families.values()]
        for kept in [*self.owner.graphs.values(), *families]:
            if graph in kept:
                kept.remove(graph)

    # -- graphs for one size ----------------------------------------------------------------------------------------
    def _one_size(
        self,
        family: Family,
        shapes: tuple,
        changing: list[InputAxis],
        leaves: list[Any],
        description: Any,
        input_leaves: list[int],
    ) -> tuple[Any, list[Any]] | None:
        """Compile sizes that recur; new ones run as Python if that makes no difference."""
        owner = self.owner
        waits = len(family.calls) > _AT_ONCE and family.calls[shapes] == 1
        if waits and owner.falls_back and owner.is_faithful() and not self._does_more():
            found = size_notes.new_size(owner, family.reason)
            return breaks.Broken(found, (), faithful=True), []
        family.compiled += 1
        if family.compiled > OFTEN:
            number, axis = changing[0]
            sizes = [seen[number][axis] for seen in family.seen]
            size_notes.tell(owner, description, len(leaves), input_leaves[number], axis, sizes, family.reason)
        return None
