"""All case families by name."""

from __future__ import annotations

from tools.oracle import (
    cases_arithmetic,
    cases_detection,
    cases_errors,
    cases_gradients,
    cases_images,
    cases_indexing,
    cases_layers_activation,
    cases_layers_basic,
    cases_layers_containers,
    cases_layers_conv,
    cases_layers_loss,
    cases_layers_normalization,
    cases_layers_pooling,
    cases_layers_recurrent,
    cases_layers_transformer,
    cases_losses,
    cases_matmul,
    cases_methods,
    cases_nn,
    cases_numpy_arrays,
    cases_numpy_math,
    cases_operators,
    cases_optimizers,
    cases_reductions,
    cases_shapes,
    cases_tensor_index,
    cases_text,
)
from tools.oracle.case import Case
from tools.oracle.layer_case import AnyLayerCase

FAMILIES: dict[str, list[Case]] = {
    "arithmetic": cases_arithmetic.CASES,
    "reductions": cases_reductions.CASES,
    "shapes": cases_shapes.CASES,
    "indexing": cases_indexing.CASES,
    "matmul": cases_matmul.CASES,
    "nn": cases_nn.CASES,
    "losses": cases_losses.CASES,
    "operators": cases_operators.CASES,
    "methods": cases_methods.CASES,
    "tensor_index": cases_tensor_index.CASES,
    "gradients": cases_gradients.CASES,
    "errors": cases_errors.CASES,
    "detection": cases_detection.CASES,
    "images": cases_images.CASES,
    "text": cases_text.CASES,
    "numpy_arrays": cases_numpy_arrays.ARRAYS,
    "numpy_choices": cases_numpy_arrays.CHOICES_AND_ERRORS,
    "numpy_math": cases_numpy_math.MATH,
    "numpy_products": cases_numpy_math.PRODUCTS_AND_LOGIC,
}

LAYER_FAMILIES: dict[str, list[AnyLayerCase]] = {
    "layers_basic": cases_layers_basic.CASES,
    "layers_containers": cases_layers_containers.CASES,
    "layers_conv": cases_layers_conv.CASES,
    "layers_pooling": cases_layers_pooling.CASES,
    "layers_activation": cases_layers_activation.CASES,
    "layers_normalization": cases_layers_normalization.CASES,
    "layers_recurrent": cases_layers_recurrent.CASES,
    "layers_loss": cases_layers_loss.CASES,
    "optimizers": cases_optimizers.CASES,
    "layers_transformer": cases_layers_transformer.CASES,
}
