"""Which results keep their bits on other processors: `python -m tools.processors [operators] [functions] [networks]`.

The same calculations run in processes of their own under settings that make XLA and NumPy write the code of another
processor, or use another number of cores. One line per calculation whose bits differ from those under no setting, with the
largest relative difference; then a summary per setting. docs/guide/reproducibility.md says what was found.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import mindspore as ms
from mindspore import Tensor, ops
from mindspore._engine.operator.registry import OPS
from tests.networks import test_networks
from tests.ops.samples import Samples, to_tensors

ROOT = Path(__file__).resolve().parent.parent
_OLDER = "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL"
SETTINGS: dict[str, dict[str, str]] = {
    "AVX-512 of Intel": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX512"},
    "AVX2 of Intel": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX2", "NPY_DISABLE_CPU_FEATURES": _OLDER},
    "vectors of 256 bits": {"XLA_FLAGS": "--xla_cpu_prefer_vector_width=256"},
    "1 core": {"NPROC": "1"},
    "3 cores": {"NPROC": "3"},
    "16 cores": {"NPROC": "16"},
    "no FMA (AVX)": {"XLA_FLAGS": "--xla_cpu_max_isa=AVX"},
}
Results = dict[str, list[np.ndarray]]


# -- what is calculated ----------------------------------------------------------------------------------------------
def operators() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every operator's own test cases, with their gradients."""

    def gradient(op: Any, case: Any) -> Any:
        args, kwargs = to_tensors(case.args), to_tensors(case.kwargs)
        return ms.grad(lambda *given: op.function(*given, **kwargs), case.positions)(*args)

    for name, op in sorted(OPS.items()):
        for i, case in enumerate(op.test(Samples(name)) if op.test is not None else ()):
            yield f"{name} {i}", lambda op=op, case=case: op.function(*to_tensors(case.args), **to_tensors(case.kwargs))
            if case.positions:
                yield f"gradient of {name} {i}", lambda op=op, case=case: gradient(op, case)


def functions() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Functions, sums and products of arrays larger than any vector, in three dtypes."""

    random = np.random.default_rng(1)
    for dtype in (ms.float32, ms.float64, ms.float16):
        x = Tensor(random.uniform(0.01, 0.99, (67, 1031)), dtype)
        for name in ("exp", "log", "tanh", "sigmoid", "sin", "cos", "tan", "asin", "atan", "sinh", "erf", "erfinv", "expm1",
                     "log1p", "rsqrt", "sqrt", "gelu", "softplus", "lgamma", "digamma", "mish", "silu"):  # fmt: skip
            yield f"{name} {dtype}", lambda x=x, name=name: getattr(ops, name)(x)
        yield f"pow {dtype}", lambda x=x: ops.pow(x, x + 1.5)
        for name in ("sum", "mean", "std", "norm", "logsumexp", "cumsum", "softmax", "prod"):
            for axis in (0, 1):
                how = {"dim": axis} if name == "norm" else {"axis": axis}
                yield f"{name} over {axis} {dtype}", lambda x=x, name=name, how=how: getattr(ops, name)(x, **how)
        yield f"sum of all {dtype}", lambda x=x: x.sum()
    for rows, depth, columns in (
        (3, 5, 7),
        (64, 64, 64),
        (1, 4096, 10),
        (128, 8192, 16),
        (32, 512, 1000),
        (300, 700, 200),
    ):
        x, y = (Tensor(random.standard_normal(shape), ms.float32) for shape in ((rows, depth), (depth, columns)))
        yield f"product ({rows}, {depth}, {columns})", lambda x=x, y=y: ops.matmul(x, y)
        yield (
            f"product float64 ({rows}, {depth}, {columns})",
            lambda x=x, y=y: ops.matmul(x.astype(ms.float64), y.astype(ms.float64)),
        )
    image = Tensor(random.standard_normal((4, 8, 30, 30)), ms.float32)
    weight = Tensor(random.standard_normal((24, 8, 3, 3)), ms.float32)
    yield "convolution", lambda: ops.conv2d(image, weight)
    yield (
        "gradient of convolution",
        lambda: ms.grad(lambda x, w: ops.conv2d(x, w).square().sum(), (0, 1))(image, weight),
    )
    yield "layer norm", lambda: ops.layer_norm(image, (30,), ops.ones(30), ops.zeros(30), 1e-5)
    square = Tensor(random.standard_normal((40, 40)), ms.float32)
    for name in ("inverse", "svd", "qr"):
        yield name, lambda name=name: getattr(ops, name)(square)


def networks() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Losses and weights after the first steps of the example networks."""

    for build in test_networks.REAL:
        for mode in ("GRAPH_MODE", "PYNATIVE_MODE"):
            yield (
                f"{build.__name__} in {mode}",
                lambda build=build, mode=mode: test_networks.train(build, getattr(ms, mode), 4),
            )


