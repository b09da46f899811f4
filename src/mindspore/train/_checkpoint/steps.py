"""Single steps of saving and loading a checkpoint, for programs with loops of their own."""

from __future__ import annotations

from typing import Any

import numpy as np

from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._utils.checks import shown
from mindspore._utils.files import atomic_file, encryption
from mindspore._utils.refusals import refused
from mindspore.nn.cell import Cell
from mindspore.train._checkpoint.load_network import checked_arguments, fitting, found_names
from mindspore.train._checkpoint.parameters import encoded, listed_parameters, load_checkpoint, naming
from mindspore.train._formats import ckpt
from mindspore.train._formats.ckpt import DTYPES, Entry
from mindspore.train.checkpoint_pb2 import Checkpoint


def _exec_save(ckpt_file_name: str, data_list: dict[str, list[Any]], enc_key: bytes | None = None, enc_mode: str = "AES-GCM",
               map_param_inc: bool = False, crc_check: bool = False, format: str = "ckpt",
               remove_redundancy: Any = None) -> None:  # fmt: skip
    """Write a file of ``{name: [shape, name of the dtype, values]}``.

    Examples:
        >>> import os, tempfile
        >>> import numpy as np
        >>> import mindspore as ms
        >>> from mindspore.train.serialization import _exec_save
        >>> path = os.path.join(tempfile.mkdtemp(), "net.ckpt")
        >>> _exec_save(path, {"w": [(2,), "Float32", np.ones(2, np.float32)]})
        >>> ms.load_checkpoint(path)["w"]
        Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=True)
    """
    entries = [Entry(name, _value(name, *row[:3])) for name, row in data_list.items()]
    metadata = {} if remove_redundancy is None else {"remove_redundancy": str(remove_redundancy)}
    atomic_file.write(ckpt_file_name, encoded(entries, format, enc_key, enc_mode, crc_check, metadata))


def _save_graph(network: Cell, file_name: str) -> None:
    """Write a description of a network, as ModelCheckpoint does beside its files.

    Examples:
        >>> import os, tempfile
        >>> from mindspore import nn
        >>> from mindspore.train.serialization import _save_graph
        >>> path = os.path.join(tempfile.mkdtemp(), "net-graph.meta")
        >>> _save_graph(nn.ReLU(), path)
        >>> print(open(path).read().strip())
        ReLU()
    """
    atomic_file.write(file_name, [f"{network!r}\n".encode()])


def _value(name: str, shape: Any, kind: str, value: Any) -> np.ndarray | str:
    if kind == "str":
        return str(np.asarray(value).reshape(-1)[0])
    if kind not in DTYPES:
        raise refused(
            TypeError, f"For '_exec_save', the dtype of '{name}' must be one of {list(DTYPES)}, but got {kind!r}."
        )
    array = value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)
    return array.astype(DTYPES[kind], copy=False).reshape([size for size in shape if size != 0])


def _parse_ckpt_proto(ckpt_file_name: str, dec_key: bytes | None, dec_mode: str, crc_check: bool) -> Any:
    """The message a checkpoint file holds: ``value`` with ``tag`` and ``tensor`` of each Parameter."""
    with naming(ckpt_file_name):
        data = atomic_file.contents(ckpt_file_name)
        if dec_key is not None:
            data = encryption.decrypted(data, dec_key, dec_mode)
        elif encryption.is_encrypted(data):
            raise encryption.WrongKey("it is encrypted")
        try:
            return Checkpoint.FromString(bytes(ckpt.checked(data, crc_check)))
        except ValueError as error:
            raise ckpt.CorruptFile(str(error)) from None


def _load_ckpt_into_param_dict(ckpt_file_name: str, parameter_dict: dict[str, Any], specify_prefix: Any, filter_prefix: Any,
                               choice_func: Any, dec_key: bytes | None, dec_mode: str, crc_check: bool) -> None:  # fmt: skip
    """Add the Parameters of a file to a dict."""
    parameter_dict.update(
        load_checkpoint(
            ckpt_file_name, filter_prefix=filter_prefix, dec_key=dec_key, dec_mode=dec_mode, specify_prefix=specify_prefix,
            choice_func=choice_func, crc_check=crc_check,
        )
    )  # fmt: skip


def _load_into_param_dict(file: str, parameter_dict: dict[str, Any], specify_prefix: Any, filter_prefix: Any,
                          choice_func: Any, dec_key: bytes | None, dec_mode: str, crc_check: bool, format: str,
                          remove_redundancy: bool) -> bool:  # fmt: skip
    """Add the Parameters of a file of either format to a dict; returns whether redundant copies were left out."""
    found = load_checkpoint(
        file, None, False, filter_prefix, dec_key, dec_mode, specify_prefix, choice_func, crc_check, False, format
    )
    parameter_dict.update(found)
    return bool(remove_redundancy)


