"""Which process this is, on machines of one's own: as mpirun, msrun or a shell script told it."""

import os


def _number(names, default):
    return int(next((os.environ[name] for name in names if os.environ.get(name)), default))


def get_device_id():
    """The device of this process."""
    return _number(("DEVICE_ID", "OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID"), 0)


def get_device_num():
    """How many processes there are."""
    return _number(("RANK_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MS_WORKER_NUM"), 1)


def get_rank_id():
    """The number of this process."""
    return _number(("RANK_ID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"), 0)


def get_job_id():
    """The name of the job."""
    return "Local Job"
