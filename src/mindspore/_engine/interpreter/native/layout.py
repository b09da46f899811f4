"""Lowerings that change shapes: most give a view of their operand, joining and padding copy."""

from __future__ import annotations

from typing import Any

from mindspore._engine.interpreter.native.writer import FLAT, NativeValue, NativeWriter, Shape, lowers
from mindspore._engine.interpreter.shapes import spread_shape


@lowers("broadcast_in_dim")
def _broadcast(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    if shape == FLAT:
        return x._replace(shape=FLAT, strides=(0,)) if not x.shape else x
    wide = spread_shape(equation)
    strides, axes = [0] * len(shape), equation.params["broadcast_dimensions"]
    for axis, length, stride in zip(axes, x.shape, x.strides, strict=True):
        strides[axis] = 0 if wide[axis] == 1 and shape[axis] != 1 else stride if length != 1 else 0
    return x._replace(shape=shape, strides=tuple(strides))


@lowers("reshape", "squeeze", "expand_dims")
def _reshape(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    if equation.primitive.name == "reshape" and equation.params.get("dimensions") is not None:
        return None
    (x,) = operands
    if [n for n in x.shape if n != 1] == [n for n in shape if n != 1]:  # axes of length one come and go
        strides = iter([stride for stride, n in zip(x.strides, x.shape, strict=True) if n != 1])
        return x._replace(shape=shape, strides=tuple([0 if n == 1 else next(strides) for n in shape]))
    return writer.reshaped(x, shape)


@lowers("transpose")
def _transpose(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    return x._replace(shape=shape, strides=tuple([x.strides[axis] for axis in equation.params["permutation"]]))


@lowers("rev")
def _rev(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    strides, offset = list(x.strides), x.offset
    for axis in equation.params["dimensions"]:
        offset += max(x.shape[axis] - 1, 0) * strides[axis]
        strides[axis] = -strides[axis]
    return x._replace(offset=offset, strides=tuple(strides))


def _sliced(x: NativeValue, axis: int, start: int, length: int) -> NativeValue:
    shape = (*x.shape[:axis], length, *x.shape[axis + 1 :])
    return x._replace(shape=shape, offset=x.offset + start * x.strides[axis])


@lowers("slice")
def _slice(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,) = operands
    every = equation.params["strides"] or (1,) * len(shape)
    offset = x.offset + sum(n * stride for n, stride in zip(equation.params["start_indices"], x.strides, strict=True))
    return x._replace(
        offset=offset, shape=shape, strides=tuple([stride * n for stride, n in zip(x.strides, every, strict=True)])
    )


@lowers("split")
def _split(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), axis, start, found = operands, equation.params["axis"], 0, []
    for size in equation.params["sizes"]:
        found.append(_sliced(x, axis, start, int(size)))
        start += int(size)
    return found


@lowers("unstack")
def _unstack(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    (x,), axis = operands, equation.params["axis"]
    strides = (*x.strides[:axis], *x.strides[axis + 1 :])
    return [
        x._replace(offset=x.offset + n * x.strides[axis], shape=shape, strides=strides)
        for n in range(len(equation.outvars))
    ]


@lowers("concatenate")
def _concatenate(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    axis, made, start = equation.params["dimension"], writer.new(shape, operands[0].dtype), 0
    for x in operands:
        writer.copy(x, _sliced(made, axis, start, x.shape[axis]))
        start += x.shape[axis]
    return made


@lowers("stack")
def _stack(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    axis, made = equation.params["axis"], writer.new(shape, operands[0].dtype)
    strides = (*made.strides[:axis], *made.strides[axis + 1 :])
    for n, x in enumerate(operands):
        writer.copy(x, made._replace(offset=n * made.strides[axis], shape=x.shape, strides=strides))
    return made


@lowers("pad")
def _pad(writer: NativeWriter, equation: Any, operands: list[NativeValue], shape: Shape) -> Any:
    x, value = operands
    config = equation.params["padding_config"]
    if any(low < 0 or high < 0 for low, high, _ in config):
        return None
    made = writer.new(shape, x.dtype)
    writer.copy(value, made)
    offset = sum(low * stride for (low, _, _), stride in zip(config, made.strides, strict=True))
    strides = tuple([stride * (between + 1) for (_, _, between), stride in zip(config, made.strides, strict=True)])
    writer.copy(x, made._replace(offset=offset, shape=x.shape, strides=strides))
    return made
