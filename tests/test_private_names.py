"""Private names of MindSpore that libraries import: all are there, and those that do something do it."""

import abc
import datetime
import importlib
from pathlib import Path

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, _c_dataengine, _c_expression, _checkparam, context, log, mint, nn, ops, utils
from mindspore import dataset as ds
from mindspore._c_expression import MSContext, ParamInfo, ms_ctx_param, typing
from mindspore._check_jit_forbidden_api import get_jit_forbidden_method, jit_forbidden_register
from mindspore._checkparam import _check_3d_int_or_tuple
from mindspore._extends.parse import compile_config, standard_method, trope
from mindspore.common import api, np_dtype
from mindspore.common.recompute import _padding_input_grads, _RecomputeCell, recompute_registry
from mindspore.communication import _comm_helper
from mindspore.communication.tcp_store import TCPStore
from mindspore.dataset.core import datatypes
from mindspore.dataset.utils import LineReader
from mindspore.hal.contiguous_tensors_handle import combine_tensor_list_contiguous
from mindspore.nn.layer import container, conv, rnn_cells
from mindspore.numpy import utils as numpy_utils
from mindspore.numpy import utils_const
from mindspore.ops._registries import tensor_operator_registry
from mindspore.ops.composite.multitype_ops import _compile_utils
from mindspore.ops.function import clip_func, math_func, nn_func
from mindspore.parallel import _ps_context, strategy
from mindspore.train.mind_ir_pb2 import ModelProto
from mindspore.utils import _pytree

DATA = Path(__file__).parent / "data"
NAMES = (DATA / "private_names.txt").read_text().split()
EARLIER = (DATA / "earlier_names.txt").read_text().split()


def resolved(name):
    parts = name.split(".")
    for cut in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:]:
            found = getattr(found, part)
        return found
    raise ModuleNotFoundError(name)


@pytest.mark.parametrize("name", NAMES)
def test_a_private_name_that_libraries_import_is_there(name):
    assert resolved(name) is not None


@pytest.mark.parametrize("name", EARLIER)
def test_a_name_of_an_earlier_version_that_libraries_import_is_there(name):
    assert resolved(name) is not None


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("mindspore.nn.layer.basic.validator", _checkparam),
        ("mindspore.nn.cell.Cast", ops.Cast),
        ("mindspore.nn.layer.quant.Conv2dBnAct", nn.Conv2dBnAct),
        ("mindspore.common.tensor.SparseTensor", ms.SparseTensor),
        ("mindspore.nn.layer.conv.check_int_positive", _checkparam.check_int_positive),
    ],
)
def test_names_that_modules_of_earlier_versions_had_are_found_where_they_are(name, found):
    assert resolved(name) is found


def test_checks_of_1_0_take_a_value_alone():
    assert _checkparam.check_int_positive(3) == 3 and _checkparam.check_int_non_negative(0) == 0
    assert _checkparam.check_padmode("same") == "same" and _checkparam.check_padding(2) == 2
    assert _checkparam.check_typename("x", ms.int32, (ms.int32, ms.float32)) == ms.int32
    assert _checkparam.check_tensor_supported_type(ms.float32) == ms.float32 and _checkparam.check_int_zero_one(1) == 1
    for check, wrong, kind in (
        (_checkparam.check_int_positive, 0, ValueError),
        (_checkparam.check_int_positive, True, TypeError),
        (_checkparam.check_int_non_negative, -1, ValueError),
        (_checkparam.check_padmode, "reflect", ValueError),
        (_checkparam.check_padding, -1, ValueError),
        (_checkparam.check_int_zero_one, 2, ValueError),
        (_checkparam.check_tensor_supported_type, ms.int8, ValueError),
    ):
        with pytest.raises(kind):
            check(wrong)
    with pytest.raises(TypeError, match="must be one of"):
        _checkparam.check_typename("x", ms.int8, (ms.int32,))


# -- _c_expression --------------------------------------------------------------------------------------------------------
def test_the_context_is_an_object():
    instance = MSContext.get_instance()
    assert instance is MSContext.get_instance() is context.K_CONTEXT and instance.get_ascend_soc_version() == ""
    assert instance.get_param(ms_ctx_param.device_target) == ms.get_context("device_target")
    instance.set_param(ms_ctx_param.max_call_depth, 77)
    assert ms.get_context("max_call_depth") == 77 and context._get_mode() == ms.get_context("mode")
    instance.set_param(ms_ctx_param.ge_options, {"a": 1})
    assert instance.get_param(ms_ctx_param.ge_options) == {"a": 1}
    assert instance.is_pkg_support_device("CPU") and not instance.is_pkg_support_device("Ascend")
    with pytest.raises(ValueError, match="policy"):
        instance.set_backend_policy("other")


