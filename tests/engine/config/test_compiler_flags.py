from __future__ import annotations

import os

import numpy as np

from mindspore import Tensor, ops
from mindspore._engine.config.compiler_flags import add_defaults


def test_flags_that_the_user_names_stay():
    given = {"XLA_FLAGS": "--xla_dump_to=/tmp/x"}
    add_defaults(given)
    assert given["XLA_FLAGS"].startswith("--xla_dump_to=/tmp/x --xla_backend_extra_options=")
    own = {"XLA_FLAGS": "--xla_backend_extra_options=xla_cpu_disable_tiled_emitter=false"}
    add_defaults(own)
    assert own == {"XLA_FLAGS": "--xla_backend_extra_options=xla_cpu_disable_tiled_emitter=false"}


def test_flags_are_added_once_and_not_to_the_name_of_a_file():
    given: dict[str, str] = {}
    add_defaults(given)
    once = dict(given)
    add_defaults(given)
    assert given == once
    named = {"XLA_FLAGS": "/etc/flags"}
    add_defaults(named)
    assert named == {"XLA_FLAGS": "/etc/flags"}


def test_the_process_has_them():
    assert "disable_tiled_emitter" in os.environ["XLA_FLAGS"]


def test_angles_are_right_in_vectors_of_every_width():
    x = np.linspace(-3, 3, 5000, dtype=np.float32)
    np.testing.assert_allclose(ops.atan(Tensor(x)).asnumpy(), np.arctan(x), atol=1e-6)
