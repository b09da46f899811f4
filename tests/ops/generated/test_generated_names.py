"""The names of MindSpore's ``ops.auto_generate``, and the arguments behind them, against those recorded from MindSpore 2.10."""

from __future__ import annotations

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ops import auto_generate
from mindspore.ops.auto_generate import _names, gen_ops_prim, pyboost_inner_prim

LINES = [line.split("\t") for line in (Path(__file__).parents[2] / "data/generated_names.tsv").read_text().splitlines()]
PRIMITIVES = {name: (init, call) for kind, name, init, call in (line for line in LINES if line[0] == "primitive")}
FUNCTIONS = {line[1]: line[2] for line in LINES if line[0] == "function"}
OBJECTS = {line[1]: line[2] for line in LINES if line[0] == "impl"}


def recorded(text: str) -> dict[str, str | None]:
    """Parameter names and the text of their defaults."""
    function = ast.parse(f"def f({text}): ...").body[0]
    assert isinstance(function, ast.FunctionDef)
    names = [one.arg for one in function.args.args]
    defaults = [None] * (len(names) - len(function.args.defaults)) + [
        ast.unparse(one) for one in function.args.defaults
    ]
    found = dict(zip(names, defaults, strict=True))
    return found | {one.arg: None for one in function.args.kwonlyargs}


def accepted(kind: Any) -> tuple[list[set[str]], bool]:
    """For every input of a primitive's call the names it has had, and whether any name is taken."""
    if hasattr(kind, "call_indices"):
        chosen = [kind.op.arguments[index] for index in kind.call_indices]
        return [{one.name, *one.old_names} for one in chosen], False
    parameters = list(inspect.signature(kind.__call__).parameters.values())
    anything = any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters)
    own = [p for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY) and p.name != "self"]
    return [{p.name} for p in own], anything


@pytest.mark.parametrize("module, names", [(line[1], line[2].split()) for line in LINES if line[0] == "names"])
def test_every_name_is_found(module: str, names: list[str]):
    owner = importlib.import_module(module)
    missing = [name for name in names if not hasattr(owner, name)]
    assert not missing
    assert module != "mindspore.ops.auto_generate" or len(names) > 2600


def test_primitives_are_classes_of_their_names_in_every_module():
    for name in PRIMITIVES:
        for module in (auto_generate, gen_ops_prim):
            kind = getattr(module, name)
            assert isinstance(kind, type) and issubclass(kind, ops.Primitive), name


def test_calls_of_primitives_take_the_recorded_arguments_in_order():
    wrong = []
    for name, (_, call) in PRIMITIVES.items():
        names, anything = accepted(getattr(auto_generate, name))
        wanted = list(recorded(call)) if not call.startswith("*") else []
        fits = len(names) >= len(wanted) and all(one in known for one, known in zip(wanted, names, strict=False))
        if not (fits or anything):
            wrong.append((name, wanted, names))
    assert not wrong


def test_constructors_of_primitives_take_the_recorded_arguments():
    wrong = []
    for name, (init, _) in PRIMITIVES.items():
        kind = getattr(auto_generate, name)
        own = inspect.signature(kind).parameters.values()
        known = {p.name for p in own} | {old for p in own for old in _old(kind, p.name)}
        if not any(p.kind is p.VAR_KEYWORD for p in own) and not known.issuperset(recorded(init)):
            wrong.append((name, init, sorted(known)))
    assert not wrong


def _old(kind: Any, name: str) -> tuple[str, ...]:
    return next((one.old_names for one in kind.op.arguments if one.name == name), ()) if hasattr(kind, "op") else ()


def test_defaults_are_the_recorded_ones():
    """Of the primitives that are made of functions."""
    wrong = []
    for name in set(PRIMITIVES).intersection(_names.forms().FORMS):
        kind = _names.forms().primitive(name)
        for text, signature in zip(
            PRIMITIVES[name], (inspect.signature(kind), inspect.signature(kind.__call__)), strict=True
        ):
            for argument, default in recorded(text).items():
                found = signature.parameters[argument].default
                wanted = inspect.Parameter.empty if default is None else eval(default, {"ms": ms})
                if found != wanted and str(found) != str(wanted):
                    wrong.append((name, argument, found, wanted))
    assert len(_names.forms().FORMS) > 450 and not wrong