def test_information_of_a_parameter_is_a_view_of_it():
    weight = Parameter(Tensor([1.0]), name="w")
    assert isinstance(weight.param_info, ParamInfo) and weight.param_info.obj is weight
    weight.param_info.requires_grad = False
    weight.param_info.cache_shape = [3]
    assert (
        not weight.requires_grad and weight.param_info.cache_shape == [3] and weight.param_info.parameter_shape == [1]
    )
    copied = weight.param_info.clone()
    copied.name = "other"
    assert weight.name == "w" and not copied.requires_grad
    weight.param_info = copied
    assert weight.name == "other"


def test_dtypes_have_numbers_and_kinds():
    assert typing.type_to_type_id(ms.float32) == 43 and typing.type_id_to_type(34) is ms.int32
    assert typing.load_type(typing.dump_type(ms.bool_)) is ms.bool_ and typing.str_to_type("Int8") is ms.int8
    assert typing.is_subclass(ms.float32, typing.Float()) and not typing.is_subclass(ms.float32, typing.Int())
    assert typing.type_size_in_bytes(ms.float16) == 2
    with pytest.raises(ValueError, match="type_id_to_type"):
        typing.type_id_to_type(999)


def test_names_of_the_compiled_part_are_found_elsewhere():
    assert _c_expression._add_instance is mint.add and issubclass(Tensor, _c_expression.TensorPy)
    assert isinstance(nn.ReLU(), _c_expression.Cell_) and isinstance(ops.Add(), _c_expression.Primitive_)
    assert _c_expression._empty_instance(2, 3).shape == (2, 3)
    x = Tensor([-1.0, 2.0])
    assert _c_expression.pyboost_abs(ops.Abs(), [x]).tolist() == _c_expression.pyboost_abs([x]).tolist() == [1.0, 2.0]
    assert _c_expression.pyboost_add_ext(None, [x, x, 2]).tolist() == [-3.0, 6.0]
    assert _c_expression.pyboost_empty([(2, 3), ms.float16, None]).dtype == ms.float16
    with pytest.raises(AttributeError, match="no_such_name"):
        _c_expression.no_such_name  # noqa: B018 - asking for it is the test
    values = np.zeros(4, np.float32)
    _c_expression._random_uniform(1, values, 1.0, 2.0)
    assert np.all((values >= 1) & (values < 2))


def test_blocks_of_a_cache_are_copied():
    host, device = ops.zeros((3, 2)), ops.ones((2, 2))
    _c_expression.swap_cache(host, device, Tensor([[0, 2]]), True)
    assert host.asnumpy().tolist() == [[0, 0], [0, 0], [1, 1]]
    with pytest.raises(ValueError, match="block_mapping"):
        _c_expression.swap_cache(host, device, Tensor([[5, 0]]), True)


def test_operations_of_the_data_engine_are_the_transforms():
    assert _c_dataengine.LookupOperation is ds.text.Lookup and _c_dataengine.MnistNode is ds.MnistDataset
    assert _c_dataengine.Vocab.from_dict({"a": 3}).tokens_to_ids("a") == 3
    with pytest.raises(AttributeError, match="NothingOperation"):
        _c_dataengine.NothingOperation  # noqa: B018
    assert (
        datatypes.mstype_to_detype(ms.int16) == np.int16
        and datatypes.mstypelist_to_detypelist([None, ms.int8])[0] is None
    )


# -- common, log, context ---------------------------------------------------------------------------------------------------
def test_operations_of_networks_are_counted():
    net = nn.Dense(4, 2).set_train()
    net.compile(ops.ones((8, 4)))
    assert api.flops_collection("train")[0] >= 2 * 8 * 4 * 2
    assert api._cell_graph_executor.has_compiled(net)
    assert api._cell_graph_executor.init_dataset("q", 1, 1, [ms.float32], [[1]], [])


def test_recomputed_blocks_have_the_same_gradient():
    block = _RecomputeCell(nn.Sigmoid())
    assert ms.grad(lambda x: block(x))(Tensor(0.0)).asnumpy() == 0.25
    gradients = [Tensor(1.0), Tensor(2.0)]
    _padding_input_grads((Tensor(1.0), 3, Tensor(2.0)), gradients)
    assert gradients[1] is None and len(gradients) == 3


