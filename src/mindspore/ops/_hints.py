"""What to write instead of names that ``mindspore.ops`` does not have."""

from __future__ import annotations

# Functions that store what other processes send; they stand above the operators.
_BETWEEN_PROCESSES = (
    "P2POp all_gather all_gather_into_tensor all_gather_into_tensor_uneven all_gather_object all_reduce all_to_all "
    "all_to_all_single barrier batch_isend_irecv broadcast broadcast_object_list destroy_process_group gather_object "
    "get_backend get_global_rank get_group_rank get_process_group_ranks get_rank get_world_size init_process_group irecv "
    "is_available is_initialized isend new_group recv recv_object_list reduce reduce_scatter reduce_scatter_tensor "
    "reduce_scatter_tensor_uneven scatter_object_list send send_object_list"
)
_OF_COMMUNICATION = "all_to_all_v_c gather_into_tensor scatter_tensor"
# What the compiler of MindSpore puts into its own graphs. XLA has graphs of its own, made by tracing.
_OF_THE_COMPILER = (
    "GeSwitch Merge PyExecute SliceGetItem UpdateState array_reduce distribute embed env_get environ_add environ_create "
    "environ_get environ_set geswitch merge ref_to_embed is_dynamic_sequence_element_unknown is_tensor_bool_cond"
)
_OF_THE_IMPLEMENTATION = (
    "DtypeToEnum arg_dtype_cast arg_handler auto_generate cpp_create_prim_instance_helper gen_extend_func gen_ops_def "
    "gen_ops_prim get_vm_impl_fn prim_arg_register pyboost_inner_prim tensor_operator_registry vm_impl_registry"
)

HINTS = {
    **{name: f"Write mindspore.mint.distributed.{name}." for name in _BETWEEN_PROCESSES.split()},
    **{name: f"Write mindspore.communication.comm_func.{name}." for name in _OF_COMMUNICATION.split()},
    **dict.fromkeys(
        _OF_THE_COMPILER.split(), "It stands only in graphs that MindSpore's own compiler makes: leave it out."
    ),
    **dict.fromkeys(_OF_THE_IMPLEMENTATION.split(), "It is a part of how MindSpore itself is made: call the operator."),
    **dict.fromkeys(["MapCacheIdx", "MapUniform", "make_map_parameter"], "Embeddings need no cache: use nn.Embedding."),
    "moe_distribute_combine": "Write ops.AlltoAllV and ops.moe_token_unpermute.",
    "moe_distribute_dispatch": "Write ops.moe_token_permute and ops.AlltoAllV.",
    "CustomOpBuilder": "There are no C++ operators: write one in Python with ops.Custom.",
    "TCPStore": "Processes meet through msrun or mindspore.communication.init; send objects with mint.distributed.",
    "_AllSwap": "Write ops.AlltoAllV.",
    "set_comm_ops_inplace": "The functions of mindspore.mint.distributed always store their results in place.",
    "Sum": "Write ops.ReduceSum() or ops.sum.",
    "Mean": "Write ops.ReduceMean() or ops.mean.",
    "Max": "Write ops.ReduceMax() or ops.max.",
    "Min": "Write ops.ReduceMin() or ops.min.",
    "concatcat": "Write ops.concat.",
    "no_grad": "Write ops.stop_gradient around the value instead.",
}
