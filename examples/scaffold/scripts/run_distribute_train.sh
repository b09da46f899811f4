#!/bin/bash
# Several processes on this machine, started by msrun. Further arguments go to train.py.
if [ $# -lt 2 ]; then
    echo "Usage: bash run_distribute_train.sh DEVICE_NUM CONFIG_PATH [--key=value ...]"
    exit 1
fi
config=$(realpath -m "$2")
if [ ! -f "$config" ]; then
    echo "error: CONFIG_PATH=$config is not a file"
    exit 1
fi
cd "$(dirname "$0")/.." || exit 1
msrun --worker_num="$1" --local_worker_num="$1" --log_dir=logs --join=True \
    train.py --config_path="$config" --device_num="$1" "${@:3}"
