#!/bin/bash
# Evaluates a checkpoint. Further arguments go to eval.py.
if [ $# -lt 1 ]; then
    echo "Usage: bash run_eval.sh CHECKPOINT_PATH [--key=value ...]"
    exit 1
fi
checkpoint=$(realpath -m "$1")
cd "$(dirname "$0")/.." || exit 1
python eval.py --checkpoint_path="$checkpoint" "${@:2}"
