"""Profiler: how long the operations of a program take."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from enum import Enum
from typing import Any

from mindspore._utils import log
from mindspore._utils.checks import check_bool, check_int, check_one_of, check_str, check_type, shown, suggestion
from mindspore.profiler._session import Session, write_summaries
from mindspore.profiler._trace import Totals
from mindspore.profiler.constant import AicoreMetrics, ProfilerLevel

__all__ = ["ExperimentalConfig", "Profiler", "profile", "tensorboard_trace_handler"]

# Options about Ascend's counters, and of old versions: known, and without an effect.
_OTHER_OPTIONS = (
    "activities", "aic_metrics", "aicore_metrics", "data_process", "data_simplification", "export_type", "hbm_ddr",
    "host_sys", "host_stack", "is_detail", "is_show_op_path", "l2_cache", "mstx", "mstx_domain_exclude",
    "mstx_domain_include", "op_time", "optypes_not_deal", "optypes_to_deal", "parallel_strategy", "pcie",
    "profile_communication", "profile_framework", "profiler_level", "record_shapes", "subgraph", "sync_enable",
    "sys_interconnection", "sys_io", "timeline_limit", "with_memory", "base_profiling_container_path", "ascend_job_id",
    "env_enable",
)  # fmt: skip


class Profiler(Session):
    """Records what a program does, from here until ``analyse`` or ``stop``.

    The recording is a trace that https://ui.perfetto.dev opens (``perfetto_trace.json.gz``) and TensorBoard shows
    (``tensorboard --logdir <output_path>``, with its profile plugin). ``analyse`` writes ``summary.txt`` beside it: the
    operations that took longest.

    Args:
        output_path: folder of the recordings.
        start_profile: whether to begin at once; otherwise with ``start()``.
        schedule: which steps are recorded, see :class:`schedule`; ``step()`` marks the end of a step.
        on_trace_ready: called with the profiler after each recording.
        with_stack: whether Python's calls are recorded too.
        profile_memory: whether the memory of the devices is saved as well, in the form of pprof.
        kwargs: options about Ascend's counters are accepted and have no effect.

    Examples:
        >>> import tempfile
        >>> from mindspore import Tensor, ops
        >>> from mindspore.profiler import Profiler
        >>> profiler = Profiler(output_path=tempfile.mkdtemp())
        >>> product = ops.matmul(Tensor([[1.0, 2.0]]), Tensor([[3.0], [4.0]])).asnumpy()
        >>> profiler.analyse()
        >>> print(profiler.summary().splitlines()[3].split()[:3])
        ['operation', 'in', 'from']
    """

    def __init__(
        self,
        *,
        output_path: str = "./data",
        start_profile: bool = True,
        schedule: Callable[[int], Any] | None = None,
        on_trace_ready: Callable[[Any], Any] | None = None,
        with_stack: bool = False,
        profile_memory: bool = False,
        **kwargs: Any,
    ):
        check_str("Profiler", "output_path", output_path, allow_empty=False)
        check_bool("Profiler", "start_profile", start_profile)
        _check_options("Profiler", kwargs)
        super().__init__(
            "Profiler", output_path, schedule, on_trace_ready,
            check_bool("Profiler", "with_stack", with_stack), check_bool("Profiler", "profile_memory", profile_memory),
        )  # fmt: skip
        self._totals: list[Totals] = []
        if start_profile:
            self.start()

    def analyse(
        self,
        offline_path: str | None = None,
        pretty: bool = False,
        step_list: list[int] | None = None,
        mode: str = "sync",
    ) -> None:
        """End the recording if it is under way, and write the longest operations as text.

        Args:
            offline_path: a folder of recordings made earlier, instead of this profiler's.
            pretty: kept for programs that give it.
            step_list: steps to look at; None for all.
            mode: 'sync' or 'async'; both wait here, it takes no time worth mentioning.
        """
        check_one_of("Profiler.analyse", "mode", mode, ("sync", "async"))
        if self._began:
            self.stop()
        if offline_path is not None:
            self._totals = write_summaries(_runs_below(offline_path), step_list)
            return
        if not self.runs:
            raise RuntimeError("For 'Profiler.analyse', nothing was recorded: call start() before the work to look at.")
        self._totals = write_summaries(self.runs, step_list)

    @classmethod
    def offline_analyse(
        cls, path: str, pretty: bool = False, step_list: list[int] | None = None, data_simplification: bool = True
    ) -> None:
        """Write the longest operations of the recordings below a folder as text, each beside its recording.

        A folder without recordings is told about, and no error: scripts call it for every rank.
        """
        try:
            write_summaries(_runs_below(path), step_list)
        except RuntimeError as error:
            log.warning("For 'Profiler.offline_analyse', nothing was written: %s", error)

    def op_analyse(self, op_name: str | list[str], device_id: int | None = None) -> str:
        """The times of operators by name, as JSON.

        In PyNative mode an operator is a program of its own and found by its name ('Conv2D'). In graph mode XLA fuses operators;
        a fusion is found by the name of its main part.

        Args:
            op_name: a name, or a list of them.
            device_id: kept for programs that give it; all devices of the process are counted.
        """
        names = [op_name] if isinstance(op_name, str) else op_name
        if not isinstance(names, list) or not all(isinstance(text, str) for text in names):
            raise TypeError(
                f"For 'op_analyse', the 'op_name' must be a str or a list of str, but got {shown(op_name)}."
            )
        if device_id is not None:
            check_int("op_analyse", "device_id", device_id)
        if not self._totals:
            self.analyse()
        found = {
            name: [operation.as_dict() for totals in self._totals for operation in totals.named(name)] for name in names
        }
        return json.dumps(found)

    def summary(self) -> str:
        """The text that ``analyse`` has written."""
        return "\n\n".join(map(str, self._totals))


def analyse(
    profiler_path: str,
    max_process_number: int = 1,
    pretty: bool = False,
    step_list: list[int] | None = None,
    data_simplification: bool = True,
) -> None:
    """Write the longest operations of the recordings below a folder as text, each beside its recording.

    Args:
        profiler_path: the folder.
        max_process_number: kept for programs that give it; one process is enough.
        pretty: kept for programs that give it.
        step_list: steps to look at; None for all.
        data_simplification: kept for programs that give it.

    Examples:
        >>> import os
        >>> import tempfile
        >>> from mindspore import Tensor, profiler
        >>> from mindspore.profiler.profiler import analyse
        >>> folder = tempfile.mkdtemp()
        >>> recording = profiler.Profiler(output_path=folder)
        >>> one = Tensor(1.0) + 1
        >>> recording.stop()
        >>> analyse(profiler_path=folder)
        >>> any(name.endswith(".txt") for _, _, names in os.walk(folder) for name in names)
        True
    """
    check_str("analyse", "profiler_path", profiler_path, allow_empty=False)
    check_int("analyse", "max_process_number", max_process_number, low=1)
    write_summaries(_runs_below(profiler_path), step_list)


class profile(Session):  # noqa: N801 - MindSpore's name
    """Records steps of a program: the 2.x way, with a schedule and a handler of finished recordings.

    Args:
        activities: kept for programs that give it; host and devices are recorded together.
        with_stack: whether Python's calls are recorded too.
        profile_memory: whether the memory of the devices is saved as well.
        start_profile: kept for programs that give it; ``with`` and ``start()`` begin.
        schedule: which steps are recorded; None for all.
        on_trace_ready: called with the profiler after each recording, see :func:`tensorboard_trace_handler`.

    Examples:
        >>> import tempfile
        >>> from mindspore import Tensor
        >>> from mindspore.profiler import profile, schedule, tensorboard_trace_handler
        >>> handler = tensorboard_trace_handler(tempfile.mkdtemp())
        >>> with profile(schedule=schedule(wait=1, active=1, repeat=1), on_trace_ready=handler) as prof:
        ...     for _ in range(3):
        ...         doubled = (Tensor([1.0]) * 2).asnumpy()
        ...         prof.step()
        >>> len(prof.runs)
        1
    """

    def __init__(
        self,
        activities: Any = None,
        with_stack: bool = False,
        profile_memory: bool = False,
        data_process: bool = False,
        parallel_strategy: bool = False,
        start_profile: bool = True,
        hbm_ddr: bool = False,
        pcie: bool = False,
        sync_enable: bool = True,
        record_shapes: bool = False,
        schedule: Callable[[int], Any] | None = None,
        on_trace_ready: Callable[[Any], Any] | None = None,
        experimental_config: ExperimentalConfig | None = None,
    ):
        check_type("profile", "experimental_config", experimental_config, (ExperimentalConfig, type(None)))
        super().__init__("profile", "./data", schedule, on_trace_ready, with_stack, profile_memory)


class ExperimentalConfig:
    """Options about Ascend's counters, kept readable.

    Examples:
        >>> from mindspore.profiler import ExperimentalConfig, ProfilerLevel
        >>> ExperimentalConfig(profiler_level=ProfilerLevel.Level1).profiler_level
        <ProfilerLevel.Level1: 'Level1'>
    """

    def __init__(
        self,
        profiler_level: ProfilerLevel = ProfilerLevel.Level0,
        aic_metrics: AicoreMetrics = AicoreMetrics.AiCoreNone,
        l2_cache: bool = False,
        mstx: bool = False,
        data_simplification: bool = True,
        export_type: list[Enum] | None = None,
        mstx_domain_include: list[str] | None = None,
        mstx_domain_exclude: list[str] | None = None,
        sys_io: bool = False,
        sys_interconnection: bool = False,
        host_sys: list[Enum] | None = None,
    ):
        self.profiler_level = profiler_level
        self.aic_metrics = aic_metrics
        self.l2_cache = l2_cache
        self.mstx = mstx
        self.data_simplification = data_simplification
        self.export_type = export_type
        self.mstx_domain_include = mstx_domain_include
        self.mstx_domain_exclude = mstx_domain_exclude
        self.sys_io = sys_io
        self.sys_interconnection = sys_interconnection
        self.host_sys = host_sys


class _TraceHandler:
    def __init__(self, folder: str, analyses: bool):
        self.folder = folder  # a profiler that is given this handler records into it
        self.analyses = analyses

    def __call__(self, finished: Session) -> None:
        if self.analyses:
            write_summaries(finished.runs[-1:])


def tensorboard_trace_handler(
    dir_name: str | None = None, worker_name: str | None = None, analyse_flag: bool = True, async_mode: bool = False
) -> Callable[[Any], None]:
    """What becomes of finished recordings: they go to a folder, for ``tensorboard --logdir``.

    Args:
        dir_name: the folder; ``./data`` by default.
        worker_name: kept for programs that give it; files carry the name of the machine.
        analyse_flag: whether the longest operations are written as text, too.
        async_mode: kept for programs that give it.

    Examples:
        >>> import tempfile
        >>> from mindspore.profiler import tensorboard_trace_handler
        >>> callable(tensorboard_trace_handler(tempfile.mkdtemp()))
        True
    """
    check_type("tensorboard_trace_handler", "dir_name", dir_name, (str, type(None)))
    return _TraceHandler(
        os.path.abspath(dir_name or "./data"), check_bool("tensorboard_trace_handler", "analyse_flag", analyse_flag)
    )


def _runs_below(path: str) -> list[str]:
    """The folders of recordings below a folder, oldest first."""
    check_str("Profiler", "path", path, allow_empty=False)
    found = [folder for folder, _, names in os.walk(path) if any(name.endswith(".trace.json.gz") for name in names)]
    if not found:
        raise RuntimeError(f"There is no recording of a profiler below {os.path.abspath(path)}.")
    return sorted(found)


def _check_options(owner: str, given: dict[str, Any]) -> None:
    for name in given:
        if name not in _OTHER_OPTIONS:
            log.warning("%s", f"For '{owner}', the option '{name}' is not known.{suggestion(name, _OTHER_OPTIONS)}")
