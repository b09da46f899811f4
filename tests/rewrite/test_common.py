"""The small parts of ``mindspore.rewrite`` that tools import by themselves."""

import ast

import numpy as np

from mindspore import nn, ops
from mindspore.rewrite.common import config, error_log, namespace
from mindspore.rewrite.common.event import Event
from mindspore.rewrite.common.namer import ClassNamer, FunctionNamer, NodeNamer, TargetNamer
from mindspore.rewrite.common.observable import Observable
from mindspore.rewrite.common.observer import Observer


class Net(nn.Cell):
    def construct(self, x):
        return x


def own(x):
    return x


def test_names_are_given_once():
    targets = TargetNamer()
    asked = ("x", "x", "x", "y", "x_1", "x", "z_3", "z", "z_3")
    given = ["x", "x_1", "x_2", "y", "x_1_1", "x_3", "z_3", "z", "z_3_1"]
    assert [targets.get_unique_name(name) for name in asked] == given
    targets.add_name("a")
    assert targets.get_name("a") == "a_1"
    nodes = NodeNamer()
    assert [nodes.get_name(name) for name in ("relu", "relu", "conv_2", "conv")] == ["relu", "relu_1", "conv_2", "conv"]


def test_classes_and_functions_share_a_namer():
    assert ClassNamer.instance() is ClassNamer.instance()
    assert FunctionNamer.instance() is not ClassNamer.instance()
    assert ClassNamer().get_name("Net") == "NetOpt"


def test_whose_code_it_is():
    assert namespace.is_subtree(Net())
    assert not namespace.is_subtree(nn.Dense(2, 2))
    assert namespace.is_functional("add")
    assert namespace.get_functional("relu") is ops.relu
    assert [namespace.is_ms_function(function) for function in (ops.relu, own, np.abs)] == [True, False, False]
    assert [namespace.is_third_party(function) for function in (ops.relu, own, np.abs)] == [True, False, True]
    assert namespace.get_top_level_module_path("/a/b/c.py") == "/a/b/c.py"


def test_observers_hear_of_their_events():
    heard = []

    class Noting(Observer):
        def _on_change(self, event):
            heard.append(event)

    observer, watched = Noting(), Observable()
    observer.add_event(Event.CodeChangeEvent)
    watched.reg_observer(observer)
    watched.changed(Event.CodeChangeEvent)
    watched.changed(Event.TopologicalChangeEvent)
    observer.remove_event(Event.CodeChangeEvent)
    watched.changed(Event.CodeChangeEvent)
    assert heard == [Event.CodeChangeEvent]


def test_the_message_shows_the_code():
    assert error_log.error_str("no star") == "Unsupported grammar in MindSpore Rewrite, no star"
    assert "\nx = 1\n" in error_log.error_str("no star", ast.parse("x=1").body[0])
    config.clear_caches()
