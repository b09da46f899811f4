"""Small parts of ``mindspore.rewrite`` that tools for networks import by themselves."""

from mindspore.rewrite.common import config, error_log, event, namer, namespace, observable, observer

__all__ = ["config", "error_log", "event", "namer", "namespace", "observable", "observer"]
