"""Operator families: importing this package declares every operator."""

# ruff: noqa: F401 - imported for their declarations; hooks and indexing register Primitives as well
from mindspore._engine.autodiff import hooks
from mindspore._engine.execution import indexing
from mindspore._ops.array import (
    banded,
    creation,
    diagonals,
    dynamic_shape,
    dynamic_shape_primitives,
    embedding,
    gather,
    joining,
    joint,
    padding,
    rearrange,
    scatter,
    scatter_state,
    selection,
    shape,
    slicing,
)
from mindspore._ops.attention import (
    attention,
    attention_core,
    attention_forms,
    attention_indexed,
    attention_inference,
    attention_paged,
    attention_sparse,
    attention_training,
    deformable_attention,
)
from mindspore._ops.compat import earlier_primitives, extended_forms, index_forms, primitive_forms, view_forms
from mindspore._ops.declaring import random_samples
from mindspore._ops.declaring.documents import complete_all
from mindspore._ops.distributed import (
    collective,
    collective_borders,
    collective_uneven,
    data_queue,
    parameter_server,
    virtual_dataset,
)
from mindspore._ops.effects import device_status, dumping, printing, state
from mindspore._ops.functional import (
    compiler_parts,
    composite,
    composite_forms,
    custom,
    function_primitives,
    hybrid,
    loops,
    python_functions,
    registration,
    values,
)
from mindspore._ops.image import (
    blocks,
    boxes,
    colours,
    deformable,
    distorted_boxes,
    image_layout,
    image_patches,
    pixels,
    position_pooling,
    random_windows,
    regions,
    rescaling,
    resize,
    rotated_boxes,
    sampling,
    suppression,
)
from mindspore._ops.linalg import (
    affine,
    factorization,
    fourier,
    linalg,
    matrix,
    numpy_arrays,
    numpy_math,
    scipy_fft,
    scipy_linalg,
    signal_windows,
    spectrum,
    triangular,
)
from mindspore._ops.math import (
    arithmetic,
    bessel,
    bitwise,
    cast,
    clip,
    compare,
    complex_numbers,
    differences,
    elementary,
    elementwise,
    special,
    trigonometric,
)
from mindspore._ops.methods import (
    creation_methods,
    in_place,
    shape_methods,
    tensor_memory,
    tensor_methods,
    tensor_views,
)
from mindspore._ops.nn import (
    activation,
    activation_limits,
    adaptive_pooling,
    batch_norm,
    batch_statistics,
    class_loss,
    convolution,
    ctc,
    dropout,
    experts,
    fake_quant,
    fractional_pooling,
    label_loss,
    layer_math,
    loss,
    lp_pooling,
    margin_loss,
    normalization,
    pooling,
    pooling_primitives,
    recurrent,
    recurrent_primitives,
    sequence_search,
    transposed_convolution,
    unpooling,
)
from mindspore._ops.optimizer import (
    optimizer_adam,
    optimizer_adaptive,
    optimizer_corrected,
    optimizer_descent,
    optimizer_rows,
    optimizer_second_order,
)
from mindspore._ops.random import (
    candidate_sampling,
    in_place_random,
    random_distributions,
    random_ops,
    random_primitives,
)
from mindspore._ops.reduction import counting, extremes, norms, quantiles, reduce, scan, segments, sort, statistics
from mindspore._ops.reinforcement import buffers, replay_buffers, stores, tensor_arrays, tensor_queues
from mindspore._ops.sparse import sparse_forms, sparse_functions, sparse_kernels, sparse_members, sparse_tensors

complete_all()
