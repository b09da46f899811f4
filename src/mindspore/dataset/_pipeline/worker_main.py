"""The main program of a worker process, started as a file: the package is entered without loading XLA."""

from __future__ import annotations

import importlib
import importlib.util
import os
import signal
import sys
import traceback
import types
from multiprocessing.connection import Connection
from typing import Any


class LightPackage(types.ModuleType):
    """`mindspore` whose modules can be imported one by one; the whole is loaded when one of its own names is asked for."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        try:
            return importlib.import_module(f"mindspore.{name}")
        except ModuleNotFoundError:
            pass
        self.__class__ = types.ModuleType  # type: ignore[assignment]
        self.__spec__.loader.exec_module(self)  # type: ignore[union-attr]
        return getattr(self, name)


def enter_package(folder: str) -> None:
    """Make `mindspore` importable without running its ``__init__.py``."""
    path = os.path.join(folder, "__init__.py")
    spec = importlib.util.spec_from_file_location("mindspore", path, submodule_search_locations=[folder])
    package = LightPackage("mindspore")
    package.__spec__, package.__path__, package.__file__ = spec, [folder], path
    sys.modules["mindspore"] = package


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the pipeline ends its workers itself
    connection = Connection(int(sys.argv[1]))
    sys.path[:], folder, megabytes = connection.recv()
    os.chdir(folder)
    enter_package(sys.argv[2])
    processes = importlib.import_module("mindspore.dataset._pipeline.processes")
    importlib.import_module("mindspore._utils.files.file_limit").set_limit(lambda: megabytes)
    cloudpickle = importlib.import_module("cloudpickle")
    sender = importlib.import_module("mindspore.dataset.core.shared_arrays").Sender()
    try:
        shared, problem = cloudpickle.loads(connection.recv_bytes()), None
    except Exception as error:
        shared, problem = [], error
    while True:
        try:
            task = connection.recv_bytes()
        except (EOFError, OSError):
            sender.withdraw()
            return
        try:
            if problem is not None:
                raise problem
            columns = processes.load_task(task, shared).compute()
            answer = False, sender.columns(columns), sender.problem
        except Exception as error:
            text = str(error) if isinstance(error, RuntimeError) else "".join(traceback.format_exception(error))
            answer = True, RuntimeError(text), ""
        try:
            connection.send(answer)
        except (EOFError, OSError):
            sender.withdraw()
            return


if __name__ == "__main__":
    main()
