"""Cells that hold other Cells: in a row, as a list, by key."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from mindspore._engine.base import version_counter
from mindspore._engine.base.trace_state import state
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_bool, shown
from mindspore._utils.refusals import WrongObject, WrongType, refused
from mindspore.nn.cell import Cell
from mindspore.nn.layer._implementation.chosen_cell import ChosenCell
from mindspore.nn.layer._implementation.container_names import (
    _get_prefix_and_index,  # noqa: F401 - libraries with containers of their own import these
    _valid_cell,  # noqa: F401
    _valid_index,  # noqa: F401
    give_key,
    key_position,
)

__all__ = ["CellDict", "CellList", "SequentialCell"]


Member = TypeVar("Member", bound=Cell)  # the class of the Cells in a list


class _Container(Cell):
    """What SequentialCell, CellList and CellDict share: members under keys, with names that follow the keys."""

    _cells: dict[str, Cell]

    def set_grad(self, flag: bool = True) -> Cell:  # type: ignore[override]
        """Mark this Cell and its members as to be differentiated."""
        super().set_grad(flag)
        for cell in self._cells.values():
            cell.set_grad(flag)
        return self

    def _own_name(self) -> str:
        return type(self).__name__

    def _checked_cell(self, cell: Any) -> Cell:
        if not isinstance(cell, Cell):
            hint = f" Write {cell.__name__}(...)." if isinstance(cell, type) else ""
            if callable(cell) and not hint:
                hint = (
                    " A function is made a Cell by a class whose construct calls it; activations have one: nn.ReLU()."
                )
            raise refused(
                WrongObject,
                f"For '{self._own_name()}', each cell must be a subclass of Cell, but got {shown(cell)}.{hint}",
            )
        return cell

    def _add(self, key: str, cell: Cell, prefix: str | None = None) -> None:
        """Hold a Cell under a key, at the key's position or at the end, and name its Parameters."""
        if self._auto_prefix:
            prefix = key_position(self._cells).prefix if prefix is None else prefix
            cell.update_parameters_name(f"{prefix}{key}.")
        self._hold({**self._cells, key: cell})

    def _hold(self, members: dict[str, Cell]) -> None:
        """Hold exactly these members; names stay as they are."""
        self._cells.clear()
        self._cells.update(members)
        version_counter.note()

    def _note_in_trace(self) -> None:
        """A graph that uses the container depends on its members, whether it calls them or reads their attributes."""
        super()._note_in_trace()
        for cell in self._cells.values():
            if state.scope is not None and cell not in state.scope.root.cells:
                cell._note_in_trace()

    def __len__(self) -> int:
        return len(self._cells)


class _Row(_Container):
    """Members in order, reached by number."""

    def _position(self, index: Any, past_end: bool = False) -> int:
        """The index counted from the start; refuses what lies outside."""
        if not isinstance(index, int):
            raise refused(
                TypeError, f"For '{self._own_name()}', the type of 'index' must be int, but got {shown(index)}."
            )
        count = len(self)
        if not -count <= index < count + past_end:
            end = f"{count}]" if past_end else f"{count})"
            raise IndexError(
                f"For '{self._own_name()}', the value of 'index' must be a number in range [{-count}, {end}, but got {index}."
            )
        return index % count if index < 0 else index

    def _replace(self, index: Any, cell: Any) -> None:
        self._checked_cell(cell)
        self._add(list(self._cells)[self._position(index)], cell)

    def _free_number(self) -> str:
        """The key of the next member; numbers the program has used for something else are passed over."""
        number = len(self)
        while str(number) in self._cells:
            number += 1
        return str(number)

    def _remaining(self, index: Any) -> list[tuple[str, Cell]]:
        """The members that are left after ``del row[index]``."""
        members = list(self._cells.items())
        if isinstance(index, slice):
            del members[index]
        elif isinstance(index, int):
            del members[self._position(index)]
        else:
            raise refused(
                TypeError,
                f"For '{self._own_name()}', the type of 'index' must be int or slice, but got {shown(index)}.",
            )
        return members

    def __setitem__(self, index: int, cell: Cell) -> None:
        self._replace(index, cell)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells.values())