def _load_map_parameter(checkpoint_list: Any, element: Any, element_id: int, map_data_list: list[Any], map_shape_list: list[int],
                        parameter_dict: dict[str, Any]) -> None:  # fmt: skip
    """Gather the keys, values and states of a hash table from a file; the last piece stores them as a list of arrays.

    Tables that grow are Parameters of Ascend's and servers' back ends; here their contents can be read.
    """
    for index, tensor in enumerate(element.maptensor.tensor):
        content = np.frombuffer(tensor.tensor_content, DTYPES[tensor.tensor_type])
        while len(map_data_list) <= index:
            map_data_list.append(None)
            map_shape_list.append(0)
        before = map_data_list[index]
        array = content.reshape([-1, *tensor.dims[1:]])
        map_data_list[index] = array if before is None else np.concatenate([before, array])
        map_shape_list[index] += array.shape[0]
    following = checkpoint_list.value[element_id + 1] if element_id + 1 < len(checkpoint_list.value) else None
    if following is None or following.tag != element.tag:
        parameter_dict[element.tag] = list(map_data_list)
        map_data_list.clear()
        map_shape_list.clear()


def _load_dismatch_prefix_params(net: Cell, parameter_dict: dict[str, Any], param_not_load: list[str],
                                 strict_load: bool) -> None:  # fmt: skip
    """Load Parameters whose names have a prefix more in the dict, and take them off the list of those not loaded.

    Examples:
        >>> from mindspore import nn
        >>> from mindspore.train.serialization import _load_dismatch_prefix_params
        >>> source, target = nn.Dense(2, 3), nn.Dense(2, 3)
        >>> missing = ["weight", "bias"]
        >>> _load_dismatch_prefix_params(target, {f"net.{p.name}": p for p in source.get_parameters()}, missing, False)
        >>> missing, bool((source.weight == target.weight).all())
        ([], True)
    """
    found, _ = found_names(list(param_not_load), parameter_dict, strict_load, torch=False)
    for parameter in net.get_parameters():
        if parameter.name in found:
            _update_param(parameter, parameter_dict[found[parameter.name]], strict_load)
    param_not_load[:] = [name for name in param_not_load if name not in found]


def _update_param(param: Parameter, new_param: Any, strict_load: bool = False) -> None:
    """Give one Parameter the value of another, as ``load_param_into_net`` does."""
    param.set_data(fitting(param, new_param, strict_load), slice_shape=True)


def _check_load_param_into_net(net: Any, parameter_dict: Any) -> None:
    """The checks of ``load_param_into_net``."""
    checked_arguments(net, parameter_dict)


def _whether_load_param(specify_prefix: Any, filter_prefix: Any, param_name: str) -> bool:
    """Whether a Parameter is loaded: its name starts with one of the first prefixes and with none of the others."""
    wanted, unwanted = (
        tuple([given] if isinstance(given, str) and given else given or ()) for given in (specify_prefix, filter_prefix)
    )
    return (not wanted or param_name.startswith(wanted)) and not (unwanted and param_name.startswith(unwanted))


def _check_prefix(prefix: Any) -> Any:
    """Prefixes as a list or tuple of texts."""
    listed = (prefix,) if isinstance(prefix, str) else prefix
    if not isinstance(listed, (list, tuple)) or not all(isinstance(one, str) for one in listed):
        raise refused(
            TypeError,
            "For 'load_checkpoint', the type of 'specify_prefix' or 'filter_prefix' must be string, list[string] or "
            f"tuple[string], but got {shown(prefix)}.",
        )
    return listed


def _convert_save_obj_to_param_list(save_obj: Any, integrated_save: bool = True, append_dict: Any = None,
                                    choice_func: Any = None) -> list[dict[str, Any]]:  # fmt: skip
    """``[{"name": ..., "data": ...}]`` of what ``save_checkpoint`` is given."""
    named = [*listed_parameters(save_obj), *(append_dict or {}).items()]
    return [{"name": name, "data": value} for name, value in named if choice_func is None or choice_func(name)]


def _convert_cell_to_param_list(
    save_obj: Cell, integrated_save: bool, append_dict: Any, choice_func: Any
) -> list[dict[str, Any]]:
    """That of a network, with values instead of Parameters."""
    listed = _convert_save_obj_to_param_list(save_obj, integrated_save, append_dict, choice_func)
    return [row | {"data": row["data"].value()} if isinstance(row["data"], Parameter) else row for row in listed]


def _convert_list_to_param_list(save_obj: list[Any], choice_func: Any) -> list[dict[str, Any]]:
    """That of a list."""
    return _convert_save_obj_to_param_list(save_obj, choice_func=choice_func)


_convert_dict_to_param_dict = _convert_list_to_param_list


def _calculation_net_size(net: Cell) -> float:
    """The kilobytes that the Parameters of a network take."""
    return sum(parameter.nbytes for parameter in net.get_parameters()) / 1024
