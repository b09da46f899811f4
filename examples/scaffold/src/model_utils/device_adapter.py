"""Which process this is, wherever it runs."""

from src.model_utils import local_adapter, moxing_adapter
from src.model_utils.config import config

_adapter = moxing_adapter if config.enable_modelarts else local_adapter

get_device_id = _adapter.get_device_id
get_device_num = _adapter.get_device_num
get_rank_id = _adapter.get_rank_id
get_job_id = _adapter.get_job_id
