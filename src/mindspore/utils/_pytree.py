"""Nested lists, tuples and dicts as their leaves and a structure."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, TypeVar

from mindspore._engine.tensor.tensor import Tensor

__all__ = [
    "register_pytree_node", "register_pytree_node_class", "tree_flatten", "tree_leaves", "tree_map", "tree_structure",
    "tree_unflatten",
]  # fmt: skip

_registered: dict[type, tuple[Callable[[Any], tuple], Callable[[Any, Any], Any]]] = {}


class PyTreeDef(NamedTuple):
    """The structure of a tree: its type, what its type needs beside the members, and the structures of these."""

    kind: Any  # None for a leaf
    context: Any
    members: tuple[PyTreeDef, ...]

    @property
    def num_leaves(self) -> int:
        return 1 if self.kind is None else sum(member.num_leaves for member in self.members)


_Kind = TypeVar("_Kind")
_LEAF = PyTreeDef(None, None, ())


def register_pytree_node(
    node_type: type, flatten_func: Callable[[Any], tuple], unflatten_func: Callable[[Any, Any], Any]
) -> None:
    """Let instances of a class be nodes: ``flatten_func(node)`` gives members and context, ``unflatten_func(context, members)`` a node."""
    _registered[node_type] = (flatten_func, unflatten_func)


def register_pytree_node_class(cls: type[_Kind]) -> type[_Kind]:
    """A decorator of classes with ``tree_flatten`` and ``tree_unflatten``."""
    register_pytree_node(cls, cls.tree_flatten, cls.tree_unflatten)  # type: ignore[attr-defined]
    return cls


def _parts(tree: Any) -> tuple[list[Any], Any] | None:
    """The members of a node and its context; None for a leaf."""
    if type(tree) in _registered:
        members, context = _registered[type(tree)][0](tree)
        return list(members), context
    if isinstance(tree, dict):
        keys = sorted(tree) if all(isinstance(key, str) for key in tree) else list(tree)
        return [tree[key] for key in keys], keys
    return (list(tree), None) if isinstance(tree, (list, tuple)) else None


def tree_flatten(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, tensors_only_leaf: bool = False
) -> tuple[list[Any], PyTreeDef]:
    """The leaves of a tree, and its structure.

    Examples:
        >>> from mindspore.utils._pytree import tree_flatten, tree_unflatten
        >>> leaves, structure = tree_flatten({"b": 1, "a": [2, (3,)]})
        >>> leaves, tree_unflatten(structure, leaves)
        ([2, 3, 1], {'a': [2, (3,)], 'b': 1})
    """
    parts = None if is_leaf is not None and is_leaf(tree) else _parts(tree)
    if parts is None:
        return ([] if tensors_only_leaf and not isinstance(tree, Tensor) else [tree]), _LEAF
    found = [tree_flatten(member, is_leaf, tensors_only_leaf) for member in parts[0]]
    return [leaf for leaves, _ in found for leaf in leaves], PyTreeDef(
        type(tree), parts[1], tuple(one for _, one in found)
    )


def tree_leaves(tree: Any, is_leaf: Callable[[Any], bool] | None = None, tensors_only_leaf: bool = False) -> list[Any]:
    """The leaves of a tree."""
    return tree_flatten(tree, is_leaf, tensors_only_leaf)[0]


def tree_structure(
    tree: Any, is_leaf: Callable[[Any], bool] | None = None, tensors_only_leaf: bool = False
) -> PyTreeDef:
    """The structure of a tree."""
    return tree_flatten(tree, is_leaf, tensors_only_leaf)[1]


def tree_unflatten(treedef: PyTreeDef, leaves: Iterable[Any]) -> Any:
    """The tree of a structure and leaves."""
    supply = list(leaves)
    if len(supply) != treedef.num_leaves:
        raise ValueError(
            f"For 'tree_unflatten', the 'leaves' must be as many as in the structure, {treedef.num_leaves}, but got {len(supply)}."
        )
    return _built(treedef, iter(supply))


def _built(treedef: PyTreeDef, supply: Any) -> Any:
    if treedef.kind is None:
        return next(supply)
    members = [_built(member, supply) for member in treedef.members]
    if treedef.kind in _registered:
        return _registered[treedef.kind][1](treedef.context, members)
    if issubclass(treedef.kind, dict):
        return treedef.kind(zip(treedef.context, members, strict=True))
    return treedef.kind(*members) if hasattr(treedef.kind, "_fields") else treedef.kind(members)


def tree_map(func: Callable[..., Any], tree: Any, *rest: Any, is_leaf: Callable[[Any], bool] | None = None,
             tensors_only_leaf: bool = False) -> Any:  # fmt: skip
    """A tree of the results for each leaf, and the leaves at the same places of further trees."""
    leaves, structure = tree_flatten(tree, is_leaf)
    others = [tree_leaves(one, is_leaf) for one in rest]
    rows = zip(leaves, *others, strict=True)
    return tree_unflatten(
        structure, [row[0] if tensors_only_leaf and not isinstance(row[0], Tensor) else func(*row) for row in rows]
    )
