"""Cell: the building block of networks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, Self, TypeVar

from mindspore._engine.autodiff import custom_vjp, forward_cache, hooks, pipeline_marks
from mindspore._engine.autodiff.checkpointing import recomputed
from mindspore._engine.base import dtype as dtypes
from mindspore._engine.base import version_counter
from mindspore._engine.base.pytree import map_leaves
from mindspore._engine.base.trace_state import state
from mindspore._engine.graph import breaks, jit
from mindspore._engine.graph.compiled import Compiled
from mindspore._engine.tracing import invoke
from mindspore._utils.checks import check_type, shown
from mindspore._utils.hints import check_arguments
from mindspore._utils.refusals import refused
from mindspore._utils.user_call import READERS
from mindspore.nn.cell.arguments import missing_construct, read_call, signature_of
from mindspore.nn.cell.attributes import CellAttributes
from mindspore.nn.cell.earlier_members import add_earlier
from mindspore.nn.cell.facts import CellFacts
from mindspore.nn.cell.fields import NOT_IN_DIGEST, initial_fields
from mindspore.nn.cell.hooks import CellHooks
from mindspore.nn.cell.inputs import Width, explain_failure, refuse_other_than_tensors
from mindspore.nn.cell.internals import CellInternals
from mindspore.nn.cell.later_members import let_yield
from mindspore.nn.cell.lists import warn_of_lost_members
from mindspore.nn.cell.options import CellOptions
from mindspore.nn.cell.precision import convert_tensor, run_converted, set_mixed
from mindspore.nn.cell.state_dict import CellStateDict

__all__ = ["Cell"]

Inputs = ParamSpec("Inputs")
Outputs = TypeVar("Outputs", covariant=True)


class _Constructs(Protocol[Inputs, Outputs]):
    """What has a ``construct``: to a type checker, calling a Cell is calling that."""

    def construct(self, *args: Inputs.args, **kwargs: Inputs.kwargs) -> Outputs: ...


_PRECISIONS = {"fp16": dtypes.float16, "fp32": dtypes.float32, "bf16": dtypes.bfloat16}


class Cell(CellAttributes, CellInternals, CellHooks, CellOptions, CellStateDict):
    """A part of a network: owns Parameters and other Cells, and computes in ``construct``.

    In graph mode calling a Cell compiles ``construct`` with everything it calls into one graph; in PyNative mode it runs
    operator by operator. Both give the same numbers.

    Attributes that ``construct`` reads may be set at any time; another value means another graph. What it assigns itself
    is there at the next call: Tensors (``self.cache = x``) and counters (``self.step = self.step + 1``) without another
    graph, other values with one. Lists, dicts and plain objects may change in place, and so may variables of the module.

    A Cell that defines ``bprop(self, *inputs, out, dout)`` beside ``construct`` has that as its gradient: it gets the inputs,
    the output and the gradient of the output, and returns a tuple with the gradients of the inputs.

    Args:
        auto_prefix: whether Parameters of Cells assigned to attributes are named after the attributes.
        flags: attributes to set, for old programs.

    Examples:
        >>> import mindspore as ms
        >>> from mindspore import Parameter, Tensor, nn, ops
        >>> class Scale(nn.Cell):
        ...     def __init__(self, factor):
        ...         super().__init__()
        ...         self.factor = Parameter(Tensor(factor), name="factor")
        ...     def construct(self, x):
        ...         return x * self.factor
        >>> net = Scale(3.0)
        >>> print(net(Tensor([1.0, 2.0])))
        [3. 6.]
        >>> net.trainable_params()
        [Parameter (name=factor, shape=(), dtype=Float32, requires_grad=True)]
    """

    _cell_widths: tuple[Width, ...] = ()  # sizes of inputs that a layer is made for; looked at when a call has failed

    _not_in_digest = NOT_IN_DIGEST  # fields that graphs kept on disk do not depend on

    _cell_lists_are_looked_at = True  # for members that would be neither trained nor saved

    def __new__(cls, /, *given: Any, **keywords: Any) -> Self:
        if given or keywords:  # copies are made without
            check_arguments(cls, given, keywords)
        return object.__new__(cls)

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None):
        self.__dict__.update(initial_fields(auto_prefix))
        CellFacts.total_instance_count += 1
        if state.scope is not None:
            state.scope.root.made[id(self)] = self
        if flags:
            self.add_flags(**flags)

    # -- the call -----------------------------------------------------------------------------------------------------
    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The computation; every Cell defines its own."""
        raise AttributeError(missing_construct(type(self)))

    if TYPE_CHECKING:  # a call takes and returns what construct does

        def __call__(self: _Constructs[Inputs, Outputs], *args: Inputs.args, **kwargs: Inputs.kwargs) -> Outputs: ...

    else:

        def __call__(self, *args: Any, **kwargs: Any) -> Any:
            # 1. before the first call: is this Cell complete, has every Parameter a name of its own
            if not self.__dict__.get("_cell_called"):
                self._prepare_first_call()
            # 2. refuse a call that construct cannot take, in the same words in both modes
            signature_of(self).check(args, kwargs, type(self).__name__)
            # 3. graph mode: everything from here on is one compiled graph
            if jit.compiles_now():
                if state.piecewise and self._requires_grad and forward_cache.applies(self):
                    return forward_cache.call(self, self._cell_graph, args, kwargs)
                return self._cell_compiled(args, kwargs)
            # 4. otherwise run construct, here or as part of the graph being traced
            return self._cell_python(*args, **kwargs)

    def _cell_python(self, *args: Any, **kwargs: Any) -> Any:
        if self._requires_grad and forward_cache.applies(self):
            return forward_cache.call(self, self._cell_run, args, kwargs)  # its gradient will be asked for next
        return self._cell_run(*args, **kwargs)

    def _cell_graph(self, *args: Any, **kwargs: Any) -> Any:
        return self._cell_compiled(args, kwargs)

    def _prepare_first_call(self) -> None:
        self._require_initialised()
        if type(self).construct is Cell.construct and "construct" not in self.__dict__:
            self.construct()
        self.check_names_and_refresh_name()
        if not self.__dict__.get("_cell_inside"):
            self._look_for_lost_members()
        self.global_cells[self] = type(self).__name__
        self.__dict__["_cell_called"] = True

    def _look_for_lost_members(self) -> None:
        """Before the first call of a whole network; the Cells inside it need no look of their own."""
        warn_of_lost_members(self)
        for _, cell in self.cells_and_names():
            cell.__dict__["_cell_inside"] = True

    def _cell_run(self, *args: Any, **kwargs: Any) -> Any:
        """construct with everything that stands around it."""
        # 1. let the graph being traced know about this Cell
        if state.scope is not None:
            self._enter_trace()
            if state.plan is not None and pipeline_marks.is_cut() and "pipeline_stage" in self._flags:
                args, kwargs = pipeline_marks.enter_stage(
                    type(self).__name__, self._flags["pipeline_stage"], args, kwargs
                )
        # 2. forward-pre hooks
        if self._forward_pre_hook:
            args, kwargs = self._call_forward_pre_hooks(args, kwargs)
        # 3. what backward hooks watch: construct and the forward hooks
        if state.tape is None or not (self._backward_hook or self._backward_pre_hook):
            return self._cell_outputs(args, kwargs)
        return hooks.watch_cell(
            self, lambda passed: self._cell_outputs(passed, kwargs), args, self._backward_hook, self._backward_pre_hook
        )

    def _cell_outputs(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """construct, in the precision asked for, and what forward hooks make of its outputs."""
        run = self._cell_construct
        if "_parameter_hooks" in self.__dict__ or "_saved_tensors" in self.__dict__:
            run = partial(self._inside_hooks, run)
        try:
            if self._cell_dtype is None and self._cell_mixed is None:
                outputs = run(args, kwargs)
            else:
                outputs = run_converted(self, run, args, kwargs)
        except Exception as error:
            breaks.on_the_way(self)
            self._call_hooks_after_error(args, kwargs)
            explain_failure(self, error, args, kwargs)
            if isinstance(error, AttributeError):
                refuse_other_than_tensors(self, error, args, kwargs)
            raise
        if self._forward_hook:
            outputs = self._call_forward_hooks(args, kwargs, outputs)
        return outputs

    def _cell_construct(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """construct, differentiated by the Cell's bprop if it defines it."""
        if state.tape is None or not (hasattr(type(self), "bprop") or "bprop" in self.__dict__):
            if state.tape is not None and self._flags.get("recompute"):
                return recomputed(self.construct, args, kwargs, list(self.get_parameters()))
            return invoke.invoke(self.construct, args, kwargs)
        inputs, given = signature_of(self).in_order(args, kwargs)
        accepted = signature_of(self, "bprop")
        if not accepted.takes(len(inputs) + 2) and accepted.takes(given + 2):
            inputs = inputs[:given]  # written without the arguments that have defaults
        accepted.check_bprop(len(inputs), type(self).__name__, signature_of(self))
        return custom_vjp.call_with_bprop(
            lambda: invoke.invoke(self.construct, args, kwargs),
            self.bprop,
            inputs,
            self.trainable_params(),
            type(self).__name__,
        )

    def _cell_compiled(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return self._graphs_of()(args, kwargs)

    def _graphs_of(self) -> Compiled:
        graphs = self.__dict__.get("_cell_graphs")
        if graphs is None:
            graphs = self.__dict__["_cell_graphs"] = Compiled(self._cell_run, (self,), type(self).__name__)
            graphs.as_python, graphs.settle = self._cell_python, self._settle_numbers
            graphs.strict = jit.is_strict(self._flags.get("jit_config"))
        return graphs

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile for these inputs without running."""
        self._prepare_first_call()
        signature_of(self).check(args, kwargs, type(self).__name__)
        self._graphs_of().prepare(args, kwargs)

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a compiled graph, in either mode."""
        self._prepare_first_call()
        signature_of(self).check(args, kwargs, type(self).__name__)
        return self._cell_compiled(args, kwargs)

    def floating_point_operations(self) -> float | None:
        """What one call of the compiled Cell computes, as XLA counts it; None before it was compiled."""
        return self._graphs_of().floating_point_operations()

    # -- modes ----------------------------------------------------------------------------------------------------------
    def set_train(self, mode: bool = True) -> Self:
        """Training behaviour (Dropout active, BatchNorm on batch statistics) for this Cell and all below it."""
        mode = bool(check_type("set_train", "mode", mode, (bool, int)))
        for _, cell in self.cells_and_names():
            cell.__dict__["_phase"] = "train" if mode else "predict"
            if cell.training != mode:
                cell.__dict__["training"] = mode
                version_counter.note()
        return self

    def set_grad(self, requires_grad: bool = True) -> Self:
        """Mark this Cell as to be differentiated; kept for old programs."""
        self.__dict__["_requires_grad"] = bool(check_type("set_grad", "requires_grad", requires_grad, (bool, int)))
        return self

    @property
    def requires_grad(self) -> bool:
        """Whether ``set_grad`` was called."""
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.set_grad(value)

    @property
    def phase(self) -> str:
        """'train' or 'predict', as last set by ``set_train``."""
        return self._phase

    @phase.setter
    def phase(self, value: str) -> None:
        self.__dict__["_phase"] = value

    @property
    def cls_name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def _get_name(self) -> str:
        return type(self).__name__

    # -- precision ------------------------------------------------------------------------------------------------------
    def to_float(self, dst_type: dtypes.DType) -> Self:
        """Compute in another float type, here and in all Cells below; returns the Cell.

        Inputs, Parameters and Tensors the Cell holds are converted when construct uses them. What is stored stays as it is,
        and so do gradients.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import Parameter, Tensor, nn
            >>> class Scale(nn.Cell):
            ...     def __init__(self):
            ...         super().__init__()
            ...         self.factor = Parameter(Tensor(2.0))
            ...     def construct(self, x):
            ...         return x * self.factor
            >>> net = Scale().to_float(ms.float16)
            >>> net(Tensor([1.0])).dtype, net.factor.dtype
            (mindspore.float16, mindspore.float32)
        """
        if not isinstance(dst_type, dtypes.DType) or dst_type not in _PRECISIONS.values():
            raise refused(
                ValueError,
                "For 'to_float', the 'dst_type' must be one of [mindspore.float16, mindspore.float32, mindspore.bfloat16], but got "
                f"{shown(dst_type)}.",
            )
        for _, cell in self.cells_and_names():
            cell.add_flags(**{name: dtype == dst_type for name, dtype in _PRECISIONS.items()})
            set_mixed(cell, dst_type)
        return self

    def cast_inputs(self, inputs: tuple[Any, ...], dst_type: dtypes.DType) -> tuple[Any, ...]:
        """The inputs with floating Tensors in another dtype."""
        return map_leaves(lambda value: convert_tensor(value, dst_type), tuple(inputs))


READERS[Cell.__call__.__code__] = read_call
let_yield(Cell)
add_earlier(Cell)
