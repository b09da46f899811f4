"""What XLA cannot fuse into a custom call and the kernels can take over: ReLU around a max pooling, turned matrices.

``pool(relu(z))`` reads ``z`` itself, and the gradient that comes back through both is a single kernel. The patterns are looked
for in the operands of a kernel while it is lowered; what becomes unused, XLA drops.
"""

from __future__ import annotations

from typing import Any

OURS = "mycelium_"
POOL_GRADIENT = "mycelium_max_pool_gradient"


def before_relu(value: Any) -> Any:
    """``z`` of ``maximum(z, 0)`` where a kernel computes ``z``; else None. What XLA computes it joins with the ReLU."""
    made = _operation(value, "stablehlo.maximum")
    if made is None or not _is_zero(made.operands[1]) or _target(made.operands[0]) is None:
        return None
    return made.operands[0]


def through_relu(gradient: Any) -> Any:
    """The gradient itself, or a fused kernel where it is ``select(z > 0, pooling's gradient at relu(z), 0)``."""
    chosen = _operation(gradient, "stablehlo.select")
    compared = _operation(chosen.operands[0], "stablehlo.compare") if chosen is not None else None
    if chosen is None or compared is None or "GT" not in str(compared.attributes["comparison_direction"]):
        return gradient
    z, pooled = compared.operands[0], chosen.operands[1]
    if not (_is_zero(compared.operands[1]) and _is_zero(chosen.operands[2])) or _target(pooled) != POOL_GRADIENT:
        return gradient
    source = before_relu(pooled.owner.operation.operands[0])
    if source is None or source != z:
        return gradient
    fused = pooled.owner.operation.clone()  # others may want the gradient as it was
    fused.operands[0] = z
    fused.attributes["call_target_name"] = type(fused.attributes["call_target_name"]).get(POOL_GRADIENT + "_relu")
    return fused.result


def before_turning(value: Any) -> Any:
    """``m`` where the value is m with its last two axes exchanged; else None."""
    made = _operation(value, "stablehlo.transpose")
    if made is None:
        return None
    order = list(made.attributes["permutation"])
    usual = list(range(len(order)))
    return made.operands[0] if order == [*usual[:-2], *usual[:-3:-1]] else None


def _operation(value: Any, name: str) -> Any:
    owner = getattr(value.owner, "operation", None)  # a parameter's owner is a block, which is none
    return owner if owner is not None and owner.name == name else None


def _target(value: Any) -> str | None:
    """The custom call of ours that produces a value, or None."""
    call = _operation(value, "stablehlo.custom_call")
    target = str(call.attributes["call_target_name"]).strip('"') if call is not None else ""
    return target if target.startswith(OURS) else None


def _is_zero(value: Any) -> bool:
    spread = _operation(value, "stablehlo.broadcast_in_dim")
    constant = _operation(spread.operands[0] if spread is not None else value, "stablehlo.constant")
    return constant is not None and str(constant.attributes["value"]).startswith("dense<0.000000e+00>")
