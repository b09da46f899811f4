"""Cell: the building block of networks."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from mindspore._engine import calls, changes, compiler, hooks, recorded
from mindspore._engine import dtype as dtypes
from mindspore._engine.graph import Compiled
from mindspore._engine.parameter import Parameter, ParameterTuple
from mindspore._engine.primitive import Primitive
from mindspore._engine.state import state
from mindspore._engine.structure import map_leaves
from mindspore._engine.tensor import Tensor
from mindspore._utils.checks import check_bool, nearest_name
from mindspore.nn.cell_hooks import CellHooks
from mindspore.nn.cell_tree import CellTree

_FLOATS = (dtypes.float16, dtypes.float32, dtypes.bfloat16)
# Kept out of copies: compiled graphs belong to one object.
_NOT_COPIED = ("_graphs", "_compiled_functions", "_recorded")


class Cell(CellTree, CellHooks):
    """A part of a network: owns Parameters and other Cells, and computes in ``construct``.

    In graph mode calling a Cell compiles ``construct`` with everything it calls into one graph; in PyNative mode it runs
    operator by operator. Both give the same numbers.

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

    def __init__(self, auto_prefix: bool = True, flags: dict[str, Any] | None = None):
        write = self.__dict__
        write["_params"] = {}
        write["_cells"] = {}
        write["_primitives"] = {}
        write["_auto_prefix"] = auto_prefix
        write["training"] = False
        write["_requires_grad"] = False
        write["graph_version"] = 0
        write["last_change"] = ""
        write["compute_dtype"] = None
        write["_param_prefix"] = ""
        write["_scope"] = None
        write["cell_type"] = None
        write["_flags"] = {}
        self._init_hooks()
        if flags:
            self.add_flags(**flags)

    # -- the call -----------------------------------------------------------------------------------------------------
    def construct(self, *args: Any, **kwargs: Any) -> Any:
        """The computation; every Cell defines its own."""
        raise AttributeError(f"For 'Cell', the method 'construct' is not defined in {type(self).__name__}.")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        # 1. refuse a call that construct cannot take, in the same words in both modes
        if "_params" not in self.__dict__:
            raise _not_initialised(self)
        _check_call(type(self), args, kwargs)
        # 2. graph mode: everything from here on is one compiled graph
        if compiler.compiles_now():
            return self._compiled(args, kwargs)
        # 3. otherwise run construct, here or as part of the graph being traced
        if self._requires_grad and self.training and state.tape is None:
            return recorded.call(self, self._run, args, kwargs)  # its gradient will be asked for next
        return self._run(*args, **kwargs)

    def _run(self, *args: Any, **kwargs: Any) -> Any:
        """construct with everything that stands around it."""
        scope = state.scope
        if scope is not None:
            scope.root.cells[self] = None
        # 1. forward-pre hooks
        if self._forward_pre_hooks:
            args, kwargs = self._call_forward_pre_hooks(args, kwargs)
        # 2. precision
        if self.compute_dtype is not None:
            args, kwargs = map_leaves(self._cast, args), map_leaves(self._cast, kwargs)
        # 3. construct, watched by backward hooks where there are any
        if state.tape is not None and (self._backward_hooks or self._backward_pre_hooks):
            outputs = hooks.watch_cell(
                self, lambda passed: self._construct(passed, kwargs), args, self._backward_hooks, self._backward_pre_hooks
            )
        else:
            outputs = self._construct(args, kwargs)
        # 4. forward hooks
        if self._forward_hooks:
            outputs = self._call_forward_hooks(args, kwargs, outputs)
        return outputs

    def _construct(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        bprop = getattr(type(self), "bprop", None)
        if bprop is not None:
            args = (*args, *kwargs.values())
            return hooks.call_with_bprop(self.construct, self.bprop, args, type(self).__name__)
        return calls.invoke(self.construct, args, kwargs)

    def _compiled(self, args: tuple, kwargs: dict[str, Any]) -> Any:
        graphs = self.__dict__.get("_graphs")
        if graphs is None:
            graphs = self.__dict__["_graphs"] = Compiled(self._run, (self,), type(self).__name__)
        return graphs(args, kwargs)

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Compile for these inputs without running."""
        graphs = self.__dict__.setdefault("_graphs", Compiled(self._run, (self,), type(self).__name__))
        graphs.prepare(args, kwargs)

    def compile_and_run(self, *args: Any, **kwargs: Any) -> Any:
        """Run as a compiled graph, in either mode."""
        return self._compiled(args, kwargs)

    # -- attributes -----------------------------------------------------------------------------------------------------
    def __setattr__(self, name: str, value: Any) -> None:
        if isinstance(value, (Cell, Parameter, ParameterTuple)) or name in self.__dict__.get("_params", ()):
            if "_params" not in self.__dict__:
                raise _not_initialised(self)
            self._assign_member(name, value)
        elif name in self.__dict__.get("_cells", ()):
            if value is not None:
                raise TypeError(
                    f"For 'Cell', the attribute '{name}' holds a Cell and cannot become {value!r} of type {type(value).__name__}. "
                    f"Delete it first: del cell.{name}."
                )
            self._cells[name] = None
        else:
            if isinstance(value, Primitive) and "_primitives" in self.__dict__:
                self._primitives[name] = value
                value.set_prim_instance_name(name)
            self._note_change(name, value)
            object.__setattr__(self, name, value)

    def _note_change(self, name: str, value: Any) -> None:
        """Graphs are compiled again when an attribute that construct reads gets another value."""
        if "graph_version" not in self.__dict__:
            return
        scope = state.scope
        if scope is not None:
            scope.root.attributes[self, name] = None
        elif name in _names_in_methods(type(self)) and not isinstance(value, Tensor):
            missing = object()
            old = self.__dict__.get(name, missing)
            if old is missing or old is not value and not _equal(old, value):
                self.__dict__["graph_version"] += 1
                self.__dict__["last_change"] = f"{name}: {_short(old) if old is not missing else 'unset'} -> {_short(value)}"
                changes.note()

    def __getattr__(self, name: str) -> Any:
        members = self.__dict__
        parameters = members.get("_params")
        if parameters is not None:
            if name in parameters:
                found = parameters[name]
                return self._cast_parameter(found) if self.compute_dtype is not None and state.scope is not None else found
            if name in members["_cells"]:
                return members["_cells"][name]
        elif not name.startswith("__"):
            raise _not_initialised(self)
        raise AttributeError(_unknown_attribute(self, name))

    def __delattr__(self, name: str) -> None:
        for group in (self._params, self._cells, self._primitives):
            group.pop(name, None)
        self.__dict__.pop(name, None)
        changes.note()

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self), *self._params, *self._cells})

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in _NOT_COPIED}

    def __setstate__(self, members: dict[str, Any]) -> None:
        self.__dict__.update(members)

    # -- modes ----------------------------------------------------------------------------------------------------------
    def set_train(self, mode: bool = True) -> Cell:
        """Training behaviour (Dropout active, BatchNorm on batch statistics) for this Cell and all below it."""
        check_bool("set_train", "mode", mode)
        for _, cell in self.cells_and_names():
            if cell.training != mode:
                cell.__dict__["training"] = mode
                changes.note()
        return self

    def set_grad(self, requires_grad: bool = True) -> Cell:
        """Mark this Cell as one whose gradient will be asked for; kept for old programs."""
        self.__dict__["_requires_grad"] = requires_grad
        return self

    @property
    def requires_grad(self) -> bool:
        return self._requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        self.set_grad(check_bool("Cell", "requires_grad", value))

    @property
    def phase(self) -> str:
        return "train" if self.training else "predict"

    @property
    def cls_name(self) -> str:
        return type(self).__name__

    def to_float(self, dst_type: dtypes.DType) -> Cell:
        """Compute in another float type: inputs and Parameters are converted on the fly, stored values stay."""
        if dst_type not in _FLOATS:
            raise ValueError(
                f"For 'to_float', the 'dst_type' must be one of [mindspore.float16, mindspore.float32, mindspore.bfloat16], but "
                f"got {dst_type!r}."
            )
        for _, cell in self.cells_and_names():
            cell.__dict__["compute_dtype"] = dst_type
            cell.__dict__["graph_version"] += 1
        changes.note()
        return self

    def _cast(self, value: Any) -> Any:
        if isinstance(value, Tensor) and value.dtype in _FLOATS and value.dtype != self.compute_dtype:
            return value.astype(self.compute_dtype)
        return value

    def _cast_parameter(self, parameter: Any) -> Any:
        return self._cast(parameter) if isinstance(parameter, Parameter) and parameter.requires_grad else parameter

    def add_flags(self, **flags: Any) -> Cell:
        """Set attributes in bulk."""
        self._flags.update(flags)
        for name, value in flags.items():
            setattr(self, name, value)
        return self

    def add_flags_recursive(self, **flags: Any) -> Cell:
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        return self._flags

    # -- hints for other back ends; XLA decides by itself ---------------------------------------------------------------
    def recompute(self, **kwargs: Any) -> None:
        self._flags["recompute"] = kwargs.get("mode", True)

    def shard(self, *args: Any, **kwargs: Any) -> Cell:
        return self

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Cell:
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def set_broadcast_flag(self, mode: bool = True) -> Cell:
        return self.add_flags(broadcast_flag=mode)

    def set_jit_config(self, jit_config: Any) -> None:
        self._flags["jit_config"] = jit_config

    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Remember example inputs; graphs adapt to shapes by themselves."""
        self.__dict__["_example_inputs"] = inputs or tuple(kwargs.values())

    def get_inputs(self) -> tuple:
        return self.__dict__.get("_example_inputs", ())


def _not_initialised(cell: Any) -> AttributeError:
    name = type(cell).__name__
    return AttributeError(f"For '{name}', please use 'super().__init__()' as the first line of '{name}.__init__()'.")


def _unknown_attribute(cell: Cell, name: str) -> str:
    known = [*cell._params, *cell._cells, *(n for n in dir(type(cell)) if not n.startswith("_")), *vars(cell)]
    close = nearest_name(name, known)
    hint = f" Did you mean '{close}'?" if close else ""
    return f"The '{type(cell).__name__}' object has no attribute '{name}'.{hint}"


_references: dict[type, frozenset[str]] = {}


def _names_in_methods(cls: type) -> frozenset[str]:
    """Every attribute name the methods of a class mention, apart from those of __init__ and of Cell itself."""
    found = _references.get(cls)
    if found is None:
        names: set[str] = set()
        for owner in cls.__mro__:
            if owner is Cell:
                break
            for name, member in vars(owner).items():
                function = getattr(member, "function", member)  # a jitted method
                if name != "__init__" and inspect.isfunction(function):
                    names |= _names_in(function.__code__)
        found = _references[cls] = frozenset(names | {"training", "construct"})
    return found


def _names_in(code: Any) -> set[str]:
    names = set(code.co_names)
    for constant in code.co_consts:
        if inspect.iscode(constant):
            names |= _names_in(constant)
    return names


_signatures: dict[Callable[..., Any], tuple[int, float, frozenset[str] | None, tuple[str, ...]]] = {}


def _check_call(cls: type, args: tuple, kwargs: dict[str, Any]) -> None:
    construct = cls.construct
    known = _signatures.get(construct)
    if known is None:
        known = _signatures[construct] = _limits(construct)
    required, most, names, order = known
    given = len(args) + sum(k in order for k in kwargs)
    if required <= given and len(args) <= most and (not kwargs or names is None or names.issuperset(kwargs)):
        return
    if kwargs and names is not None and not names.issuperset(kwargs):
        unknown = sorted(set(kwargs) - names)
        raise TypeError(
            f"For 'Cell', the function construct of {cls.__name__} got an unexpected keyword argument {unknown[0]!r}; it takes "
            f"{sorted(names)}."
        )
    wanted = f"{required}" if required == most else f"{required} to {most:.0f}" if most != float("inf") else f"at least {required}"
    plural = "" if wanted == "1" else "s"
    raise TypeError(
        f"For 'Cell', the function construct requires {wanted} positional argument{plural}, but got {given}. "
        f"The arguments of {cls.__name__}.construct are ({', '.join(order)})."
    )


def _limits(construct: Callable[..., Any]) -> tuple[int, float, frozenset[str] | None, tuple[str, ...]]:
    required, most, names, order = 0, 0.0, set(), []
    open_ended = False
    for parameter in list(inspect.signature(construct).parameters.values())[1:]:
        if parameter.kind is parameter.VAR_POSITIONAL:
            most = float("inf")
        elif parameter.kind is parameter.VAR_KEYWORD:
            open_ended = True
        else:
            names.add(parameter.name)
            order.append(parameter.name)
            if parameter.kind is not parameter.KEYWORD_ONLY:
                most += 1
            required += parameter.default is parameter.empty
    return required, most, None if open_ended else frozenset(names), tuple(order)


def _equal(old: Any, new: Any) -> bool:
    try:
        return type(old) is type(new) and bool(old == new)
    except Exception:
        return False


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) < 40 else text[:37] + "..."