def test_the_function_that_recomputes_can_be_replaced():
    made = recompute_registry.get()
    assert ms.grad(made(nn.Sigmoid()))(Tensor(0.0)).asnumpy() == 0.25
    try:
        recompute_registry.register(lambda block: block)
        assert recompute_registry.get()("block") == "block"
    finally:
        recompute_registry.register(made)
    with pytest.raises(TypeError, match="fn"):
        recompute_registry.register(3)


def test_actions_that_log_happen_once():
    seen = []
    action = log._LogActionOnce(log, key="test_private_names")(seen.append)
    action(1), action(2)
    assert seen == [1] and log._get_logger().name.startswith("mindspore") and np_dtype.np_dtype_valid(False)


# -- communication and parallel ---------------------------------------------------------------------------------------------
def test_back_ends_are_texts():
    assert _comm_helper.Backend("HCCL") == "hccl" and not _comm_helper._is_initialized()
    assert _comm_helper._get_group_map() == {} and _comm_helper._remove_group_info("none") is None
    with pytest.raises(ValueError, match="'name' must be one of"):
        _comm_helper.Backend("abc")
    assert not _ps_context._is_role_sched() and strategy.get_strategy_metadata(nn.ReLU()) is None


def test_processes_share_a_table():
    server = TCPStore("127.0.0.1", 0, is_master=True)
    client = TCPStore("127.0.0.1", server.port, timeout=datetime.timedelta(seconds=0.05))
    client.set("a", b"\x00b")
    assert server.get("a") == b"\x00b" and client.add("n", 2) == 2 and server.add("n", 3) == 5
    assert client.delete_key("a") and not client.delete_key("a")
    with pytest.raises(ValueError, match="no process set the key 'a'"):
        client.get("a")


def test_what_belongs_to_ascend_clusters_says_so_when_used():
    assert utils._tft_handler.get_tft() is None
    assert not utils.RSCPluginHandle().check_enable() and "TTP:1" in utils.TFTCommValue.ENABLE_MINDX
    for use in (utils._tft_handler.init, utils.RSCPluginHandle().start):
        with pytest.raises(RuntimeError, match="Ascend clusters"):
            use()
    assert utils.comm_exec_order_check("start") is None


# -- operators and layers -----------------------------------------------------------------------------------------------------
def test_tensors_stand_one_after_the_other():
    handle = combine_tensor_list_contiguous([Tensor([1.0, 2.0]), Tensor([3.0])])
    assert handle.after_padding_sizes == [128, 128] and handle.slice_by_tensor_index(1, 2)[0].asnumpy() == 3
    assert combine_tensor_list_contiguous([Tensor([1.0, 2.0]), Tensor([3.0])], False)[1:3].asnumpy().tolist() == [2, 3]


def test_steps_of_recurrent_cells(mode):
    x, h = Tensor(np.ones((2, 3), np.float32)), Tensor(np.zeros((2, 4), np.float32))
    cell = nn.LSTMCell(3, 4)
    given = (cell.weight_ih, cell.weight_hh, cell.bias_ih, cell.bias_hh)
    assert np.allclose(rnn_cells._lstm_cell(x, (h, h), *given)[0].asnumpy(), cell(x, (h, h))[0].asnumpy(), atol=1e-6)
    gru = nn.GRUCell(3, 4)
    assert np.allclose(
        rnn_cells._gru_cell(x, h, gru.weight_ih, gru.weight_hh, gru.bias_ih, gru.bias_hh).asnumpy(),
        gru(x, h).asnumpy(),
        atol=1e-6,
    )


def test_lengths_and_windows():
    assert [
        conv._deconv_output_length(*one, 5, 3, 2, 1, 0) for one in ((True, False, False), (False, True, False))
    ] == [11, 10]
    assert _check_3d_int_or_tuple("k", (1, 1, 2, 3, 4), "Net", allow_five=True) == (2, 3, 4)
    assert _check_3d_int_or_tuple("k", 2, "Net", ret_five=True) == (1, 1, 2, 2, 2)
    with pytest.raises(ValueError, match="For 'Net', the parameter 'k'"):
        _check_3d_int_or_tuple("k", (1, 2), "Net")


