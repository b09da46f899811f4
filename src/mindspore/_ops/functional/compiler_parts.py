"""Primitives that MindSpore's compiler inserts into its graphs. Graphs here are traced; those with an effect on values have it."""

from __future__ import annotations

from typing import Any

import jax.numpy as jnp
import numpy as np

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.operator.arguments import Array
from mindspore._engine.operator.primitive import Primitive
from mindspore._engine.operator.registry import op, register_primitive
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.declaring.requirements import require
from mindspore._utils.checks import shown

_SIGNED = (jnp.int8, jnp.int16, jnp.int32, jnp.int64)


def _no_dataflow(name: str) -> NotImplementedError:
    return NotImplementedError(
        f"For '{name}', there are no branches of a data flow to choose between: write an if statement, which a graph compiles, "
        "or ops.select."
    )


@register_primitive
class GeSwitch(Primitive):
    """Sends data to one of two branches of a data flow, which graphs here do not have: it says so when called.

    Examples:
        >>> from mindspore import ops
        >>> ops.GeSwitch()
        Prim[GeSwitch]
    """

    def __call__(self, data: Any, pred: Any) -> Any:
        raise _no_dataflow("GeSwitch")


@register_primitive
class Merge(Primitive):
    """Joins the branches of a data flow, which graphs here do not have: it says so when called.

    Examples:
        >>> from mindspore import ops
        >>> ops.Merge()
        Prim[Merge]
    """

    def __call__(self, inputs: Any) -> Any:
        raise _no_dataflow("Merge")


@register_primitive
class PyExecute(Primitive):
    """Runs a text as Python, which graphs here do with the statement itself: it says so when called.

    Examples:
        >>> from mindspore import ops
        >>> ops.PyExecute()
        Prim[PyExecute]
    """

    def __call__(self, script: Any, keys: Any, values: Any) -> Any:
        raise RuntimeError("For 'PyExecute', write the expression itself: graphs run Python where they need it.")


@register_primitive
class UpdateState(Primitive):
    """A state after an expression was evaluated: the state itself, as effects here are in the order of the program.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.UpdateState()(Tensor(1.0), Tensor(2.0)))
        1.0
    """

    def __call__(self, state: Any, *expressions: Any) -> Any:
        return state


@register_primitive
class MapCacheIdx(Primitive):
    """Finds entries of a cache of embeddings that parameter servers keep on a device: it says so when called.

    Examples:
        >>> from mindspore import ops
        >>> ops.MapCacheIdx()
        Prim[MapCacheIdx]
    """

    def __call__(self, hashmap: Any, indices: Any, step: Any, emb_max_num: Any, cache_max_num: Any) -> Any:
        raise RuntimeError(
            "Unsupported op [MapCacheIdx]: tables of embeddings are whole in memory and need no cache; use nn.Embedding or "
            "nn.EmbeddingLookup."
        )


@op(public=False, primitive="MapUniform",
    test=lambda t: [t.case(np.arange(8), 4, 2, grad=False, expect=lambda x, size, groups: x % groups * size + x // groups)])  # fmt: skip
def map_uniform(input: Array, per_group_size: int, group_num: int):
    """The index of every key when keys are dealt to groups in turn: ``key % group_num * per_group_size + key // group_num``.

    Args:
        input: the keys.
        per_group_size: how many keys a group has.
        group_num: the number of groups.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.MapUniform()(Tensor([0, 1, 2, 3]), 2, 2))
        [0 2 1 3]
    """
    require(input.dtype in _SIGNED, f"the 'input' must be a Tensor of Int8, Int16, Int32 or Int64, but got dtype "
            f"{dtypes.from_numpy(input.dtype)}.", TypeError)  # fmt: skip
    require(group_num > 0, f"the 'group_num' must be greater than 0, but got {group_num}.", RuntimeError)
    return input % group_num * per_group_size + input // group_num


class CompilerPart(Primitive):
    """A part of MindSpore's own graphs for which there is nothing to compute here."""

    def __call__(self, *args: Any) -> Any:
        raise RuntimeError(
            f"For '{self.name}', there is nothing to compute: only MindSpore's own compiler inserts it into graphs. "
            "Leave it out."
        )


class _SliceGetItem(Primitive):
    def __call__(self, x: slice, name: str) -> Any:
        if not isinstance(x, slice) or name not in ("start", "stop", "step"):
            raise ValueError(
                "For 'SliceGetItem', the arguments must be a slice and one of 'start', 'stop', 'step', but got "
                f"{shown(x)} and {shown(name)}."
            )
        return getattr(x, name)


class _IsTensorBoolCond(Primitive):
    def __call__(self, x: Tensor) -> bool:
        if not isinstance(x, Tensor) or x.size != 1:
            raise ValueError(f"For 'IsTensorBoolCond', the input must be a Tensor of one element, but got {shown(x)}.")
        return True


class _IsElementUnknown(Primitive):
    def __call__(self, x: Any) -> bool:
        raise TypeError(
            "For 'IsElementUnknown', the input must be a sequence of variable length, but every sequence here has a length: "
            f"got {shown(x)}."
        )


SliceGetItem = _SliceGetItem("SliceGetItem")
is_tensor_bool_cond = _IsTensorBoolCond("IsTensorBoolCond")
is_dynamic_sequence_element_unknown = _IsElementUnknown("IsElementUnknown")
array_reduce, distribute, embed = map(CompilerPart, ("array_reduce", "distribute", "embed"))
environ_create, environ_get = CompilerPart("EnvironCreate"), CompilerPart("EnvironGet")
environ_set, environ_add = CompilerPart("EnvironSet"), CompilerPart("EnvironAdd")
env_get, ref_to_embed = CompilerPart("env_get"), CompilerPart("RefToEmbed")
make_map_parameter = CompilerPart("MakeMapParameter")
geswitch, merge = GeSwitch(), Merge()
