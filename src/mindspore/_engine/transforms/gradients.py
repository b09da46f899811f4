"""The public gradient transforms of all MindSpore versions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Literal, ParamSpec, TypeVar, overload

from mindspore._engine.autodiff import forward_cache, grad_switch
from mindspore._engine.autodiff.autodiff import Gradients, differentiate, first_of
from mindspore._engine.base import mutable_values
from mindspore._engine.base.pytree import flatten
from mindspore._engine.graph import breaks, jit
from mindspore._engine.tensor.parameter import Parameter
from mindspore._engine.tensor.tensor import Tensor
from mindspore._engine.tracing import invoke
from mindspore._engine.tracing.tensor_hooks import zeros_like
from mindspore._engine.tracing.traced_kernel import ones_like
from mindspore._utils.checks import check_callable, shown
from mindspore._utils.refusals import WrongType, several

Inputs = ParamSpec("Inputs")
Result = TypeVar("Result")


class GradFunction:
    """A function that returns gradients of another; one compiled graph in graph mode."""

    def __init__(self, function: Callable[..., Any], config: tuple[Any, ...], weights: Any,
                 compute: Callable[[GradFunction, tuple[Any, ...], dict[Any, Any]], Any]):  # fmt: skip
        if not callable(function):
            called = (
                " It was called already: write grad(net)(x), not grad(net(x))." if isinstance(function, Tensor) else ""
            )
            raise TypeError(f"For 'grad', the 'fn' must be a function or a Cell, but got {shown(function)}.{called}")
        if not grad_switch.enabled():
            raise RuntimeError("In no_grad context, you can not calculate gradient: call 'grad' outside of 'no_grad'.")
        self.function = function
        self.config = config
        self.weights = weights
        self.compute = compute
        self.__name__ = f"grad of {getattr(function, '__name__', type(function).__name__)}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if jit.compiles_now() and not forward_cache.has(self.function):
            identity = (jit.identity_of(self.function), self.config, tuple(map(id, self.weight_list)))
            return jit.call_compiled(
                self.run, args, kwargs, identity, (self.function, *self.weight_list), self.__name__
            )
        return self.run(*args, **kwargs)

    def run(self, *args: Any, **kwargs: Any) -> Any:
        try:
            return self.compute(self, args, kwargs)
        except Exception:
            breaks.on_the_way(self.function)
            raise

    @property
    def weight_list(self) -> tuple[Parameter, ...]:
        if self.weights is None:
            return ()
        return (self.weights,) if isinstance(self.weights, Parameter) else tuple(self.weights)

    def weights_like_given(self, gradients: tuple[Any, ...]) -> Any:
        """Weight gradients in the structure of ``weights``: a Tensor for a single Parameter, else a tuple."""
        return gradients[0] if isinstance(self.weights, Parameter) else gradients


# -- grad and value_and_grad ----------------------------------------------------------------------------------------
_No = Literal[False]


@overload
def grad(fn: Callable[Inputs, Any], grad_position: int = 0, weights: None = None, has_aux: _No = False,
         return_ids: _No = False, sens_param: _No = False) -> Callable[Inputs, Tensor]: ...  # fmt: skip
@overload
def grad(fn: Callable[Inputs, Any], grad_position: tuple[int, ...], weights: None = None, has_aux: _No = False,
         return_ids: _No = False, sens_param: _No = False) -> Callable[Inputs, tuple[Tensor, ...]]: ...  # fmt: skip
@overload
def grad(fn: Callable[Inputs, Any], grad_position: None, weights: Sequence[Parameter], has_aux: _No = False,
         return_ids: _No = False, sens_param: _No = False) -> Callable[Inputs, tuple[Tensor, ...]]: ...  # fmt: skip
@overload
def grad(fn: Callable[Inputs, Any], grad_position: Any = 0, weights: Any = None, has_aux: bool = False,
         return_ids: bool = False, sens_param: _No = False) -> Callable[Inputs, Any]: ...  # fmt: skip
@overload
def grad(fn: Callable[..., Any], grad_position: Any = 0, weights: Any = None, has_aux: bool = False,
         return_ids: bool = False, sens_param: bool = False) -> Callable[..., Any]: ...  # fmt: skip
def grad(fn: Callable[..., Any], grad_position: Any = 0, weights: Any = None, has_aux: bool = False,
         return_ids: bool = False, sens_param: bool = False) -> Callable[..., Any]:  # fmt: skip
    """The gradient function of ``fn``.

    Args:
        grad_position: which inputs to differentiate: an int, a tuple of ints, or None for none.
        weights: Parameters to differentiate too.
        has_aux: only the first output is differentiated; the others come back beside the gradients.
        return_ids: pair every gradient with the input's position or the Parameter's name.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> print(ms.grad(lambda x: x * x)(Tensor(3.0)))
        6.0
    """
    return _grad_function("grad", fn, grad_position, weights, has_aux, return_ids, sens_param, False)


@overload
def value_and_grad(fn: Callable[Inputs, Result], grad_position: int = 0, weights: None = None, has_aux: bool = False,
                   return_ids: _No = False, sens_param: _No = False) -> Callable[Inputs, tuple[Result, Tensor]]: ...  # fmt: skip
@overload
def value_and_grad(fn: Callable[Inputs, Result], grad_position: tuple[int, ...], weights: None = None,
                   has_aux: bool = False, return_ids: _No = False, sens_param: _No = False,
                   ) -> Callable[Inputs, tuple[Result, tuple[Tensor, ...]]]: ...  # fmt: skip
@overload
def value_and_grad(fn: Callable[Inputs, Result], grad_position: None, weights: Sequence[Parameter],
                   has_aux: bool = False, return_ids: _No = False, sens_param: _No = False,
                   ) -> Callable[Inputs, tuple[Result, tuple[Tensor, ...]]]: ...  # fmt: skip
@overload
def value_and_grad(fn: Callable[Inputs, Result], grad_position: Any = 0, weights: Any = None, has_aux: bool = False,
                   return_ids: bool = False, sens_param: _No = False) -> Callable[Inputs, tuple[Result, Any]]: ...  # fmt: skip
@overload
def value_and_grad(fn: Callable[..., Result], grad_position: Any = 0, weights: Any = None, has_aux: bool = False,
                   return_ids: bool = False, sens_param: bool = False) -> Callable[..., tuple[Result, Any]]: ...  # fmt: skip
def value_and_grad(fn: Callable[..., Any], grad_position: Any = 0, weights: Any = None, has_aux: bool = False,
                   return_ids: bool = False, sens_param: bool = False) -> Callable[..., Any]:  # fmt: skip
    """Like :func:`grad`, but the function returns ``(fn's output, gradients)``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> value, gradient = ms.value_and_grad(lambda x: x * x)(Tensor(3.0))
        >>> print(value, gradient)
        9.0 6.0
    """
    return _grad_function("value_and_grad", fn, grad_position, weights, has_aux, return_ids, sens_param, True)


def _grad_function(owner: str, fn: Any, grad_position: Any, weights: Any, has_aux: bool, return_ids: bool,
                   sens_param: bool, with_value: bool) -> GradFunction:  # fmt: skip
    _check_flags(owner, has_aux=has_aux, return_ids=return_ids, sens_param=sens_param)
    positions = _check_positions(owner, grad_position)
    if positions is None and weights is None:
        raise ValueError(f"For '{owner}', 'grad_position' and 'weights' can not be None at the same time.")
    weights = check_weights(owner, weights)

    def compute(gradient: GradFunction, args: tuple[Any, ...], kwargs: dict[Any, Any]) -> Any:
        sens = None
        if sens_param:
            args, sens = args[:-1], args[-1]
        function, args, kwargs = _named_as_positional(fn, args, kwargs, positions)
        wanted = tuple(p for p in _given_positions(owner, positions, args) if _has_tensor(args[p]))
        found = differentiate(function, args, kwargs, wanted, gradient.weight_list, sens, has_aux)
        gradients = _arrange(gradient, found, positions, wanted, return_ids)
        if with_value:
            return found.outputs, gradients
        return (gradients, tuple(found.outputs[1:])) if has_aux else gradients

    config = (owner, positions if isinstance(positions, tuple) else repr(positions), isinstance(grad_position, tuple),
              has_aux, return_ids, sens_param, isinstance(weights, Parameter), weights is None)  # fmt: skip
    return GradFunction(fn, config, weights, compute)


def _arrange(gradient: GradFunction, found: Gradients, positions: Any, wanted: Sequence[int], return_ids: bool) -> Any:
    """(input gradients, weight gradients), or whichever was requested."""
    inputs: Any = tuple(found.inputs)
    weights: Any = found.weights
    if return_ids:
        inputs = tuple(zip(wanted, inputs, strict=True))
        weights = tuple((w.name, g) for w, g in zip(gradient.weight_list, weights, strict=True))
    if positions is None:
        return gradient.weights_like_given(weights)
    if len(inputs) == 1:  # also for a tuple with a single Tensor, as in MindSpore
        inputs = inputs[0]
    if gradient.weights is None:
        return inputs
    return inputs, gradient.weights_like_given(weights)


def _check_flags(owner: str, **flags: Any) -> None:
    for name, value in flags.items():
        if not isinstance(value, bool):
            raise TypeError(f"For '{owner}', the '{name}' should be bool, but got {type(value).__name__}")


def _check_positions(owner: str, position: Any) -> int | tuple[int, ...] | None:
    if position is None:
        return None
    listed = position if isinstance(position, tuple) else (position,)
    if not all(isinstance(p, int) and not isinstance(p, bool) for p in listed):
        raise WrongType(f"For 'F.{owner}', the 'grad_position' must be int or tuple, but got {position!r}.")
    if any(p < 0 for p in listed):
        raise ValueError(f"For '{owner}', grad_position must be >= 0, but got {position!r}.")
    if len(set(listed)) != len(listed):
        raise ValueError(f"For '{owner}', the 'grad_position' must not name a position twice, but got {position!r}.")
    return position


_JACOBIANS = ("jacfwd", "jacrev")  # for which MindSpore raises a ValueError


def _given_positions(owner: str, positions: Any, args: tuple[Any, ...]) -> tuple[int, ...]:
    """The requested positions, validated against the call."""
    if positions is None:
        return ()
    if positions == ():
        raise RuntimeError(
            f"For '{owner}', grad_position should not be empty when grad by position: name an input, or None and 'weights'."
        )
    listed = positions if isinstance(positions, tuple) else (positions,)
    for position in listed:
        if position >= len(args):
            raise several(
                RuntimeError, *((TypeError,) if not args else ()), *((ValueError,) if owner in _JACOBIANS else ())
            )(
                f"For '{owner}', Position index {position} is exceed input size. The function was called with {len(args)} "
                "argument(s)."
            )
    return listed


def _named_as_positional(
    function: Any, args: tuple[Any, ...], kwargs: dict[Any, Any], positions: Any = None
) -> tuple[Any, tuple[Any, ...], dict[Any, Any]]:
    """Move keyword arguments behind the positional ones, if ``positions`` refer to them (None: always)."""
    listed = positions if isinstance(positions, tuple) else (positions,)
    if not kwargs or (positions is not None and all(p < len(args) for p in listed)):
        return function, args, kwargs
    count, names = len(args), tuple(kwargs)

    def by_name(*values: Any) -> Any:
        return invoke.invoke(function, values[:count], dict(zip(names, values[count:], strict=True)))

    by_name.__wrapped__ = function  # type: ignore[attr-defined]  # named in error messages
    return by_name, (*args, *kwargs.values()), {}


def _has_tensor(value: Any) -> bool:
    return isinstance(value, Tensor) or any(isinstance(leaf, Tensor) for leaf in flatten(value)[0])


def check_weights(owner: str, weights: Any) -> Any:
    """Validate ``weights``: None, a Parameter, or a tuple; in a tuple Tensors do as well: libraries keep weights in such."""
    if weights is None or isinstance(weights, Parameter):
        return weights
    if isinstance(weights, (tuple, list)) or (hasattr(weights, "__iter__") and not isinstance(weights, Tensor)):
        members = tuple(weights)
        if all(isinstance(w, Tensor) for w in members):
            return members
    raise TypeError(
        f"For '{owner}', the 'weights' must be a Parameter or a list of Parameters, but got {shown(weights)}. Write "
        "net.trainable_params()."
    )


def get_grad(gradients: Any, identifier: Any) -> Tensor:
    """Pick one gradient from a ``return_ids=True`` result, by input position or by Parameter.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> found = ms.grad(lambda x, y: x * y, (0, 1), return_ids=True)(Tensor(2.0), Tensor(3.0))
        >>> print(ms.get_grad(found, 1))
        2.0
    """
    if not isinstance(identifier, (int, Parameter)) or isinstance(identifier, bool):
        raise TypeError(f"For 'get_grad', the 'x' must be an int or a Parameter, but got {identifier!r}.")
    wanted = identifier.name if isinstance(identifier, Parameter) else identifier

    def search(value: Any) -> Any:
        if isinstance(value, (tuple, list)):
            if len(value) == 2 and type(value[0]) is type(wanted) and value[0] == wanted:
                return value[1]
            for member in value:
                found = search(member)
                if found is not None:
                    return found
        return None

    found = search(gradients)
    if found is None:
        raise RuntimeError(
            f"For 'get_grad', there is no gradient for {wanted!r} in the given gradients; they must come from a gradient "
            "function made with return_ids=True."
        )
    return found


# -- GradOperation --------------------------------------------------------------------------------------------------
class GradOperation:
    """The object form of gradients: ``GradOperation(get_all, get_by_list, sens_param)(fn, weights)(*inputs)``.

    With ``get_all``, as in MindSpore, tuples, lists and dicts are constants, unless ``mutable`` marks them.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> gradients = ops.GradOperation(get_all=True)(lambda x, y: x * y)(Tensor(2.0), Tensor(3.0))
        >>> print(*gradients)
        3.0 2.0
    """

    def __init__(self, get_all: bool = False, get_by_list: bool = False, sens_param: bool = False):
        _check_flags("GradOperation", get_all=get_all, get_by_list=get_by_list, sens_param=sens_param)
        self.get_all = get_all
        self.get_by_list = get_by_list
        self.sens_param = sens_param

    def __call__(self, fn: Any, weights: Any = None) -> GradFunction:
        if self.get_by_list:
            if weights is None and hasattr(fn, "trainable_params"):
                weights = tuple(fn.trainable_params())
            elif weights is None:
                raise ValueError("For 'GradOperation', 'get_by_list' needs the 'weights' to differentiate.")
            weights = check_weights("GradOperation", weights)
        else:
            weights = None
        config = ("GradOperation", self.get_all, self.get_by_list, self.sens_param, isinstance(weights, Parameter))
        return GradFunction(fn, config, weights, self._compute)

    def _compute(self, gradient: GradFunction, args: tuple[Any, ...], kwargs: dict[Any, Any]) -> Any:
        sens = None
        if self.sens_param:
            if "sens" in kwargs:
                kwargs = dict(kwargs)
                sens = kwargs.pop("sens")
            elif args:
                args, sens = args[:-1], args[-1]
            if sens is None:
                raise TypeError(
                    "For 'GradOperation', with sens_param=True the last argument of the call must be the sens."
                )
        function = gradient.function
        if self.get_all or not (self.get_by_list or args):
            function, args, kwargs = _named_as_positional(function, args, kwargs)
        candidates = args if self.get_all else args[:1] if not self.get_by_list else ()
        positions = tuple(
            i for i, a in enumerate(candidates) if _has_tensor(a) and not (self.get_all and mutable_values.is_fixed(a))
        )
        found = differentiate(function, args, kwargs, positions, gradient.weight_list, sens)
        weights = gradient.weights_like_given(found.weights) if self.get_by_list else None
        if self.get_all:
            return (found.inputs, weights) if self.get_by_list else found.inputs
        if self.get_by_list:
            return weights
        return found.inputs[0] if positions else ()

    def __repr__(self) -> str:
        return f"GradOperation(get_all={self.get_all}, get_by_list={self.get_by_list}, sens_param={self.sens_param})"


# -- vjp, jvp, Jacobians --------------------------------------------------------------------------------------------
@overload
def vjp(fn: Callable[..., Result], *inputs: Any, weights: Any = None, has_aux: _No = False) -> tuple[Result, Callable[..., Any]]: ...  # fmt: skip
@overload
def vjp(fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool) -> tuple[Any, ...]: ...
def vjp(fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False) -> tuple[Any, ...]:
    """``(outputs, vjp_fn)``, or with ``has_aux`` ``(outputs, vjp_fn, aux)``; ``vjp_fn(v)`` gives the gradients.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> outputs, vjp_fn = ms.vjp(lambda x: x * x, Tensor(3.0))
        >>> print(outputs, *vjp_fn(Tensor(1.0)))
        9.0 6.0
    """
    check_callable("vjp", "fn", fn)
    _check_flags("vjp", has_aux=has_aux)
    weights = check_weights("vjp", weights)
    listed = () if weights is None else (weights,) if isinstance(weights, Parameter) else weights
    positions = tuple(i for i, x in enumerate(inputs) if _has_tensor(x))
    kept = forward_cache.start(fn, inputs, listed)
    outputs = (
        kept.outputs if kept is not None else differentiate(fn, inputs, {}, positions, listed, None, has_aux).outputs
    )

    def vjp_fn(*v: Any) -> Any:
        nonlocal kept
        first, kept = kept, None  # a tape serves one backward pass
        found = differentiate(fn, inputs, {}, positions, listed, v, has_aux, first)
        if weights is None:
            return found.inputs
        return found.inputs, found.weights[0] if isinstance(weights, Parameter) else found.weights

    if has_aux:
        first_of(outputs)
        aux = outputs[1:]
        return outputs[0], vjp_fn, aux if len(aux) != 1 else aux[0]
    return outputs, vjp_fn


@overload
def jvp(fn: Callable[..., Result], inputs: Any, v: Any, has_aux: _No = False) -> tuple[Result, Result]: ...
@overload
def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool) -> tuple[Any, ...]: ...
def jvp(fn: Callable[..., Any], inputs: Any, v: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """``(outputs, directional derivative)`` of ``fn`` at ``inputs`` along ``v``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> print(*ms.jvp(lambda x: x * x, Tensor(3.0), Tensor(2.0)))
        9.0 12.0
    """
    check_callable("jvp", "fn", fn)
    _check_flags("jvp", has_aux=has_aux)
    points = inputs if isinstance(inputs, tuple) else (inputs,)
    directions = v if isinstance(v, tuple) else (v,)
    if len(points) != len(directions):
        raise ValueError(f"For 'jvp', 'v' must have one Tensor per input: {len(points)}, but got {len(directions)}.")
    outputs = fn(*points)
    target, targets = _targets("jvp", fn, outputs, has_aux)
    several = isinstance(target, (tuple, list))
    seeds = tuple(map(zeros_like, targets))
    positions = tuple(i for i, point in enumerate(points) if _has_tensor(point))
    directions = tuple(directions[i] for i in positions)

    # The vjp is linear in its cotangents; transposing it along v gives the jvp (double vjp).
    def pulled(*cotangents: Tensor) -> Any:
        return differentiate(fn, points, {}, positions, (), cotangents, has_aux).inputs

    tangents = differentiate(pulled, seeds, {}, tuple(range(len(seeds))), (), directions).inputs
    derivative = tuple(tangents) if several else tangents[0]
    if has_aux:
        return target, derivative, outputs[1] if len(outputs) == 2 else tuple(outputs[1:])
    return outputs, derivative


@overload
def jacrev(fn: Callable[Inputs, Any], grad_position: int = 0, has_aux: _No = False) -> Callable[Inputs, Tensor]: ...
@overload
def jacrev(fn: Callable[Inputs, Any], grad_position: Any = 0, has_aux: bool = False) -> Callable[Inputs, Any]: ...
def jacrev(fn: Callable[..., Any], grad_position: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The Jacobian of ``fn``, row by row in reverse mode: shape ``output.shape + input.shape``.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Tensor
        >>> print(ms.jacrev(lambda x: x * x)(Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """
    return _jacobian("jacrev", fn, grad_position, has_aux, _rows)


@overload
def jacfwd(fn: Callable[Inputs, Any], grad_position: int = 0, has_aux: _No = False) -> Callable[Inputs, Tensor]: ...
@overload
def jacfwd(fn: Callable[Inputs, Any], grad_position: Any = 0, has_aux: bool = False) -> Callable[Inputs, Any]: ...
def jacfwd(fn: Callable[..., Any], grad_position: Any = 0, has_aux: bool = False) -> Callable[..., Any]:
    """The Jacobian of ``fn``, column by column in forward mode; same result as :func:`jacrev`.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> print(ops.jacfwd(lambda x: x * x)(Tensor([1.0, 2.0])))
        [[2. 0.]
         [0. 4.]]
    """
    return _jacobian("jacfwd", fn, grad_position, has_aux, _columns)


def _targets(owner: str, fn: Any, outputs: Any, has_aux: bool) -> tuple[Any, tuple[Tensor, ...]]:
    """What of a function's outputs is differentiated: as it was returned, and the Tensors of it."""
    target = first_of(outputs) if has_aux else outputs
    targets = tuple(target) if isinstance(target, (tuple, list)) else (target,)
    for one in targets:
        if not isinstance(one, Tensor):
            name = getattr(fn, "__name__", type(fn).__name__)
            raise TypeError(
                f"For '{owner}', the function must return a Tensor or a tuple of Tensors, but '{name}' returned "
                f"{outputs!r}. Return other values behind the first output, with has_aux=True."
            )
    return target, targets


def _jacobian(owner: str, fn: Any, grad_position: Any, has_aux: bool, method: Callable[..., Any]) -> Callable[..., Any]:
    check_callable(owner, "fn", fn)
    _check_flags(owner, has_aux=has_aux)
    positions = _check_positions(owner, grad_position)
    if positions is None:
        raise TypeError(f"For '{owner}', the 'grad_position' must be int or tuple, but got None.")

    def jacobian(*args: Any) -> Any:
        wanted = _given_positions(owner, positions, args)
        for position in wanted:
            if not isinstance(args[position], Tensor):
                raise TypeError(
                    f"For '{owner}', input {position} must be a Tensor to be differentiated, but got {args[position]!r} of type "
                    f"{type(args[position]).__name__}. Pass Tensor({args[position]!r}) or another 'grad_position'."
                )
        outputs = fn(*args)
        target, targets = _targets(owner, fn, outputs, has_aux)
        several = isinstance(target, (tuple, list))
        blocks = [method(fn, args, wanted, targets, i, has_aux) for i in range(len(targets))]
        shaped = tuple(b if len(wanted) > 1 else b[0] for b in blocks)
        result = shaped if several else shaped[0]
        return (result, outputs[1] if len(outputs) == 2 else tuple(outputs[1:])) if has_aux else result

    return jacobian


def _one_hot(like: Tensor, index: int) -> Tensor:
    basis = zeros_like(like).reshape((-1,))
    basis[index] = 1
    return basis.reshape(like.shape)


def _rows(
    fn: Any, args: tuple[Any, ...], wanted: tuple[Any, ...], targets: tuple[Any, ...], which: int, has_aux: bool
) -> tuple[Any, ...]:
    output = targets[which]
    rows = []
    for element in range(output.size):
        seeds = tuple(_one_hot(t, element) if i == which else zeros_like(t) for i, t in enumerate(targets))
        rows.append(differentiate(fn, args, {}, wanted, (), seeds, has_aux).inputs)
    return tuple(_stacked([r[k] for r in rows]).reshape((*output.shape, *args[p].shape)) for k, p in enumerate(wanted))


def _columns(
    fn: Any, args: tuple[Any, ...], wanted: tuple[Any, ...], targets: tuple[Any, ...], which: int, has_aux: bool
) -> tuple[Any, ...]:
    output = targets[which]
    blocks = []
    for p in wanted:
        columns = []
        for element in range(args[p].size):
            direction = _one_hot(args[p], element)

            def along(x: Tensor, position: int = p) -> Any:
                result = fn(*args[:position], x, *args[position + 1 :])
                result = result[0] if has_aux else result
                return result[which] if isinstance(result, (tuple, list)) else result

            columns.append(jvp(along, args[p], direction)[1].reshape((-1,)))
        blocks.append(_stacked(columns).transpose((1, 0)).reshape((*output.shape, *args[p].shape)))
    return tuple(blocks)


def _stacked(tensors: list[Tensor]) -> Tensor:
    total = zeros_like(tensors[0]).expand_dims(0).broadcast_to((len(tensors), *tensors[0].shape))
    for index, tensor in enumerate(tensors):
        total[index] = tensor
    return total


def derivative(fn: Callable[..., Any], primals: Any, order: int) -> tuple[Any, ...]:
    """``(fn's output, its derivative of the given order)`` at ``primals``.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> value, second = ops.derivative(lambda x: x**3, Tensor(2.0), 2)
        >>> print(value, second)
        8.0 12.0
    """
    check_callable("derivative", "fn", fn)
    if isinstance(order, bool) or not isinstance(order, int) or order < 1:
        raise several(ValueError, *(() if isinstance(order, int) else (TypeError,)))(
            f"For 'derivative', the 'order' must be a positive int, but got {order!r}."
        )
    points = primals if isinstance(primals, tuple) else (primals,)
    current = fn
    for _ in range(order):
        previous = current

        def current(*xs: Any, previous: Any = previous) -> Any:
            return jvp(previous, xs, tuple(ones_like(x) for x in xs))[1]

    return fn(*points), current(*points)