def test_steps_of_attention():
    q = Tensor(np.random.default_rng(0).normal(size=(3, 2, 4)).astype(np.float32))
    w, b = Tensor(np.eye(12, 4, dtype=np.float32)), Tensor(np.ones(12, np.float32))
    queries, keys, values = nn_func._in_projection_packed(q, q, q, w, b, True, True)
    assert (
        np.allclose(queries.asnumpy(), q.asnumpy() + 1) and np.allclose(keys.asnumpy(), 1) and values.shape == q.shape
    )
    out, weights = nn_func._scaled_dot_product_attention(q, q, q, None, 0.0, True, False, ms.float32)
    assert np.allclose(weights.asnumpy().sum(-1), 1, atol=1e-6) and np.allclose(
        out.asnumpy()[:, 0], q.asnumpy()[:, 0], atol=1e-6
    )
    assert nn_func._check_qkv_shape(3, 3, 3)
    with pytest.raises(ValueError, match="For batched `query`"):
        nn_func._check_qkv_shape(3, 2, 3)
    assert nn_func._interpolate_ext_scale_factor_convert_size(ops.ones((1, 1, 3, 4)), (2.0, 1.5)) == (6, 6)


def test_elements_are_read_and_written_by_functions():
    x = Tensor(np.arange(6).reshape(2, 3))
    assert (
        _compile_utils._tensor_setitem(x, (0,), 5) is x
        and _compile_utils._tensor_getitem(x, 0).asnumpy().tolist() == [5] * 3
    )


def test_inputs_of_numpy_functions():
    number, row = numpy_utils._to_tensor(1, [2, 3])
    assert number.dtype == row.dtype == ms.int32 and numpy_utils._expand(row, 3).shape == (1, 1, 2)
    assert numpy_utils._get_dtype_from_scalar(1, 2.0) == ms.float32
    with pytest.raises(ValueError, match=r"^ab$"):
        utils_const._raise_value_error("a", "b")
    assert utils_const._infer_out_shape((2, 1), (1, 3)) == (2, 3) and utils_const._canonicalize_axis(-1, 3) == 2
    assert utils_const._promote(ms.float16, ms.int32) == ms.float16 and utils_const._check_shape(3) == (3,)


def test_hooks_are_run_by_cells_with_a_call_of_their_own():
    net = nn.ReLU()
    net.register_forward_hook(lambda cell, inputs, output: output * 2)
    assert net._run_forward_hook((Tensor(1.0),), {}, Tensor(3.0), set()).asnumpy() == 6


def test_containers_of_libraries_use_the_checks_of_ours():
    assert container._valid_index(3, -1, "Mine") == 2 and container._valid_cell(nn.ReLU())
    with pytest.raises(IndexError, match=r"For 'Mine', the value of 'index' must be in \[-3, 3\), but got 3"):
        container._valid_index(3, 3, "Mine")
    with pytest.raises(TypeError, match="must be subclass of Cell, but got int"):
        container._valid_cell(3, "Mine")
    named = nn.SequentialCell(nn.SequentialCell(nn.Dense(1, 1), nn.Dense(1, 1)))
    assert container._get_prefix_and_index(named[0]._cells) == ("0.", 1)


def test_ranges_are_checked_by_names_and_positions():
    named = {"lower_limit": 0.0, "upper_limit": 1.0, "rel": _checkparam.INC_BOTH}
    assert _checkparam.check_float_range(arg_value=0.5, **named, arg_name="p", prim_name="Mine") == 0.5
    assert _checkparam.check_int_range(1, 0, rel=_checkparam.INC_LEFT, upper_limit=2) == 1
    assert _checkparam.check_number_range(arg_value=1, **named, value_type=int) == 1
    with pytest.raises(ValueError, match=r"'p'.*must be in range of \[0\.0, 1\.0\]"):
        _checkparam.check_float_range(arg_value=1.5, **named, arg_name="p", prim_name="Mine")
    with pytest.raises(TypeError, match="upper_limit"):
        _checkparam.check_int_range(1, 0, rel=_checkparam.INC_LEFT)


