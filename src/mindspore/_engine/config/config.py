"""Every environment variable the framework reads, each declared once with type, default and meaning.

>>> from mindspore._engine.config import config
>>> config.default_mode.choices
('graph', 'pynative')
>>> print(config.describe().splitlines()[0].split())
['variable', 'value', 'default', 'meaning']

A value is read when first asked for and kept. A bad value of one of our own variables (``MYCELIUM_...``) is an error;
a bad value of a variable other software may have set for itself is a warning, and the default is used.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable, Mapping, Sequence
from typing import Generic, TypeVar

from mindspore._utils import log
from mindspore._utils.files.file_limit import set_limit

Value = TypeVar("Value")

_OPTIONS: list[Option] = []
_environment: Mapping[str, str] = os.environ


class Option(Generic[Value]):
    """One setting: the variables it is read from (the first one present wins) and how their text becomes a value."""

    def __init__(
        self,
        variables: str | tuple[str, ...],
        parse: Callable[[str], Value],
        default: Value,
        allowed: str,
        meaning: str,
        choices: tuple[str, ...] = (),
    ):
        self.variables = (variables,) if isinstance(variables, str) else variables
        self.default = default
        self.allowed = allowed
        self.meaning = meaning
        self.choices = choices
        self._parse = parse
        _OPTIONS.append(self)

    @functools.cached_property
    def value(self) -> Value:
        """The setting in force; a plain attribute from the second time on, since every call of a network asks."""
        return self._read()

    @property
    def present(self) -> Value:
        """The setting as the variables stand now: for those that programs assign while they run."""
        return self._read() if self.is_set else self.default

    @property
    def is_set(self) -> bool:
        """Whether one of the variables is present and not empty."""
        return any(_environment.get(name) for name in self.variables)

    def settle(self, value: Value) -> None:
        """Put a value in force that became known while the program runs."""
        self.value = value

    def _read(self) -> Value:
        for name in self.variables:
            text = _environment.get(name, "").strip()
            if not text:
                continue
            try:
                return self._parse(text)
            except ValueError:
                problem = f"The environment variable {name} must be {self.allowed}, but got {text!r}."
            if name.startswith("MYCELIUM_"):
                raise ValueError(f"{problem} Unset it to use the default, {self.default!r}.")
            log.warning("%s", f"{problem} The default, {self.default!r}, is used.")
        return self.default


def _number(low: int, high: int | None = None) -> Callable[[str], int]:
    def parse(text: str) -> int:
        number = int(text)
        if number < low or (high is not None and number > high):
            raise ValueError(text)
        return number

    return parse


_SWITCH = {"1": True, "true": True, "on": True, "yes": True, "0": False, "false": False, "off": False, "no": False}
_MODES = {"graph": "graph", "0": "graph", "graph_mode": "graph", "pynative": "pynative", "1": "pynative"}
_MODES["pynative_mode"] = "pynative"
_ROLES = ("MS_SCHED", "MS_WORKER", "MS_PSERVER")


def _one_of(table: Mapping[str, Value]) -> Callable[[str], Value]:
    def parse(text: str) -> Value:
        if text.lower() not in table:
            raise ValueError(text)
        return table[text.lower()]

    return parse


def _switch(variables: str | tuple[str, ...], default: bool, meaning: str) -> Option[bool]:
    return Option(variables, _one_of(_SWITCH), default, "1 or 0 (or true/false, on/off, yes/no)", meaning)


def _text(variables: str | tuple[str, ...], default: str, meaning: str) -> Option[str]:
    return Option(variables, str, default, "text", meaning)


def _whole(variables: str | tuple[str, ...], default: int, meaning: str, low: int = 0) -> Option[int]:
    return Option(variables, _number(low), default, f"a whole number of at least {low}", meaning)


# --- execution ---------------------------------------------------------------------------------------------------
default_mode = Option(
    ("MYCELIUM_MODE", "MS_DEFAULT_MODE"),
    _one_of(_MODES),
    "graph",
    "'graph' (or 0) or 'pynative' (or 1)",
    "execution mode of a program that never calls set_context(mode=...)",
    choices=("graph", "pynative"),
)
strict_device = _switch("MYCELIUM_STRICT_DEVICE", False, "an absent device_target is an error instead of a warning")
jit_enabled = _switch("MS_JIT", True, "0: functions under jit or ms_function run as plain Python")
interpret = _switch("MYCELIUM_INTERPRET", True, "0: compile every operator at once, also what is small or new")
xla_flags = _text("XLA_FLAGS", "", "flags of XLA's own; programs kept on disk belong to them")
stored_graphs = _switch("MYCELIUM_STORED_GRAPHS", True, "0: trace every graph again in each process")
check_indices = _switch("MYCELIUM_CHECK_INDICES", True, "0: do not look for labels and other positions out of range")
precompile_only = _switch("MS_DEV_PRECOMPILE_ONLY", False, "1: networks are compiled and not run")
save_graphs = Option("MS_DEV_SAVE_GRAPHS", _number(0, 3), 0, "0, 1, 2 or 3", "how much of the compiler's text to save")
save_graphs_path = _text("MS_DEV_SAVE_GRAPHS_PATH", ".", "folder of those files")

# --- networks ----------------------------------------------------------------------------------------------------
initial_weights = Option(
    "MYCELIUM_INITIAL_WEIGHTS",
    _one_of({"1": "1.x", "1.x": "1.x", "2": "2.x", "2.x": "2.x"}),
    "2.x",
    "'1.x' or '2.x'",
    "the MindSpore version whose default distributions of initial weights layers use",
    choices=("1.x", "2.x"),
)

# --- compilation -------------------------------------------------------------------------------------------------
explain_recompiles = _switch("MYCELIUM_EXPLAIN_RECOMPILES", False, "say why a network is compiled again")
explain_breaks = _switch("MYCELIUM_EXPLAIN_BREAKS", False, "say which lines of a network run as Python, and why")
jit_syntax_level: Option[int | None] = Option(
    "MS_DEV_JIT_SYNTAX_LEVEL", _number(0, 2), None, "0, 1 or 2",
    "2: what a graph cannot hold runs as Python; 0 or 1: it is an error; before the context and JitConfig",
    choices=("0", "1", "2"),
)  # fmt: skip
strict_graph = _switch("MYCELIUM_STRICT_GRAPH", False, "1: what a graph cannot hold is an error, not a run as Python")
size_buckets = _switch("MYCELIUM_SIZE_BUCKETS", True, "0: compile a graph for each size of the inputs")
cache_enabled = _switch("MS_COMPILER_CACHE_ENABLE", True, "0: keep no compiled programs on disk")
cache_dir = _text(
    ("MYCELIUM_CACHE_DIR", "MS_COMPILER_CACHE_PATH"),
    os.path.join("~", ".cache", "mycelium", "xla"),
    "folder of compiled programs; 'off' keeps none",
)
cache_limit = _whole("MYCELIUM_CACHE_LIMIT_MB", 2048, "megabytes it may hold, oldest dropped first; 0: no limit")
file_limit = _whole(
    "MYCELIUM_FILE_LIMIT_MB", 512, "megabytes that a packed file, an image or a text may unfold to; 0: no limit"
)
set_limit(lambda: file_limit.value)
native_kernels = _switch("MYCELIUM_NATIVE_KERNELS", True, "0: leave everything on a CPU to XLA")
kernel_form = Option(
    "MYCELIUM_KERNEL_FORM", _one_of({"": "", "avx2": "avx2", "avx512": "avx512"}), "", "'avx2' or 'avx512'",
    "vectors of the kernels on x86-64; by default the widest that the processor has", choices=("avx2", "avx512"),
)  # fmt: skip
keep_memory = _switch("MYCELIUM_KEEP_MEMORY", True, "0: give memory on a CPU back to the system after every program")
xdg_cache_home = _text("XDG_CACHE_HOME", "", "the parent of the folder of compiled programs")

# --- logging -----------------------------------------------------------------------------------------------------
log_level = Option(
    "GLOG_v", _number(0, 4), 2, "0 DEBUG, 1 INFO, 2 WARNING, 3 ERROR or 4 CRITICAL", "least level logged"
)
log_to_stderr = _switch("GLOG_logtostderr", True, "0: log to files in GLOG_log_dir")
log_dir = _text("GLOG_log_dir", "", "folder of log files")

# --- position in a job of several processes ----------------------------------------------------------------------
device_id = Option(
    ("DEVICE_ID", "OMPI_COMM_WORLD_LOCAL_RANK"), _number(0, 4095), 0, "in range [0, 4095]", "default of device_id"
)
rank_id = _whole(("OMPI_COMM_WORLD_RANK", "PMI_RANK", "RANK_ID"), 0, "number of this process in the job")
rank_size = _whole(("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MS_WORKER_NUM", "RANK_SIZE"), 1, "processes in the job", low=1)
node_id = _whole("MS_NODE_ID", 0, "number of this process in a job without RANK_ID")
local_rank = _whole(("OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"), 0, "number of this process on its machine")
local_size = _whole(("OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"), 0, "processes on this machine; 0: all")
job_id = _text(("PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID"), "", "the launcher's name of the job")
launcher_address = _text(("OMPI_MCA_orte_hnp_uri", "PMIX_SERVER_URI41"), "", "where mpirun itself runs")
visible_gpus = _text("CUDA_VISIBLE_DEVICES", "", "which GPUs the processes of this machine share out")
rank_table_file = _text("RANK_TABLE_FILE", "", "JSON file with the machines of the job, as MindSpore 1.x has it")
meeting_timeout = _whole(
    ("MS_TOPO_TIMEOUT", "HCCL_CONNECT_TIMEOUT"), 600, "seconds that processes wait for each other", low=1
)
silence_timeout = _whole("MS_NODE_TIMEOUT", 30, "seconds after which a process that says nothing counts as lost", low=1)
computation_timeout = _whole(
    "HCCL_EXEC_TIMEOUT",
    1800,
    "seconds that processes wait for one that does not come to what they compute together",
    low=1,
)
role = Option(
    "MS_ROLE",
    _one_of({name.lower(): name for name in _ROLES}),
    "",
    f"one of {', '.join(_ROLES)}",
    "part of this process",
)
scheduler_host = _text("MS_SCHED_HOST", "127.0.0.1", "machine the job's processes meet at")
scheduler_port = Option(
    "MS_SCHED_PORT", _number(1, 65535), 8118, "in range [1, 65535]", "port the job's processes meet at"
)
job_secret = _text(
    "MYCELIUM_JOB_SECRET", "", "what the processes of a job know each other by; a private file if not set"
)
job_secret_file = _text("MYCELIUM_JOB_SECRET_FILE", "", "the file with the job's secret, readable by this user alone")
xdg_config_home = _text("XDG_CONFIG_HOME", "", "the parent of the folder of the user's secret")


def cache_folder() -> str:
    """The folder for compiled programs, or an empty string when the cache is switched off."""
    chosen = cache_dir.value
    if not cache_enabled.value or chosen.lower() == "off":
        return ""
    if not cache_dir.is_set and xdg_cache_home.value:
        chosen = os.path.join(xdg_cache_home.value, "mycelium", "xla")
    return os.path.abspath(os.path.expanduser(chosen))


def configure_log() -> None:
    """Hand the logging options to the logger."""
    log.configure(log_level.value, "" if log_to_stderr.value else log_dir.value, rank_id.value)


def reload(environment: Mapping[str, str] | None = None) -> None:
    """Forget every value read so far, and read from ``environment`` (the process's own when None) from now on."""
    global _environment
    _environment = os.environ if environment is None else environment
    for option in _OPTIONS:
        option.__dict__.pop("value", None)


def options() -> Sequence[Option]:
    """All settings, as declared."""
    return _OPTIONS


def describe() -> str:
    """A table of every variable: name, value in force, default, meaning."""
    rows = [("variable", "value", "default", "meaning")]
    rows += [
        ("/".join(option.variables), repr(option.value), repr(option.default), option.meaning) for option in _OPTIONS
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    return "\n".join("  ".join([*map(str.ljust, row[:3], widths), row[3]]) for row in rows)


configure_log()
