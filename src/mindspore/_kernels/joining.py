"""Small functions of a program become part of what calls them: jax.numpy compiles ``where`` and its like to functions of their own.

XLA does the same, later; what looks at a program before it is compiled sees one list of operations.
"""

from __future__ import annotations

from typing import Any

from jax.interpreters import mlir

_LONGEST = 8  # operations


def join(module: Any) -> Any:
    """Put the operations of small functions where ``main`` calls them; return the function ``main``."""
    definitions = [each for each in module.body.operations if each.operation.name == "func.func"]
    functions = {mlir.ir.StringAttr(each.attributes["sym_name"]).value: each for each in definitions}
    main = functions["main"]
    small = {name: _operations(each) or [] for name, each in functions.items() if name != "main"}
    for operation in list(main.regions[0].blocks[0].operations):
        if operation.operation.name == "func.call":
            called = mlir.ir.FlatSymbolRefAttr(operation.attributes["callee"]).value
            if small[called]:
                _copy(operation, functions[called], small[called])
    return main


def _operations(function: Any) -> list[Any] | None:
    """The operations of a function, if they are few and none has operations inside; the last one returns."""
    if len(function.regions[0].blocks) != 1:
        return None
    operations = list(function.regions[0].blocks[0].operations)
    plain = all(each.operation.name.startswith("stablehlo.") and not each.regions for each in operations[:-1])
    return operations if plain and len(operations) <= _LONGEST else None


def _copy(call: Any, function: Any, operations: list[Any]) -> None:
    known = dict(zip(function.regions[0].blocks[0].arguments, call.operands, strict=True))
    with mlir.ir.InsertionPoint(call):
        for operation in operations[:-1]:
            copied = operation.operation.clone()
            for index, operand in enumerate(operation.operands):
                copied.operands[index] = known[operand]
            known.update(zip(operation.results, copied.results, strict=True))
    for result, value in zip(call.results, operations[-1].operands, strict=True):
        result.replace_all_uses_with(known[value])
    call.operation.erase()