class SequentialCell(_Row):
    """Cells called one after the other, each on the output of its predecessor.

    Args:
        args: Cells, or one list of Cells (keys '0', '1', ...), or one OrderedDict of Cells.

    Examples:
        >>> from mindspore import Tensor, nn
        >>> class Add(nn.Cell):
        ...     def __init__(self, number):
        ...         super().__init__()
        ...         self.number = number
        ...     def construct(self, x):
        ...         return x + self.number
        >>> net = nn.SequentialCell(Add(1.0), Add(2.0))
        >>> net.append(Add(3.0))
        >>> print(net(Tensor([0.0])), len(net), net[-1].number, len(net[:2]))
        [6.] 3 3.0 2
    """

    cell_list: list[Cell]  # what is called, in order; a Cell in an attribute of its own is a member, but not called

    def __init__(self, *args: Any):
        super().__init__()
        self.__dict__["_numbered"] = set()  # keys that are indices; the program chose the others
        members = self._arranged(args)
        if not (args and isinstance(args[0], OrderedDict)):
            self._numbered.update(key for key, _ in members)
        for key, cell in members:
            cell.update_parameters_name(f"{key}.")
        self._hold(dict(members))

    def _arranged(self, args: tuple[Any, ...]) -> list[tuple[str, Cell]]:
        if len(args) == 1 and not isinstance(args[0], Cell):
            if isinstance(args[0], OrderedDict):
                return [(self._checked_key(key), self._checked_cell(cell)) for key, cell in args[0].items()]
            if not isinstance(args[0], list):
                raise refused(
                    TypeError,
                    f"For '{self._own_name()}', the argument must be Cells, a list of Cells or an OrderedDict of Cells, but got "
                    f"{shown(args[0])}.",
                )
            args = tuple(args[0])
        return [(str(i), self._checked_cell(cell)) for i, cell in enumerate(args)]

    def _checked_key(self, key: Any) -> str:
        if not isinstance(key, str):
            raise refused(TypeError, f"For '{self._own_name()}', the keys must be str, but got {shown(key)}.")
        if not key or "." in key or hasattr(self, key):
            raise KeyError(
                f"For '{self._own_name()}', a key must not be empty, contain '.' or be an attribute of Cell, but got {key!r}."
            )
        return key

    def _hold(self, members: dict[str, Cell]) -> None:
        super()._hold(members)
        self.cell_list = list(members.values())

    def _put_cell(self, name: str, cell: Any) -> None:
        replaced = self._cells.get(name)
        super()._put_cell(name, cell)
        if replaced is not None:
            self.cell_list = [cell if member is replaced else member for member in self.cell_list]

    @overload
    def __getitem__(self, index: int) -> Cell: ...
    @overload
    def __getitem__(self, index: slice) -> SequentialCell: ...
    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            part = SequentialCell.__new__(type(self))
            SequentialCell.__init__(part)
            part._hold(dict(list(self._cells.items())[index]))
            part._numbered.update(self._numbered & set(part._cells))
            return part
        return list(self._cells.values())[self._position(index)]

    def __delitem__(self, index: Any) -> None:
        members = dict(self._remaining(index))
        position, kept, numbered = key_position(members), {}, set()
        for number, (key, cell) in enumerate(members.items()):
            if key in self._numbered:
                key = str(number)
                give_key(cell, position, key)
                numbered.add(key)
            kept[key] = cell
        self.__dict__["_numbered"] = numbered
        self._hold(kept)

    def append(self, cell: Cell) -> None:
        """Add a Cell at the end, under its number."""
        key = self._free_number()
        self._add(key, self._checked_cell(cell))
        self._numbered.add(key)

    def construct(self, input_data: Any) -> Tensor:
        """All members, one after the other."""
        for cell in self.cell_list:
            input_data = cell(input_data)
        return input_data


