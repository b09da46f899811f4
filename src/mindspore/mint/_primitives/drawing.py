"""Random operators with a seed and an offset: the same numbers for the same pair, in both modes."""

from __future__ import annotations

from typing import Any

import mindspore.common.dtype as mstype
from mindspore import mint, ops
from mindspore._engine.execution.random import next_key
from mindspore._ops.declaring import random_samples as samples
from mindspore._ops.generated import drawing
from mindspore._ops.generated.transforms import bits_as
from mindspore._ops.methods.in_place import keep
from mindspore._ops.random.in_place_random import bernoulli_of, exponential_samples
from mindspore.ops import Tensor

_key = drawing.words_of


def _dropped(input: Any, p: float, training: bool, inplace: bool, seed: Any, offset: Any, sampler: Any) -> Any:
    if not training or p == 0:
        return input
    result = sampler(_key(seed, offset), input, float(p))[0]
    return keep("dropout", input, result) if inplace else result


def _normal(mean: Any, std: Any, seed: Any, offset: Any, size: Any = ()) -> Tensor:
    shape = tuple(size) or (mean.shape if isinstance(mean, Tensor) else std.shape)
    return samples.normal(_key(seed, offset), shape, mean, std)


def _like(input: Any, numbers: Tensor, dtype: Any = None) -> Tensor:
    return ops.cast(numbers, input.dtype if dtype is None else dtype)


def _mask(shape: Any, p: Any, seed: Any, offset: Any, dtype: Any) -> Tensor:
    return drawing.dropped(_key(seed, offset), mint.ones(shape, dtype=dtype), float(p))[1]


def _whole_numbers(input: Any, from_: int, to: int | None, seed: Any, offset: Any) -> Tensor:
    numbers = samples.randint(_key(seed, offset), input.shape, from_, 2**24 if to is None else to)
    return keep("InplaceRandom", input, _like(input, numbers))


STEP, SEED, GET_STATE, SET_STATE, MANUAL_SEED, INITIAL_SEED = range(6)  # what a Generator is asked for


def _state(cmd: int, inputs: Any, *, seed: Any = None, offset: Any = None) -> tuple[Tensor, Tensor, Tensor]:
    """The seed and the offset before the command, and both as 16 bytes; the command changes the given Tensors."""
    words = list(inputs)
    kept_seed, kept_offset = words[:2]
    before = mint.clone(kept_seed), mint.clone(kept_offset)
    if cmd == STEP:
        step = words[2] if isinstance(words[2], Tensor) else Tensor(words[2], kept_offset.dtype)
        keep("Generator", kept_offset, before[1] + _like(kept_offset, step))
    elif cmd == SET_STATE:
        both = bits_as(words[2], mstype.int64)
        keep("Generator", kept_seed, _like(kept_seed, both[0]))
        keep("Generator", kept_offset, _like(kept_offset, both[1]))
    elif cmd in (SEED, MANUAL_SEED):
        chosen = words[2] if cmd == MANUAL_SEED else samples.randint(next_key(), (), 0, 2**31 - 1)
        chosen = chosen if isinstance(chosen, Tensor) else Tensor(chosen, mstype.int64)
        keep("Generator", kept_seed, _like(kept_seed, mint.reshape(chosen, kept_seed.shape)))
        keep("Generator", kept_offset, mint.zeros_like(kept_offset))
        before = mint.clone(kept_seed), mint.clone(kept_offset)
    both = mint.stack([ops.cast(mint.reshape(one, ()), mstype.int64) for one in (kept_seed, kept_offset)])
    return *before, bits_as(both, mstype.uint8)


FORMS = {
    "Generator": _state,
    "BernoulliExt": lambda input, seed, offset: bernoulli_of(_key(seed, offset), input),
    "Dropout2dExt": lambda input, p, training, inplace, seed, offset: _dropped(
        input, p, training, inplace, seed, offset, drawing.dropped_channels
    ),
    "DropoutDoMaskExt": lambda input, mask, p: drawing.masked_dropout(input, mask, float(p)),
    "DropoutExt": lambda input, p, seed, offset: drawing.dropped(_key(seed, offset), input, float(p)),
    "DropoutGenMaskExt": _mask,
    "FuncDropoutExt": lambda input, p, training, inplace, seed, offset: _dropped(
        input, p, training, inplace, seed, offset, drawing.dropped
    ),
    "InplaceBernoulliScalar": lambda input, p, seed, offset: keep(
        "InplaceBernoulliScalar", input, bernoulli_of(_key(seed, offset), mint.full_like(input, p))
    ),
    "InplaceBernoulliTensor": lambda input, p, seed, offset: keep(
        "InplaceBernoulliTensor", input, _like(input, bernoulli_of(_key(seed, offset), p))
    ),
    "InplaceExponential": lambda input, lambd, seed, offset: keep(
        "InplaceExponential", input, exponential_samples(_key(seed, offset), input.shape, float(lambd))
    ),
    "InplaceNormal": lambda input, mean, std, seed, offset: keep(
        "InplaceNormal", input, _like(input, _normal(mean, std, seed, offset, input.shape))
    ),
    "InplaceRandom": lambda input, from_=0, to=None, seed=0, offset=0: _whole_numbers(input, from_, to, seed, offset),
    "InplaceUniform": lambda input, from_, to, seed, offset: keep(
        "InplaceUniform", input, drawing.uniform_between(_key(seed, offset), input.shape, from_, to)
    ),
    "MultinomialExt": lambda input, num_samples, replacement, seed, offset: drawing.multinomial(
        _key(seed, offset), input, num_samples, replacement
    ),
    "NormalFloatFloat": lambda mean, std, size, seed, offset: _normal(mean, std, seed, offset, size),
    "NormalFloatTensor": lambda mean, std, seed, offset: _normal(mean, std, seed, offset),
    "NormalTensorFloat": lambda mean, std, seed, offset: _normal(mean, std, seed, offset),
    "NormalTensorTensor": lambda mean, std, seed, offset: _normal(mean, std, seed, offset),
    "RandExt": lambda shape, seed, offset, dtype=None, device=None: samples.uniform_real(
        _key(seed, offset), shape, mstype.float32 if dtype is None else dtype
    ),
    "RandInt": lambda low, high, shape, seed, offset, dtype=None, device=None: ops.cast(
        samples.randint(_key(seed, offset), shape, low, high), mstype.int64 if dtype is None else dtype
    ),
    "RandIntLike": lambda input, low, high, seed, offset, dtype=None, device=None: _like(
        input, samples.randint(_key(seed, offset), input.shape, low, high), dtype
    ),
    "RandLikeExt": lambda tensor, seed, offset, dtype=None, device=None: samples.uniform_real(
        _key(seed, offset), tensor.shape, tensor.dtype if dtype is None else dtype
    ),
    "Randn": lambda shape, seed, offset, dtype=None, device=None: samples.standard_normal(
        _key(seed, offset), shape, mstype.float32 if dtype is None else dtype
    ),
    "RandnLike": lambda input, seed, offset, dtype=None, device=None: samples.standard_normal(
        _key(seed, offset), input.shape, input.dtype if dtype is None else dtype
    ),
    "RandpermExt": lambda n, seed, offset, dtype=mstype.int64: samples.randperm(_key(seed, offset), n, dtype),
    "UniformExt": lambda tensor, a, b, seed, offset: _like(
        tensor, drawing.uniform_between(_key(seed, offset), tensor.shape, a, b)
    ),
}
