"""Methods of Cell and Parameter that only MindSpore 1.0 to 2.0 publish."""

from collections import OrderedDict

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn, ops
from mindspore.common.initializer import initializer

X = Tensor(np.ones((1, 2), np.float32))


class Scale(nn.Cell):
    def __init__(self):
        super().__init__()
        self.weight = Parameter(Tensor([1.0, 2.0]), name="weight")

    def construct(self, x):
        return self.cast_param(self.weight) * self.auto_cast_inputs((x,))[0]


def test_inputs_and_parameters_are_cast_to_the_float_type_of_the_cell(mode):
    assert Scale()(X).dtype == ms.float32 and Scale().to_float(ms.float16)(X).dtype == ms.float16
    assert Scale().cast_param(weight := Parameter(Tensor([1.0]))) is weight


def test_methods_that_other_back_ends_need_leave_a_network_as_it_is():
    net = nn.Dense(2, 2)
    before = net(X).asnumpy()
    net.flatten_weights()
    net.load_parameter_slice(OrderedDict(net.parameters_dict()))
    net.set_parallel_input_with_inputs(X)
    net.set_auto_parallel()
    net.exec_checkpoint_graph()
    net.place("MS_WORKER", 0)
    assert net.infer_param_pipeline_stage() == net.trainable_params() and not net.auto_parallel_compile_and_run()
    np.testing.assert_array_equal(net(X).asnumpy(), before)


def test_wrong_arguments_of_these_methods_are_named():
    net = nn.SequentialCell(nn.Dense(2, 2))
    with pytest.raises(ValueError, match="'fusion_size'"):
        net.flatten_weights(-1)
    with pytest.raises(TypeError, match="'params' must be an OrderedDict"):
        net.load_parameter_slice([1])
    with pytest.raises(TypeError, match="'role'"):
        net.place(3, 0)


def test_the_names_of_these_methods_are_free_for_members():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.place = nn.ReLU()
            self.cast_param = ops.Cast()

        def construct(self, x):
            return self.cast_param(self.place(x), ms.int32)

    assert Net()(X).dtype == ms.int32


def test_parameters_are_marked_for_servers():
    net = nn.Dense(2, 2)
    net.set_param_fl(push_to_server=True, pull_from_server=True, requires_aggr=False)
    weight = net.weight
    assert weight.push_weight_to_server and weight.pull_weight_from_server and not weight.param_info.requires_aggr
    with pytest.raises(RuntimeError, match="enable_ps"):
        weight.set_param_ps()
    ms.context.set_ps_context(enable_ps=True)
    try:
        weight.set_param_ps(init_in_server=True)
    finally:
        ms.context.reset_ps_context()
    assert weight.is_param_ps and weight.param_info.init_in_server


def test_a_lazy_tensor_is_made_by_to_tensor():
    assert initializer("ones", (2,)).to_tensor().asnumpy().tolist() == [1.0, 1.0]
