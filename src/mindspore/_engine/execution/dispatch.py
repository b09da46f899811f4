"""Dispatch of one operator call: unwrap, run the kernel, wrap, record on the tape."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.dtype import DType
from mindspore._engine.base.errors import explain
from mindspore._engine.base.kernel import Kernel
from mindspore._engine.base.trace_state import state
from mindspore._engine.execution.interception import intercept
from mindspore._engine.execution.process_program import NeedsProcesses, run_together
from mindspore._engine.execution.tape import KernelNode, record, run_keeping
from mindspore._engine.interpreter import choice, native_part
from mindspore._engine.runtime.context import state as context
from mindspore._engine.runtime.mesh import all_gather_in_place, shard_sources, whole_values
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor

_new = object.__new__


def run(kernel: Kernel, inputs: Sequence[Any]) -> Any:
    """Run a kernel on Tensors and Python numbers; returns a Tensor or a tuple of Tensors.

    The C++ part makes the common call by itself: no trace, no mode, a form that came before (``_kernels/native/programs/kernel_calls.cc``).
    """
    if kernel.calls is not None:
        found = kernel.calls(inputs)
        if found is not None:
            return found
    scope, tape = state.scope, state.tape
    if state.precision is not None:
        return _run_converted(kernel, inputs)
    if state.modes and scope is None:
        return intercept(kernel, inputs, run)
    # 1. unwrap
    values = []
    for x in inputs:
        if x.__class__ is Tensor or isinstance(x, Tensor):
            value = x._value
            if value is None:
                value = x.init_data()._value
            if scope is not None:
                scope.note_read(x)
            values.append(value)
        else:
            values.append(x if scope is not None or _on_device() is not None else _number(x))
    if shard_sources and scope is None:  # this process alone computes with it
        values = whole_values(values)
    # 2. execute eagerly, or into the trace if a value is a tracer
    node_class = None
    try:
        try:
            if kernel.loops and scope is not None and tape is not None:
                result, node_class = run_keeping(tape, kernel, inputs, values)
            elif scope is None:
                result = call(kernel, values)
            else:
                result = kernel.jitted(*values) if state.calls is None else state.calls(kernel, values)
        except NeedsProcesses as need:
            result = run_together(kernel, values, need)
        if context.pynative_synchronize and scope is None:
            jax.block_until_ready(result)
    except Exception as error:
        if all_gather_in_place(inputs):
            return run(kernel, inputs)
        raise explain(error, kernel.name, values) from None
    if choice.tier.moved:
        _keep_moved(inputs, values)
    # 3. wrap
    if scope is not None and kernel.in_parts:
        scope.root.in_parts.extend(result if result.__class__ is tuple else (result,))
    if result.__class__ is tuple:
        wrapped: Any = tuple([_wrap(value, scope) for value in result])
    else:
        wrapped = _new(Tensor)
        wrapped._value = result
        if scope is not None:
            wrapped._birth = scope
    # 4. record for gradients
    if tape is not None:
        record(tape, kernel, inputs, values, wrapped, node_class)
    return wrapped


def _keep_moved(inputs: Sequence[Any], values: Sequence[Any]) -> None:
    """What went to the device for this call stays there."""
    choice.tier.moved = False
    for x, value in zip(inputs, values, strict=True):
        if isinstance(x, Tensor) and x._value.__class__ is np.ndarray and value.__class__ is not np.ndarray:
            x._value = value


def _run_converted(kernel: Kernel, inputs: Sequence[Any]) -> Any:
    """Dispatch under autocast: casts are operators of their own, so that gradients pass through them."""
    chosen, state.precision = state.precision, None
    try:
        return chosen.output(kernel.name, run(kernel, chosen.inputs(kernel.name, inputs)))
    finally:
        state.precision = chosen


def run_on_values(kernel: Kernel, values: list[Any]) -> list[Tensor]:
    """Run a kernel with a tuple of results on raw arrays, unrecorded: a step of the backward walk."""
    if kernel.calls is not None:
        found = kernel.calls.on_values(values)
        if found is not None:
            return [Tensor.wrap(value) for value in found]
    scope = state.scope
    try:
        try:
            results = kernel.jitted(*values) if scope is not None else call(kernel, values)
        except NeedsProcesses as need:
            results = run_together(kernel, values, need)
        if context.pynative_synchronize and scope is None:
            jax.block_until_ready(results)
    except Exception as error:
        raise explain(error, kernel.name, values) from None
    return [_wrap(value, scope) for value in results]


def call(kernel: Kernel, values: list[Any]) -> Any:
    """The results of a kernel on concrete arrays and Python numbers, from NumPy or XLA (``interpreter/choice.py``).

    For XLA, NumPy arrays among ``values`` are replaced by arrays on the device.
    """
    on_device = _on_device()
    if on_device is None:
        return kernel.jitted(*values)
    if choice.tier.settled:
        return choice.run_compiled(kernel, values)
    key: list[Any] = []
    host = True
    for value in values:
        kind = value.__class__
        if kind is np.ndarray:
            key += value.shape, value.dtype.num
        elif kind is on_device:
            host = False
            key += value.shape, value.dtype.num
            if value.weak_type:
                key.append(on_device)
        elif kind in choice.NUMBERS:
            key.append(kind)
        else:
            return kernel.jitted(*values)
    signature = tuple(key)
    form = kernel.forms.get(signature)
    if form is None:
        form = kernel.forms[signature] = choice.new_form(kernel, values)
    if kernel.calls is None and native is not None and not kernel.passes:
        _enable(on_device)
        kernel.calls = native.KernelCalls(kernel)
    if not (host and form.cheap):
        if form.left <= 0 and not (form.cheap and choice.returns_to_host(values)):
            return choice.run_compiled(kernel, values, form)
        if not form.cheap:
            form.left -= 1
    arrays = values if host else [np.asarray(value) if value.__class__ is on_device else value for value in values]
    try:
        if form.quiet:
            return form.call(*arrays)
        return choice.quiet.run(form.call, *arrays)
    except Exception as error:
        choice.refuse(form, kernel, error)
        return choice.run_compiled(kernel, values)


_on_device = choice.device_array
native = native_part.module()
if native is not None:
    native.configure(Tensor, Parameter, KernelNode, DType, state, context, choice.tier, shard_sources)


@functools.cache
def _enable(on_device: type) -> None:
    native.enable(on_device)


_numbers: dict[Any, Any] = {}


def _number(x: Any) -> Any:
    """Cache Python scalars as device arrays: passing one to a jitted function is twice as fast."""
    key = (x.__class__, x) if x or x.__class__ is int else repr(x)  # 0.0 == -0.0, but they are different constants
    found = _numbers.get(key)
    if found is not None:
        return found
    if key in _numbers:
        found = _numbers[key] = jnp.asarray(x)  # weakly typed, like the Python scalar
        return found
    if len(_numbers) > 1024:
        _numbers.clear()
    _numbers[key] = None  # cached at the second use: a loop index is seen once
    return x


def _wrap(value: Any, scope: Any) -> Tensor:
    tensor = _new(Tensor)
    tensor._value = value
    if scope is not None:
        tensor._birth = scope
    return tensor
