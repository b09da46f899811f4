"""Which tier runs a kernel: NumPy for values that are small or met for the first time, XLA for what comes again.

The choice depends on sizes and on how often a signature was called, never on time or caches: a program that is run again
computes the same bits.
"""

from __future__ import annotations

import contextvars
import functools
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import numpy as np

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.config import config
from mindspore._engine.interpreter import native_part
from mindspore._engine.interpreter.rules import LeftToXLA
from mindspore._engine.runtime import context
from mindspore._engine.runtime.transfer import to_device
from mindspore._kernels import rewriting
from mindspore._utils import log
from mindspore._utils.deferred import deferred

program = deferred("mindspore._engine.interpreter.program")  # the rules are needed by eager programs only
open_form = deferred("mindspore._engine.interpreter.open_form")

CHEAP = 20_000.0  # nanoseconds: what a call of a compiled kernel costs by itself
CHEAP_AT_ONCE = 30_000.0  # the same of a program of the C++ part, which computes as fast as a compiled kernel
LARGE = 60_000_000.0  # a kernel that takes longer is compiled at once: that takes about as long
SMALL = 4096  # elements of a Tensor that stays on the host when it is made
OFTEN = 32  # calls of one signature before it is compiled
FEW = 4  # forms of one kernel, after which others are not compiled before they took LARGE
RECURRING = 8  # calls of one signature, or walks of one tape, before what belongs to a recurring gradient is compiled
_FORMS = 1024  # bound on forms that are counted
_KEY = (2,)  # shape of a random key, which programs take from the host every time

ndarray = np.ndarray
NUMBERS = (bool, int, float, complex)


class Tier:
    """Whether kernels are compiled at once now, and whether operands of the last call went to the device."""

    settled = 0
    moved = False


tier = Tier()


class KernelForm:
    """One signature of a kernel: its program, and how often that runs before XLA takes over."""

    __slots__ = ("call", "cheap", "compiled", "left", "moves", "nanoseconds", "quiet")

    def __init__(self, call: Any = None, nanoseconds: float = 0.0, quiet: bool = True, varied: bool = False):
        self.call = call  # None: XLA from the beginning
        self.quiet = quiet
        self.nanoseconds = nanoseconds
        self.compiled: Any = None  # makes the compiled form where ``jax.jit`` would make a slower one
        self.moves = True  # whether arrays of the host that XLA is called with move to the device
        # NumPy stays faster, if its operands are on the host
        self.cheap = call is not None and nanoseconds <= (CHEAP_AT_ONCE if native_part.is_program(call) else CHEAP)
        paid = int(LARGE / max(nanoseconds, 1.0))
        self.left = 0 if call is None else paid if varied or self.cheap else min(OFTEN, paid)


class CountedForms:
    """Forms (shapes and dtypes) of a program that is compiled for each of them when it has come often.

    With every form that was compiled, the next one must have come more often: a program whose shapes never stop changing does
    not spend its time compiling.
    """

    __slots__ = ("compiled", "first", "seen")

    def __init__(self, first: int = RECURRING):
        self.first = first  # calls of a form before any is compiled
        self.compiled: set[Any] = set()
        self.seen: dict[Any, int] = {}

    def worth_compiling(self, form: Any, at_once: bool) -> bool:
        """Count a call; return whether this form is compiled, from now on."""
        if form in self.compiled:
            return True
        if not at_once:
            if len(self.seen) > _FORMS:
                self.seen.clear()
            count = self.seen[form] = self.seen.get(form, 0) + 1
            if count <= (RECURRING * (1 + len(self.compiled)) if self.compiled else self.first):
                return False
            del self.seen[form]
        self.compiled.add(form)
        return True


@functools.cache
def device_array() -> type | None:
    """The class of arrays on the device if that is a single CPU; None where NumPy is no tier."""
    if not config.interpret.value:
        return None
    context.current_device()  # initializes the distributed job, if this process is part of one
    if jax.process_count() > 1 or [device.platform for device in jax.devices()] != ["cpu"]:
        return None
    return type(jax.device_put(np.zeros((), np.float32)))


@contextmanager
def compiled_at_once() -> Iterator[None]:
    """Kernels called inside are called very often: compile them at their first call.

    A training that was interrupted then computes the same bits as one that was not.
    """
    settle(1)
    try:
        yield
    finally:
        settle(-1)


def settle(change: int) -> None:
    """Begin (1) or end (-1) a time in which kernels are compiled at once: profilers see XLA's programs alone."""
    tier.settled += change


def is_settled() -> bool:
    """Whether everything is compiled at its first call."""
    return bool(tier.settled) or device_array() is None


def placed(array: np.ndarray) -> Any:
    """A new array where its first operators are likely to run: on the host if it is small."""
    if array.size > SMALL or device_array() is None:
        return to_device((array,))[0]
    array.setflags(write=False)
    return array


