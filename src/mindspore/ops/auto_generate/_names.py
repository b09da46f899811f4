"""What a generated name means: classes of primitives, and all that is named after one.

``SumExt`` is a class, ``sum_ext_op`` an object of it, ``sum_ext`` the function, ``pyboost_sum_ext`` the function of the object
and a list of all arguments, ``softmax_impl`` an object that takes all arguments at the call.
"""

from __future__ import annotations
import __future__

import functools
import math
import numbers
import types
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np

from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import FUNCTIONS, PRIMITIVES
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.functional.custom_primitive import PrimitiveWithInfer, prim_attr_register
from mindspore._utils.checks import unknown_attribute
from mindspore.ops._extended import extended
from mindspore.ops._gradients import gradient_function, gradient_primitive
from mindspore.ops.auto_generate import _argument_types
from mindspore.ops.auto_generate._flat import FlatPrimitive, flat_function, flat_object, inner_classes

# Names that do not follow from the name of the class.
OTHER_NAMES = {
    "bmm_ext": "BatchMatMulExt", "mm_ext": "Mm", "inplace_index_add": "InplaceIndexAddExt", "shard_identity": "AShardIdentity",
    "binary_cross_entropy_with_logits": "BCEWithLogitsLoss", "apply_rotary_pos_emb_": "ApplyRotaryPosEmb",
    "argsort_ext": "ArgSort", "avg_pool1d_ext": "AvgPool1D", "batch_norm_": "BatchNorm", "div_scalar_": "InplaceDivs",
    "div_tensor_": "InplaceDiv", "divmod_scalar_": "InplaceDivMods", "divmod_tensor_": "InplaceDivMod",
    "fold_ext": "Col2ImExt", "unfold_ext": "Im2ColExt", "frac_ext": "Frac", "grouped_matmul_add_": "InplaceGroupedMatmulAdd",
    "index_select_ext": "IndexSelect", "isneginf_ext": "IsNegInf", "log10_ext": "Log10", "log2_ext": "Log2",
    "logaddexp_ext": "LogAddExp", "logsumexp_ext": "LogSumExp", "outer_ext": "Outer", "matmul_add_": "InplaceMatmulAdd",
    "masked_fill_scalar_": "InplaceMaskedFillScalar", "masked_fill_tensor_": "InplaceMaskedFillTensor", "max_": "Max",
    "min_": "Min", "sub_scalar_": "InplaceSubScalar", "sub_tensor_": "InplaceSubExt", "clamp_min": "ClampScalar",
    "ne_scalar": "NotEqual", "fill_diagonal_": "InplaceFillDiagonal", "flip": "ReverseV2",
}  # fmt: skip
# Objects whose names have no ending.
OBJECTS = {
    "dtype_to_type_id": "DtypeToEnum", "is_sequence_shape_unknown": "IsDimUnKnown", "str_to_enum": "StringToEnum",
    "tensor_to_scalar_": "TensorToScalar", "tensor_to_tuple_": "TensorToTuple", "list_to_tuple": "ListToTuple",
    "tuple_to_list": "TupleToList",
    **{f"scalar_{name}": f"Scalar{name.title()}" for name in (
        "add", "bool", "div", "eq", "ge", "gt", "le", "log", "lt", "max", "min", "mod", "mul", "pow", "sub", "uadd", "usub")},
    "scalar_floordiv": "ScalarFloorDiv",
}  # fmt: skip
_DOCUMENTED = ("mindspore.ops.auto_generate", "mindspore.ops.operations.manually_defined")
_VALUES = {
    "Parameter": Parameter, "Primitive": Primitive, "PrimitiveWithInfer": PrimitiveWithInfer, "Tensor": Tensor,
    "Tensor_": Tensor, "prim_attr_register": prim_attr_register, "prim_arg_register": prim_attr_register,
}  # fmt: skip
# Names that these modules import, by the module of this package that has them; and modules.
_HANDLERS, _CASTS = "ops._utils.arg_handler", "ops._utils.arg_dtype_cast"
_IMPORTED = {
    "COOTensor": "common.sparse_tensor", "CSRTensor": "common.sparse_tensor", "Zero": "common.initializer",
    "deprecated": "ops._utils.deprecation", "is_stub_tensor": "_checkparam",
}  # fmt: skip
_MODULES = {
    "arg_dtype_cast": _CASTS, "arg_handler": _HANDLERS, "handler": _HANDLERS, "mstype": "common.dtype", "ops": "ops",
    "sig": "ops.signature", "typing": "_c_expression.typing", "validator": "_checkparam",
}  # fmt: skip
_FROM_PYTHON = {
    "absolute_import": __future__.absolute_import, "division": __future__.division, "math": math, "np": np,
    "numbers": numbers, "types": types,
}  # fmt: skip
_NEWER = ("CountNonZero",)  # classes that take other arguments than their namesakes of older versions


def forms() -> Any:
    """The primitives made of functions; they stand a layer above, so only when asked."""
    return import_module("mindspore.mint._primitives")


def primitive(name: str) -> type | None:
    """The class of a generated name, or None."""
    if name in PRIMITIVES and name not in _NEWER:
        return PRIMITIVES[name]
    if name in forms().FORMS:
        return forms().primitive(name)
    return gradient_primitive(name)


