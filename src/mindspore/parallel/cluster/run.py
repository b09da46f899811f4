"""``msrun``: starts the processes of a job on this machine.

    msrun --worker_num=2 --join=True train.py --epochs=3

On several machines, start it on each with the same ``--master_addr`` and ``--master_port``; ``--node_rank`` gives the
processes of a machine their numbers, without it they get them when all have met.
Only the standard library is used here: the processes that are started do the rest.
"""

from __future__ import annotations

import argparse
import ast
import os
import secrets
import shutil
import sys
from collections.abc import Callable, Sequence

from mindspore.parallel.cluster._cores import cores_by_worker
from mindspore.parallel.cluster._job import Job, Worker
from mindspore.parallel.cluster._ports import any_free_port, is_free, own_address
from mindspore.parallel.cluster._watch import watch

__all__ = ["main"]

_DEFAULT_PORT = 8118
_DEFAULT_WORKERS = 8
_FOREVER = 30 * 24 * 3600  # seconds; what a negative --cluster_time_out means
_OTHER_LAUNCHERS = ("OMPI_", "PMI_", "PMIX_", "MPI_LOCAL")  # their numbers would contradict ours


class _OptionError(Exception):
    """Arguments that cannot be used."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        job = _job(options)
    except (_OptionError, ValueError, OSError) as error:
        parser.exit(2, f"msrun: error: {error}\n")
    if not options.join:
        job.start()
        return 0
    return watch(job, options.tail_worker_log)


# -- the command line -------------------------------------------------------------------------------------------------
def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("msrun", description="Start the processes of a job on this machine.")
    whole, truth = _number, _truth
    option: Callable[..., argparse.Action] = parser.add_argument
    option("--worker_num", type=whole(1), default=_DEFAULT_WORKERS, help="processes of the whole job (8)")
    option("--local_worker_num", type=whole(1), help="processes to start here (8, or worker_num if that is less)")
    option("--master_addr", default="127.0.0.1", help="machine of process 0 (127.0.0.1)")
    option("--master_port", type=whole(1024, 65535), help="port there (8118; on one machine any free one)")
    option(
        "--node_rank",
        type=whole(-1),
        default=-1,
        help="number of this machine, from 0; -1: processes are numbered later",
    )
    option("--log_dir", default="", help="folder for worker_<rank>.log (the current one)")
    option("--join", type=truth, default=False, help="True: show the logs, wait, and exit with 0 if all went well")
    option("--cluster_time_out", type=int, default=600, help="seconds processes wait for each other; negative: forever")
    option("--bind_core", default="False", help='True: cores of its own for each process; or {"device0": ["0-3"], ...}')
    option("--bind_numa", default="False", help="True: the cores of one memory node for each process; or such a dict")
    option("--sim_level", type=int, choices=(0, 1, 2, 3), default=-1, help="dry run in one process, which is alone")
    option("--sim_rank_id", type=whole(0), default=-1, help="the number that process has, in a dry run")
    option("--rank_table_file", default="", help="told to the processes as RANK_TABLE_FILE")
    option(
        "--worker_log_name", default="", help="name of log files instead of 'worker'; {ip} and {hostname} are filled in"
    )
    option("--tail_worker_log", type=whole(-1), default=-1, help="with --join=True, the one process whose log is shown")
    option("task_script", help="the program: a .py file, or anything that can be executed")
    option("task_script_args", nargs=argparse.REMAINDER, help="its arguments")
    return parser


def _number(low: int, high: int | None = None) -> Callable[[str], int]:
    def number(text: str) -> int:
        value = int(text)
        if value < low or (high is not None and value > high):
            allowed = f"at least {low}" if high is None else f"in range [{low}, {high}]"
            raise argparse.ArgumentTypeError(f"must be {allowed}, but got {value}")
        return value

    return number


def _truth(text: str) -> bool:
    if text not in ("True", "False"):
        raise argparse.ArgumentTypeError(f"must be True or False, but got {text!r}")
    return text == "True"


# -- the job ----------------------------------------------------------------------------------------------------------
def _job(options: argparse.Namespace) -> Job:
    local = options.local_worker_num or min(options.worker_num, _DEFAULT_WORKERS)
    if local > options.worker_num:
        raise _OptionError(f"--local_worker_num ({local}) must not be more than --worker_num ({options.worker_num}).")
    first = _first_rank(options, local)
    if not -1 <= options.tail_worker_log < options.worker_num:
        raise _OptionError(
            f"--tail_worker_log must be a process, below {options.worker_num}, not {options.tail_worker_log}."
        )
    folder = os.path.abspath(options.log_dir)
    os.makedirs(folder, exist_ok=True)
    cores = cores_by_worker(
        _binding("--bind_core", options.bind_core), _binding("--bind_numa", options.bind_numa), local
    )
    is_numbered = local == options.worker_num or options.node_rank >= 0
    shared = _shared_environment(options)
    if (
        local == options.worker_num
    ):  # on several machines each has a launcher of its own, and they share the user's secret
        shared.setdefault("MYCELIUM_JOB_SECRET", secrets.token_hex(32))
    if options.sim_level >= 0:
        first, local = max(options.sim_rank_id, 0), 1
    else:
        shared["MS_SCHED_PORT"] = str(_port(options, local, holds_first=first == 0 and is_numbered))
    name = options.worker_log_name.replace("{ip}", own_address()).replace("{hostname}", os.uname().nodename) or "worker"
    command = _command(options)
    workers = []
    for local_rank in range(local):
        rank = first + local_rank
        own = (
            _worker_environment(rank if is_numbered else None, local_rank, local)
            if options.sim_level < 0
            else {"DEVICE_ID": "0"}
        )
        log = os.path.join(folder, f"{name}_{rank}.log")
        workers.append(Worker(rank, command, log, {**shared, **own}, cores[local_rank]))
    return Job(workers)


def _first_rank(options: argparse.Namespace, local: int) -> int:
    if local == options.worker_num:  # one machine
        return 0
    if options.node_rank < 0:  # numbers are given when all have met
        return 0
    first = options.node_rank * local
    if first + local > options.worker_num:
        raise _OptionError(
            f"--node_rank {options.node_rank} with --local_worker_num {local} means the processes {first} to "
            f"{first + local - 1}, but --worker_num is {options.worker_num}."
        )
    return first


def _port(options: argparse.Namespace, local: int, holds_first: bool) -> int:
    if options.master_port is None and local == options.worker_num:
        return any_free_port()  # two jobs started together would both find the default port free
    port = options.master_port or _DEFAULT_PORT
    if not holds_first or is_free(port):
        return port
    raise _OptionError(
        f"port {port} of this machine, where process 0 would listen, is in use. Is an earlier job still running? Choose "
        "another one with --master_port (the same on all machines)."
    )


def _binding(flag: str, text: str) -> bool | dict[str, list[str]]:
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError):
        value = None
    if isinstance(value, (bool, dict)):
        return value
    raise _OptionError(f'{flag} must be True, False or a dict such as {{"device0": ["0-3"]}}, but got {text!r}.')


def _command(options: argparse.Namespace) -> list[str]:
    script = options.task_script
    if script.endswith(".py"):
        if not os.path.isfile(script):
            raise _OptionError(f"there is no file {script!r} in {os.getcwd()}.")
        return [sys.executable or "python", script, *options.task_script_args]
    if shutil.which(script) is None:
        raise _OptionError(f"{script!r} is neither a .py file nor something that can be executed.")
    return [script, *options.task_script_args]


def _shared_environment(options: argparse.Namespace) -> dict[str, str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_OTHER_LAUNCHERS)}
    for name in ("RANK_ID", "MS_NODE_ID"):
        environment.pop(name, None)
    environment["PYTHONUNBUFFERED"] = "1"  # the log shows what was printed before a crash
    if options.rank_table_file:
        environment["RANK_TABLE_FILE"] = options.rank_table_file
    if options.sim_level >= 0:
        alone = {"MS_SIMULATION_LEVEL": str(options.sim_level), "RANK_SIZE": "1", "RANK_ID": "0"}
        return {**environment, **alone, "MS_DEV_PRECOMPILE_ONLY": "1" if options.sim_level == 0 else "0"}
    environment["MS_WORKER_NUM"] = environment["RANK_SIZE"] = str(options.worker_num)
    environment["MS_SCHED_HOST"] = options.master_addr
    environment["MS_TOPO_TIMEOUT"] = str(options.cluster_time_out if options.cluster_time_out > 0 else _FOREVER)
    environment["MS_ROLE"] = "MS_WORKER"
    return environment


def _worker_environment(rank: int | None, local_rank: int, local: int) -> dict[str, str]:
    numbers = {"DEVICE_ID": local_rank, "MPI_LOCALRANKID": local_rank, "MPI_LOCALNRANKS": local}
    if rank is not None:
        numbers |= {"RANK_ID": rank, "MS_NODE_ID": rank}
    return {name: str(number) for name, number in numbers.items()}


if __name__ == "__main__":
    sys.exit(main())
