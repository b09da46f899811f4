"""Checks of the arguments of audio transforms, by name."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

from mindspore.dataset.audio.utils import (
    LARGEST,
    BorderType,
    DensityFunction,
    FadeShape,
    GainType,
    Interpolation,
    MelType,
    Modulation,
    NormMode,
    NormType,
    ResampleMethod,
    ScaleType,
    WindowType,
)
from mindspore.dataset.core.checks import check_bool, check_float_range, check_int, check_type, shown

Rule = Callable[[str, str, Any], Any]

LARGEST_INT = 2147483647
LIMIT = 16777216  # below it float32 knows every integer; the upper limit of MindSpore


def whole(low: int, high: int = LARGEST_INT) -> Rule:
    """An int between two limits."""
    return lambda owner, name, value: check_int(owner, name, value, low, high)


def real(low: float = -LIMIT, high: float = LIMIT, include_low: bool = True) -> Rule:
    """An int or a float between two limits."""
    return lambda owner, name, value: check_float_range(owner, name, value, low, high, include_low)


def kind(enumeration: type) -> Rule:
    """A member of an enumeration."""
    return lambda owner, name, value: check_type(owner, name, value, enumeration)


def optional(rule: Rule) -> Rule:
    """None, or what another rule says."""
    return lambda owner, name, value: None if value is None else rule(owner, name, value)


def nonzero(rule: Rule) -> Rule:
    """What another rule says, except 0."""

    def check(owner: str, name: str, value: Any) -> Any:
        if rule(owner, name, value) == 0:
            raise ValueError(f"For '{owner}', the '{name}' must not be 0.")
        return value

    return check


def one_of(*allowed: int) -> Rule:
    """One of the allowed ints."""

    def check(owner: str, name: str, value: Any) -> int:
        if check_int(owner, name, value) not in allowed:
            raise ValueError(f"For '{owner}', the '{name}' must be one of {list(allowed)}, but got {value}.")
        return value

    return check


def coefficients(owner: str, name: str, value: Any) -> Any:
    """A list or a tuple of numbers."""
    check_type(owner, name, value, (list, tuple))
    for index, coefficient in enumerate(value):
        check_float_range(owner, f"{name}[{index}]", coefficient, -LIMIT, LIMIT)
    return value


def positive_dict(*names: str) -> Rule:
    """None, or a dict with numbers from 0 on under these names."""

    def check(owner: str, name: str, value: Any) -> Any:
        check_type(owner, name, value, dict)
        for key in names:
            if key not in value:
                raise KeyError(f"For '{owner}', the '{name}' must have the keys {list(names)}, but got {list(value)}.")
            check_float_range(owner, key, value[key], 0.0, LARGEST)
        return value

    return optional(check)


POSITIVE, COUNT = whole(1), whole(0)
ABOVE_ZERO, FROM_ZERO, ANY = real(0, include_low=False), real(0), real()

RULES: dict[str, Rule] = {
    "amin": ABOVE_ZERO,
    "beta": optional(ANY),
    "bins_per_octave": nonzero(whole(-LARGEST_INT)),
    "center": check_bool,
    "clamp": check_bool,
    "cmn_window": POSITIVE,
    "color": real(0, 100),
    "const_skirt_gain": check_bool,
    "decay": real(0, 0.99),
    "delay": real(0, 30),
    "delay_ms": real(0, 5),
    "density_function": kind(DensityFunction),
    "depth": real(0, 10),
    "enhancement_amount": real(0, 100),
    "f_max": optional(ABOVE_ZERO),
    "f_min": FROM_ZERO,
    "fade_in_len": COUNT,
    "fade_out_len": COUNT,
    "fade_shape": kind(FadeShape),
    "fixed_rate": optional(ABOVE_ZERO),
    "frame_time": ABOVE_ZERO,
    "freq_high": ABOVE_ZERO,
    "freq_low": ABOVE_ZERO,
    "gain": ANY,
    "gain_db": ANY,
    "gain_in": real(0, 1),
    "gain_out": real(0, 1e9),
    "gain_type": kind(GainType),
    "hop_length": optional(POSITIVE),
    "interpolation": kind(Interpolation),
    "length": optional(COUNT),
    "limiter_gain": optional(ANY),
    "log_lf": check_bool,
    "log_mels": check_bool,
    "lowpass_filter_width": POSITIVE,
    "mask_param": COUNT,
    "mask_start": COUNT,
    "mask_value": ANY,
    "mask_width": POSITIVE,
    "max_iter": POSITIVE,
    "mel_scale": kind(MelType),
    "mel_type": kind(MelType),
    "min_cmn_window": COUNT,
    "mod_speed": real(0.1, 2),
    "modulation": kind(Modulation),
    "momentum": FROM_ZERO,
    "n_fft": POSITIVE,
    "n_filter": POSITIVE,
    "n_freq": POSITIVE,
    "n_iter": POSITIVE,
    "n_lfcc": POSITIVE,
    "n_mels": POSITIVE,
    "n_mfcc": POSITIVE,
    "n_stft": POSITIVE,
    "n_steps": whole(-LARGEST_INT),
    "new_freq": ABOVE_ZERO,
    "noise": check_bool,
    "noise_shaping": check_bool,
    "norm": kind(NormType),
    "norm_vars": check_bool,
    "normalized": check_bool,
    "onesided": check_bool,
    "orig_freq": ABOVE_ZERO,
    "pad": COUNT,
    "pad_mode": kind(BorderType),
    "phase": real(0, 100),
    "power": FROM_ZERO,
    "quantization_channels": POSITIVE,
    "rand_init": check_bool,
    "rate": ABOVE_ZERO,
    "ref": ANY,
    "ref_value": ABOVE_ZERO,
    "regen": real(-95, 95),
    "resample_method": kind(ResampleMethod),
    "rolloff": real(0.0, 1.0, include_low=False),
    "sample_rate": POSITIVE,
    "sgdargs": positive_dict("sgd_lr", "sgd_momentum"),
    "shift": real(-2, 2),
    "sinusoidal": check_bool,
    "speed": real(0.1, 10),
    "stype": kind(ScaleType),
    "tolerance_change": ABOVE_ZERO,
    "tolerance_loss": ABOVE_ZERO,
    "top_db": ABOVE_ZERO,
    "width": real(0, 100),
    "win_length": optional(POSITIVE),
    "window": kind(WindowType),
    "window_type": kind(WindowType),
    "a_coeffs": coefficients,
    "b_coeffs": coefficients,
}
NORM_MODE = kind(NormMode)


def check_arguments(owner: str, arguments: Mapping[str, Any], **own_rules: Rule) -> None:
    """Check every argument by the rule of its name, or by the transform's own."""
    for name, value in arguments.items():
        if name != "self":
            own_rules.get(name, RULES.get(name, _no_rule))(owner, name, value)
    n_fft, win_length = arguments.get("n_fft"), arguments.get("win_length")
    if n_fft is not None and win_length is not None and win_length > n_fft:
        raise ValueError(
            f"For '{owner}', the 'win_length' must not be greater than 'n_fft', but got {win_length} and {n_fft}."
        )


