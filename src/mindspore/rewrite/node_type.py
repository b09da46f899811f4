"""The kinds of statements."""

from __future__ import annotations

import enum

__all__ = ["NodeType"]


class NodeType(enum.Enum):
    """What a statement of ``construct`` does.

    Examples:
        >>> from mindspore.rewrite import NodeType
        >>> NodeType.CallCell
        <NodeType.CallCell: 1>
    """

    Unknown = 0
    CallCell = 1  # calls a layer of mindspore.nn
    CallPrimitive = 2  # calls an operator object
    CallModule = 3
    CallFunction = 4  # calls a function, or a method of a value
    CallMethod = 5  # makes a tuple or a list, or gives a value another name
    Python = 6  # everything else; kept as it is
    Input = 7  # an argument of construct
    Output = 8  # the return statement
    Tree = 9  # calls a network of the program
    CellContainer = 10  # calls a SequentialCell or a CellList
    MathOps = 11  # an arithmetic expression
    ControlFlow = 12  # if, for, while, with; kept as it is
