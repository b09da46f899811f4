#!/bin/bash
# Several processes on this machine without a launcher, each in a folder of its own, as programs for MindSpore 1.x do it.
if [ $# -lt 2 ]; then
    echo "Usage: bash run_distribute_train_processes.sh DEVICE_NUM CONFIG_PATH [--key=value ...]"
    exit 1
fi
config=$(realpath -m "$2")
if [ ! -f "$config" ]; then
    echo "error: CONFIG_PATH=$config is not a file"
    exit 1
fi
cd "$(dirname "$0")" || exit 1
export RANK_SIZE=$1
processes=()
for ((i = 0; i < RANK_SIZE; i++)); do
    export RANK_ID=$i DEVICE_ID=$i
    rm -rf "train_parallel$i"
    mkdir "train_parallel$i"
    cp -r ../src ../*.py "train_parallel$i"
    cd "train_parallel$i" || exit 1
    echo "start training for rank $RANK_ID, device $DEVICE_ID"
    env > env.log
    python train.py --config_path="$config" --device_num="$RANK_SIZE" "${@:3}" > log.txt 2>&1 &
    processes+=($!)
    cd ..
done
failed=0
for process in "${processes[@]}"; do
    wait "$process" || failed=1
done
exit $failed