def _no_rule(owner: str, name: str, value: Any) -> Any:
    raise KeyError(f"no rule for the '{name}' of '{owner}', which is {shown(value)}")


def check_band(owner: str, f_min: float, f_max: float | None, sample_rate: int) -> float:
    """The upper end of a band of frequencies, half the sample rate by default."""
    if f_max is None:
        if f_min >= sample_rate // 2:
            raise ValueError(
                f"For '{owner}', the 'f_min' must be less than half the 'sample_rate' when 'f_max' is None, "
                f"but got {f_min} and {sample_rate}."
            )
        return sample_rate // 2
    if f_min >= f_max:
        raise ValueError(f"For '{owner}', the 'f_max' must be greater than 'f_min', but got {f_max} and {f_min}.")
    return f_max


def checked(**own_rules: Rule) -> Callable[[Callable], Callable]:
    """Let a constructor check its arguments first."""

    def decorate(constructor: Callable) -> Callable:
        names = constructor.__code__.co_varnames[1 : constructor.__code__.co_argcount]
        defaults = dict(zip(reversed(names), reversed(constructor.__defaults__ or ()), strict=False))

        @functools.wraps(constructor)
        def with_checks(self: Any, *positional: Any, **named: Any) -> None:
            given = {**defaults, **dict(zip(names, positional, strict=False)), **named}
            if len(positional) <= len(names) and set(given) == set(names):  # else Python's own error is the best
                check_arguments(type(self).__name__, given, **own_rules)
            constructor(self, *positional, **named)

        return with_checks

    return decorate
