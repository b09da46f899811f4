"""A bridge to JAX and its libraries. An extension: real MindSpore has no such module.

``to_jax`` makes a pure function of a network, for ``jax.jit``, ``jax.grad``, ``jax.vmap``, optax and orbax; ``from_jax`` makes an operator
of a JAX function, with gradients in both modes. ``to_array`` and ``from_array`` hand arrays over without a copy.

MindSpore has 64-bit numbers, so importing it enables them in JAX: give arrays their dtype, ``jnp.ones(3, jnp.float32)``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from mindspore._engine.base.kernel import Kernel
from mindspore._engine.execution import random
from mindspore._engine.execution.dispatch import run
from mindspore._engine.export.jax_function import RANDOM, PureFunction
from mindspore._utils.checks import check_bool, check_callable, check_type, shown
from mindspore.common.parameter import Parameter
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell

__all__ = ["from_array", "from_jax", "to_array", "to_jax"]


def to_array(tensor: Tensor) -> jax.Array:
    """The array of a Tensor, in the same memory.

    An array of a Parameter that is trained further is no longer valid: the training step writes into its memory. Copy it with
    ``jnp.array(to_array(parameter))``, or train with :func:`to_jax`.

    Examples:
        >>> import jax.numpy as jnp
        >>> from mindspore import Tensor
        >>> from mindspore.utils.jax import to_array
        >>> print(jnp.sum(to_array(Tensor([1.0, 2.0]))))
        3.0
    """
    value = check_type("to_array", "tensor", tensor, Tensor)._read()
    return value if isinstance(value, jax.Array) else jnp.asarray(value)  # small ones may be on the host


def from_array(array: jax.Array) -> Tensor:
    """A Tensor in the memory of an array.

    Examples:
        >>> import jax.numpy as jnp
        >>> from mindspore.utils.jax import from_array
        >>> print(from_array(jnp.ones(2)) + 1)
        [2. 2.]
    """
    if not isinstance(array, jax.Array):
        raise TypeError(f"For 'from_array', the 'array' must be a jax.Array, but got {shown(array)}.")
    return Tensor.wrap(array)


def to_jax(net: Callable[..., Any], mutable: bool = False) -> tuple[Any, ...]:
    """A network as a pure function and its Parameters: ``function(params, *inputs)``.

    The function takes and returns arrays of JAX. It can be compiled, differentiated, vectorised and divided over devices by JAX itself;
    gradients are those of MindSpore, with hooks, ``bprop`` and ``no_grad`` (which JAX's forward mode does not know: networks that have
    them are differentiated in reverse mode). It is the network as it is at that time: ``set_train`` first for training.

    Args:
        net: a Cell, or a function of Tensors.
        mutable: whether Parameters that are not trained (moving averages) and the random state are arguments and results, too. Otherwise
            they keep the values that they have now, and a network that draws random numbers draws the same at each call unless
            ``rng=`` is given, a key of ``jax.random``.

    Returns:
        ``(function, params)``, where params is a dict of arrays by name, a copy; with ``mutable``, ``(function, params, state)``, where
        ``function(params, state, *inputs)`` returns the results and the new state.

    Examples:
        >>> import jax
        >>> import jax.numpy as jnp
        >>> from mindspore import nn
        >>> from mindspore.utils.jax import to_jax
        >>> function, params = to_jax(nn.Dense(2, 1, weight_init="ones", has_bias=False))
        >>> print(function(params, jnp.ones((1, 2), jnp.float32)))
        [[2.]]
        >>> gradients = jax.grad(lambda params, x: function(params, x).sum())(params, jnp.ones((3, 2), jnp.float32))
        >>> print(gradients["weight"])
        [[3. 3.]]
    """
    check_callable("to_jax", "net", net)
    check_bool("to_jax", "mutable", mutable)
    parameters = dict(net.parameters_and_names()) if isinstance(net, Cell) else {}
    for parameter in parameters.values():
        parameter.init_data()
    name = type(net).__name__ if isinstance(net, Cell) else getattr(net, "__name__", "function")
    if isinstance(net, Cell):
        net._prepare_first_call()
    names = {parameter: label for label, parameter in parameters.items()}
    pure = PureFunction(net._cell_run if isinstance(net, Cell) else net, [net], name, names)
    trained = {label: _copied(p._read()) for label, p in parameters.items() if p.requires_grad}
    others = {label: _copied(p._read()) for label, p in parameters.items() if not p.requires_grad}
    function = _Pure(net, pure, others, frozenset(parameters), mutable)
    if not mutable:
        return function, trained
    return function, trained, {**others, RANDOM: jnp.asarray(random.get_state())}


class _Pure:
    """What :func:`to_jax` returns."""

    def __init__(self, net: Any, pure: PureFunction, others: Mapping[str, Any], names: frozenset[str], mutable: bool):
        self.__name__ = pure.name
        self._net, self._pure, self._others, self._mutable = net, pure, others, mutable
        self._names = names

    def __call__(self, params: Mapping[str, Any], *inputs: Any, rng: Any = None, **keywords: Any) -> Any:
        state = dict(self._others)
        if self._mutable:
            if not inputs or not isinstance(inputs[0], Mapping) or RANDOM not in inputs[0]:
                raise TypeError(
                    f"For '{self.__name__}', write function(params, state, *inputs): it was made with mutable=True."
                )
            state, inputs = dict(inputs[0]), inputs[1:]
        self._check_names({**state, **params})
        if rng is not None:
            state[RANDOM] = _words(rng)
        inputs, keywords = jax.tree.map(_plain, (inputs, keywords), is_leaf=lambda x: isinstance(x, Tensor))
        result, changed = self._pure({**state, **params}, inputs, keywords, self._form())
        return (result, {**state, **changed}) if self._mutable else result

    def _check_names(self, given: Mapping[str, Any]) -> None:
        """Refuse Parameters that are missing or unknown: they would be constants, or have no gradient."""
        wrong = sorted(self._names.symmetric_difference(name for name in given if name != RANDOM))
        if wrong:
            has = "lacks" if wrong[0] in self._names else "must not have"
            raise ValueError(
                f"For '{self.__name__}', 'params' must have the names of its Parameters, {sorted(self._names)}, but it {has} {wrong}."
            )

    def _form(self) -> Any:
        if not isinstance(self._net, Cell):
            return None
        return tuple((cell.training, str(cell._cell_dtype)) for _, cell in self._net.cells_and_names())

    def __repr__(self) -> str:
        return f"to_jax({self.__name__})"


def _copied(value: Any) -> jax.Array:
    """A copy that is bound to no device, so that it goes where the other arguments of a compiled function are."""
    there = isinstance(value, jax.Array) and value.devices() != {jax.devices()[0]}
    return jnp.array(value) if there else jnp.array(np.asarray(value))


def _plain(value: Any) -> Any:
    return value._read() if isinstance(value, Tensor) else value


def _words(rng: Any) -> Any:
    """The two words of a random state from a key of JAX."""
    key = jax.random.key_data(rng) if jnp.issubdtype(rng.dtype, jax.dtypes.prng_key) else jnp.asarray(rng)
    return jnp.ravel(key)[-2:].astype(jnp.uint32)


def from_jax(function: Callable[..., Any], params: Any = None) -> Any:
    """An operator that computes a JAX function, in both modes and with gradients.

    Args:
        function: a function of arrays, and of numbers, tuples, lists and dicts of them, that returns such.
        params: a tree of arrays that is the function's first argument, such as the variables of a Flax module: the result is then
            a Cell with these as its Parameters.

    Examples:
        >>> import jax.numpy as jnp
        >>> from mindspore import Tensor, grad
        >>> from mindspore.utils.jax import from_jax
        >>> softplus = from_jax(lambda x: jnp.logaddexp(x, 0.0).sum())
        >>> print(grad(softplus)(Tensor([0.0])))
        [0.5]
        >>> layer = from_jax(lambda w, x: w["scale"] * x, {"scale": jnp.array([2.0], jnp.float32)})
        >>> layer.trainable_params()
        [Parameter (name=scale, shape=(1,), dtype=Float32, requires_grad=True)]
        >>> print(layer(Tensor([3.0])))
        [6.]
    """
    check_callable("from_jax", "function", function)
    operator = _Operator(function)
    return operator if params is None else _JaxCell(operator, params)


class _Operator:
    """A JAX function on Tensors: a kernel for each form of its arguments."""

    def __init__(self, function: Callable[..., Any]):
        self.function = function
        self.__name__ = getattr(function, "__name__", type(function).__name__)
        self._kernels: dict[Any, tuple[Kernel, list[Any]]] = {}

    def __call__(self, *inputs: Any, **keywords: Any) -> Any:
        leaves, tree = jax.tree.flatten((inputs, keywords), is_leaf=lambda x: isinstance(x, Tensor))
        kinds = tuple(jax.random.key_impl(leaf) if _is_key(leaf) else None for leaf in leaves)  # of random keys
        tensors = [
            Tensor.wrap(jnp.asarray(jax.random.key_data(leaf) if kind is not None else leaf))
            if isinstance(leaf, (jax.Array, np.ndarray))
            else leaf
            for leaf, kind in zip(leaves, kinds, strict=True)
        ]
        held = tuple(isinstance(leaf, Tensor) for leaf in tensors)
        rest = tuple(None if is_held else leaf for leaf, is_held in zip(tensors, held, strict=True))
        forms = tuple(
            (t.shape, t.dtype) for t in tensors if isinstance(t, Tensor)
        )  # the structure of results may follow them
        key = (tree, forms, held, kinds, tuple((type(leaf), leaf) for leaf in rest))
        if key not in self._kernels:
            self._kernels[key] = self._kernel(tree, held, kinds, rest)
        kernel, structure = self._kernels[key]
        given = [leaf for leaf, is_held in zip(tensors, held, strict=True) if is_held]
        results = run(kernel, given)
        return jax.tree.unflatten(structure[-1], results)

    def _kernel(
        self, tree: Any, held: tuple[bool, ...], kinds: tuple[Any, ...], rest: tuple[Any, ...]
    ) -> tuple[Kernel, list[Any]]:
        structure: list[Any] = []

        def flat(*values: Any) -> tuple[Any, ...]:
            supply = iter(values)
            leaves = [next(supply) if is_held else leaf for leaf, is_held in zip(rest, held, strict=True)]
            leaves = [
                leaf if kind is None else jax.random.wrap_key_data(leaf, impl=kind)
                for leaf, kind in zip(leaves, kinds, strict=True)
            ]
            inputs, keywords = jax.tree.unflatten(tree, leaves)
            results, found = jax.tree.flatten(self.function(*inputs, **keywords))
            structure[:] = [found]
            if any(map(_is_key, results)):
                raise TypeError(
                    f"For '{self.__name__}', a result must not be a random key: return jax.random.key_data of it."
                )
            return tuple(map(jnp.asarray, results))

        return Kernel(self.__name__, flat), structure

    def __repr__(self) -> str:
        return f"from_jax({self.__name__})"


def _is_key(value: Any) -> bool:
    return isinstance(value, jax.Array) and jnp.issubdtype(value.dtype, jax.dtypes.prng_key)


class _JaxCell(Cell):
    """A JAX function whose first argument is a tree of Parameters."""

    def __init__(self, operator: _Operator, params: Any):
        super().__init__()
        leaves, tree = jax.tree.flatten_with_path(params)
        self._operator, self._tree, self._names = operator, tree, []
        for path, leaf in leaves:
            name = jax.tree_util.keystr(path, simple=True, separator=".")
            self._names.append(name)
            self.insert_param_to_cell(
                name, Parameter(Tensor.wrap(jnp.array(leaf)), name=name), check_name_contain_dot=False
            )

    def construct(self, *inputs: Any, **keywords: Any) -> Any:
        """The function of the Parameters and these inputs."""
        params = jax.tree.unflatten(self._tree, [self._params[name] for name in self._names])
        return self._operator(params, *inputs, **keywords)
