"""Graph breaks: a call that cannot be one graph runs as Python, and what it calls is compiled by itself.

A trace that needs the value of a Tensor, or meets an effect that would be lost, raises a ``GraphBreak``. The call being
compiled catches it, remembers that calls like this one break, and runs as ordinary Python; Cells, gradients and optimizers it
calls are compiled calls of their own, which may break in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import jax

from mindspore._engine.base import version_counter
from mindspore._engine.base.errors import LostProcess, is_break
from mindspore._engine.base.pytree import flatten
from mindspore._engine.base.trace_state import state
from mindspore._engine.config import config
from mindspore._engine.runtime import context
from mindspore._engine.runtime.context_keys import LAX, STRICT, settings
from mindspore._engine.tensor.tensor import is_traced
from mindspore._utils import log

if TYPE_CHECKING:
    from mindspore._engine.graph.compiled import Compiled

_NEVER = (LostProcess, jax.errors.JaxRuntimeError, MemoryError)  # running it again would not help
KEPT = 64  # calls of one function that are recorded as breaking, by cache key


class Break(NamedTuple):
    """A point where a graph ends and Python runs."""

    name: str  # of what was being compiled
    file: str
    line: int
    function: str
    source: str
    reason: str
    fix: str

    def __str__(self) -> str:
        where = (
            f'File "{self.file}", line {self.line}, in {self.function}' if self.file else "(no source line is known)"
        )
        fix = f"\n    To keep it in the graph: {self.fix}" if self.fix else ""
        return f"'{self.name}' runs as Python: {self.reason}.\n  {where}\n    {self.source}{fix}"


class Broken:
    """That calls with some cache key break, as long as the Cells look as they did."""

    def __init__(self, found: Break, cells: Sequence[Any], faithful: bool):
        self.found = found
        self.faithful = faithful  # effects count, which do not where code is traced once
        self.path: Path | None = None  # the calls between this one and the break
        self.attempt: list[Any] | None = None  # Tensors that are written, where the error may be one of the program
        self.seen = [(cell, cell.training, cell._cell_version) for cell in cells]
        self.verified_at = version_counter.count

    def holds(self) -> bool:
        """Whether nothing has been switched since that may lead around the break: training, hooks, precision."""
        if self.verified_at != version_counter.count:
            for cell, training, version in self.seen:
                if cell.training != training or cell._cell_version != version:
                    return False
            self.verified_at = version_counter.count
        return True


def is_faithful() -> bool:
    """Whether compiling must not show: the program has not asked for graphs."""
    asked = settings.was_set("mode") and context.state.mode == context.GRAPH_MODE
    return not asked and not is_strict()


def is_strict(by_itself: bool = False) -> bool:
    """Whether what a graph cannot hold is an error; ``by_itself``: what its JitConfig says."""
    level = config.jit_syntax_level.present
    if level is not None:
        return config.strict_graph.value or level < LAX
    return by_itself or config.strict_graph.value or context.state.jit_syntax_level == STRICT


def meets(owner: Compiled, error: Exception) -> Break | None:
    """The break an error of compiling stands for; None for an error of the program."""
    if owner.is_strict() or isinstance(error, _NEVER) or getattr(error, "is_final", False):
        return None
    if not is_break(error) and not owner.is_faithful() and not _shows_values(error):
        return None
    frames = getattr(error, "frames", None) or [("", 0, "", "")]
    file, line, function, source = frames[-1]
    text = str(error.args[0]) if error.args else type(error).__name__
    reason = getattr(error, "reason", "") or text.partition("\n")[0].rstrip(".")
    return Break(owner.name, file, line, function, source, reason, getattr(error, "fix", ""))


def _shows_values(error: Exception) -> bool:
    """Whether the program raises an error with Tensors in it, whose values are known when it runs."""
    if not getattr(error, "_deliberate", False):
        return False
    found = any(is_traced(leaf) for leaf in flatten(tuple(error.args))[0])
    if found:
        error.reason = "An error with Tensors in it needs their values"  # type: ignore[attr-defined]
    return found


def tell(one: Break, faithful: bool) -> None:
    """Say it, once for each line: always where a graph was asked for, else on request."""
    if config.explain_breaks.value or not faithful:
        log.once(("break", one.file, one.line, one.reason), str(one), log.WARNING)


def run(owner: Compiled, broken: Broken, args: tuple, kwargs: dict[str, Any]) -> Any:
    """The call as Python, with everything it calls compiled by itself."""
    if state.collected is not None:
        state.collected.append(broken.found)
    before = state.breaking
    state.piecewise += 1
    state.breaking, broken.path = (
        broken.path or before,
        None,
    )  # for the first run: those it calls remember by themselves
    try:
        return owner.as_python(*args, **kwargs)
    finally:
        state.piecewise -= 1
        state.breaking = before


def on_the_way(owner: Any) -> None:
    """Note a Cell or function that an error passes on its way out of a trace: by itself it would break as well."""
    if state.scope is not None:
        state.scope.root.path.append(owner)


class Path(NamedTuple):
    """The calls around the break that is being worked around: no need to trace them once more."""

    owners: tuple[Any, ...]
    broken: Broken

    def leads_through(self, root: Any) -> bool:
        return any(root is one for one in self.owners)


@contextmanager
def collecting():
    """Yields the list of breaks met inside."""
    before, state.collected = state.collected, []
    try:
        yield state.collected
    finally:
        state.collected = before
