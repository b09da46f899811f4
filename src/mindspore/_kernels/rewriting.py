"""A whole program, looked through before it is compiled, for operations that a custom call does better than XLA."""

from __future__ import annotations

from typing import Any

import jax
from jax.interpreters import mlir

from mindspore._kernels import library, primitive
from mindspore._kernels.indices import slices
from mindspore._kernels.matrices import turning
from mindspore._kernels.passes import folds, recomputing, small_values


def compiled(lowered: Any) -> Any:
    """The executable of a lowered program, rewritten."""
    rewrite(lowered)
    return lowered.compile()


def gains(jaxpr: Any) -> bool:
    """Whether a traced program may have such operations."""
    for equation in jaxpr.eqns:
        if turning.is_turned(equation) or folds.is_folded(equation) or slices.is_indexed(equation):
            return True
        inner = equation.params.get("jaxpr")
        if inner is not None and gains(getattr(inner, "jaxpr", inner)):
            return True
    return False


def rewrite(lowered: Any) -> None:
    """Change a program that was lowered for this process's CPU, in place."""
    if not library.active() or primitive.is_portable() or jax.default_backend() != "cpu":
        return
    transposes: list[Any] = []
    reductions: list[Any] = []
    reads: list[Any] = []
    writes: list[Any] = []
    channels_last = False

    def look(operation: Any) -> Any:
        nonlocal channels_last
        if operation.name == "stablehlo.transpose":
            transposes.append(operation)
        elif operation.name == "stablehlo.reduce":
            reductions.append(operation)
        elif operation.name == "stablehlo.gather":
            reads.append(operation)
        elif operation.name == "stablehlo.scatter":
            writes.append(operation)
        elif operation.name == "stablehlo.custom_call" and not channels_last:
            channels_last = folds.has_images(operation)
        return mlir.ir.WalkResult.ADVANCE

    lowered.compiler_ir().operation.walk(look)
    for operation in transposes:
        turning.replace(operation)
    for operation in reductions:
        if library.has(folds.TARGET):
            folds.replace(operation, channels_last)
    for operation in reads if library.has(slices.READ) else ():
        slices.replace_read(operation)
    for operation in writes if library.has(slices.WRITE) else ():
        slices.replace_written(operation)
    for function in lowered.compiler_ir().body.operations:
        if str(function.attributes["sym_name"]) == '"main"':
            block = function.regions[0].blocks[0]
            recomputing.keep(block, channels_last)
            small_values.write(block)
