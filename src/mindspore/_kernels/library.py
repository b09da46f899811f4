"""The C++ part: where it is, whether this processor can run it, XLA's table of custom calls, and XLA's memory."""

from __future__ import annotations

import ctypes
import functools
import importlib.machinery
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import jax

TARGETS = (
    "mycelium_convolution",
    "mycelium_convolution_input",
    "mycelium_convolution_weights",
    "mycelium_max_pool",
    "mycelium_max_pool_relu",
    "mycelium_max_pool_gradient",
    "mycelium_max_pool_gradient_relu",
    "mycelium_channel_moments",
    "mycelium_channel_sums",
    "mycelium_product",
    "mycelium_recurrent",
    "mycelium_recurrent_gradient",
    "mycelium_sort",
    "mycelium_top",
    "mycelium_take_along",
    "mycelium_add_along",
    "mycelium_running_sum",
    "mycelium_random_bits",
    "mycelium_random_integers",
    "mycelium_sum",
    "mycelium_extreme",
    "mycelium_fold",
    "mycelium_draw",
    "mycelium_remainder",
    "mycelium_running_extreme",
    "mycelium_linear_recurrence",
    "mycelium_running_log_sum",
    "mycelium_running_product",
    "mycelium_largest",
    "mycelium_distances",
    "mycelium_wave",
    "mycelium_class_entropy",
    "mycelium_class_entropy_slopes",
    "mycelium_integer_product",
    "mycelium_turn",
    "mycelium_farthest",
    "mycelium_read_slices",
    "mycelium_read_slices_inside",
    "mycelium_write_slices",
    "mycelium_sample",
    "mycelium_sample_spread",
    "mycelium_sample_slopes",
    "mycelium_interrupt",
)
BFLOAT16_PRODUCT = "mycelium_bfloat16_product"  # for processors with an instruction for it
ELEMENTWISE = "mycelium_elementwise"  # in a library of its own, which has one form for all processors
_AVX2 = ("avx2", "fma", "f16c")
# Forms of the library, widest first, and the CPU features that their compiler flags assume (setup.py).
_FORMS = {
    "x86_64": {
        "avx512": ("_native_avx512", (*_AVX2, "avx512f", "avx512dq", "avx512bw", "avx512vl")),
        "avx2": ("_native", _AVX2),
    }
}
_ANY_PROCESSOR = {"": ("_native", ())}
_form = ""  # a setting: the name of the form to use, "" for the widest that this processor can run
_wanted = True  # a setting: False leaves everything to XLA
_keeps_memory = True  # a setting: False lets XLA ask the system for memory at every call
_release: Callable[[], None] | None = None  # of the C++ part, once memory is kept
_watch: Callable[[], None] | None = None  # of the C++ part
_loaded: ctypes.CDLL | None = None
_has_elementwise = False
_found: dict[str, Any] = {}  # the custom calls of the C++ part, by name


def configure(wanted: bool, keeps_memory: bool, form: str = "") -> None:
    """Set what is decided when the library is loaded: whether it is used, whether XLA's memory is kept, and its form."""
    global _wanted, _keeps_memory, _form
    _wanted, _keeps_memory, _form = wanted, keeps_memory, form


@functools.cache
def status() -> str:
    """ "active", or why the kernels are not used."""
    if not _wanted:
        return "switched off"
    path, problem = _chosen()
    if path is None:
        return problem
    try:
        loaded = ctypes.CDLL(str(path))
        # a library built from earlier sources lacks some: their plain forms serve
        found = {name: getattr(loaded, name) for name in TARGETS if hasattr(loaded, name)}
        getattr(loaded, "mycelium_direct_call")  # noqa: B009 (whether it is there)
        if loaded.mycelium_multiplies_bfloat16():
            found[BFLOAT16_PRODUCT] = getattr(loaded, BFLOAT16_PRODUCT)
    except OSError as error:
        return f"cannot be loaded: {error}"
    except AttributeError as error:  # built from another version of the sources
        return f"must be built again ({error})"
    global _release, _watch, _loaded
    _loaded = loaded
    _watch = loaded.mycelium_watch_interrupts
    if _keeps_memory and loaded.mycelium_keep_memory():
        _release = loaded.mycelium_release_memory
    for name, address in found.items():
        jax.ffi.register_ffi_target(name, jax.ffi.pycapsule(address), platform="cpu")
    _found.update(found)
    _load_elementwise()
    return "active"


def _load_elementwise() -> None:
    global _has_elementwise
    path = _built("_native_elementwise")
    if path is None:
        return
    try:
        handler = getattr(ctypes.CDLL(str(path)), ELEMENTWISE)
    except (OSError, AttributeError):  # built for another system, or from other sources
        return
    jax.ffi.register_ffi_target(ELEMENTWISE, jax.ffi.pycapsule(handler), platform="cpu")
    _has_elementwise = True


def has_elementwise() -> bool:
    """Whether programs for the CPU may call ``ELEMENTWISE``."""
    return active() and _has_elementwise


def has(target: str) -> bool:
    """Whether programs for the CPU may name this custom call."""
    return active() and target in _found


def symbol(name: str) -> Any:
    """A function of the C++ part, which is active."""
    return getattr(_loaded, name)


def release_memory() -> None:
    """Give back to the system what was kept of the memory of programs on the CPU."""
    if _release is not None:
        _release()


def watch_interrupts() -> None:
    """See the next SIGINT while a program runs, and forget earlier ones."""
    if _watch is not None:
        _watch()


def active() -> bool:
    """Whether programs for the CPU call these kernels."""
    return status() == "active"


def _chosen() -> tuple[Path | None, str]:
    """The library of the widest form that was built and that this processor can run; else why there is none."""
    problem, features = "not built (no C++ compiler at installation)", _processor_features()
    for name, (library, needed) in _FORMS.get(platform.machine(), _ANY_PROCESSOR).items():
        path = _built(library)
        if path is None or (_form and name and name != _form):
            continue
        missing = [feature for feature in needed if feature not in features]
        if not missing:
            return path, ""
        problem = f"this processor lacks {', '.join(missing)}"
    return None, problem


def _built(library: str) -> Path | None:
    folder = Path(__file__).parent
    found = (folder / f"{library}{suffix}" for suffix in importlib.machinery.EXTENSION_SUFFIXES)
    return next((path for path in found if path.exists()), None)


def _processor_features() -> set[str]:
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return set()
    lines = (line for line in text.splitlines() if line.startswith(("flags", "Features")))
    return set(next(lines, "").split())