def test_functions_take_the_recorded_arguments():
    wrong = []
    for name, text in FUNCTIONS.items():
        parameters = inspect.signature(getattr(auto_generate, name)).parameters
        declared = getattr(getattr(auto_generate, name), "op", None)
        old = {one for argument in declared.arguments for one in argument.old_names} if declared else set()
        anything = any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in parameters.values())
        if not anything and not {*parameters, *old}.issuperset(recorded(text)) and not name.startswith("infer_value"):
            wrong.append((name, text, list(parameters)))
    assert not wrong


def test_objects_of_all_arguments_count_them():
    for name, text in OBJECTS.items():
        found = getattr(pyboost_inner_prim, name)
        parameters = inspect.signature(found).parameters
        assert len(parameters) >= len(recorded(text)), name


def test_names_after_a_primitive_mean_it():
    x = Tensor([[1.0, 2.0], [3.0, 4.0]])
    assert isinstance(auto_generate.sum_ext_op, auto_generate.SumExt)
    assert str(auto_generate.SumExt) == "<class 'mindspore.ops.auto_generate.gen_ops_prim.SumExt'>"
    for result in (auto_generate.SumExt()(x, 0), auto_generate.sum_ext_op(x, dim=0), auto_generate.sum_ext(x, 0),
                   auto_generate.pyboost_sum_ext(auto_generate.sum_ext_op, [x, 0, False, None])):  # fmt: skip
        np.testing.assert_array_equal(result.asnumpy(), [4, 6])
    np.testing.assert_allclose(pyboost_inner_prim.softmax_impl(x, -1).asnumpy(), ms.ops.softmax(x).asnumpy())
    np.testing.assert_array_equal(pyboost_inner_prim.concat_impl((x, x), 1).asnumpy(), np.tile(x.asnumpy(), 2))
    assert gen_ops_prim.matmul_ext_op.set_device("CPU") is gen_ops_prim.matmul_ext_op
    assert issubclass(pyboost_inner_prim._PyboostSoftmaxPrim, auto_generate.SoftmaxPrim_)
    assert auto_generate.scalar_add(1, 2) == 3 and auto_generate.list_to_tuple([1]) == (1,)


def test_wrong_arguments_and_unknown_names_are_told():
    with pytest.raises(TypeError, match="SumExt"):
        auto_generate.SumExt()(Tensor([1.0]), axis=0)
    with pytest.raises(TypeError, match="GroupedMatmul"):
        auto_generate.GroupedMatmul(sides=3)
    with pytest.raises(AttributeError, match=r"SumExtt.*SumExt"):
        _ = auto_generate.SumExtt
    with pytest.raises(RuntimeError, match=r"For 'PutMem'.*Ascend"):
        auto_generate.PutMem()(None, 0, None, 0, 1)


def test_kinds_of_arguments_are_converted():
    casts = importlib.import_module("mindspore.ops._utils.arg_dtype_cast")
    assert casts.TupleToList is auto_generate.TupleToList and casts.list_to_tuple([1]) == (1,)
    assert casts.type_it("op", "a", 3, casts.DT_INT_VAL, casts.DT_TUPLE_INT_VAL) == (3,)
    assert casts.type_it("op", "a", Tensor(3), casts.DT_TENSOR_VAL, casts.DT_INT_VAL) == 3
    with pytest.raises(TypeError, match=r"For 'op', the type of 'a' .*int, tuple of int"):
        casts.type_it("op", "a", "x", casts.DT_INT_VAL, casts.DT_TUPLE_INT_VAL)
    assert auto_generate.dtype_to_type_id("op", "a", ms.float32) == 43
    assert auto_generate.str_to_enum("op", "reduction", "mean") == 1
    assert auto_generate.op_enum.str_to_enum("op", "reduction", "none") == 2
    assert auto_generate.deprecated("2.0", "new")(lambda x: x + 1)(2) == 3


def test_old_paths_have_generated_primitives():
    for path, name in (("nn_ops", "FlashAttentionScore"), ("nn_ops", "PromptFlashAttention"), ("_inner_ops", "TopKRouter"),
                       ("_inner_ops", "Generator"), ("_infer_ops", "QuantV2"), ("_sequence_ops", "TensorToScalar"),
                       ("math_ops", "NPUGetFloatStatusV2")):  # fmt: skip
        module = importlib.import_module(f"mindspore.ops.operations.{path}")
        assert getattr(module, name) is getattr(auto_generate, name)
