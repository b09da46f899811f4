"""What a graph from a file may call: XLA finds native code by name, and its table also holds ``memcpy`` and Python callbacks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import jax.export
import jax.numpy as jnp
from jax.extend.mlir import refine_polymorphic_shapes
from jax.interpreters import mlir

from mindspore._engine.export import lapack_calls
from mindspore._engine.export.export_file import GraphFileError
from mindspore._kernels import library

_LAPACK = {
    "sd": ("potrf", "geqrf", "orgqr", "syevd", "geev", "gesdd", "getrf", "sytrd", "gehrd", "gees", "trsm", "gtsv"),
    "cz": ("potrf", "geqrf", "ungqr", "heevd", "geev", "gesdd", "getrf", "hetrd", "gehrd", "gees", "trsm", "gtsv"),
}
_GPU = {  # by the prefix of the library
    "cusolver": ("getrf", "geqrf", "orgqr", "potrf", "syevd", "gesvd", "gesvdj", "sytrd"),
    "hipsolver": ("getrf", "geqrf", "orgqr", "potrf", "syevd", "gesvd", "gesvdj", "gesdd", "sytrd"),
    "cusparse": ("gtsv2",),
    "cu": ("threefry2x32",),
    "hip": ("threefry2x32",),
}
_OTHERS = (
    "cu_lu_pivots_to_permutation", "hip_lu_pivots_to_permutation",
    "Eigh", "Qr", "ProductOfElementaryHouseholderReflectors", "LuDecomposition", "ApproxTopK",  # of TPUs
    "Sharding", "SPMDFullToShardShape", "SPMDShardToFullShape", "annotate_device_placement", "AllocateBuffer",
    "stablehlo.dynamic_approx_top_k", "stablehlo.dynamic_reduce_window", "stablehlo.dynamic_rng_bit_generator",
    "stablehlo.dynamic_top_k", "shape_assertion",
)  # fmt: skip
# Those in graphs written by ``export``: numerics only. Kernels of our own check their operands at every call.
ALLOWED = frozenset(
    [
        *(f"lapack_{kind}{name}_ffi" for kinds, names in _LAPACK.items() for kind in kinds for name in names),
        *(f"{prefix}_{name}_ffi" for prefix, names in _GPU.items() for name in names),
        *_OTHERS,
        *library.TARGETS,
    ]
)
_HOST = ("stablehlo.infeed", "stablehlo.outfeed", "stablehlo.send", "stablehlo.recv")  # wait for somebody outside


class NativeCall(NamedTuple):
    """An operation that reaches outside a program."""

    name: str
    target: str
    operands: list[tuple[int, ...]]
    results: list[tuple[int, ...]]
    attributes: dict[str, int]  # whole numbers


def check(exported: jax.export.Exported) -> bool:
    """Refuse a graph, or a gradient stored with it, that calls anything else; returns whether sizes of calls are still open."""
    with mlir.make_ir_context():
        is_open = _check_calls(exported.mlir_module(serialized=False))
    return (check(exported.vjp()) if exported.has_vjp() else False) or is_open


def check_sizes(exported: jax.export.Exported, forms: Sequence[Any]) -> None:
    """Refuse a graph with open sizes whose calls do not fit inputs of these forms."""

    def with_gradient(*values: Any) -> Any:
        if not exported.has_vjp():
            return exported.call(*values)
        results, pull = jax.vjp(exported.call, *values)
        return results, pull(jax.tree.map(jnp.ones_like, results))

    lowered: Any = jax.jit(with_gradient).lower(*forms).compiler_ir("stablehlo")
    refined = refine_polymorphic_shapes(
        mlir_module=mlir.module_to_bytecode(lowered),
        enable_shape_assertions=True,
        validate_static_shapes=True,
        enable_shardy=True,
    )
    with mlir.make_ir_context():
        _check_calls(mlir.ir.Module.parse(refined))


def _check_calls(module: Any) -> bool:
    is_open = False
    for call in _calls(module):
        if call.name in _HOST:
            raise GraphFileError(f"it waits for other programs ('{call.name}'), which a graph from a file may not do")
        if call.target not in ALLOWED:
            raise GraphFileError(
                f"it calls the native function '{call.target}', which is not among those that a graph from a file may call. "
                "Graphs written by export call none but these"
            )
        if call.target.startswith("lapack_"):
            if any(size < 0 for shape in (*call.operands, *call.results) for size in shape):
                is_open = True
            else:
                lapack_calls.check(call.target, call.operands, call.results, call.attributes)
    return is_open


def _calls(module: Any) -> list[NativeCall]:
    """The operations that reach outside a program."""
    found: list[NativeCall] = []

    def visit(operation: Any) -> mlir.ir.WalkResult:
        if operation.name.endswith("custom_call"):
            target = mlir.ir.StringAttr(operation.attributes["call_target_name"]).value
            operands, results = map(_shapes, (operation.operands, operation.results))
            found.append(NativeCall(operation.name, target, operands, results, _numbers(operation.attributes)))
        elif operation.name in _HOST:
            found.append(NativeCall(operation.name, "", [], [], {}))
        return mlir.ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found


def _shapes(values: Any) -> list[tuple[int, ...]]:
    return [_shape(value) for value in values]


def _shape(value: Any) -> tuple[int, ...]:
    if not isinstance(value.type, mlir.ir.RankedTensorType):
        return ()
    kind = value.type
    return tuple(-1 if kind.is_dynamic_dim(axis) else kind.get_dim_size(axis) for axis in range(kind.rank))


def _numbers(attributes: Any) -> dict[str, int]:
    if "mhlo.backend_config" not in attributes:
        return {}
    config = attributes["mhlo.backend_config"]
    if not isinstance(config, mlir.ir.DictAttr):
        return {}
    return {one.name: one.attr.value for one in config if isinstance(one.attr, mlir.ir.IntegerAttr)}
