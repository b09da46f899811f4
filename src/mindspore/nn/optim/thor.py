"""thor: momentum on gradients that are multiplied by inverse covariances."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mindspore import ops
from mindspore._engine.base.dtype import float32, int32
from mindspore._engine.tensor.parameter import Parameter, ParameterTuple
from mindspore._engine.tensor.tensor import Tensor
from mindspore._ops.optimizer.optimizer_descent import apply_momentum
from mindspore._ops.optimizer.optimizer_second_order import between_inverses, block_inverse
from mindspore._utils.checks import check_bool, check_callable, check_int, check_positive_int, check_type
from mindspore.nn.cell import Cell
from mindspore.nn.layer.thor_layer import Conv2dThor, DenseThor, EmbeddingLookupThor, EmbeddingThor
from mindspore.nn.optim._arguments import check_float
from mindspore.nn.optim._thor_net import to_thor_layers
from mindspore.nn.optim.optimizer import Optimizer

__all__ = ["thor"]

_BLOCK = 128  # larger matrices are inverted as blocks of this size on their diagonals
_TABLES = (EmbeddingThor, EmbeddingLookupThor)


def _every(parameter: Parameter) -> bool:
    return True


def thor(net: Cell, learning_rate: Any, damping: Any, momentum: float, weight_decay: float = 0.0, loss_scale: float = 1.0,
         batch_size: int = 32, use_nesterov: bool = False, decay_filter: Callable[[Parameter], bool] = _every,
         split_indices: Sequence[int] | None = None, enable_clip_grad: bool = False,
         frequency: int = 100) -> Thor:  # fmt: skip
    r"""A second-order optimizer: trace-based hardware-driven layer-oriented natural gradient descent.

    .. math::
        m \leftarrow \mu m + (G + \lambda I)^{-1} \, g \, (A + \lambda I)^{-1}, \qquad p \leftarrow p - lr \cdot m

    A and G are the covariances of a layer's inputs and of the gradients of its outputs. For this the layers Dense, Conv2d and
    Embedding of ``net`` are exchanged for DenseThor, Conv2dThor and EmbeddingThor. All other Parameters follow the gradient.

    While the attribute ``thor`` of the optimizer and the layers is True the inverses are made anew at each step;
    ``net.add_flags_recursive(thor=False)`` and the same on the optimizer keep those of the last update.

    Args:
        net: the network, not yet wrapped with a loss.
        learning_rate: see :class:`mindspore.nn.Optimizer`.
        damping: a number, or a list or Tensor with an entry per update of the inverses; the last entry stays.
        momentum: a float of at least 0.
        weight_decay, loss_scale: see :class:`mindspore.nn.Optimizer`.
        batch_size: the number of samples in a batch, over which the loss is a mean.
        use_nesterov: whether to look ahead.
        decay_filter: says for a Parameter whether its weight decays.
        split_indices: where gradients are put together for communication; kept for other back ends.
        enable_clip_grad: whether the multiplied gradients are limited to the norm 1.
        frequency: every how many steps the training loop of ``Model`` asks for new inverses; at least 2.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor, nn
        >>> net = nn.SequentialCell(nn.Dense(2, 3), nn.ReLU(), nn.Dense(3, 1))
        >>> optimizer = nn.thor(net, learning_rate=0.1, damping=0.03, momentum=0.9, batch_size=4)
        >>> type(net[0]).__name__
        'DenseThor'
        >>> loss = ms.value_and_grad(lambda x: net(x).square().mean(), None, weights=optimizer.parameters)
        >>> _, gradients = loss(Tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0], [0.0, 1.0]]))
        >>> all(optimizer(gradients))
        True
    """
    check_type("thor", "net", net, Cell)
    check_float("thor", "momentum", momentum, 0.0)
    check_int("thor", "frequency", frequency, low=2)
    if split_indices is not None:
        check_type("thor", "split_indices", split_indices, (list, tuple))
    to_thor_layers(net)
    return Thor(net, learning_rate, damping, momentum, weight_decay, loss_scale, batch_size, use_nesterov, decay_filter,
                enable_clip_grad, frequency)  # fmt: skip


class Thor(Optimizer):
    """The optimizer that :func:`thor` makes."""

    def __init__(self, net: Cell, learning_rate: Any, damping: Any, momentum: float, weight_decay: float, loss_scale: float,
                 batch_size: int, use_nesterov: bool, decay_filter: Callable[[Parameter], bool], enable_clip_grad: bool,
                 frequency: int):  # fmt: skip
        super().__init__(learning_rate, net.trainable_params(), weight_decay, loss_scale)
        check_callable("thor", "decay_filter", decay_filter)
        self.batch_size = check_positive_int("thor", "batch_size", batch_size)
        self.use_nesterov = check_bool("thor", "use_nesterov", use_nesterov)
        self.enable_clip_grad = check_bool("thor", "enable_clip_grad", enable_clip_grad)
        self.frequency = frequency
        self.thor = True
        self.decay_flags = tuple(bool(decay_filter(parameter)) for parameter in self.parameters)
        self.weight_decay = self._decay_for(1.0)  # it is added to gradients that are no longer scaled
        self.momentum = Parameter(Tensor(momentum, float32), name="momentum")
        self.params = self.parameters
        self.moments = self.parameters.clone("moments", "zeros")
        self.damping = Tensor(np.atleast_1d(damping.asnumpy() if isinstance(damping, Tensor) else damping), float32)
        self._init_layers(net)
        self.net = net

    def _init_layers(self, net: Cell) -> None:
        """What the layers note, and the inverses that are made of it."""
        found = {id(_weight_of(cell)): cell for _, cell in net.cells_and_names() if _is_noted(cell)}
        layers = [found.get(id(parameter)) for parameter in self.parameters]
        self.layers = tuple(layers)  # of each Parameter, or None
        noted = [layer for layer in layers if layer is not None]
        self.matrix_a_cov = ParameterTuple(_inputs_of(layer) for layer in noted)
        self.matrix_g_cov = ParameterTuple(_outputs_of(layer) for layer in noted)
        convolutions = [layer for layer in noted if isinstance(layer, Conv2dThor)]
        self.a_normalizer = ParameterTuple(layer.a_normalizer for layer in convolutions)
        self.g_normalizer = ParameterTuple(layer.g_normalizer for layer in convolutions)
        self.cov_step = Parameter(Tensor([0], int32), name="cov_step", requires_grad=False)
        shapes = [_inverse_shapes(layer) for layer in noted]
        self.matrix_a, self.matrix_g = (
            ParameterTuple(_kept(f"matrix_{letter}_inv_{i}", shape[which]) for i, shape in enumerate(shapes))
            for which, letter in enumerate("ag")
        )

    def _calls_the_program(self) -> bool:
        return False  # the network is here for its notes alone

    def construct(self, gradients: Any) -> tuple[bool, ...]:
        gradients = self.scale_grad(self._one_per_parameter(gradients))
        if self.thor:
            self._make_inverses()
        inverses = iter(zip(self.matrix_a, self.matrix_g))
        stepped = []
        for layer, gradient in zip(self.layers, gradients):
            stepped.append(gradient if layer is None else _multiplied(layer, gradient, *next(inverses)))
        if self.enable_clip_grad:
            stepped = ops.clip_by_global_norm(tuple(stepped))
        stepped = self.decay_weight(tuple(stepped))
        for parameter, moment, rate, gradient in zip(self.parameters, self.moments, self._next_rates(), stepped):
            apply_momentum(parameter, moment, rate, gradient, self.momentum, self.use_nesterov)
        return self._done()

    def _make_inverses(self) -> None:
        last = self.damping.shape[0] - 1
        damping = ops.gather(self.damping, ops.minimum(ops.reshape(self.cov_step, ()), last), 0)
        ops.assign_add(self.cov_step, self.global_step_increase_tensor)
        # gradients of a mean over the batch, times the loss scale, become those of one sample
        scale = (self.batch_size / self.loss_scale) ** 2
        noted = [each for each in self.layers if each is not None]
        for layer, of_inputs, of_outputs in zip(noted, self.matrix_a, self.matrix_g):
            a_damping = g_damping = damping
            if isinstance(layer, Conv2dThor):
                a_damping = damping * self.batch_size / ops.reshape(layer.a_normalizer, ())
                g_damping = damping * self.batch_size / ops.reshape(layer.g_normalizer, ())
            a_damping, g_damping = ops.sqrt(a_damping), ops.sqrt(g_damping)
            if isinstance(layer, _TABLES):
                ops.assign(of_inputs, 1 / (layer.matrix_a / self.batch_size + a_damping))
                ops.assign(of_outputs, block_inverse(layer.matrix_g, g_damping, scale, layer.matrix_g.shape[0])[0])
            else:
                inverse = block_inverse(_inputs_of(layer), a_damping, 1.0, _BLOCK)
                ops.assign(of_inputs, ops.broadcast_to(ops.expand_dims(inverse, 0), of_inputs.shape))
                ops.assign(of_outputs, block_inverse(_outputs_of(layer), g_damping, scale, _BLOCK))


def _is_noted(cell: Any) -> bool:
    if isinstance(cell, EmbeddingLookupThor):
        return cell.target != "CPU"
    return isinstance(cell, (DenseThor, Conv2dThor)) or (isinstance(cell, EmbeddingThor) and not cell.use_one_hot)


def _weight_of(layer: Any) -> Parameter:
    return layer.embedding_table if isinstance(layer, _TABLES) else layer.weight


def _inputs_of(layer: Any) -> Parameter:
    return layer.matrix_a_cov if isinstance(layer, Conv2dThor) else layer.matrix_a


def _outputs_of(layer: Any) -> Parameter:
    return layer.matrix_g_cov if isinstance(layer, Conv2dThor) else layer.matrix_g


def _inverse_shapes(layer: Any) -> tuple[tuple[int, ...], tuple[int, ...]]:
    inputs, outputs = _inputs_of(layer).shape, _outputs_of(layer).shape
    if isinstance(layer, _TABLES):
        return inputs, outputs
    (across, wide), (down, high) = (_divided(shape[0]) for shape in (inputs, outputs))
    return (down, across, wide, wide), (down, high, high)


def _divided(length: int) -> tuple[int, int]:
    """The number and size of the diagonal blocks that a matrix is divided into."""
    return -(-length // _BLOCK), min(length, _BLOCK)


def _kept(name: str, shape: tuple[int, ...]) -> Parameter:
    return Parameter(Tensor(np.zeros(shape, np.float32)), name=name, requires_grad=False)


def _multiplied(layer: Any, gradient: Tensor, of_inputs: Parameter, of_outputs: Parameter) -> Tensor:
    """The gradient between the inverses of its layer."""
    if isinstance(layer, _TABLES):
        return ops.matmul(gradient.astype(float32) * ops.reshape(of_inputs, (-1, 1)), of_outputs).astype(gradient.dtype)
    return between_inverses(gradient.astype(float32), of_inputs[0], of_outputs).astype(gradient.dtype)
