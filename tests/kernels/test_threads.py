"""The number of cores decides how long a kernel takes, never what it gives."""

import os
import subprocess
import sys

PROGRAM = """
import hashlib, numpy as np, mindspore as ms
from mindspore import Tensor, nn, ops
rng = np.random.default_rng(5)
def random(*shape): return Tensor(rng.standard_normal(shape, dtype=np.float32))
def show(name, *results): print(name, hashlib.sha256(b"".join(one.asnumpy().tobytes() for one in results)).hexdigest())
def gradient(x, weight, **how):
    return ms.grad(lambda x, w: ops.conv2d(x, w, **how).square().sum(), (0, 1))(x, weight)
show("many outputs", *gradient(random(2, 32, 12, 12), random(160, 32, 3, 3)))
show("many pixels", *gradient(random(8, 3, 40, 40), random(20, 3, 5, 5)))
show("pointwise", *gradient(random(4, 64, 20, 20), random(72, 64, 1, 1)))
show("groups", *gradient(random(4, 32, 24, 24), random(32, 8, 3, 3), groups=4))
show("depthwise", *gradient(random(8, 32, 30, 30), random(32, 1, 3, 3), groups=32))
norm = nn.BatchNorm2d(24).set_train()
show("statistics", ms.grad(lambda x: norm(x).square().sum())(random(16, 24, 40, 40)), norm.moving_mean, norm.moving_variance)
show("product", ops.matmul(random(300, 700), random(700, 200)), ops.matmul(random(8, 130, 70), random(8, 70, 90)))
"""


def _run(threads: int) -> list[str]:
    environment = {**os.environ, "NPROC": str(threads)}  # XLA's own variable
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_results_do_not_depend_on_the_number_of_threads():
    alone = _run(1)
    assert len(alone) == 7
    assert alone == _run(5)
