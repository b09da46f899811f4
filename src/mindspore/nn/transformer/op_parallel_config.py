"""How operators are to be spread over devices, as MindSpore 1.x writes it down."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mindspore import context
from mindspore._engine.runtime.parallel_context import device_count
from mindspore._utils.checks import check_bool, check_positive_int
from mindspore._utils.refusals import refused
from mindspore.log import warning

__all__ = [
    "EmbeddingOpParallelConfig",
    "MoEParallelConfig",
    "OpParallelConfig",
    "TransformerOpParallelConfig",
    "TransformerRecomputeConfig",
]

_SHARDED_MODES = (context.ParallelMode.SEMI_AUTO_PARALLEL, context.ParallelMode.AUTO_PARALLEL)


class _Setting:
    """An attribute of a configuration that is checked whenever it is set; ``then`` is called with the new value."""

    def __init__(self, check: Callable[[str, str, Any], Any], then: Callable[[Any], None] | None = None):
        self.check, self.then = check, then

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, config: Any, owner: type) -> Any:
        return self if config is None else config.__dict__[f"_{self.name}"]

    def __set__(self, config: Any, value: Any) -> None:
        config.__dict__[f"_{self.name}"] = self.check(type(config).__name__, self.name, value)
        if self.then is not None:
            self.then(value)


class _Forwarded:
    """An attribute that nested configurations have, too; setting it sets it in all of them."""

    def __init__(self, *parts: str):
        self.parts = parts

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, config: Any, owner: type) -> Any:
        return self if config is None else getattr(getattr(config, self.parts[0]), self.name)

    def __set__(self, config: Any, value: Any) -> None:
        for part in self.parts:
            setattr(getattr(config, part), self.name, value)


class _Config:
    """The base of configurations: printed with all they hold."""

    def __str__(self) -> str:
        return "[ParallelConfig]\n" + "".join(f"{name}:{value}\n" for name, value in self.__dict__.items())


class OpParallelConfig(_Config):
    """Into how many parts data and weights are split.

    Args:
        data_parallel: the parts of a batch.
        model_parallel: the parts of a weight.

    Examples:
        >>> from mindspore.nn.transformer import OpParallelConfig
        >>> OpParallelConfig(data_parallel=2).data_parallel
        2
    """

    data_parallel: Any = _Setting(check_positive_int)
    model_parallel: Any = _Setting(check_positive_int)

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1):
        self.data_parallel = data_parallel
        self.model_parallel = model_parallel


class MoEParallelConfig(_Config):
    """Into how many parts data, weights and experts are split.

    Args:
        data_parallel: the parts of a batch.
        model_parallel: the parts of a weight.
        expert_parallel: the parts of the experts.

    Examples:
        >>> from mindspore.nn.transformer.op_parallel_config import MoEParallelConfig
        >>> MoEParallelConfig(expert_parallel=2).dpmp.model_parallel
        1
    """

    data_parallel: Any = _Forwarded("_dpmp")
    model_parallel: Any = _Forwarded("_dpmp")
    expert_parallel: Any = _Setting(check_positive_int)

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, expert_parallel: int = 1):
        self._dpmp = OpParallelConfig(data_parallel, model_parallel)
        self.expert_parallel = expert_parallel

    @property
    def dpmp(self) -> OpParallelConfig:
        """The part for data and weights."""
        return self._dpmp


def _tell_stages(stages: int) -> None:
    context.set_auto_parallel_context(pipeline_stages=stages)


def _tell_sharding(shard: bool) -> None:
    context.set_auto_parallel_context(enable_parallel_optimizer=shard)


class _PipeLineConfig(_Config):
    """The number of pipeline stages, and of micro-batches that pass through them."""

    pipeline_stage: Any = _Setting(check_positive_int, _tell_stages)
    micro_batch_num: Any = _Setting(check_positive_int)

    def __init__(self, pipeline_stage: int = 1, micro_batch_num: int = 1):
        self.pipeline_stage = pipeline_stage
        self.micro_batch_num = micro_batch_num


class EmbeddingOpParallelConfig(_Config):
    """How an embedding is split.

    Args:
        data_parallel: the parts of a batch.
        model_parallel: the parts of the table, by rows; counts when ``vocab_emb_dp`` is False.
        vocab_emb_dp: whether every device has the whole table.

    Examples:
        >>> from mindspore.nn.transformer import EmbeddingOpParallelConfig
        >>> EmbeddingOpParallelConfig(model_parallel=2, vocab_emb_dp=False).dp_mp_config.model_parallel
        2
    """

    data_parallel: Any = _Forwarded("_dp_mp_config")
    model_parallel: Any = _Forwarded("_dp_mp_config")
    vocab_emb_dp: Any = _Setting(check_bool)

    def __init__(self, data_parallel: int = 1, model_parallel: int = 1, vocab_emb_dp: bool = True):
        self._dp_mp_config = OpParallelConfig(data_parallel, model_parallel)
        self.vocab_emb_dp = vocab_emb_dp

    @property
    def dp_mp_config(self) -> OpParallelConfig:
        """The part for data and weights."""
        return self._dp_mp_config


class TransformerRecomputeConfig(_Config):
    """What the layers of a transformer compute again in the backward pass, to save memory.

    Args:
        recompute: whether they do.
        parallel_optimizer_comm_recompute, mp_comm_recompute: whether weights and results are gathered again, too.
        recompute_slice_activation: whether what is kept is split over the devices.

    Examples:
        >>> from mindspore.nn.transformer import TransformerRecomputeConfig
        >>> TransformerRecomputeConfig(recompute=True).mp_comm_recompute
        True
    """

    recompute: Any = _Setting(check_bool)
    parallel_optimizer_comm_recompute: Any = _Setting(check_bool)
    mp_comm_recompute: Any = _Setting(check_bool)
    recompute_slice_activation: Any = _Setting(check_bool)

    def __init__(
        self,
        recompute: bool = False,
        parallel_optimizer_comm_recompute: bool = False,
        mp_comm_recompute: bool = True,
        recompute_slice_activation: bool = False,
    ):
        self.recompute = recompute
        self.parallel_optimizer_comm_recompute = parallel_optimizer_comm_recompute
        self.mp_comm_recompute = mp_comm_recompute
        self.recompute_slice_activation = recompute_slice_activation


def _checked_recompute(owner: str, name: str, value: Any) -> Any:
    if not isinstance(value, (TransformerRecomputeConfig, bool)):
        raise refused(
            TypeError,
            f"For '{owner}', the '{name}' must be a TransformerRecomputeConfig or a bool, but got type "
            f"'{type(value).__name__}'.",
        )
    return value


default_transformer_recompute_config = TransformerRecomputeConfig()


class TransformerOpParallelConfig(_Config):
    """How a transformer is spread over devices. Counts in the modes 'semi_auto_parallel' and 'auto_parallel'.

    ``pipeline_stage`` and ``optimizer_shard`` are also passed to ``set_auto_parallel_context``.

    Args:
        data_parallel: the parts of a batch.
        model_parallel: the parts of the weights of attention and feed-forward layers.
        expert_parallel: the parts of the experts.
        pipeline_stage: how many groups of layers work one after the other.
        micro_batch_num: how many pieces of a batch pass through the stages; at least as many as stages.
        recompute: what is computed again in the backward pass: a TransformerRecomputeConfig, or a bool.
        optimizer_shard: whether the state of the optimizer is split.
        gradient_aggregation_group: into how many groups gradients are put that are reduced together.
        vocab_emb_dp: whether every device has the whole embedding.

    Examples:
        >>> from mindspore.nn.transformer import TransformerOpParallelConfig
        >>> config = TransformerOpParallelConfig(data_parallel=2)
        >>> config.data_parallel = 4
        >>> config.moe_parallel_config.data_parallel, config.embedding_dp_mp_config.data_parallel
        (4, 4)
    """

    recompute: Any = _Setting(_checked_recompute)
    optimizer_shard: Any = _Setting(check_bool, _tell_sharding)
    gradient_aggregation_group: Any = _Setting(check_positive_int)
    data_parallel: Any = _Forwarded("_embed_dp_mp_config", "_moe_config")
    model_parallel: Any = _Forwarded("_embed_dp_mp_config", "_moe_config")
    expert_parallel: Any = _Forwarded("_moe_config")
    vocab_emb_dp: Any = _Forwarded("_embed_dp_mp_config")
    pipeline_stage: Any = _Forwarded("_pp_config")
    micro_batch_num: Any = _Forwarded("_pp_config")

    def __init__(
        self,
        data_parallel: int = 1,
        model_parallel: int = 1,
        expert_parallel: int = 1,
        pipeline_stage: int = 1,
        micro_batch_num: int = 1,
        recompute: TransformerRecomputeConfig | bool = default_transformer_recompute_config,
        optimizer_shard: bool = False,
        gradient_aggregation_group: int = 4,
        vocab_emb_dp: bool = True,
    ):
        self.recompute = recompute
        self.gradient_aggregation_group = gradient_aggregation_group
        self._embed_dp_mp_config = EmbeddingOpParallelConfig(data_parallel, model_parallel, vocab_emb_dp)
        self._moe_config = MoEParallelConfig(data_parallel, model_parallel, expert_parallel)
        # These two change the context, so they come when all else was found right.
        check_bool("TransformerOpParallelConfig", "optimizer_shard", optimizer_shard)
        check_positive_int("TransformerOpParallelConfig", "micro_batch_num", micro_batch_num)
        self._pp_config = _PipeLineConfig(pipeline_stage, micro_batch_num)
        self.optimizer_shard = optimizer_shard

    @property
    def embedding_dp_mp_config(self) -> EmbeddingOpParallelConfig:
        """The part for embeddings."""
        return self._embed_dp_mp_config

    @property
    def dp_mp_config(self) -> OpParallelConfig:
        """The part for data and weights."""
        return self._embed_dp_mp_config.dp_mp_config

    @property
    def moe_parallel_config(self) -> MoEParallelConfig:
        """The part for mixtures of experts."""
        return self._moe_config


def _default_transformer_config() -> TransformerOpParallelConfig:
    """The configuration of those who give none; making it must not change the context."""
    stages, shard = map(context.get_auto_parallel_context, ("pipeline_stages", "enable_parallel_optimizer"))
    config = TransformerOpParallelConfig()
    context.set_auto_parallel_context(pipeline_stages=stages, enable_parallel_optimizer=shard)
    return config


default_dpmp_config = OpParallelConfig()
default_moeparallel_config = MoEParallelConfig()
default_embedding_parallel_config = EmbeddingOpParallelConfig()
default_transformer_config = _default_transformer_config()


def _check_config(config: Any) -> None:
    """Whether a configuration fits the context."""
    settings = {
        name: context.get_auto_parallel_context(name)
        for name in ("pipeline_stages", "enable_parallel_optimizer", "parallel_mode")
    }
    stages = settings["pipeline_stages"]
    if getattr(config, "pipeline_stage", stages) != stages:
        raise refused(
            ValueError,
            f"For '{type(config).__name__}', the 'pipeline_stage' must be that of set_auto_parallel_context, "
            f"pipeline_stages={stages}, but got {config.pipeline_stage}.",
        )
    if settings["parallel_mode"] not in _SHARDED_MODES:
        return
    devices = device_count()
    if config.data_parallel * config.model_parallel * stages > devices:
        raise refused(
            ValueError,
            f"For '{type(config).__name__}', the product of 'data_parallel' {config.data_parallel}, 'model_parallel' "
            f"{config.model_parallel} and the pipeline stages {stages} must not be greater than the number of devices "
            f"{devices}.",
        )
    if settings["enable_parallel_optimizer"] and getattr(config, "optimizer_shard", True) is not True:
        warning("'optimizer_shard' of the configuration is False, but set_auto_parallel_context has it enabled.")
