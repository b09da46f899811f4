"""Single steps of saving and loading that libraries call, and the messages of files."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.train import serialization
from mindspore.train.checkpoint_pb2 import Checkpoint, MapTensorProto, TensorProto
from mindspore.train.node_strategy_pb2 import ParallelStrategyMap
from mindspore.train.serialization import build_searched_strategy


def test_a_file_is_written_from_shapes_types_and_values(tmp_path):
    path = str(tmp_path / "net.ckpt")
    rows = {"w": [(2, 1), "Float16", Tensor([[1.0], [2.0]])], "text": [(0,), "str", np.array(["abc"])]}
    serialization._exec_save(path, rows, crc_check=True)
    loaded = ms.load_checkpoint(path, crc_check=True)
    assert loaded["w"].shape == (2, 1) and loaded["w"].dtype == ms.float16 and loaded["text"] == "abc"
    with pytest.raises(TypeError, match="the dtype of 'w' must be one of"):
        serialization._exec_save(path, {"w": [(1,), "Float33", np.ones(1)]})


def test_the_message_of_a_file_is_parsed_and_written_again(tmp_path):
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(nn.Dense(2, 3), path)
    message = serialization._parse_ckpt_proto(path, None, "AES-GCM", False)
    found = [
        (one.tag, list(one.tensor.dims), one.tensor.tensor_type, len(one.tensor.tensor_content))
        for one in message.value
    ]
    assert found == [("weight", [3, 2], "Float32", 24), ("bias", [3], "Float32", 12)]
    assert message.value[0].HasField("tensor") and not message.value[0].HasField("maptensor")
    assert message.SerializeToString() == (tmp_path / "net.ckpt").read_bytes()
    (tmp_path / "net.ckpt").write_bytes(b"\x0a\xff\xff")
    with pytest.raises(ValueError, match="may be corrupted"):
        serialization._parse_ckpt_proto(path, None, "AES-GCM", False)


def test_an_encrypted_file_is_parsed_with_its_key_alone(tmp_path):
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(nn.Dense(2, 3), path, enc_key=b"0123456789012345")
    message = serialization._parse_ckpt_proto(path, b"0123456789012345", "AES-GCM", False)
    assert [one.tag for one in message.value] == ["weight", "bias"]
    with pytest.raises(ValueError, match="dec_key"):
        serialization._parse_ckpt_proto(path, None, "AES-GCM", False)


def test_parameters_with_a_prefix_more_are_loaded():
    source, target = nn.Dense(2, 3), nn.Dense(2, 3)
    missing = ["weight", "bias", "other"]
    given = {f"net.{one.name}": one for one in source.get_parameters()}
    serialization._load_dismatch_prefix_params(target, given, missing, False)
    assert missing == ["other"] and np.array_equal(target.weight.asnumpy(), source.weight.asnumpy())


def test_prefixes_choose_parameters():
    choose = serialization._whether_load_param
    assert choose(["a"], None, "a.b") and not choose(None, ["a"], "a.b") and choose("", "", "a.b")
    assert serialization._check_prefix("a") == ("a",)
    with pytest.raises(TypeError, match="must be string"):
        serialization._check_prefix(3)


def test_what_is_saved_is_listed():
    net = nn.Dense(2, 1)
    rows = serialization._convert_cell_to_param_list(net, True, {"epoch": 3}, lambda name: name != "bias")
    assert [row["name"] for row in rows] == ["weight", "epoch"] and not isinstance(rows[0]["data"], Parameter)
    assert serialization._calculation_net_size(net) == 12 / 1024


def test_pieces_of_a_hash_table_are_joined():
    def piece(*rows):
        return TensorProto(
            dims=[len(rows), 2], tensor_type="Float32", tensor_content=np.array(rows, np.float32).tobytes()
        )

    message = Checkpoint()
    for rows in (((1, 2),), ((3, 4), (5, 6))):
        message.value.add(tag="table", maptensor=MapTensorProto(tensor=[piece(*rows)]))
    found, arrays, sizes = {}, [], []
    for index, element in enumerate(message.value):
        serialization._load_map_parameter(message, element, index, arrays, sizes, found)
    assert found["table"][0].tolist() == [[1, 2], [3, 4], [5, 6]] and arrays == sizes == []


def test_strategies_are_messages(tmp_path):
    strategies = ParallelStrategyMap(current_stage=0)
    item = strategies.parallel_layout_item.add(param_name="w")
    item.parallel_layouts.dev_matrix.add(dim=[2, 4])
    item.parallel_layouts.tensor_map.add(dim=[1, -1])
    item.parallel_layouts.field = 0
    (tmp_path / "strategy.ckpt").write_bytes(strategies.SerializeToString())
    layout = build_searched_strategy(str(tmp_path / "strategy.ckpt"))["w"]
    assert layout.dev_matrix[0].dim == [2, 4] and layout.tensor_map[0].dim == [1, -1]
    copied = ParallelStrategyMap()
    copied.CopyFrom(strategies)
    assert copied == strategies and copied.ByteSize() == len(strategies.SerializeToString())
    with pytest.raises(AttributeError, match="has no field 'stage'"):
        copied.stage = 1
    with pytest.raises(ValueError, match="Error parsing message of type 'ParallelStrategyMap'"):
        copied.ParseFromString(b"\x12\xff")
