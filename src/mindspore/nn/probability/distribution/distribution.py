"""Distribution: what all distributions share."""

from __future__ import annotations

from typing import Any, ClassVar

from mindspore import ops
from mindspore._engine.base.dtype import DType, float32
from mindspore._engine.runtime.context import get_context
from mindspore._utils.checks import check_non_negative_int, check_str, check_type
from mindspore._utils.refusals import refused
from mindspore.common.tensor import Tensor
from mindspore.nn.cell import Cell
from mindspore.nn.probability._parameters import (
    as_parameter,
    batch_shape_of,
    described,
    in_one_shape,
    require_one_shape,
    require_tensor,
    shape_of,
)

__all__ = ["Distribution"]

_FUNCTIONS = (
    "prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival", "mean", "sd", "var", "mode", "entropy",
    "kl_loss", "cross_entropy", "sample", "get_dist_args", "get_dist_type",
)  # fmt: skip


class Distribution(Cell):
    """The base of distributions.

    A distribution defines some of ``_prob``, ``_log_prob``, ``_cdf``, ``_log_cdf``, ``_survival_function``,
    ``_log_survival``, ``_mean``, ``_sd``, ``_var``, ``_mode``, ``_entropy``, ``_kl_loss``, ``_cross_entropy`` and
    ``_sample``; what follows from them is there too. Parameters that were not given at construction, or others than
    those, are given as Tensors behind the arguments of a call. Inside of networks a function may also be called by its
    name: ``distribution('prob', value)``.

    Args:
        seed: of samples; None or 0 for the global random state.
        dtype: of samples and, for continuous distributions, of parameters.
        name: of the distribution.
        param: what was passed to the constructor.

    Examples:
        >>> from mindspore import Tensor, ops
        >>> from mindspore.nn.probability.distribution import Distribution
        >>> class Triangle(Distribution):
        ...     def __init__(self, dtype):
        ...         super().__init__(None, dtype, "Triangle", dict(locals()))
        ...     def _prob(self, value):
        ...         return ops.relu(1 - ops.abs(value))
        >>> import mindspore as ms
        >>> print(Triangle(ms.float32).prob(Tensor([0.5, 2.0])))
        [0.5 0. ]
    """

    # operators that distributions of libraries compute with
    cast = cast_base = ops.Cast()
    dtypeop = dtype_base = ops.DType()
    shape = shape_base = ops.Shape()
    sq = sq_base = square = ops.Square()
    sqrt = sqrt_base = ops.Sqrt()
    log = log_base = log_with_check = ops.Log()
    exp = exp_base = ops.Exp()
    log1p, expm1, erf, lgamma, floor, neg, abs = (
        ops.Log1p(), ops.Expm1(), ops.Erf(), ops.Lgamma(), ops.Floor(), ops.Neg(), ops.Abs(),
    )  # fmt: skip
    less, greater, pow = ops.Less(), ops.Greater(), ops.Pow()
    equal, select = equal_base, select_base = ops.Equal(), ops.Select()
    broadcast, uniform, sametypeshape_base = (
        staticmethod(ops.broadcast_to),
        staticmethod(ops.uniform),
        ops.SameTypeShape(),
    )
    squeeze, fill, const = ops.Squeeze(0), ops.Fill(), ops.ScalarToTensor()

    LABELS: ClassVar[dict[str, str]] = {}  # parameter names in order, and how they are printed

    def __init__(self, seed: int | None, dtype: DType, name: str, param: dict[str, Any]):
        super().__init__()
        owner = check_str("Distribution", "name", name)
        self._name = name
        self._seed = 0 if seed is None else check_non_negative_int(owner, "seed", seed)
        self._dtype = check_type(owner, "dtype", dtype, DType)
        if not (dtype.is_floating or dtype.is_integer):
            raise refused(TypeError, f"For '{owner}', the 'dtype' must be a dtype of numbers, but got {dtype}.")
        self._parameters = {key: value for key, value in param.items() if key not in ("self", "__class__")}
        self.parameter_type = dtype if dtype.is_floating else float32
        self._names: tuple[str, ...] = ()
        self._shapes: tuple[tuple[int, ...], ...] = ()  # of the parameters given
        self._uniform_real = ops.UniformReal(self._seed)

    # -- parameters -----------------------------------------------------------------------------------------------------
    def _require_floating(self) -> None:
        if not self._dtype.is_floating:
            raise refused(
                TypeError, f"For '{self._name}', the 'dtype' must be a floating-point dtype, but got {self._dtype}."
            )

    def _add_parameter(self, value: Any, name: str) -> Tensor | None:
        """A parameter given at construction, or None; to be kept in an attribute ``_<name>_value``."""
        self._names = (*self._names, name)
        added = as_parameter(self._name, name, value, self.parameter_type)
        if added is not None:
            self._shapes = (*self._shapes, added.shape)
            require_one_shape(self._name, self._shapes)
        return added

    @property
    def parameter_names(self) -> list[str]:
        """The names of the parameters, in their order."""
        return list(self._names)

    @property
    def default_parameters(self) -> list[Any]:
        """The parameters given at construction, None for the others."""
        return self._own()

    def checktensor(self, x: Any, name: str) -> Tensor:
        """A Tensor; TypeError for anything else."""
        return require_tensor(self._name, name, x)

    def checktuple(self, x: Any, name: str) -> tuple[Any, ...]:
        """A tuple, such as a shape; TypeError for anything else."""
        if not isinstance(x, tuple):
            raise refused(
                TypeError, f"For '{self._name}', the '{name}' must be a tuple, but got type '{type(x).__name__}'."
            )
        return x

    def _own(self) -> list[Any]:
        return [getattr(self, f"_{name}_value", None) for name in self._names]

    def _check_param_type(self, *args: Any) -> Any:
        """The parameters of a call, with the constructor's values for None; broadcast to a common shape and dtype."""
        values = []
        for name, given, own in zip(self._names, args, self._own()):
            if given is None and own is None:
                raise refused(
                    TypeError,
                    f"For '{self._name}', the '{name}' was not given at construction: pass a Tensor to this call.",
                )
            value = own if given is None else require_tensor(self._name, name, given)
            values.append(value.astype(self.parameter_type))
        values = in_one_shape(values)
        return values[0] if len(values) == 1 else values

    def _check_value(self, value: Any, name: str) -> Tensor:
        return require_tensor(self._name, name, value).astype(self.parameter_type)

    # -- functions of a value ---------------------------------------------------------------------------------------------
    def prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The probability density, or for discrete distributions the probability."""
        value = self._check_value(value, "value")
        if hasattr(self, "_prob"):
            return self._prob(value, *args, **kwargs)
        if hasattr(self, "_log_prob"):
            return ops.exp(self._log_prob(value, *args, **kwargs))
        raise self._missing("prob")

    def log_prob(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The logarithm of ``prob``."""
        value = self._check_value(value, "value")
        if hasattr(self, "_log_prob"):
            return self._log_prob(value, *args, **kwargs)
        if hasattr(self, "_prob"):
            return ops.log(self._prob(value, *args, **kwargs))
        raise self._missing("log_prob")

    def cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The cumulative distribution function."""
        value = self._check_value(value, "value")
        if hasattr(self, "_cdf"):
            return self._cdf(value, *args, **kwargs)
        if hasattr(self, "_log_cdf"):
            return ops.exp(self._log_cdf(value, *args, **kwargs))
        if hasattr(self, "_survival_function"):
            return 1 - self._survival_function(value, *args, **kwargs)
        if hasattr(self, "_log_survival"):
            return 1 - ops.exp(self._log_survival(value, *args, **kwargs))
        raise self._missing("cdf")

    def log_cdf(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The logarithm of ``cdf``."""
        if hasattr(self, "_log_cdf"):
            return self._log_cdf(self._check_value(value, "value"), *args, **kwargs)
        return ops.log(self.cdf(value, *args, **kwargs))

    def survival_function(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The survival function, 1 - cdf."""
        if hasattr(self, "_survival_function"):
            return self._survival_function(self._check_value(value, "value"), *args, **kwargs)
        if hasattr(self, "_log_survival"):
            return ops.exp(self._log_survival(self._check_value(value, "value"), *args, **kwargs))
        return 1 - self.cdf(value, *args, **kwargs)

    def log_survival(self, value: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        """The logarithm of ``survival_function``."""
        if hasattr(self, "_log_survival"):
            return self._log_survival(self._check_value(value, "value"), *args, **kwargs)
        return ops.log(self.survival_function(value, *args, **kwargs))

    # -- numbers of the distribution --------------------------------------------------------------------------------------
    def mean(self, *args: Any, **kwargs: Any) -> Tensor:
        """The mean."""
        return self._own_function("mean")(*args, **kwargs)

    def mode(self, *args: Any, **kwargs: Any) -> Tensor:
        """The most likely value."""
        return self._own_function("mode")(*args, **kwargs)

    def sd(self, *args: Any, **kwargs: Any) -> Tensor:
        """The standard deviation."""
        if hasattr(self, "_sd"):
            return self._sd(*args, **kwargs)
        return ops.sqrt(self._own_function("var", "sd")(*args, **kwargs))

    def var(self, *args: Any, **kwargs: Any) -> Tensor:
        """The variance."""
        if hasattr(self, "_var"):
            return self._var(*args, **kwargs)
        return ops.square(self._own_function("sd", "var")(*args, **kwargs))

    def entropy(self, *args: Any, **kwargs: Any) -> Tensor:
        """The entropy."""
        return self._own_function("entropy")(*args, **kwargs)

    def kl_loss(self, dist: str, *args: Any, **kwargs: Any) -> Tensor:
        """The Kullback-Leibler divergence from a distribution of the same kind, ``dist``, with these parameters."""
        function = self._own_function("kl_loss")
        self._check_kind(dist)
        return function(dist, *args, **kwargs)

    def cross_entropy(self, dist: str, *args: Any, **kwargs: Any) -> Tensor:
        """The cross entropy with a distribution of the same kind, ``dist``, with these parameters."""
        if hasattr(self, "_cross_entropy"):
            return self._cross_entropy(dist, *args, **kwargs)
        self._own_function("kl_loss", "cross_entropy")
        own = args[len(self._names) :]  # parameters of this distribution may follow those of the other
        return self.entropy(*own) + self.kl_loss(dist, *args, **kwargs)

    def sample(self, *args: Any, **kwargs: Any) -> Tensor:
        """Random values: ``sample(shape=(), *parameters)``, of the shape followed by that of the parameters."""
        shape = kwargs.get("shape", args[0] if args else ())
        if isinstance(shape, Tensor):
            shape = tuple(shape.reshape(-1).tolist())
            args, kwargs = ((shape, *args[1:]), kwargs) if "shape" not in kwargs else (args, {**kwargs, "shape": shape})
        self.checktuple(shape, "shape")
        return self._own_function("sample")(*args, **kwargs).astype(self._dtype)

    def get_dist_args(self, *args: Any, **kwargs: Any) -> tuple[Any, ...]:
        """The parameters as they are: those of this call, or of the constructor, and None where neither gave any."""
        filled = list(args) + [kwargs.get(name) for name in self._names[len(args) :]]
        return tuple(
            own if given is None else require_tensor(self._name, name, given)
            for name, given, own in zip(self._names, filled, self._own())
        )

    def get_dist_type(self) -> str:
        """The kind of the distribution."""
        return type(self).__name__

    def construct(self, name: str, *args: Any, **kwargs: Any) -> Any:
        """Call one of the functions above by its name."""
        if name not in _FUNCTIONS:
            raise NotImplementedError(
                f"'{name}' is not implemented for {self._name}; there are {', '.join(_FUNCTIONS)}."
            )
        return getattr(self, name)(*args, **kwargs)

    # -- description ------------------------------------------------------------------------------------------------------
    @property
    def name(self) -> str:
        return self._name

    @property
    def dtype(self) -> DType:
        return self._dtype

    @property
    def seed(self) -> int:
        return self._seed

    @property
    def parameters(self) -> dict[str, Any]:
        """What was passed to the constructor."""
        return self._parameters

    @property
    def batch_shape(self) -> tuple[int, ...] | None:
        """The common shape of the parameters, None while one is left to the calls."""
        return batch_shape_of(self._own())

    @property
    def broadcast_shape(self) -> tuple[int, ...] | None:
        return self.batch_shape

    @property
    def is_scalar_batch(self) -> bool:
        """Whether all parameters that are there are single numbers."""
        return shape_of(self._own()) == ()

    # as distributions of libraries read them
    _batch_shape, _broadcast_shape, _is_scalar_batch = batch_shape, broadcast_shape, is_scalar_batch
    device_target = property(lambda self: get_context("device_target"))
    context_mode = property(lambda self: get_context("mode"))

    def extend_repr(self) -> str:
        return described({label: getattr(self, f"_{name}_value") for name, label in self.LABELS.items()})

    # -- helpers of distributions -------------------------------------------------------------------------------------------
    def _own_function(self, name: str, asked: str = "") -> Any:
        if not hasattr(self, f"_{name}"):
            raise self._missing(asked or name)
        return getattr(self, f"_{name}")

    def _missing(self, function: str) -> NotImplementedError:
        return NotImplementedError(f"'{function}' is not implemented for the {self._name} distribution.")

    def _check_kind(self, dist: Any) -> None:
        if dist != type(self).__name__:
            raise refused(
                ValueError,
                f"For '{self._name}', the 'dist' must be '{type(self).__name__}': divergences are known between distributions of "
                f"one kind, but got {dist!r}.",
            )

    def _uniform(self, shape: tuple[int, ...], like: Tensor) -> Tensor:
        """Random numbers from [0, 1) for a sample of this shape."""
        return self._uniform_real(shape + like.shape).astype(self.parameter_type)

    def transformed_by(self, bijector: Cell) -> Distribution:
        """The distribution of this distribution's samples after the bijector."""
        return Distribution.transformed(bijector, self)

    transformed: ClassVar[Any]  # TransformedDistribution, a subclass