class CellList(_Row, Generic[Member]):
    """Cells in a list: registered and named like attributes, called by the Cell that holds the list.

    Args:
        args: nothing, or one list (any iterable) of Cells.
        auto_prefix: whether the members' Parameters are named after their number.

    Examples:
        >>> from mindspore import Parameter, Tensor, nn
        >>> class Scale(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.factor = Parameter(Tensor(2.0))
        ...     def construct(self, x):
        ...         return x * self.factor
        >>> class Net(nn.Cell):
        ...     def __init__(self):
        ...         super().__init__()
        ...         self.blocks = nn.CellList([Scale(), Scale()])
        ...     def construct(self, x):
        ...         for block in self.blocks:
        ...             x = block(x)
        ...         return x
        >>> net = Net()
        >>> print(net(Tensor([1.0])), [p.name for p in net.get_parameters()])
        [4.] ['blocks.0.factor', 'blocks.1.factor']
    """

    @overload
    def __init__(self, *, auto_prefix: bool = True): ...
    @overload
    def __init__(self, cells: Iterable[Member], /, *, auto_prefix: bool = True): ...
    def __init__(self, *args: Any, auto_prefix: bool = True):
        super().__init__(check_bool("CellList", "auto_prefix", auto_prefix))
        if len(args) > 1:
            raise refused(
                TypeError,
                f"For 'CellList', the cells must be given as one list: CellList([...]), but got {len(args)} arguments.",
            )
        if args:
            self.extend(args[0])

    def _checked_cell(self, cell: Any) -> Cell:
        if isinstance(cell, CellDict):
            raise refused(
                TypeError,
                "For 'CellList', the type of cell can not be CellDict; its members can be: list(cells.values()).",
            )
        return super()._checked_cell(cell)

    if TYPE_CHECKING:

        def __iter__(self) -> Iterator[Member]: ...

    @overload
    def __getitem__(self, index: int) -> Member: ...
    @overload
    def __getitem__(self, index: slice) -> CellList[Member]: ...
    def __getitem__(self, index: Any) -> Any:
        cells = list(self._cells.values())
        if isinstance(index, Tensor) and state.scope is not None:
            return ChosenCell(index, cells)
        if not isinstance(index, slice):
            return cells[self._position(index)]
        part = type(self)(auto_prefix=False)  # a slice does not rename Parameters
        part._hold({str(number): cell for number, cell in enumerate(cells[index])})
        return part

    def __delitem__(self, index: Any) -> None:
        members = dict(self._remaining(index))
        position = key_position(members)
        for number, cell in enumerate(members.values()):
            if self._auto_prefix:
                give_key(cell, position, str(number))
        self._hold({str(number): cell for number, cell in enumerate(members.values())})

    def __iadd__(self, cells: Iterable[Cell]) -> CellList:
        return self.extend(cells)

    def append(self, cell: Cell) -> None:
        """Add a Cell at the end."""
        self.extend([cell])

    def extend(self, cells: Iterable[Cell]) -> CellList:
        """Add Cells at the end; returns the list."""
        if isinstance(cells, (str, bytes, Mapping)) or not isinstance(cells, Iterable):
            raise refused(TypeError, f"For 'CellList', the new cells must be a list of Cells, but got {shown(cells)}.")
        prefix = key_position(self._cells).prefix
        for cell in [self._checked_cell(cell) for cell in cells]:
            self._add(self._free_number(), cell, prefix)
        return self

    def insert(self, index: int, cell: Cell) -> None:
        """Insert a Cell before ``index``; at ``len(list)`` it becomes the last."""
        self._checked_cell(cell)
        cells, number = list(self._cells.values()), self._position(index, past_end=True)
        position = key_position(self._cells)
        if self._auto_prefix:
            for later in range(len(cells), number, -1):
                give_key(cells[later - 1], position, str(later))
            cell.update_parameters_name(f"{position.prefix}{number}.")
        cells.insert(number, cell)
        self._hold({str(number): cell for number, cell in enumerate(cells)})

    def construct(self, *inputs: Any) -> Any:
        """A list cannot be called; call its members."""
        raise NotImplementedError(
            "A CellList is no function: call its members in the construct of the Cell that holds it."
        )