class _Quiet(threading.local):
    """A context in which NumPy warns of nothing; entering it costs a fraction of ``np.errstate``."""

    def __init__(self) -> None:
        silent = contextvars.copy_context()
        silent.run(np.seterr, all="ignore")
        self.run = silent.run


quiet = _Quiet()


def refuse(form: KernelForm, kernel: Kernel, error: Exception) -> None:
    """A program has failed: XLA has the last word, also about what is wrong."""
    log.once(("interpret", kernel.name), f"'{kernel.name}' is left to XLA: {error!r}.", log.INFO)
    form.call, form.left, form.cheap = None, 0, False


def came_often(calls: Iterable[tuple[Kernel, Sequence[Any]]]) -> None:
    """These calls belong to a gradient that is asked for again and again: XLA takes over when they come next."""
    for kernel, values in calls:
        form = kernel.forms.get(signature_of(values))
        if form is not None:
            form.left = 0


def returns_to_host(values: Sequence[Any]) -> bool:
    """Whether a cheap kernel runs on the host although some operands are on the device: the others, such as weights that are updated
    there, would have to go there, and with it all that follows."""
    some_on_host = False
    for value in values:
        if value.__class__ is ndarray:
            some_on_host = some_on_host or value.shape != _KEY
        elif value.__class__ not in NUMBERS and value.size > SMALL:
            return False
    return some_on_host


def signature_of(values: Sequence[Any]) -> tuple:
    """What ``dispatch.call`` looks a form up by."""
    key: list[Any] = []
    for value in values:
        if value.__class__ in NUMBERS:
            key.append(value.__class__)
            continue
        key += value.shape, value.dtype.num
        if getattr(value, "weak_type", False):
            key.append(device_array())
    return tuple(key)


def run_compiled(kernel: Kernel, values: list[Any], form: KernelForm | None = None) -> Any:
    """The results of XLA; ``values`` become arrays on the device, unless the form leaves them where they are."""
    if form is None or form.moves:
        for index, value in enumerate(values):
            if value.__class__ is ndarray and value.shape != _KEY:
                values[index] = to_device((value,))[0]
                tier.moved = True
    if form is not None and form.compiled is not None:
        try:
            return form.compiled()(*values)
        except (TypeError, ValueError) as error:
            log.once(("compiled", kernel.name), f"'{kernel.name}' is compiled by jax.jit: {error!r}.", log.INFO)
            form.compiled = None
    return kernel.jitted(*values)


def new_form(kernel: Kernel, values: list[Any]) -> KernelForm:
    """The form of these values, traced and written as a program."""
    if not hasattr(kernel.jitted, "trace"):  # an executable already: a whole graph, a collective
        return KernelForm()
    if len(kernel.forms) > _FORMS:
        kernel.forget_forms()
    varied = len(kernel.forms) > FEW
    pattern = _pattern(values) if kernel.pointwise else None
    if pattern in kernel.forms:
        known, before = kernel.forms[pattern]
        return KernelForm(known.call, known.nanoseconds_at(before, _size(values)), known.quiet, varied)
    written = None if kernel.pointwise else open_form.program_of(kernel, values)
    compiled = None
    if written is None:
        traced = kernel.jitted.trace(*values)
        single = traced.out_tree == jax.tree.structure(0)
        if rewriting.gains(traced.jaxpr.jaxpr):
            compiled = functools.cache(lambda: rewriting.compiled(traced.lower()))
        try:
            if not single and traced.out_tree != jax.tree.structure((0,) * traced.out_tree.num_leaves):
                raise LeftToXLA("nested results")
            numbers = [aval.dtype if value.__class__ in NUMBERS else None
                       for value, aval in zip(values, traced.jaxpr.in_avals, strict=True)]  # fmt: skip
            written = program.write(traced.jaxpr, numbers, single)
        except LeftToXLA:
            return _with(KernelForm(), compiled)
    if pattern is not None and written.pointwise:
        kernel.forms[pattern] = written, _size(values)
    return _with(KernelForm(written.call, written.nanoseconds, written.quiet, varied), compiled)


def _with(form: KernelForm, compiled: Any) -> KernelForm:
    form.compiled = compiled
    return form


def _size(values: list[Any]) -> int:
    return max([value.size for value in values if value.__class__ not in NUMBERS] + [1])


def _pattern(values: list[Any]) -> tuple | None:
    """What a formula of single elements depends on: dtypes, and which operands are numbers; None if shapes differ."""
    shapes = {value.shape for value in values if value.__class__ not in NUMBERS and value.shape}
    if len(shapes) != 1:
        return None
    return ("any shape", *[value.__class__ if value.__class__ in NUMBERS else
                           (bool(value.shape), value.dtype.num, getattr(value, "weak_type", False)) for value in values])  # fmt: skip
