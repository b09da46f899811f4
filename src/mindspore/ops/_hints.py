"""What to write instead of names that ``mindspore.ops`` does not have."""

from __future__ import annotations

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
    "Sum": "Write ops.ReduceSum() or ops.sum.",
    "Mean": "Write ops.ReduceMean() or ops.mean.",
    "Max": "Write ops.ReduceMax() or ops.max.",
    "Min": "Write ops.ReduceMin() or ops.min.",
    "concatcat": "Write ops.concat.",
    "no_grad": "Write ops.stop_gradient around the value instead.",
    "detach": "Write ops.stop_gradient.",
    "linear": "Write ops.dense(x, weight, bias), or the layer nn.Dense.",
    "view": "Write ops.reshape.",
    "to": "Write ops.cast(x, mindspore.float16).",
    "normalize": "Write ops.L2Normalize(axis)(x), or x / ops.norm(x, dim=-1, keepdim=True).",
    "clip_grad_norm_": "Write ops.clip_by_global_norm(gradients, clip_norm), which returns the clipped gradients.",
    "clip_grad_norm": "Write ops.clip_by_global_norm(gradients, clip_norm), which returns the clipped gradients.",
    "softmax_cross_entropy": "Write ops.cross_entropy(logits, labels).",
    "softmax_cross_entropy_with_logits": "Write ops.cross_entropy(logits, labels).",
    "scaled_dot_product_attention": "Write ops.softmax(q @ k.swapaxes(-1, -2) / d ** 0.5, -1) @ v, or nn.MultiheadAttention.",
    "mse": "Write ops.mse_loss(x, y).",
    "sequential": "Write nn.SequentialCell([...]).",
}