class CellDict(_Container):
    """Cells by key: registered and named like attributes, called by the Cell that holds the dict.

    Args:
        args: nothing, or one dict, CellDict or iterable of (key, Cell) pairs. Containers cannot be members.
        auto_prefix: whether the members' Parameters are named after their keys.

    Examples:
        >>> from mindspore import nn
        >>> cells = nn.CellDict({"first": nn.Cell(), "second": nn.Cell()})
        >>> cells["third"] = nn.Cell()
        >>> list(cells), "third" in cells, len(cells)
        (['first', 'second', 'third'], True, 3)
    """

    def __init__(self, *args: Any, auto_prefix: bool = True):
        super().__init__(check_bool("CellDict", "auto_prefix", auto_prefix))
        if len(args) > 1:
            raise refused(
                TypeError,
                f"For 'CellDict', the cells must be given as one dict: CellDict({{...}}), but got {len(args)} arguments.",
            )
        if args:
            self.update(args[0])

    def __getitem__(self, key: str) -> Cell:
        if key not in self._cells:
            raise KeyError(f"For 'CellDict', there is no cell under the key {key!r}. The keys are {list(self._cells)}.")
        return self._cells[key]

    def __setitem__(self, key: str, cell: Cell) -> None:
        self.update({key: cell})

    def __delitem__(self, key: str) -> None:
        self.pop(key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._cells)

    def __contains__(self, key: Any) -> bool:
        return key in self._cells

    def __bool__(self) -> bool:
        return True  # unlike a list, an empty dict is one of the Cells of a network

    def clear(self) -> None:
        """Remove all members."""
        self._hold({})

    def pop(self, key: str) -> Cell:
        """Remove a member and return it."""
        cell = self[key]
        del self._cells[key]
        version_counter.note()
        return cell

    def keys(self) -> KeysView[str]:
        """The keys in order."""
        return OrderedDict(self._cells).keys()

    def values(self) -> ValuesView[Cell]:
        """The members in order."""
        return OrderedDict(self._cells).values()

    def items(self) -> ItemsView[str, Cell]:
        """Pairs of key and member."""
        return OrderedDict(self._cells).items()

    def update(self, cells: Any) -> None:
        """Add the members of a dict, CellDict or iterable of (key, Cell) pairs; equal keys are replaced."""
        pairs = list(cells.items()) if isinstance(cells, (Mapping, CellDict)) else _pairs(cells)
        for key, cell in pairs:
            self._checked_key(key)
            if isinstance(self._checked_cell(cell), _Container):
                raise refused(
                    TypeError,
                    f"For 'CellDict', a cell can not be a CellDict, CellList or SequentialCell, but got {shown(cell)}.",
                )
        for key, cell in pairs:
            self._add(key, cell)

    def _checked_key(self, key: Any) -> None:
        if not isinstance(key, str):
            raise refused(TypeError, f"For 'CellDict', the type of key should be str, but got {shown(key)}.")
        if not key or "." in key:
            raise KeyError(f"For 'CellDict', a key must not be empty or contain '.', but got {key!r}.")
        if hasattr(self, key) and key not in self._cells:
            raise KeyError(f"For 'CellDict', a key must not be the same as an attribute of Cell, but got {key!r}.")

    def construct(self, *inputs: Any) -> Any:
        """A dict cannot be called; call its members."""
        raise NotImplementedError(
            "A CellDict is no function: call its members in the construct of the Cell that holds it."
        )


def _pairs(cells: Any) -> list[tuple[Any, Any]]:
    if isinstance(cells, str) or not isinstance(cells, Iterable):
        raise refused(
            WrongType,
            f"For 'CellDict', the cells must be a dict or an iterable of (key, Cell) pairs, but got {shown(cells)}.",
        )
    pairs = []
    for index, pair in enumerate(cells):
        if not isinstance(pair, (tuple, list)):
            raise refused(
                WrongType, f"For 'CellDict', element {index} must be a pair (key, Cell), but got {shown(pair)}."
            )
        if len(pair) != 2:
            raise refused(
                ValueError, f"For 'CellDict', element {index} must be a pair (key, Cell), but has length {len(pair)}."
            )
        pairs.append((pair[0], pair[1]))
    return pairs