def test_steps_of_clipping_are_functions():
    gradients = [Tensor([3.0, 4.0]), Tensor([0.0])]
    assert [one.tolist() for one in ops.HyperMap()(clip_func.get_square_sum, gradients)] == [[25.0], [0.0]]
    assert np.allclose(clip_func.apply_global_norm(Tensor(1.0), Tensor(5.0), gradients[0]).asnumpy(), [0.6, 0.8])
    assert math_func._expand(gradients[0], 3).shape == (1, 1, 2) and math_func._check_same_type(ms.int8, ms.int8)
    assert _compile_utils.tensor_index_by_tuple(Tensor([[1, 2]]), (0, 1)).asnumpy() == 2
    assert ms.dtype._issubclass_(ms.float32, ms.number) and not ms.dtype._issubclass_(ms.float32, ms.int32)


def test_the_executor_gives_the_graph_of_a_network():
    net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU())
    phase, _ = api._cell_graph_executor.compile(net, ops.ones((1, 2)), phase="export.mindir")
    model = ModelProto.FromString(api._cell_graph_executor._get_func_graph_proto(net, phase, "mind_ir"))
    assert any("ReLU" in node.op_type for node in model.graph.node)
    with pytest.raises(ValueError, match="not compiled as 'other'"):
        api._cell_graph_executor._get_func_graph_proto(net, "other")


def test_functions_are_marked_as_not_meant_for_graphs():
    assert jit_forbidden_register(resolved) is resolved
    assert f"{resolved.__module__}.resolved" in get_jit_forbidden_method()


# -- what the compiler, trees and files are asked for -------------------------------------------------------------------------
def test_names_of_the_compiler_are_python_and_operators():
    assert standard_method.max(Tensor([1.0, 3.0])).asnumpy() == 3 and standard_method.dict_get({"a": 1}, "a") == 1
    assert trope.floordiv(7, 2) == 3 and trope.len([1]) == 1 and trope.not_contains([1], 2)
    assert compile_config.GRAD_FOR_SCALAR == ""
    with pytest.raises(AttributeError, match="nothing_like_it"):
        trope.nothing_like_it  # noqa: B018
    assert tensor_operator_registry.get("add") is ops.functional.add


def test_trees_are_taken_apart_and_built_again():
    tree = {"b": 1, "a": [2, (3, Tensor(4.0))]}
    leaves, structure = _pytree.tree_flatten(tree)
    assert leaves[:2] == [2, 3] and leaves[3] == 1 and structure.num_leaves == 4
    assert _pytree.tree_unflatten(structure, [1, 2, 3, 4]) == {"a": [1, (2, 3)], "b": 4}
    assert _pytree.tree_map(lambda x, y: x + y, [1, (2,)], [10, (20,)]) == [11, (22,)]
    assert len(_pytree.tree_leaves(tree, tensors_only_leaf=True)) == 1
    with pytest.raises(ValueError, match="as many as in the structure, 4, but got 1"):
        _pytree.tree_unflatten(structure, [1])


def test_lines_are_read_by_their_numbers(tmp_path):
    (tmp_path / "rows.txt").write_text("a\nbc\nlast")
    reader = LineReader(str(tmp_path / "rows.txt"))
    assert reader.len() == 3 and [reader.readline(number) for number in (3, 1, 2)] == ["last", "a\n", "bc\n"]
    with pytest.raises(ValueError, match="line"):
        reader.readline(4)
    reader.close()
    with pytest.raises(RuntimeError, match="does not exist"):
        LineReader(str(tmp_path / "none.txt"))


def test_everything_is_imported_from_generated_modules():
    names: dict = {}
    exec("from mindspore.ops.auto_generate.gen_ops_prim import *", names)
    exec("from mindspore.ops.auto_generate.pyboost_inner_prim import *", names)
    assert names["Abs"]()(Tensor([-2.0])).asnumpy().tolist() == [2.0]
    assert {"AddExt", "abs_op", "argmax_with_value_impl", "BatchNormGrad"} <= {*names}


def test_the_type_of_tensor_mixes_with_other_metaclasses_and_takes_members():
    meta = type(Tensor)
    assert issubclass(meta, abc.ABCMeta)

    class Counted(meta, abc.ABCMeta):
        made = 0

    class Marked(Tensor, metaclass=Counted):
        pass

    class Plain(Parameter, abc.ABC):
        pass

    meta.described = lambda kind: kind.__name__
    try:
        assert Marked.described() == "Marked" and Tensor.described() == "Tensor"
    finally:
        del meta.described
    assert isinstance(Marked([1.0]), Tensor) and not isinstance(1, Marked) and issubclass(Plain, Tensor)
    assert (Marked([1.0]) + 1).asnumpy().tolist() == [2.0]
