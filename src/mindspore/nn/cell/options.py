"""Settings of a Cell besides its Parameters: flags, and hints for other back ends, where XLA decides by itself."""

from __future__ import annotations

import inspect
from typing import Any, Self

from mindspore._engine.operator import sharding
from mindspore._utils import log
from mindspore._utils.checks import check_bool, check_non_negative_int, check_one_of, check_type, shown
from mindspore._utils.refusals import WrongObject, refused
from mindspore.nn.cell.tree import CellTree

_RECOMPUTE_OPTIONS = ("mode", "output_recompute", "mp_comm_recompute", "parallel_optimizer_comm_recompute", "recompute_slice_activation",
                      "use_reentrant", "early_stop", "context_fn")  # fmt: skip


class CellOptions(CellTree):
    """The part of Cell with flags and hints. Split off for readability; not used on its own."""

    _flags: dict[str, Any]

    # -- flags ----------------------------------------------------------------------------------------------------------
    def add_flags(self, **flags: Any) -> Self:
        """Set attributes that ``get_flags`` lists.

        Examples:
            >>> from mindspore import nn
            >>> net = nn.Cell()
            >>> net.add_flags(has_effect=True).get_flags()
            {'has_effect': True}
            >>> net.has_effect
            True
        """
        self._flags.update(flags)
        for name, value in flags.items():
            setattr(self, name, value)
        return self

    def add_flags_recursive(self, **flags: Any) -> Self:
        """Set flags on this Cell and all below it."""
        for _, cell in self.cells_and_names():
            cell.add_flags(**flags)
        return self

    def get_flags(self) -> dict[str, Any]:
        """The flags of this Cell."""
        return dict(self._flags)

    def set_broadcast_flag(self, mode: bool = True) -> Any:
        """Mark the Cell for parameter broadcast."""
        return self.add_flags_recursive(broadcast_flag=mode)

    def set_data_parallel(self) -> None:
        """Mark the Cell for data parallelism."""
        self.add_flags_recursive(strategy_gen_mode="data_parallel")

    # -- hints ----------------------------------------------------------------------------------------------------------
    def recompute(self, **kwargs: Any) -> None:
        """Ask for the forward pass to be computed again in the backward pass, which saves memory."""
        for name in kwargs:
            check_one_of("recompute", "keyword", name, _RECOMPUTE_OPTIONS)
        for name in ("mode", "output_recompute"):
            check_bool("recompute", name, kwargs.get(name, True))
        if kwargs.get("context_fn") is not None and kwargs.get("use_reentrant", True):
            raise refused(ValueError, "For 'recompute', the 'context_fn' needs use_reentrant=False, but got True.")
        self._flags["recompute"] = kwargs.get("mode", True)

    def shard(
        self,
        in_strategy: Any,
        out_strategy: Any = None,
        parameter_plan: Any = None,
        device: str = "Ascend",
        level: int = 0,
    ) -> Any:
        """Say into how many parts the devices cut inputs and outputs, in the modes that plan whole graphs; returns the Cell.

        Args:
            in_strategy: for each input a tuple with the number of parts along each axis, or a ``Layout``; None for any.
            out_strategy: the same for the outputs.
            parameter_plan: the same for Parameters, by name; others follow from what is computed with them.
            device, level: accepted; the partitioner of XLA decides the rest by itself.

        Examples:
            >>> import mindspore as ms
            >>> from mindspore import nn
            >>> net = nn.Dense(8, 4).shard(((2, 1),), parameter_plan={"weight": (4, 1)})
            >>> print(net(ms.ops.ones((2, 8))).shape)
            (2, 4)
        """
        owner = type(self).__name__
        sharding.check_strategy(owner, "in_strategy", in_strategy)
        sharding.check_strategy(owner, "out_strategy", out_strategy)
        self._plan_parameters(owner, parameter_plan)
        for handle in self.__dict__.get("_shard_handles", ()):  # an earlier strategy
            handle.remove()
        self._flags["shard"] = (in_strategy, out_strategy, parameter_plan)
        cell: Any = self
        before = cell.register_forward_pre_hook(lambda _, inputs: sharding.cut_values(owner, in_strategy, inputs))
        after = cell.register_forward_hook(lambda _, inputs, output: _cut_output(owner, out_strategy, output))
        self.__dict__["_shard_handles"] = (before, after)
        return self

    def _plan_parameters(self, owner: str, parameter_plan: Any) -> None:
        check_type("shard", "parameter_plan", parameter_plan, (dict, type(None)))
        named = {parameter.name: parameter for parameter in self.get_parameters()}
        for name, cuts in (parameter_plan or {}).items():
            sharding.check_cuts(owner, "parameter_plan", cuts, parameter_plan)
            if name not in named:
                log.warning("For 'shard', %s has no Parameter named '%s', but only %s; ignored.", owner, name, [*named])
                continue
            named[name].__dict__["_cuts"] = cuts

    def set_comm_fusion(self, fusion_type: int, recurse: bool = True) -> Any:
        """Suggest which gradients are reduced together."""
        check_non_negative_int("set_comm_fusion", "fusion_type", fusion_type)
        for parameter in self.trainable_params(recurse):
            parameter.comm_fusion = fusion_type
        return self

    def set_boost(self, boost_type: str) -> Any:
        """Suggest training accelerations of other back ends."""
        self._flags["boost"] = boost_type
        return self

    def set_jit_config(self, jit_config: Any) -> None:
        """Suggest compilation options of other back ends; the syntax level STRICT forbids Python in the graph."""
        if not hasattr(jit_config, "jit_config_dict"):
            raise refused(
                WrongObject, f"For 'set_jit_config', the 'jit_config' must be a JitConfig, but got {shown(jit_config)}."
            )
        self._flags["jit_config"] = jit_config
        self.__dict__.pop("_cell_graphs", None)

    def offload(self, backward_prefetch: str = "Auto") -> None:
        """Suggest that activations wait on the host for the backward pass."""
        self._flags["offload"] = backward_prefetch

    @property
    def pipeline_stage(self) -> int | None:
        """The pipeline stage this Cell was put into."""
        return self._flags.get("pipeline_stage")

    @pipeline_stage.setter
    def pipeline_stage(self, value: int) -> None:
        stage = check_non_negative_int("Cell", "pipeline_stage", value)
        for _, cell in self.cells_and_names():
            cell._flags["pipeline_stage"] = stage

    # -- example inputs ---------------------------------------------------------------------------------------------------
    def set_inputs(self, *inputs: Any, **kwargs: Any) -> None:
        """Remember example inputs; axes of length None share graphs from the first call on.

        Where a graph was asked for, a call whose inputs do not fit them is refused.
        """
        known = list(inspect.signature(self.construct).parameters) if kwargs else []  # type: ignore[attr-defined]
        for name in kwargs:
            if name not in known:
                raise refused(
                    ValueError,
                    f"For 'set_inputs', the names must be those of the inputs, {', '.join(known)}, but got {name}.",
                )
        self.__dict__["_example_inputs"] = inputs or tuple([kwargs[name] for name in known if name in kwargs])

    def get_inputs(self) -> tuple[Any, ...] | None:
        """The inputs given to ``set_inputs``; None when it was not called."""
        return self.__dict__.get("_example_inputs")


def _cut_output(owner: str, strategy: Any, output: Any) -> Any:
    cut = sharding.cut_values(owner, strategy, output if isinstance(output, tuple) else (output,))
    return cut if isinstance(output, tuple) else cut[0]
