"""Chance, files, threads: what is outside of the program."""

import io
import logging
import os
import queue
import random
import threading
import warnings

import numpy as np

from tests.engine.graph.effect_forms.forms import effect


@effect
def chance(log):
    random.seed(3)
    return lambda x: x * random.random() + random.choice([1, 2, 3])


@effect
def chance_of_numpy(log):
    np.random.seed(3)
    generator = np.random.default_rng(3)
    return lambda x: x * float(np.random.rand()) + float(generator.random())


@effect
def environment(log):
    os.environ["MYCELIUM_TEST_FORM"] = "0"

    def body(x):
        os.environ["MYCELIUM_TEST_FORM"] = str(int(os.environ["MYCELIUM_TEST_FORM"]) + 1)
        return x * int(os.getenv("MYCELIUM_TEST_FORM", "0"))

    return body


@effect
def file_in_memory(log):
    file = io.StringIO()

    def body(x):
        file.write("line\n")
        return x * len(file.getvalue())

    return body


@effect
def file_on_disk(log):
    def body(x):
        with open(os.devnull, "w") as file:
            log.append(file.write("line\n"))
        return x * 2

    return body


@effect
def printing_to(log):
    file = io.StringIO()

    def body(x):
        print("line", file=file)
        return x * len(file.getvalue())

    return body


@effect
def logger(log):
    class Handler(logging.Handler):
        def emit(self, record):
            log.append(record.getMessage())

    one = logging.Logger("of a test")
    one.addHandler(Handler())

    def body(x):
        one.warning("shape %s", x.shape)
        return x * 2

    return body


@effect
def warning(log):
    def body(x):
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            warnings.warn("shape", stacklevel=1)
        log.append(len(seen))
        return x * 2

    return body


@effect
def thread(log):
    def body(x):
        worker = threading.Thread(target=log.append, args=("worked",))
        worker.start()
        worker.join()
        return x * len(log)

    return body


@effect
def lock_and_queue(log):
    lock, waiting = threading.Lock(), queue.Queue()

    def body(x):
        with lock:
            waiting.put(1)
        return x * waiting.qsize()

    return body


@effect
def thread_local(log):
    local = threading.local()
    local.count = 0

    def body(x):
        local.count += 1
        return x * local.count

    return body


@effect
def executed_text(log):
    names = {"log": log}

    def body(x):
        exec("log.append('executed')", names)
        return x * eval("len(log)", names)

    return body
