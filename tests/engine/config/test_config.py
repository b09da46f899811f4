"""Environment variables are read in one place, and a bad value names its variable."""

from __future__ import annotations

import os

import pytest

from mindspore._engine.config import config


@pytest.fixture
def environment():
    variables: dict[str, str] = {}
    config.reload(variables)
    yield variables
    config.reload()


def test_defaults_without_any_variable(environment):
    assert config.default_mode.value == "graph"
    assert config.strict_device.value is False
    assert config.jit_enabled.value is True
    assert config.log_level.value == 2
    assert (config.device_id.value, config.rank_id.value, config.rank_size.value) == (0, 0, 1)
    assert config.cache_folder() == os.path.join(os.path.expanduser("~"), ".cache", "mycelium", "xla")


@pytest.mark.parametrize(
    ("option", "variables", "value"),
    [
        ("default_mode", {"MYCELIUM_MODE": "pynative"}, "pynative"),
        ("default_mode", {"MS_DEFAULT_MODE": "1"}, "pynative"),
        ("default_mode", {"MYCELIUM_MODE": "Graph", "MS_DEFAULT_MODE": "1"}, "graph"),
        ("default_mode", {"MYCELIUM_MODE": " ", "MS_DEFAULT_MODE": "PYNATIVE_MODE"}, "pynative"),
        ("strict_device", {"MYCELIUM_STRICT_DEVICE": "on"}, True),
        ("explain_recompiles", {"MYCELIUM_EXPLAIN_RECOMPILES": "1"}, True),
        ("jit_enabled", {"MS_JIT": "0"}, False),
        ("log_level", {"GLOG_v": "4"}, 4),
        ("device_id", {"DEVICE_ID": "3"}, 3),
        ("rank_id", {"OMPI_COMM_WORLD_RANK": "5"}, 5),
        ("rank_size", {"MS_WORKER_NUM": "8"}, 8),
        ("role", {"MS_ROLE": "MS_WORKER"}, "MS_WORKER"),
        ("cache_limit", {"MYCELIUM_CACHE_LIMIT_MB": "0"}, 0),
    ],
)
def test_a_variable_sets_its_option(environment, option, variables, value):
    environment.update(variables)
    assert getattr(config, option).value == value


@pytest.mark.parametrize(
    ("variables", "folder"),
    [
        ({"XDG_CACHE_HOME": "/x"}, "/x/mycelium/xla"),
        ({"XDG_CACHE_HOME": "/x", "MYCELIUM_CACHE_DIR": "/own"}, "/own"),
        ({"MYCELIUM_CACHE_DIR": "~/own"}, os.path.expanduser("~/own")),
        ({"MS_COMPILER_CACHE_PATH": "/named"}, "/named"),
        ({"MYCELIUM_CACHE_DIR": "off"}, ""),
        ({"MS_COMPILER_CACHE_ENABLE": "0"}, ""),
    ],
)
def test_the_cache_folder(environment, variables, folder):
    environment.update(variables)
    assert config.cache_folder() == folder


def test_a_bad_value_of_our_own_is_an_error_that_names_variable_and_choices(environment):
    environment["MYCELIUM_MODE"] = "eager"
    with pytest.raises(ValueError, match=r"MYCELIUM_MODE must be 'graph' .* or 'pynative' .*, but got 'eager'"):
        _ = config.default_mode.value
    environment["MYCELIUM_STRICT_DEVICE"] = "perhaps"
    with pytest.raises(ValueError, match=r"MYCELIUM_STRICT_DEVICE must be 1 or 0"):
        _ = config.strict_device.value


@pytest.mark.parametrize(
    ("variable", "text", "option", "default"),
    [
        ("GLOG_v", "7", "log_level", 2),
        ("GLOG_v", "abc", "log_level", 2),
        ("DEVICE_ID", "-1", "device_id", 0),
        ("RANK_SIZE", "0", "rank_size", 1),
        ("MS_JIT", "maybe", "jit_enabled", True),
        ("MS_DEFAULT_MODE", "eager", "default_mode", "graph"),
    ],
)
def test_a_bad_value_of_a_shared_variable_warns_and_the_default_is_used(
    environment, capfd, variable, text, option, default
):
    environment[variable] = text
    assert getattr(config, option).value == default
    err = capfd.readouterr().err
    assert variable in err
    assert repr(text) in err


def test_a_value_is_kept_once_read(environment):
    assert config.rank_id.value == 0
    environment["RANK_ID"] = "7"
    assert config.rank_id.value == 0
    config.reload(environment)
    assert config.rank_id.value == 7


def test_describe_lists_every_option_with_its_value(environment):
    environment["RANK_ID"] = "42"
    table = config.describe().splitlines()
    (row,) = [line for line in table if line.startswith("OMPI_COMM_WORLD_RANK/")]
    assert row.split()[1:3] == ["42", "0"]
    for name in ("MYCELIUM_MODE", "MYCELIUM_STRICT_DEVICE", "MYCELIUM_CACHE_DIR", "GLOG_v", "MS_JIT", "DEVICE_ID"):
        assert any(line.split("  ")[0].split("/")[0] == name for line in table), name
