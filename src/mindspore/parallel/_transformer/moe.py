"""Mixtures of experts."""

from mindspore.nn.transformer.moe import MoE, MoEConfig, Router, _check_moe_config, default_moe_config

__all__ = ["MoE", "MoEConfig", "Router", "_check_moe_config", "default_moe_config"]
