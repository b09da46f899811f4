"""Modules are found the way libraries reach for them: as attributes, by joined lists, as messages of files."""

import types

import pytest

import mindspore
from mindspore import ops
from mindspore.train.mind_ir_pb2 import AttributeProto, GraphProto, ModelProto, TensorProto


def test_modules_of_packages_are_attributes_without_an_import():
    assert mindspore.common._stub_tensor.StubTensor
    assert mindspore.ops.operations.manually_defined.ops_def.ReLU is ops.ReLU
    with pytest.raises(AttributeError, match="no_such_module"):
        mindspore.common.no_such_module  # noqa: B018


@pytest.mark.parametrize("module", [ops.composite, ops.functional, ops.operations])
def test_lists_of_names_can_be_joined(module):
    assert {"HyperMap", "zeros_like", "Add"} & set(module.__all__)
    assert all(hasattr(module, name) for name in module.__all__)
    assert "TYPE_CHECKING" not in module.__all__


def test_messages_of_models_hold_graphs_of_messages():
    weight = TensorProto(name="w", dims=[2, 3], data_type=TensorProto.FLOAT, raw_data=bytes(24))
    axis = AttributeProto(name="axis", type=AttributeProto.INT64, i=-1)
    model = ModelProto(producer_name="test", graph=GraphProto(name="main", parameter=[weight]))
    model.graph.node.add(op_type="Softmax", input=["w"], output=["y"]).attribute.append(axis)
    again = ModelProto.FromString(model.SerializeToString())
    assert again == model
    assert (again.graph.parameter[0].dims, again.graph.node[0].attribute[0].i) == ([2, 3], -1)
    nested = AttributeProto(type=AttributeProto.TUPLE, values=[axis, AttributeProto(g=model.graph)])
    assert AttributeProto.FromString(nested.SerializeToString()).values[1].g.node[0].op_type == "Softmax"


@pytest.mark.parametrize("package", ["train", "nn", "dataset", "nn.metrics", "nn.loss", "nn.optim", "train.summary"])
def test_taking_all_names_of_a_package_takes_no_modules(package):
    names: dict = {}
    exec(f"from mindspore.{package} import *", names)
    del names["__builtins__"]
    assert [name for name, value in names.items() if isinstance(value, types.ModuleType)] == []
