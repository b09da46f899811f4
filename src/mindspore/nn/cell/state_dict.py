"""Buffers and state dicts of a Cell: its Tensors by attribute path, as MindSpore 2.x offers them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base import version_counter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing.tensor_hooks import Handle
from mindspore._utils.checks import check_bool, check_callable, check_type, shown
from mindspore._utils.hints import ON_ONE_DEVICE
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell.tree import CellTree

_EXTRA = "_extra_state"  # the key of what a Cell adds to its state itself


class IncompatibleKeys(NamedTuple):
    """What ``load_state_dict`` found on one side only."""

    missing_keys: list[str]
    unexpected_keys: list[str]

    def __repr__(self) -> str:
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return f"_IncompatibleKeys(missing_keys={self.missing_keys}, unexpected_keys={self.unexpected_keys})"

    __str__ = __repr__


class CellStateDict(CellTree):
    """The buffer and state dict part of Cell. Split off for readability; not used on its own."""

    _buffers: dict[str, Tensor | None]
    _unsaved_buffers: set[str]
    _state_dict_hooks: dict[str, dict[int, Callable[..., Any]]]

    # -- buffers ------------------------------------------------------------------------------------------------------
    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Give the Cell a Tensor that is no Parameter but belongs to its state, such as a moving average.

        Args:
            name: the attribute under which it is found.
            tensor: a Tensor, or None for a buffer that is filled later.
            persistent: whether ``state_dict`` lists it.

        Examples:
            >>> from mindspore import Tensor, nn
            >>> net = nn.Cell()
            >>> net.register_buffer("mean", Tensor([0.0]))
            >>> net.mean = Tensor([1.0])
            >>> list(net.state_dict())
            ['mean']
        """
        self._require_initialised()
        check_type("register_buffer", "name", name, str)
        check_bool("register_buffer", "persistent", persistent)
        if not name or "." in name:
            raise KeyError(f"For 'register_buffer', the 'name' must not be empty or contain '.', but got {name!r}.")
        if name not in self._buffers:
            self._refuse_taken("register_buffer", name, (self._params, self._cells, self.__dict__))
        if tensor is not None and not isinstance(tensor, Tensor):
            raise refused(
                WrongObject, f"For 'register_buffer', the 'tensor' must be a Tensor or None, but got {shown(tensor)}."
            )
        self._buffers[name] = tensor
        (self._unsaved_buffers.discard if persistent else self._unsaved_buffers.add)(name)
        version_counter.note()

    def named_buffers(self, prefix: str = "", recurse: bool = True,
                      remove_duplicate: bool = True) -> Iterator[tuple[str, Tensor]]:  # fmt: skip
        """Pairs of attribute path and buffer."""
        seen: set[int] = set()
        for path, cell in self.cells_and_names(name_prefix=prefix) if recurse else [(prefix, self)]:
            for name, tensor in cell._buffers.items():
                if tensor is not None and not (remove_duplicate and id(tensor) in seen):
                    seen.add(id(tensor))
                    yield (f"{path}.{name}" if path else name), tensor

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """The buffers of this Cell and, unless ``recurse`` is False, of the Cells below."""
        for _, tensor in CellStateDict.named_buffers(self, recurse=recurse):
            yield tensor

    def get_buffer(self, target: str) -> Tensor | None:
        """The buffer at a path such as ``"norm.mean"``."""
        return self._member_at("get_buffer", target, "_buffers", "buffer")

    # -- state dict ---------------------------------------------------------------------------------------------------
    def state_dict(self, *args: Any, destination: dict[str, Any] | None = None, prefix: str = "",
                   keep_vars: bool = False) -> Any:  # fmt: skip
        """Parameters and persistent buffers by attribute path. They are the Cell's own objects, not copies.

        Examples:
            >>> from mindspore import Parameter, Tensor, nn
            >>> net = nn.Cell()
            >>> net.weight = Parameter(Tensor([1.0]))
            >>> saved = {name: value.copy() for name, value in net.state_dict().items()}
            >>> net.weight.set_data(Tensor([2.0]))
            Parameter (name=weight, shape=(1,), dtype=Float32, requires_grad=True)
            >>> net.load_state_dict(saved)
            <All keys matched successfully>
            >>> print(net.weight.value())
            [1.]
        """
        found: Any = OrderedDict() if destination is None else destination
        for hook in list(self._state_dict_hooks["save"].values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(found, prefix, keep_vars)
        for name, cell in self._cells.items():
            if cell is not None:
                cell.state_dict(destination=found, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in list(self._state_dict_hooks["saved"].values()):
            returned = hook(self, found, prefix, {})
            found = found if returned is None else returned
        return found

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        """Put the Cell's own Parameters and buffers, without those below it, into ``destination``; subclasses add theirs."""
        destination.update({prefix + name: tensor for name, tensor in self._own_state()})
        if self._has_extra_state():
            destination[prefix + _EXTRA] = self.get_extra_state()

    def _has_extra_state(self) -> bool:
        return type(self).get_extra_state is not CellStateDict.get_extra_state

    def get_extra_state(self) -> Any:
        """What else belongs to the state: a subclass that defines this, and ``set_extra_state``, finds it in its state dict.

        Examples:
            >>> from mindspore import nn
            >>> class Counted(nn.Cell):
            ...     def get_extra_state(self):
            ...         return {"seen": 3}
            >>> dict(Counted().state_dict())
            {'_extra_state': {'seen': 3}}
        """
        raise RuntimeError(f"'{type(self).__name__}' has no extra state: define 'get_extra_state' in the class.")

    def set_extra_state(self, state: Any) -> None:
        """Take back what ``get_extra_state`` gave; ``load_state_dict`` calls it."""
        raise RuntimeError(f"'{type(self).__name__}' takes no extra state: define 'set_extra_state' in the class.")

    def _own_state(self) -> Iterator[tuple[str, Tensor]]:
        for name, tensor in (*self._params.items(), *self._buffers.items()):
            if tensor is not None and name not in self._unsaved_buffers:
                yield name, tensor

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True) -> IncompatibleKeys:
        """Take over the values of a state dict; returns the names found on one side only, an error if ``strict``."""
        if not isinstance(state_dict, Mapping):
            raise refused(
                TypeError, f"For 'load_state_dict', the 'state_dict' must be a dict, but got {shown(state_dict)}."
            )
        check_bool("load_state_dict", "strict", strict)
        given = OrderedDict(state_dict)
        keys = IncompatibleKeys([], [])
        problems: list[str] = []
        cells = list(self.cells_and_names())
        with _later_assignments() as assign_all:
            for path, cell in cells:
                cell._load_from_state_dict(given, f"{path}." if path else "", {}, True, *keys, problems)
            if strict and keys.missing_keys:
                problems.append(f"Missing key(s) in state_dict: {', '.join(map(repr, keys.missing_keys))}.")
            if strict and keys.unexpected_keys:
                problems.append(f"Unexpected key(s) in state_dict: {', '.join(map(repr, keys.unexpected_keys))}.")
            if problems:  # before anything is changed
                raise RuntimeError(
                    f"Error(s) in loading state_dict for {type(self).__name__}:\n\t" + "\n\t".join(problems)
                )
            assign_all()
        for _, cell in cells:
            for hook in list(cell._state_dict_hooks["loaded"].values()):
                hook(cell, keys)
        return keys

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: dict[str, Any], strict: bool,
                              missing_keys: list[str], unexpected_keys: list[str], error_msgs: list[str]) -> None:  # fmt: skip
        """Take the Cell's own values, without those of the Cells below, from ``state_dict``; subclasses rename or add theirs.

        ``load_state_dict`` calls it for every Cell with the path in ``prefix``. What is wrong is added to the three lists.
        """
        for hook in list(self._state_dict_hooks["load"].values()):
            hook(self, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own: dict[str, Any] = dict(self._own_state())
        for name, tensor in own.items():
            if prefix + name not in state_dict:
                missing_keys.append(prefix + name)
                continue
            value = state_dict[prefix + name]
            misfit = _misfit(prefix + name, tensor, value)
            error_msgs += misfit
            if not misfit:
                _assign(tensor.assign_value, value.astype(tensor.dtype))
        if self._has_extra_state():
            own[_EXTRA] = None
            if prefix + _EXTRA in state_dict:
                _assign(self.set_extra_state, state_dict[prefix + _EXTRA])
            else:
                missing_keys.append(prefix + _EXTRA)
        if strict:
            known = {*own, *(name for name, cell in self._cells.items() if cell is not None)}
            unexpected_keys.extend(key for key in state_dict if key.startswith(prefix) and
                                   not _is_known(key[len(prefix) :], own, known))  # fmt: skip

    def register_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Have ``hook(cell, prefix, keep_vars)`` called before ``state_dict`` collects this Cell."""
        return self._register_state_dict_hook("register_state_dict_pre_hook", "save", hook)

    def register_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Have ``hook(cell, state_dict, prefix, local_metadata)`` called after; it may return another dict."""
        return self._register_state_dict_hook("register_state_dict_post_hook", "saved", hook)

    def register_load_state_dict_pre_hook(self, hook: Callable[..., Any]) -> Handle:
        """Have ``hook(cell, state_dict, prefix, local_metadata, strict, missing, unexpected, errors)`` called before."""
        return self._register_state_dict_hook("register_load_state_dict_pre_hook", "load", hook)

    def register_load_state_dict_post_hook(self, hook: Callable[..., Any]) -> Handle:
        """Have ``hook(cell, incompatible_keys)`` called after ``load_state_dict``."""
        return self._register_state_dict_hook("register_load_state_dict_post_hook", "loaded", hook)

    def _register_state_dict_hook(self, owner: str, when: str, hook: Callable[..., Any]) -> Handle:
        return Handle(self._state_dict_hooks[when], check_callable(owner, "hook", hook))

    # -- dtype ----------------------------------------------------------------------------------------------------------
    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Convert the floating Parameters and buffers: ``to(dtype)``, ``to(device, dtype)`` or ``to(tensor)``; returns self.

        A device is checked and otherwise left to XLA.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import Parameter, Tensor, nn
            >>> net = nn.Cell()
            >>> net.weight = Parameter(Tensor([1.0]))
            >>> net.to(ms.float16).weight.dtype
            mindspore.float16
        """
        dtype = _target_dtype(args, kwargs)
        if dtype is not None:
            for tensor in (*self.get_parameters(), *CellStateDict.buffers(self)):
                if tensor.dtype.is_floating and tensor.dtype != dtype:
                    tensor.set_dtype(dtype)
        return self


_waiting: list[tuple[Callable[[Any], Any], Any]] | None = None  # what is assigned once everything was found to fit


def _assign(store: Callable[[Any], Any], value: Any) -> None:
    if _waiting is None:
        store(value)
    else:
        _waiting.append((store, value))


@contextmanager
def _later_assignments() -> Iterator[Callable[[], None]]:
    """Collect assignments; the function that is given carries them out."""
    global _waiting
    before, _waiting = _waiting, []
    collected = _waiting

    def assign_all() -> None:
        for store, value in collected:
            store(value)

    try:
        yield assign_all
    finally:
        _waiting = before


def _is_known(key: str, own: dict[str, Any], known: set[str]) -> bool:
    first, _, rest = key.partition(".")
    return first in (known if rest else own)


def _misfit(name: str, tensor: Tensor, given: Any) -> list[str]:
    if not isinstance(given, Tensor):
        return [f'While copying the parameter named "{name}", a Tensor is expected, but got {shown(given)}.']
    if given.shape != tensor.shape:
        return [f"size mismatch for {name}: copying a param with shape {given.shape} from checkpoint, the shape in current "
                f"model is {tensor.shape}."]  # fmt: skip
    return []


def _target_dtype(args: tuple, kwargs: dict[str, Any]) -> dtypes.DType | None:
    dtype = None
    for value in (*args, *(v for k, v in kwargs.items() if k != "non_blocking")):
        if isinstance(value, Tensor):
            dtype = value.dtype
        elif isinstance(value, dtypes.DType):
            dtype = value
        elif isinstance(value, str):
            if value.lower() not in ("cpu", "gpu", "ascend", "npu"):
                devices = ["CPU", "GPU", "Ascend"]
                raise refused(
                    ValueError,
                    f"For 'Cell.to', the 'device' must be one of {devices}, but got {value!r}. {ON_ONE_DEVICE}",
                )
        elif value is not None and not isinstance(value, bool):
            raise refused(
                TypeError,
                f"For 'Cell.to', the arguments must be a dtype, a device name or a Tensor, but got {shown(value)}.",
            )
    if dtype is not None and not (dtype.is_floating or dtype.is_complex):
        raise refused(TypeError, f"For 'Cell.to', the 'dtype' must be a floating or complex type, but got {dtype!r}.")
    return dtype
