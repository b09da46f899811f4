#!/bin/bash
# One process. Further arguments go to train.py.
if [ $# -lt 1 ]; then
    echo "Usage: bash run_standalone_train.sh CONFIG_PATH [--key=value ...]"
    exit 1
fi
config=$(realpath -m "$1")
if [ ! -f "$config" ]; then
    echo "error: CONFIG_PATH=$config is not a file"
    exit 1
fi
cd "$(dirname "$0")/.." || exit 1
python train.py --config_path="$config" "${@:2}"