@functools.cache
def _by_letters() -> dict[str, str]:
    """The classes by the letters of their names: ``add_ext`` and ``addext`` mean AddExt."""
    found = {_letters(name): name for name in reversed(list(PRIMITIVES))}
    return found | {_letters(name): name for name in forms().FORMS}


def _letters(name: str) -> str:
    return name.replace("_", "").lower()


def class_of(snake: str) -> type | None:
    """The class whose object, function or fast form has this name, endings apart."""
    name = OTHER_NAMES.get(snake) or _by_letters().get(_letters(snake))
    if name is not None:
        return primitive(name)
    return gradient_primitive("".join(part[:1].upper() + part[1:] for part in snake.split("_"))) or _gradient(snake)


def _gradient(snake: str) -> type | None:
    """A gradient primitive by its letters; asking for one declares them all."""
    if "grad" not in snake:
        return None
    gradient_primitive("Grad")
    registry = import_module("mindspore._engine.operator.registry").GRADIENTS
    return next((one for name, one in registry.primitives.items() if _letters(name) == _letters(snake)), None)


@functools.cache
def found(name: str) -> Any:
    """What a generated name means."""
    value = _class(name) if name[:1].isupper() or name.startswith("_Pyboost") else _named_after_class(name)
    if value is None:
        value = _function(name)
    return value


def _class(name: str) -> Any:
    if name.startswith("_Pyboost") and name.endswith("Prim"):
        kind = primitive(name.removeprefix("_Pyboost").removesuffix("Prim"))
        return kind and inner_classes(kind)[1]
    if name.endswith("Prim_"):
        kind = primitive(name.removesuffix("Prim_"))
        return kind and inner_classes(kind)[0]
    return primitive(name)


def _named_after_class(name: str) -> Any:
    if name in OBJECTS:
        return _object(OBJECTS[name])
    if name.startswith("infer_value_for_"):
        kind = primitive(name.removeprefix("infer_value_for_"))
        return kind and flat_function(kind, name)
    if name.startswith("pyboost_"):
        kind = class_of(name.removeprefix("pyboost_"))
        return kind and flat_object(kind, name)
    for ending, make in (("_op", _made), ("_impl", lambda kind: inner_classes(kind)[1]())):
        kind = class_of(name.removesuffix(ending)) if name.endswith(ending) else None
        if kind is not None:
            return make(kind)
    return None


def _made(kind: type) -> Any:
    return kind()


def _object(name: str) -> Any:
    kind = primitive(name)
    return kind and kind()


def _function(name: str) -> Any:
    """A function: of ``ops`` where MindSpore's documents name it, of a primitive declared here, else of ``ops``."""
    public = FUNCTIONS.get(name)
    if public is not None and public.__module__.startswith(_DOCUMENTED):
        return public
    if name in _VALUES:
        return _VALUES[name]
    if name[:1].isupper():
        return _unknown(name)
    chosen = OTHER_NAMES.get(name) or _by_letters().get(_letters(name), "")
    if chosen in forms().FORMS or (chosen and name in OTHER_NAMES):
        return flat_function(primitive(chosen), name)  # type: ignore[arg-type]
    if gradient := gradient_function(name):
        return gradient
    if name == "ms" or name in _MODULES or name in _IMPORTED or name in _FROM_PYTHON:
        return _unknown(name)
    try:
        return extended({"clamp_scalar": "clamp", "clamp_tensor": "clamp"}.get(name, name))
    except AttributeError:
        kind = class_of(name)
        return _unknown(name) if kind is None else flat_function(kind, name)


def _imported(name: str) -> Any:
    """What MindSpore's generated modules import, and programs reach through them."""
    if name in _MODULES:
        return import_module(f"mindspore.{_MODULES[name]}")
    if name == "ms" or name in _FROM_PYTHON:
        return _FROM_PYTHON.get(name) or import_module("mindspore")
    if name == "op_enum":  # a module of one function
        return SimpleNamespace(str_to_enum=found("str_to_enum"))
    if name in _argument_types.VALUES:
        return _argument_types.VALUES[name]
    for module in (_IMPORTED.get(name), "ops.auto_generate._argument_types", _HANDLERS, _CASTS):
        if module and hasattr(import_module(f"mindspore.{module}"), name):
            return getattr(import_module(f"mindspore.{module}"), name)
    return None


def _unknown(name: str) -> Any:
    value = _imported(name)
    if value is not None:
        return value
    raise unknown_attribute("mindspore.ops.auto_generate", name, [*PRIMITIVES, *forms().FORMS]) from None


def listed() -> list[str]:
    """The names of all primitives and what is named after them, for completion."""
    kinds = sorted({*PRIMITIVES, *forms().FORMS})
    snakes = [_snake(kind) for kind in kinds]
    return [*kinds, *(f"{snake}_op" for snake in snakes), *(f"pyboost_{snake}" for snake in snakes), *OBJECTS]


def _snake(name: str) -> str:
    parts = [letter if not letter.isupper() or not index or name[index - 1].isupper() else f"_{letter}"
             for index, letter in enumerate(name)]  # fmt: skip
    return "".join(parts).lower()


__all__ = ["FlatPrimitive", "class_of", "found", "listed", "primitive"]