SUBJECTS = {one.__name__: one for one in (operators, functions, networks)}


# -- in one process --------------------------------------------------------------------------------------------------
def arrays(result: Any) -> list[np.ndarray]:
    """All numbers of a result."""
    if isinstance(result, dict):
        result = list(result.values())
    if isinstance(result, (list, tuple)):
        return [array for one in result for array in arrays(one)]
    found = np.asarray(result)
    return [found if found.dtype.kind in "biufcSU" else found.astype(np.float32)]


def calculate(subjects: list[str]) -> Results:
    results: Results = {}
    for subject in subjects:
        for name, run in SUBJECTS[subject]():
            ms.set_context(mode=ms.GRAPH_MODE)
            ms.set_seed(1)
            try:
                results[name] = arrays(run())
            except Exception as error:  # an operator without this dtype or gradient: the same everywhere
                results[name] = [np.array(type(error).__name__)]
    return results


# -- beside each other -----------------------------------------------------------------------------------------------
def calculated_under(setting: dict[str, str], subjects: list[str]) -> Results:
    """The results of another process."""
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "results"
        environment = {**os.environ, **setting, "JAX_ENABLE_COMPILATION_CACHE": "false"}
        subprocess.run(
            [sys.executable, "-m", "tools.processors", "--into", str(place), *subjects],
            env=environment,
            cwd=ROOT,
            check=True,
        )
        return pickle.loads(place.read_bytes())


def distance(one: list[np.ndarray], other: list[np.ndarray]) -> float:
    """The largest difference of two results, relative to the largest number; 0 where they have the same bits."""
    if [a.tobytes() for a in one] == [b.tobytes() for b in other]:
        return 0.0
    if [(a.shape, a.dtype) for a in one] != [(b.shape, b.dtype) for b in other] or any(
        a.dtype.kind in "SU" for a in one
    ):
        return float("inf")
    pairs = [(a.astype(np.complex128), b.astype(np.complex128)) for a, b in zip(one, other, strict=True) if a.size]
    if any((np.isnan(a) != np.isnan(b)).any() for a, b in pairs):
        return float("inf")
    with np.errstate(invalid="ignore"):
        return max(float(np.nanmax(abs(a - b)) / (np.nanmax(abs(a)) + 1e-300)) for a, b in pairs) or 5e-324


def compare(settings: list[str], subjects: list[str]) -> dict[str, dict[str, float]]:
    """What differs under each setting, and by how much."""
    usual = calculated_under({}, subjects)
    found: dict[str, dict[str, float]] = {}
    for setting in settings:
        here = calculated_under(SETTINGS[setting], subjects)
        found[setting] = {name: far for name in usual if (far := distance(usual[name], here[name])) != 0}
        for name, far in found[setting].items():
            print(f"  {name}: {far:.1e}")
        print(f"{setting}: {len(usual) - len(found[setting])} of {len(usual)} are equal to the bit")
    return found


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["--into"]:
        Path(arguments[1]).write_bytes(pickle.dumps(calculate(arguments[2:])))
        return
    compare(list(SETTINGS), arguments or list(SUBJECTS))


if __name__ == "__main__":
    main(sys.argv[1:])
