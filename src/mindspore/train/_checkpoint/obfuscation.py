"""Obfuscated checkpoints: useless without a few factors, which are stored elsewhere and passed to the network with its inputs."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from mindspore import ops
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import check_positive_int, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell import Cell
from mindspore.nn.layer.container import CellList, SequentialCell
from mindspore.train._checkpoint.obfuscation_config import Metadata, ObfuscationPlan, plan_of
from mindspore.train._checkpoint.parameters import load_checkpoint, save_checkpoint

__all__ = ["load_obf_params_into_net", "obfuscate_ckpt"]


def obfuscate_ckpt(
    network: Cell,
    ckpt_files: str,
    target_modules: list[str] | None = None,
    obf_config: dict[str, Any] | None = None,
    saved_path: str = "./",
    obfuscate_scale: float = 100,
) -> dict[str, np.ndarray]:
    """Write copies of checkpoints, ``NAME_obf.ckpt``, in which the weights of some layers are multiplied with a random number.

    Args:
        network: the network of the checkpoints.
        ckpt_files: a folder; every checkpoint in it is copied.
        target_modules: ``['A/B/C', 'D|E']``: the layers D and E in the Cell C of B of A ('' for the network itself). Lists of
            Cells on the way stand for all their members, or with a third string, 'obfuscate_layers:2', for the first 2.
            The layers must be linear in their Parameters: Dense, convolutions, normalizations, embeddings.
        obf_config: the same in detail, see :mod:`mindspore.train._checkpoint.obfuscation_config`.
        saved_path: a folder for the copies.
        obfuscate_scale: numbers are drawn from 1 up to this.

    Returns:
        By name ('obf_metadata') what the network needs: see :func:`load_obf_params_into_net`.

    Examples:
        >>> import tempfile
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn, ops
        >>> folder, net, x = tempfile.mkdtemp(), nn.SequentialCell(nn.Dense(2, 2), nn.ReLU()), ops.ones((1, 2))
        >>> ms.save_checkpoint(net, f"{folder}/net.ckpt")
        >>> keys = ms.obfuscate_ckpt(net, folder, ["", "0"], saved_path=folder)
        >>> other = nn.SequentialCell(nn.Dense(2, 2), nn.ReLU())
        >>> loaded = ms.load_checkpoint(f"{folder}/net_obf.ckpt", other)
        >>> restored = ms.load_obf_params_into_net(other, ["", "0"])
        >>> print(ops.isclose(restored(x, Tensor(keys["obf_metadata"])), net(x)).all())
        True
    """
    _check_network(network)
    _check_folder("ckpt_files", ckpt_files)
    _check_folder("saved_path", saved_path)
    plan = plan_of(target_modules, obf_config)
    factors, kept = {}, {}
    for metadata in plan.metadata:
        factors[metadata.name], kept[metadata.name] = _drawn(metadata, obfuscate_scale)
    hidden = dict(_hidden_parameters(network, plan))
    for file in sorted(os.listdir(ckpt_files)):
        stem, suffix = os.path.splitext(file)
        if suffix != ".ckpt" or stem.endswith("_obf"):
            continue
        values = load_checkpoint(os.path.join(ckpt_files, file))
        entries = [
            {"name": name, "data": _multiplied(value, hidden.get(name, ()), factors)} for name, value in values.items()
        ]
        save_checkpoint(entries, os.path.join(saved_path, f"{stem}_obf.ckpt"))
    return {metadata.name: kept[metadata.name] for metadata in plan.metadata if metadata.is_saved}


def load_obf_params_into_net(
    network: Cell,
    target_modules: list[str] | None = None,
    obf_ratios: Tensor | None = None,
    obf_config: dict[str, Any] | None = None,
    data_parallel_num: int = 1,
    **kwargs: Any,
) -> Cell:
    """The network for a checkpoint of :func:`obfuscate_ckpt`: what the chosen layers give is put right.

    Args:
        network: the network, which is changed; its Parameters keep their names, and may be loaded before or afterwards.
        target_modules, obf_config: as they were given to ``obfuscate_ckpt``.
        obf_ratios: what ``obfuscate_ckpt`` returned; without it the network takes it as one more input, after its own.
        data_parallel_num: kept for programs that give it, as are ``ignored_func_decorators`` and ``ignored_class_decorators``.
    """
    _check_network(network)
    check_positive_int("load_obf_params_into_net", "data_parallel_num", data_parallel_num)
    unknown = set(kwargs) - {"ignored_func_decorators", "ignored_class_decorators"}
    if unknown:
        raise TypeError(f"load_obf_params_into_net() got an unexpected keyword argument {unknown.pop()!r}")
    plan = plan_of(target_modules, obf_config)
    known = _ratios_of(plan, obf_ratios)
    keys = {
        metadata.name: Parameter(Tensor(np.ones(metadata.shape), dtypes.float32), metadata.name)
        for metadata in plan.metadata
    }
    for name, value in known.items():
        keys[name].set_data(value.astype(dtypes.float32).reshape(keys[name].shape))
    names = {id(parameter): parameter.name for parameter in network.get_parameters()}
    for module, target, used in plan.outputs:
        for holder, name in _locations(network, module, target, plan.layers):
            setattr(holder, name, _PutRight(getattr(holder, name), [keys[key] for key in used]))
    restored = _WithKeys(network, [keys[key] for key in plan.inputs], bool(known))
    for parameter in network.get_parameters():
        parameter.name = names[id(parameter)]  # those of checkpoints
    return restored


class _PutRight(Cell):
    """A layer whose output is multiplied by factors, which undoes the obfuscation."""

    def __init__(self, layer: Cell, keys: list[Parameter]):
        super().__init__(auto_prefix=False)
        self.layer = layer
        self.__dict__["keys"] = tuple(keys)  # not among the Parameters: checkpoints do not hold them

    def construct(self, *inputs: Any, **kwargs: Any) -> Any:
        outputs = self.layer(*inputs, **kwargs)
        for key in self.__dict__["keys"]:
            outputs = map_leaves(
                lambda leaf, by=key: leaf * by.astype(leaf.dtype) if isinstance(leaf, Tensor) else leaf, outputs
            )
        return outputs


class _WithKeys(Cell):
    """A network that takes the factors that undo the obfuscation after its own inputs."""

    def __init__(self, network: Cell, keys: list[Parameter], are_known: bool):
        super().__init__(auto_prefix=False)
        self.network = network
        self.__dict__.update(keys=tuple(keys), are_known=are_known, takes=_most_inputs(network))

    def construct(self, *inputs: Any, **kwargs: Any) -> Any:
        keys, takes = self.__dict__["keys"], self.__dict__["takes"]
        missing = self.__dict__["are_known"] and len(inputs) <= takes
        if not missing:
            if len(inputs) < len(keys) or not all(isinstance(value, Tensor) for value in inputs[-len(keys) :]):
                raise TypeError(
                    f"The network takes {[parameter.name for parameter in keys]} after its own inputs: Tensors of what 'obfuscate_ckpt' "
                    "returned. Or give it to 'load_obf_params_into_net' as 'obf_ratios'."
                )
            for key, value in zip(keys, inputs[-len(keys) :], strict=True):
                ops.assign(key, value.astype(key.dtype).reshape(key.shape))
            inputs = inputs[: -len(keys)]
        return self.network(*inputs, **kwargs)


class _Location(NamedTuple):
    holder: Cell
    name: str


def _locations(network: Cell, path: str, target: str, layers: int | None) -> Iterator[_Location]:
    """Where layers with a name are, in the Cells that a path leads to."""
    holders = [network]
    for part in filter(None, path.split("/")):
        holders = [found for holder in holders for found in _children(holder, part, layers)]
        if not holders:
            raise ValueError(f"the path {path} does not exist.")
    for holder in holders:
        members = holder.name_cells() if target in holder.name_cells() else {}
        if members:
            yield _Location(holder, target)
        elif isinstance(holder, (CellList, SequentialCell)):
            for member in list(holder)[:layers]:
                if target in member.name_cells():
                    yield _Location(member, target)


def _children(holder: Cell, part: str, layers: int | None) -> list[Cell]:
    members = holder.name_cells()
    if part in members:
        return [members[part]]
    if isinstance(holder, (CellList, SequentialCell)):
        return [found for member in list(holder)[:layers] for found in _children(member, part, layers)]
    return []


def _hidden_parameters(network: Cell, plan: ObfuscationPlan) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names of Parameters that are hidden, and of the numbers that they are multiplied with."""
    missing = []
    for module, target, own, keys in plan.weights:
        found = list(_locations(network, module, target, plan.layers))
        missing += [] if found else [target]
        for layer in found:
            for parameter in getattr(layer.holder, layer.name).trainable_params():
                if own is None or parameter.name.rpartition(".")[2] == own:
                    yield parameter.name, keys
    if missing and len(missing) == len(plan.weights):
        raise ValueError(f"all targets {missing} do not exist in the path {plan.weights[0][0]}.")


