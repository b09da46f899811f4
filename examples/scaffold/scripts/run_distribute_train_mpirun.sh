#!/bin/bash
# Several processes on this machine, started by mpirun (OpenMPI or MPICH). Further arguments go to train.py.
if [ $# -lt 2 ]; then
    echo "Usage: bash run_distribute_train_mpirun.sh DEVICE_NUM CONFIG_PATH [--key=value ...]"
    exit 1
fi
config=$(realpath -m "$2")
if [ ! -f "$config" ]; then
    echo "error: CONFIG_PATH=$config is not a file"
    exit 1
fi
cd "$(dirname "$0")/.." || exit 1
# OpenMPI's options --allow-run-as-root and --oversubscribe, in a form that does not disturb MPICH.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
mpirun -n "$1" python \
    train.py --config_path="$config" --device_num="$1" "${@:3}"
