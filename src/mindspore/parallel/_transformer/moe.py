"""Mixtures of experts."""

from mindspore.nn.transformer.moe import MoE, MoEConfig, Router, default_moe_config

__all__ = ["MoE", "MoEConfig", "Router", "default_moe_config"]