def _drawn(metadata: Metadata, scale: float) -> tuple[np.ndarray, np.ndarray]:
    """Random factors, and what is kept of them: what undoes them, or they themselves."""
    if isinstance(scale, bool) or not isinstance(scale, (int, float)) or scale <= 1:
        raise refused(
            ValueError,
            f"For 'obfuscate_ckpt', the 'obfuscate_scale' must be a number greater than 1, but got {shown(scale)}.",
        )
    drawn = np.random.default_rng().uniform(1, scale, metadata.shape)
    kept = np.asarray(1 / drawn if metadata.is_inverted else drawn, np.float16)
    exact = kept.astype(np.float64)  # what was rounded is what is multiplied with, so that it is undone exactly
    return 1 / exact if metadata.is_inverted else exact, kept


def _multiplied(parameter: Parameter, keys: tuple[str, ...], factors: dict[str, np.ndarray]) -> Tensor:
    if not keys:
        return parameter
    value = parameter.asnumpy()
    for key in keys:
        value = value * factors[key]
    return Tensor(value.astype(parameter.asnumpy().dtype))


def _ratios_of(plan: ObfuscationPlan, given: Any) -> dict[str, Tensor]:
    if given is None:
        return {}
    if not isinstance(given, Tensor):
        raise refused(
            WrongObject, f"For 'load_obf_params_into_net', the 'obf_ratios' must be a Tensor, but got {shown(given)}."
        )
    if given.size == 0:
        raise refused(ValueError, "For 'load_obf_params_into_net', the 'obf_ratios' must not be empty.")
    return {plan.metadata[0].name: given}


def _most_inputs(network: Cell) -> int:
    parameters = inspect.signature(network.construct).parameters.values()
    if any(parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters):
        return 0  # anything: then the last inputs are the numbers, unless they are known
    return len(
        [
            parameter
            for parameter in parameters
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
    )


def _check_network(network: Any) -> None:
    if not isinstance(network, Cell):
        raise TypeError(f"network must be nn.Cell, but got {type(network)}.")


def _check_folder(name: str, folder: Any) -> None:
    if not isinstance(folder, str):
        raise TypeError(f"{name} must be string, but got {type(folder)}.")
    if not os.path.isdir(folder):
        raise ValueError(f"{folder} is not exist, please check the input {name}: it must be a folder.")
