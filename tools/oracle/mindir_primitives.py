"""Write ``known_primitives.py``: the primitives in files that real MindSpore wrote and ran (``mindir_export``).

python -m tools.oracle.mindir_primitives FOLDER src/mindspore/_engine/export/mindir/known_primitives.py
"""

from __future__ import annotations

import sys
import textwrap
from collections.abc import Iterable
from pathlib import Path

from tools.oracle.mindir_written import model_in

# No case of an operator has them, but graphs with open sizes do.
SIZES = """Shape ScalarAdd ScalarMul ScalarSub ScalarFloorDiv ScalarMod ScalarUsub ScalarMax ScalarMin ScalarToTensor Zeros Ones"""
# Files with them were written here and ran in MindSpore with equal results (mindir_tried).
TRIED = """BatchToSpaceND/1 BesselI0/1 BesselI0e/1 BesselI1/1 BesselI1e/1 CTCLoss/1 Cholesky/2 DepthToSpace/1 DiagPart/1 Expand/1
GridSampler3D/2 Igamma/1 Igammac/1 LogMatrixDeterminant/2 LogSoftmaxExt/2 MatrixDeterminant/2 MatrixPower/1 MatrixSolve/1 MulNoNan/1
Mvlgamma/1 NextAfter/2 OnesLike/2 Polygamma/1 PopulationCount/1 ScatterAddWithAxis/1 SigmoidCrossEntropyWithLogits/1 SpaceToDepth/1
SparseTensorDenseAdd/1 SquareSumAll/1 UniqueWithPad/1 ZerosLike/2 Zeta/1"""
# Random numbers; kernels of MindSpore that give other results; arguments with other forms than ours.
LEFT_OUT = """UniformReal Dropout2D EmbeddingLookup TensorToScalar list_getitem make_list ClipByNorm MirrorPad PadV3 LpNorm Logit Cross
TensorScatterElements FFTWithSize SearchSorted Median NuclearNorm MatrixDiagV3 Renorm Im2Col CholeskyInverse
FractionalMaxPoolWithFixedKsize FractionalMaxPool3DWithFixedKsize Col2Im ExtractVolumePatches IndexPut LSTM MaskedFill
MultiMarginLoss SparseTensorDenseMatmul"""

PARTS = ("Grad", "Backward", "Backprop", "Inplace", "View")  # of training, and of programs that write into tensors


def main(folder: Path, target: Path) -> None:
    kinds: dict[str, int] = dict.fromkeys(SIZES.split(), 2)
    kinds |= {name: int(kind) for name, kind in (one.split("/") for one in TRIED.split())}
    for path in folder.glob("*.mindir"):
        kinds |= {one.op_type: max(one.prim_type, kinds.get(one.op_type, 1)) for one in model_in(path).primitives}
    for name in [
        *LEFT_OUT.split(),
        *(name for name in kinds if name[0].islower() or any(word in name for word in PARTS)),
    ]:
        kinds.pop(name, None)
    target.write_text(
        f'''"""Facts, recorded by tools/oracle/mindir_primitives.py: primitives that MindSpore 2.10 writes to MINDIR files and runs on CPUs."""

# They take the arguments of their constructors as inputs.
_FUNCTIONS = """
{_lines(name for name, kind in kinds.items() if kind == 2)}
"""
# They have the arguments of their constructors as attributes.
_WITH_ATTRIBUTES = """
{_lines(name for name, kind in kinds.items() if kind == 1)}
"""
FUNCTIONS = frozenset(_FUNCTIONS.split())
WITH_ATTRIBUTES = frozenset(_WITH_ATTRIBUTES.split())
'''
    )


def _lines(names: Iterable[str]) -> str:
    return "\n".join(textwrap.wrap(" ".join(sorted(names)), 118))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
