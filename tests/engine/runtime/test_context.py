"""set_context and its relatives: every key of every version, all or nothing, and the truth about the device."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap

import pytest

import mindspore as ms
import mindspore.context as public
from mindspore._engine.config import config
from mindspore._engine.runtime import compile_cache, context, devices
from mindspore._engine.runtime.context_keys import KEYS
from mindspore._utils import log

SOURCES = os.path.dirname(os.path.dirname(os.path.abspath(ms.__file__)))


@pytest.fixture(autouse=True)
def cache_calls(monkeypatch):
    calls = []
    monkeypatch.setattr(compile_cache, "enable", lambda folder, limit_bytes: calls.append((folder, limit_bytes)))
    monkeypatch.setattr(compile_cache, "disable", lambda: calls.append("off"))
    monkeypatch.setattr(compile_cache, "is_set_elsewhere", lambda: False)
    return calls


@pytest.fixture(autouse=True)
def _fresh_context(monkeypatch, cache_calls):
    before = dict(context.state.__dict__)
    monkeypatch.setattr(log, "_said", set())
    config.reload({"XDG_CACHE_HOME": "/caches"})
    context.state.runtime_started = False
    context.reset_context()
    yield
    config.reload()
    context.state.__dict__.clear()
    context.state.__dict__.update(before)


@pytest.fixture
def only_cpu(monkeypatch):
    monkeypatch.setattr(devices, "found", lambda target: ["cpu0"] if target == "CPU" else [])
    monkeypatch.setattr(devices, "available", lambda: ["CPU"])
    monkeypatch.setattr(devices, "best_available", lambda: "CPU")


@pytest.fixture
def with_gpu(monkeypatch):
    present = {"CPU": ["cpu0"], "GPU": ["gpu0", "gpu1"]}
    monkeypatch.setattr(devices, "found", lambda target: present.get(target, []))
    monkeypatch.setattr(devices, "available", lambda: ["CPU", "GPU"])
    monkeypatch.setattr(devices, "best_available", lambda: "GPU")


@pytest.fixture
def with_ascend(monkeypatch):
    monkeypatch.setattr(devices, "found", lambda target: ["npu0"] if target == "Ascend" else ["cpu0"])


def run(script: str, **variables: str) -> subprocess.CompletedProcess:
    inherited = {
        name: value for name, value in os.environ.items() if not name.startswith(("MYCELIUM_", "MS_", "GLOG_"))
    }
    environment = {**inherited, "PYTHONPATH": SOURCES, "JAX_PLATFORMS": "cpu", "MYCELIUM_CACHE_DIR": "off", **variables}
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)], env=environment, capture_output=True, text=True, check=False
    )


# --- reading and writing -----------------------------------------------------------------------------------------


def test_the_mode_starts_as_graph_and_can_be_switched_back_and_forth():
    assert (context.GRAPH_MODE, context.PYNATIVE_MODE) == (0, 1)
    assert context.get_context("mode") == context.state.mode == context.GRAPH_MODE
    context.set_context(mode=context.PYNATIVE_MODE)
    assert context.get_context("mode") == context.state.mode == context.PYNATIVE_MODE
    context.set_context(mode=context.GRAPH_MODE)
    assert context.state.mode == context.GRAPH_MODE


def test_an_empty_call_is_legal():
    context.set_context()


@pytest.mark.parametrize(
    ("key", "written", "read"),
    [
        ("mode", True, 1),
        ("device_id", 4095, 4095),
        ("save_graphs", True, 2),
        ("save_graphs", False, 0),
        ("save_graphs", 3, 3),
        ("max_call_depth", 20, 20),
        ("pynative_synchronize", True, True),
        ("enable_graph_kernel", True, True),
        ("graph_kernel_flags", "--opt_level=2", "--opt_level=2"),
        ("check_bprop", True, True),
        ("precompile_only", True, True),
        ("grad_for_scalar", True, True),
        ("reserve_class_name_in_scope", False, False),
        ("enable_sparse", True, True),
        ("auto_tune_mode", "RL", "RL"),
        ("enable_auto_mixed_precision", True, True),
        ("enable_dump", True, True),
        ("save_dump_path", "dumps", "dumps"),
        ("enable_profiling", True, True),
        ("profiling_options", "task_trace", "task_trace"),
        ("enable_compile_cache", True, True),
        ("compile_cache_path", "cc", "cc"),
        ("inter_op_parallel_num", 2, 2),
        ("runtime_num_threads", 4, 4),
        ("op_timeout", 5, 5),
        ("memory_optimize_level", "O1", 1),
        ("memory_offload", "ON", "ON"),
        ("deterministic", "ON", "ON"),
        ("jit_syntax_level", context.STRICT, 0),
        ("debug_level", context.DEBUG, 1),
        ("jit_config", {"jit_level": "O1"}, {"jit_level": "O1"}),
        ("aoe_config", {"job_type": "2"}, {"job_type": "2"}),
        ("exec_order", "dfs", "dfs"),
        ("support_binary", True, True),
        ("save_ms_model", True, True),
    ],
)
def test_what_is_written_is_read_back(key, written, read):
    context.set_context(**{key: written})
    assert context.get_context(key) == read
    assert type(context.get_context(key)) is type(read)


@pytest.mark.parametrize(
    ("key", "default"),
    [
        ("device_id", 0),
        ("save_graphs", 0),
        ("save_graphs_path", "."),
        ("max_call_depth", 1000),
        ("pynative_synchronize", False),
        ("check_bprop", False),
        ("reserve_class_name_in_scope", True),
        ("enable_reduce_precision", True),
        ("max_device_memory", 1024.0),
        ("mempool_block_size", 1.0),
        ("variable_memory_max_size", "0GB"),
        ("enable_compile_cache", None),
        ("compile_cache_path", ""),
        ("op_timeout", 900),
        ("memory_optimize_level", 0),
        ("deterministic", "OFF"),
        ("jit_syntax_level", 2),
        ("debug_level", 0),
        ("jit_config", {}),
        ("jit_level", ""),
        ("conv_fprop_algo", "normal"),
    ],
)
def test_defaults(key, default):
    assert context.get_context(key) == default


def test_every_key_can_be_read_and_is_described():
    table = context.describe()
    for key in KEYS:
        context.get_context(key.name)
        assert any(line.startswith(f"{key.name} ") for line in table.splitlines()), key.name


def test_reset_puts_everything_back():
    context.set_context(mode=1, max_call_depth=7, jit_config={"jit_level": "O2"})
    context.reset_context()
    assert [context.get_context(key) for key in ("mode", "max_call_depth", "jit_config")] == [0, 1000, {}]


def test_an_answer_can_be_changed_without_changing_the_setting():
    context.set_context(jit_config={"jit_level": "O1"})
    context.get_context("jit_config")["jit_level"] = "O2"
    assert context.get_context("jit_config") == {"jit_level": "O1"}


def test_state_is_read_as_plain_attributes():
    context.set_context(pynative_synchronize=True, save_graphs=1, max_call_depth=9, check_bprop=True)
    state = context.state
    assert (state.pynative_synchronize, state.save_graphs, state.max_call_depth, state.check_bprop) == (
        True,
        1,
        9,
        True,
    )
    with pytest.raises(AttributeError, match="no attribute 'pynative_sync'"):
        _ = state.pynative_sync


def test_none_leaves_a_key_as_it_is():
    context.set_context(max_call_depth=9)
    context.set_context(max_call_depth=None, device_id=None, pynative_synchronize=None)
    assert context.get_context("max_call_depth") == 9


# --- errors ------------------------------------------------------------------------------------------------------

BAD = [
    (
        {"mode": 2},
        ValueError,
        "the argument 'mode' should be context.GRAPH_MODE (0) or context.PYNATIVE_MODE (1), but got 2.",
    ),
    ({"mode": None}, ValueError, "but got None"),
    ({"mode": "graph"}, TypeError, "The parameter 'mode' must be <class 'int'>, but got <class 'str'>"),
    ({"mode": 0.0}, TypeError, "The parameter 'mode' must be <class 'int'>, but got <class 'float'>"),
    (
        {"device_target": "TPU"},
        ValueError,
        "'device_target' must be one of ['CPU', 'GPU', 'Ascend', 'Davinci'], but got TPU.",
    ),
    ({"device_target": "cpu"}, ValueError, "but got cpu. Did you mean 'CPU'?"),
    ({"device_target": 3}, TypeError, "The parameter 'device_target' must be <class 'str'>"),
    ({"device_target": None}, ValueError, "but got None"),
    ({"device_id": -1}, ValueError, "'device_id' must be in range [0, 4095], but got -1."),
    ({"device_id": 5000}, ValueError, "'device_id' must be in range [0, 4095], but got 5000."),
    ({"foo": 1}, ValueError, "For 'context.set_context', the keyword argument foo is not recognized!"),
    ({"max_call_deph": 1}, ValueError, "Did you mean 'max_call_depth'?"),
    ({"max_call_depth": 0}, ValueError, "'max_call_depth' must be greater than 0, but got 0."),
    ({"save_graphs": 5}, ValueError, "value for save_graphs should be 0-3 but got '5'"),
    ({"save_graphs": -1}, ValueError, "should be 0-3"),
    ({"save_graphs": "x"}, TypeError, "The parameter 'save_graphs' must be (<class 'bool'>, <class 'int'>)"),
    ({"save_graphs_path": ""}, ValueError, "should be Non-empty string"),
    ({"pynative_synchronize": 1}, TypeError, "The parameter 'pynative_synchronize' must be <class 'bool'>"),
    ({"check_bprop": 1}, TypeError, "must be <class 'bool'>"),
    ({"deterministic": "yes"}, ValueError, "must be one of ['ON', 'OFF'], but got yes."),
    ({"jit_syntax_level": 3}, ValueError, "context.STRICT (0), context.COMPATIBLE (1) or context.LAX (2), but got 3"),
    ({"debug_level": 5}, ValueError, "context.RELEASE (0) or context.DEBUG (1), but got 5"),
    ({"memory_optimize_level": "O2"}, ValueError, "must be one of ['O0', 'O1'], but got O2."),
    ({"memory_offload": "x"}, ValueError, "must be one of ['ON', 'OFF']"),
    ({"inter_op_parallel_num": -1}, ValueError, "must be greater than or equal to 0, but got -1"),
    ({"op_timeout": -1}, ValueError, "must be greater than or equal to 0, but got -1"),
    ({"env_config_path": "missing.json"}, ValueError, "missing.json' does not exist"),
    ({"max_device_memory": 3}, TypeError, "must be <class 'str'>"),
    ({"max_device_memory": "3"}, ValueError, "must look like '8GB', but got '3'"),
    ({"max_device_memory": "0GB"}, ValueError, "greater than 0GB"),
    ({"mempool_block_size": "0.5GB"}, ValueError, "at least 1GB, but got '0.5GB'"),
    ({"variable_memory_max_size": "32GB"}, ValueError, "at most 31GB"),
    ({"jit_config": {"level": "O1"}}, ValueError, "must be one of ['jit_level', 'infer_boost'], but got 'level'"),
    ({"jit_config": {"jit_level": "O7"}}, ValueError, "must be one of ['O0', 'O1', 'O2'], but got 'O7'"),
    ({"jit_config": 3}, TypeError, "must be <class 'dict'>"),
    ({"gpu_config": {"matmul_allow_tf32": "yes"}}, ValueError, "must be one of [True, False], but got 'yes'"),
    ({"ascend_config": {"ge_options": 1}}, TypeError, "ascend_config['ge_options']"),
    ({"exec_order": "zzz"}, ValueError, "must be one of ['bfs', 'dfs'], but got zzz."),
]


@pytest.mark.parametrize(("bad", "error", "text"), BAD, ids=[str(row[0]) for row in BAD])
def test_a_bad_value_is_explained_and_nothing_of_the_call_is_applied(bad, error, text):
    before = dict(context.state.__dict__)
    good = {"mode": 1, "pynative_synchronize": True, "max_call_depth": 3}
    for call in (bad, {**{k: v for k, v in good.items() if k not in bad}, **bad}):
        with pytest.raises(error) as caught:
            context.set_context(**call)
        assert text in str(caught.value)
        assert context.state.__dict__ == before


def test_an_unknown_key_lists_the_known_ones():
    with pytest.raises(ValueError, match=r"The keys are: mode, device_target, .*op_timeout"):
        context.set_context(foo=1)


def test_positional_arguments_are_refused():
    with pytest.raises(TypeError, match=r"too many positional arguments: 0 .* set_context\(mode=GRAPH_MODE\)"):
        context.set_context(0)


def test_reading_an_unknown_key():
    with pytest.raises(ValueError, match=r"For 'context.get_context', the argument foo is not recognized!"):
        context.get_context("foo")
    with pytest.raises(TypeError, match="must be a str, but got 3"):
        context.get_context(3)


# --- files -------------------------------------------------------------------------------------------------------


def test_save_graphs_path_is_created_and_read_back_in_full(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    context.set_context(save_graphs_path="a/b")
    assert (tmp_path / "a" / "b").is_dir()
    assert context.get_context("save_graphs_path") == os.path.realpath(tmp_path / "a" / "b")


def test_a_folder_that_cannot_be_made_changes_nothing(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError):
        context.set_context(mode=1, save_graphs_path=str(tmp_path / "file" / "sub"))
    assert context.get_context("mode") == 0
    assert context.get_context("save_graphs_path") == "."


def test_no_folder_is_made_when_another_value_is_bad(tmp_path):
    with pytest.raises(ValueError, match="max_call_depth"):
        context.set_context(save_graphs_path=str(tmp_path / "new"), max_call_depth=0)
    assert not (tmp_path / "new").exists()


def test_env_config_path_must_be_json(tmp_path):
    good, bad = tmp_path / "good.json", tmp_path / "bad.json"
    good.write_text(json.dumps({"recorder": {}}))
    bad.write_text("{")
    context.set_context(env_config_path=str(good))
    assert context.get_context("env_config_path") == os.path.realpath(good)
    with pytest.raises(ValueError, match="no readable JSON file"):
        context.set_context(env_config_path=str(bad))
    assert context.get_context("env_config_path") == os.path.realpath(good)


def test_print_file_path_never_overwrites_and_refuses_a_folder(tmp_path, with_ascend):
    context.set_context(device_target="Ascend")
    taken = tmp_path / "prints.data"
    taken.write_text("old")
    context.set_context(print_file_path=str(taken))
    assert context.get_context("print_file_path").startswith(f"{os.path.realpath(taken)}.")
    with pytest.raises(OSError, match="must be a file"):
        context.set_context(print_file_path=str(tmp_path))


# --- devices -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("asked", ["GPU", "Ascend", "Davinci"])
def test_an_absent_device_warns_once_and_the_context_tells_the_truth(only_cpu, asked):
    with pytest.warns(
        UserWarning, match=rf"device_target '{asked}' is not available here \(CPU is\), running on CPU"
    ) as told:
        context.set_context(device_target=asked)
        context.set_context(device_target=asked)
    assert [(one.filename, one.category) for one in told] == [(__file__, UserWarning)]
    assert context.get_context("device_target") == context.state.device_target == "CPU"


def test_the_strict_switch_makes_an_absent_device_an_error_that_changes_nothing(only_cpu):
    context.set_context(device_target="CPU", max_call_depth=9)
    text = r"Unsupported device target GPU. This process only supports one of the \['CPU'\]"
    with pytest.raises(RuntimeError, match=text):
        context.set_context(mode=1, strict_device_target=True, device_target="GPU", max_call_depth=3)
    assert [context.get_context(key) for key in ("mode", "strict_device_target", "max_call_depth")] == [0, False, 9]
    context.set_context(strict_device_target=True)
    with pytest.raises(RuntimeError, match=text):
        context.set_context(device_target="GPU")
    assert context.get_context("device_target") == "CPU"
    context.set_context(device_target="CPU")


def test_a_present_device_is_used_without_a_word(with_gpu, capfd):
    context.set_context(device_target="GPU", device_id=1)
    assert context.get_context("device_target") == "GPU"
    assert context.current_device() == "gpu1"
    context.set_context(device_target="CPU")
    assert context.get_context("device_target") == "CPU"
    assert capfd.readouterr().err == ""


def test_davinci_means_ascend(with_ascend):
    context.set_context(device_target="Davinci")
    assert context.get_context("device_target") == "Ascend"
    assert context.current_device() == "npu0"


def test_ascend_falls_back_to_any_accelerator(with_gpu):
    context.set_context(device_target="Ascend")
    assert context.get_context("device_target") == "GPU"


def test_without_a_choice_the_best_device_is_taken(with_gpu):
    assert context.get_context("device_target") == "GPU"
    assert context.current_device() == "gpu0"


def test_the_device_is_remembered_until_it_is_chosen_anew(with_gpu, monkeypatch):
    assert context.current_device() == "gpu0"
    context.set_context(device_id=1)
    assert context.current_device() == "gpu1"
    monkeypatch.setattr(devices, "found", lambda target: pytest.fail("looked again"))
    assert context.current_device() == "gpu1"


def test_a_device_id_that_does_not_exist(with_gpu, capfd):
    context.set_context(device_target="GPU", device_id=5)
    assert context.current_device() == "gpu1"
    assert context.get_context("device_id") == 5
    assert "device_id 5 does not exist: there are 2 devices of type GPU. Device 1 is used." in capfd.readouterr().err
    context.set_context(strict_device_target=True, device_id=6)
    with pytest.raises(RuntimeError, match=r"Use a device_id in range \[0, 1\]"):
        context.current_device()
    context.set_context(device_target="CPU", device_id=3)  # the number a launcher gives the fourth CPU process
    assert context.current_device() == "cpu0"


def test_the_device_is_looked_at_first_wherever_it_stands_in_the_call(with_gpu, capfd):
    context.set_context(device_target="CPU")
    context.set_context(max_device_memory="3.5GB", device_target="GPU")
    assert context.get_context("max_device_memory") == 3.5
    context.set_context(max_device_memory="8GB", device_target="CPU")
    assert context.get_context("max_device_memory") == 3.5
    assert "'max_device_memory' has a meaning on Ascend and GPU only and is ignored on CPU" in capfd.readouterr().err


def test_keys_of_another_device_are_ignored_with_a_warning_whatever_their_value(only_cpu, capfd):
    context.set_context(
        device_target="CPU", max_device_memory="0GB", enable_reduce_precision=False, print_file_path="x"
    )
    assert context.get_context("max_device_memory") == 1024.0
    assert context.get_context("enable_reduce_precision") is True
    assert context.get_context("print_file_path") == ""
    assert capfd.readouterr().err.count("[WARNING]") == 6  # three when written, three when read


def test_set_device(only_cpu, with_gpu):
    context.set_device("GPU", 1)
    assert [context.get_context("device_target"), context.get_context("device_id")] == ["GPU", 1]
    context.set_device("CPU")
    assert context.get_context("device_target") == "CPU"


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        (("TPU",), ValueError, "must be one of ['CPU', 'GPU', 'Ascend'], but got TPU"),
        (("Davinci",), ValueError, "must be one of ['CPU', 'GPU', 'Ascend']"),
        ((None,), ValueError, "but got None"),
        ((3,), TypeError, "The parameter 'device_target' must be <class 'str'>"),
        (("CPU", -1), ValueError, "must be in range [0, 4095], but got -1"),
        (("CPU", "a"), TypeError, "The parameter 'device_id' must be <class 'int'>"),
    ],
)
def test_set_device_refuses(with_gpu, arguments, error, text):
    context.set_context(device_target="GPU")
    with pytest.raises(error) as caught:
        context.set_device(*arguments)
    assert text in str(caught.value)
    assert context.get_context("device_target") == "GPU"


def test_set_device_cannot_move_a_program_that_has_started(with_gpu):
    context.set_device("GPU")
    context.current_device()
    context.set_device("GPU")  # no change
    for other in (("CPU",), ("GPU", 1)):
        with pytest.raises(RuntimeError, match="The runtime has been initialized, please set it before the kernel"):
            context.set_device(*other)
    assert context.current_device() == "gpu0"


# --- compilation cache -------------------------------------------------------------------------------------------


def test_the_cache_starts_with_the_first_use_of_a_device(with_gpu, cache_calls):
    context.set_context(mode=1, compile_cache_path="early")
    assert cache_calls == []
    context.current_device()
    context.current_device()
    assert cache_calls == [("early", 2_048_000_000)]
    context.set_context(compile_cache_path="later")
    context.set_context(enable_compile_cache=False)
    context.set_context(enable_compile_cache=True)
    context.reset_context()
    folders = [call if call == "off" else call[0] for call in cache_calls[1:]]
    assert folders == ["later", "off", "later", "/caches/mycelium/xla"]


def test_a_folder_jax_was_given_elsewhere_stays_unless_one_is_named(with_gpu, cache_calls, monkeypatch):
    monkeypatch.setattr(compile_cache, "is_set_elsewhere", lambda: True)
    context.current_device()
    assert cache_calls == []
    context.set_context(compile_cache_path="named")
    assert [call[0] for call in cache_calls] == ["named"]


# --- notes -------------------------------------------------------------------------------------------------------


def test_keys_without_effect_are_noted_once_and_quietly(capfd):
    context.set_context(enable_graph_kernel=True)
    assert capfd.readouterr().err == ""
    log.logger.setLevel(log.INFO)
    try:
        context.set_context(grad_for_scalar=True)
        context.set_context(grad_for_scalar=False)
    finally:
        log.logger.setLevel(log.WARNING)
    err = capfd.readouterr().err
    assert err.count("'grad_for_scalar' (a key MindSpore 2.10 no longer has) is accepted: gradients of scalar") == 1


# --- the public module and whole processes -----------------------------------------------------------------------


def test_the_public_module_has_the_names_programs_use():
    used = "set_context GRAPH_MODE ParallelMode set_auto_parallel_context reset_auto_parallel_context PYNATIVE_MODE"
    used += (
        " get_context get_auto_parallel_context set_ps_context get_ps_context reset_ps_context STRICT COMPATIBLE LAX"
    )
    assert set(used.split()) <= set(public.__all__)
    own = {"K_CONTEXT", "get_offload_context", "set_offload_context"}  # of other modules
    assert all(getattr(public, name) is getattr(context, name) for name in set(public.__all__) - own)


def test_choosing_a_mode_or_the_cpu_does_not_start_xla():
    done = run(
        """
        import jax
        from mindspore._engine.runtime import context
        context.set_context(mode=context.PYNATIVE_MODE, device_target="CPU", max_device_memory="2GB", save_graphs=1)
        context.get_context("mode")
        jax.config.update("jax_num_cpu_devices", 3)  # jax refuses this once XLA has started
        context.set_context(device_id=2)
        print(context.current_device().id, context.get_context("device_target"))
        """
    )
    assert done.stdout.split() == ["2", "CPU"], done.stderr


def test_the_environment_chooses_mode_and_strictness():
    script = """
    from mindspore._engine.runtime import context
    print(context.get_context("mode"))
    context.set_context(device_target="GPU")
    print(context.get_context("device_target"))
    """
    strict = run(script, MYCELIUM_MODE="pynative", MYCELIUM_STRICT_DEVICE="1")
    assert strict.stdout.split() == ["1"]
    assert "RuntimeError: Unsupported device target GPU" in strict.stderr
    relaxed = run(script)
    assert relaxed.stdout.split() == ["0", "CPU"]
    assert (
        "<string>:4: UserWarning: device_target 'GPU' is not available here (CPU is), running on CPU." in relaxed.stderr
    )


def test_settings_of_another_compiler_are_read_as_they_are_without_it():
    assert ms.get_context("enable_ge") is False and ms.get_context("ge_options") == ""
    with pytest.raises(ValueError, match="enable_ge is not recognized"):
        ms.set_context(enable_ge=True)
