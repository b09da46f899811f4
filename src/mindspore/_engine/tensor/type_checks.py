"""Checks of dtypes and of Tensors by the names of ``mindspore._checkparam``."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from mindspore._engine.base.dtype import DType, int16, int32, int64, to_dtype
from mindspore._engine.tensor.tensor import Tensor

_INDICES = (int16, int32, int64)


def _element(kind: Any) -> Any:
    """The element dtype of a dtype or a Tensor type."""
    return kind.element_type() if hasattr(kind, "element_type") else kind


def check_astype_dtype(dtype: Any) -> DType:
    """Resolve a dtype from a dtype, its name, a NumPy dtype or a Python type."""
    return to_dtype(dtype.lower() if isinstance(dtype, str) else dtype, "Tensor.astype", "dtype")


def check_type_support(dtype: Any, device: str, supported_dtypes: Iterable[Any]) -> bool:
    """Whether a dtype is supported; the same on every device."""
    return dtype in tuple(supported_dtypes)


def _same_and_valid(args: Mapping[str, Any], allowed: Iterable[Any], prim_name: str, form: str) -> None:
    first = next(iter(args))
    listed = list(allowed)
    for name, kind in args.items():
        if _element(kind) not in listed:
            names = [form.format(dtype_) for dtype_ in listed]
            shown = names[0] if len(names) == 1 else f"one of {names}"
            raise TypeError(f"For '{prim_name}', the element of '{name}' must be {shown}, but got {kind}.")
        if _element(kind) != _element(args[first]):
            raise TypeError(
                f"For '{prim_name}', the type of '{name}' should be same as '{first}', but got '{first}' with type {args[first]} and "
                f"'{name}' with type {kind}."
            )


def check_types_same_and_valid(args: Mapping[str, Any], valid_values: Iterable[Any], prim_name: str) -> None:
    """Check that all dtypes are equal and valid."""
    _same_and_valid(args, valid_values, prim_name, "{}")


def check_tensors_dtypes_same_and_valid(args: Mapping[str, Any], valid_dtypes: Iterable[Any], prim_name: str) -> None:
    """Check that all Tensors have the same valid dtype."""
    for name, kind in args.items():
        check_tensor_dtype_valid(name, kind, valid_dtypes, prim_name)
    _same_and_valid(args, valid_dtypes, prim_name, "Tensor[{}]")


def check_tensor_dtype_valid(arg_name: str, arg_type: Any, valid_dtypes: Iterable[Any], prim_name: str) -> None:
    """Check that a Tensor has a valid dtype."""
    if not hasattr(arg_type, "element_type") or _element(arg_type) not in tuple(valid_dtypes):
        names = [f"Tensor[{dtype}]" for dtype in valid_dtypes]
        shown = names[0] if len(names) == 1 else f"one of {names}"
        raise TypeError(f"For '{prim_name}', the element of '{arg_name}' must be {shown}, but got {arg_type}.")


def check_scalar_or_tensor_types_same(
    args: Mapping[str, Any], valid_values: Iterable[Any], prim_name: str, allow_mix: bool = False
) -> None:
    """Check that scalars or Tensors have the same dtype; both together only with ``allow_mix``."""
    _same_and_valid(args, valid_values, prim_name, "{}")
    kinds = {hasattr(kind, "element_type") for kind in args.values()}
    if len(kinds) > 1 and not allow_mix:
        raise TypeError(f"For '{prim_name}', the inputs must all be Tensors or all be numbers, but got {dict(args)}.")


def check_valid_input(arg_name: str, arg_value: Any, prim_name: str) -> Any:
    """Anything but None."""
    if arg_value is None:
        raise ValueError(f"For '{prim_name}', the '{arg_name}' can not be None.")
    return arg_value


def is_stub_tensor(tensor: Any) -> bool:
    """Whether this is a placeholder of an asynchronous result: those are plain Tensors here."""
    return False


# -- sparse tensors -----------------------------------------------------------------------------------------------------
def check_sparse_tensor_input(indices: Any, values: Any, shape: Any) -> None:
    """Two Tensors and a tuple."""
    for name, value in (("indices", indices), ("values", values)):
        if not isinstance(value, Tensor):
            raise TypeError(f"For SparseTensors, '{name}' must be Tensor, but got {type(value)}.")
    if not isinstance(shape, tuple):
        raise TypeError(f"For SparseTensors, 'shape' must be tuple, but got {type(shape)}.")


def check_coo_tensor_input(indices: Any, values: Any, shape: Any) -> None:
    """What a COOTensor is made of."""
    check_sparse_tensor_input(indices, values, shape)


def check_csr_tensor_input(indptr: Any, indices: Any, values: Any, shape: Any) -> None:
    """What a CSRTensor is made of."""
    if not isinstance(indptr, Tensor):
        raise TypeError(f"For SparseTensors, 'indptr' must be Tensor, but got {type(indptr)}.")
    check_sparse_tensor_input(indices, values, shape)


def check_coo_tensor_dtype(indices_dtype: Any) -> None:
    """Check that indices are integers."""
    if indices_dtype not in _INDICES:
        raise TypeError(
            f"For COOTensor, the type of 'indices' must be one of [int16, int32, int64], but got {indices_dtype}."
        )


def check_csr_tensor_dtype(indptr_dtype: Any, indices_dtype: Any) -> None:
    """Check that indices are integers."""
    for name, dtype in (("indptr", indptr_dtype), ("indices", indices_dtype)):
        if dtype not in _INDICES:
            raise TypeError(f"For CSRTensor, {name} must have int16 or int32 or int64 data type, but got {dtype}.")


def check_coo_tensor_shape(indices_shp: tuple, values_shp: tuple, coo_shp: tuple) -> None:
    """Check indices of shape (nnz, ndim) and as many values."""
    if len(indices_shp) != 2:
        raise ValueError(
            f"For COOTensor, 'indices' must be a 2-dimensional tensor, but got a {len(indices_shp)}-dimensional tensor."
        )
    if indices_shp[0] != values_shp[0]:
        raise ValueError(
            "For COOTensor, 'indices.shape[0]' must be equal to 'values.shape[0]', but got 'indices.shape[0]' = "
            f"{indices_shp[0]} and 'values.shape[0]' = {values_shp[0]}."
        )
    if indices_shp[1] != len(coo_shp):
        raise ValueError(f"For COOTensor, 'indices.shape[1]' must be {len(coo_shp)}, but got {indices_shp[1]}.")


def check_csr_tensor_shape(indptr_shp: tuple, indices_shp: tuple, values_shp: tuple, csr_shp: tuple) -> None:
    """Check row pointers, and as many column indices as values."""
    if len(values_shp) != len(csr_shp) - 1:
        raise ValueError(
            f"Values' dimension should equal to CSRTensor's dimension - 1, but got Values' dimension: {len(values_shp)}, "
            f"CSRTensor's dimension: {len(csr_shp)}."
        )
    if indptr_shp[0] != csr_shp[0] + 1:
        raise ValueError(f"For CSRTensor, indptr must have length (1 + shape[0]), but got: {indptr_shp[0]}.")
    if indices_shp[0] != values_shp[0]:
        raise ValueError(
            f"For CSRTensor, indices and values must equal in their shape, but got indices shape: {indices_shp[0]}, values "
            f"shape: {values_shp[0]}."
        )


# -- data and arguments ---------------------------------------------------------------------------------------------------
def check_input_data(*data: Any, data_class: Any) -> None:
    """Values of a class, or tuples, lists and dicts of them."""
    classes = data_class if isinstance(data_class, tuple) else (data_class,)
    for item in data:
        if isinstance(item, (list, tuple)):
            check_input_data(*item, data_class=data_class)
        elif isinstance(item, dict):
            check_input_data(*item.values(), data_class=data_class)
        elif not isinstance(item, classes):
            names = ", ".join(class_.__name__ for class_ in classes)
            raise TypeError(
                f"The types of input data must be in the Union({names}, tuple[{names}], list[{names}], dict[{names}]), but got "
                f"type {type(item).__name__}."
            )


def check_input_dataset(*dataset: Any, dataset_type: Any) -> bool:
    """Whether all are of that type."""
    return bool(dataset) and all(isinstance(member, dataset_type) for member in dataset)


def args_type_check(*type_args: Any, **type_kwargs: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A decorator: arguments must have these types.

    >>> @args_type_check(rate=float)
    ... def step(rate):
    ...     return rate
    >>> step("fast")
    Traceback (most recent call last):
    ...
    TypeError: The parameter 'rate' must be <class 'float'>, but got <class 'str'>.
    """

    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        signature = inspect.signature(function)
        rest = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD), None)

        def by_name(*args: Any, partial: bool = False, **kwargs: Any) -> dict[str, Any]:
            found = dict((signature.bind_partial if partial else signature.bind)(*args, **kwargs).arguments)
            keywords = {} if rest is None else found.pop(rest, {})
            return {**found, **keywords}

        wanted = by_name(*type_args, partial=True, **type_kwargs)

        @functools.wraps(function)
        def checked(*args: Any, **kwargs: Any) -> Any:
            for name, value in by_name(*args, **kwargs).items():
                if value is not None and name in wanted and not isinstance(value, wanted[name]):
                    raise TypeError(f"The parameter '{name}' must be {wanted[name]}, but got {type(value)}.")
            return function(*args, **kwargs)

        return checked

    return decorate
