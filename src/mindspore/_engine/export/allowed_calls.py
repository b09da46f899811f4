"""What a graph from a file may call: XLA finds native code by name, and its table also holds ``memcpy`` and Python callbacks."""

from __future__ import annotations

from typing import Any

import jax.export
from jax.interpreters import mlir

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
# Those that graphs written by ``export`` hold: numerics only. Kernels of our own check their operands at every call.
ALLOWED = frozenset(
    [
        *(f"lapack_{kind}{name}_ffi" for kinds, names in _LAPACK.items() for kind in kinds for name in names),
        *(f"{prefix}_{name}_ffi" for prefix, names in _GPU.items() for name in names),
        *_OTHERS,
        *library.TARGETS,
    ]
)
_HOST = ("stablehlo.infeed", "stablehlo.outfeed", "stablehlo.send", "stablehlo.recv")  # wait for somebody outside


def check(exported: jax.export.Exported) -> None:
    """Refuse a graph, or a gradient stored with it, that calls anything else."""
    with mlir.make_ir_context():
        for name, target in _calls(exported.mlir_module(serialized=False)):
            if name in _HOST:
                raise GraphFileError(f"it waits for other programs ('{name}'), which a graph from a file may not do")
            if target not in ALLOWED:
                raise GraphFileError(
                    f"it calls the native function '{target}', which is not among those that a graph from a file may call. "
                    "Graphs written by export call none but these"
                )
    if exported.has_vjp():
        check(exported.vjp())


def _calls(module: Any) -> list[tuple[str, str]]:
    """The operations that reach outside a program: their names, and what they call."""
    found: list[tuple[str, str]] = []

    def visit(operation: Any) -> mlir.ir.WalkResult:
        if operation.name.endswith("custom_call"):
            found.append((operation.name, mlir.ir.StringAttr(operation.attributes["call_target_name"]).value))
        elif operation.name in _HOST:
            found.append((operation.name, ""))
        return mlir.ir.WalkResult.ADVANCE

    module.operation.walk(visit)
    return found
