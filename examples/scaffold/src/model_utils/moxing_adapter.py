"""The same program on one's own machine and in Huawei's ModelArts, where files are copied before and after."""

import functools
import hashlib
import importlib
import os
import tempfile
import time
from pathlib import Path

import mindspore as ms
from src.model_utils import local_adapter
from src.model_utils.config import config

get_device_id = local_adapter.get_device_id
get_device_num = local_adapter.get_device_num
get_rank_id = local_adapter.get_rank_id


def get_job_id():
    """The name of the job."""
    return os.environ.get("JOB_ID") or "default"


def sync_data(source, target):
    """Copy a folder. One process of a machine copies; the others wait until it has finished, or failed."""
    key = hashlib.sha256(f"{source} {target} {os.getppid()}".encode()).hexdigest()[:16]
    done = Path(tempfile.gettempdir()) / f"copied-{get_job_id()}-{key}"
    if get_device_id() == 0:
        problem = "never finished"
        try:
            importlib.import_module("moxing").file.copy_parallel(str(source), str(target))
            problem = ""
        finally:
            done.write_text(problem)  # at once: it is either there or not
    while not done.exists():
        time.sleep(0.5)
    if done.read_text():
        raise RuntimeError(f"{source} was not copied to {target}: see the log of the first process of this machine.")


def moxing_wrapper(pre_process=None, post_process=None):
    """Decorates the function that does the work. Outside the cloud it is called as it is."""

    def decorate(function):
        @functools.wraps(function)
        def run(*arguments, **keywords):
            if not config.enable_modelarts:
                return function(*arguments, **keywords)
            for source, target in ((config.data_url, config.data_path), (config.checkpoint_url, config.load_path)):
                if source:
                    sync_data(source, target)
            config.device_num, config.device_id = get_device_num(), get_device_id()
            os.makedirs(config.output_path, exist_ok=True)
            ms.set_context(save_graphs_path=os.path.join(config.output_path, f"graphs_{get_rank_id()}"))
            if pre_process:
                pre_process()
            result = function(*arguments, **keywords)
            if post_process:
                post_process()
            if config.train_url:
                sync_data(config.output_path, config.train_url)
            return result

        return run

    return decorate
