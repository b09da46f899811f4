"""Functions, their decorators and those that call them."""

import functools
import itertools

import numpy as np

from tests.engine.graph.effect_forms.forms import Counter, effect


@effect
def nonlocal_variable(log):
    count = 0

    def body(x):
        nonlocal count
        count += 1
        return x * count

    return body


@effect
def walrus_of_outside(log):
    count = 1.0

    def body(x):
        nonlocal count
        return x * (count := count * 2)

    return body


@effect
def partial_of_a_method(log):
    bump = functools.partial(Counter.bump, Counter(log))
    return lambda x: x * bump()


@effect
def lru_cache(log):
    @functools.lru_cache
    def scale(power):
        log.append(power)
        return 2.0**power

    return lambda x: x * scale(1) * scale(2)


@effect
def singledispatch(log):
    @functools.singledispatch
    def scale(value):
        return 1.0

    @scale.register
    def _(value: int):
        log.append(value)
        return 2.0

    return lambda x: x * scale(3)


@effect
def singledispatchmethod(log):
    class Scaling:
        @functools.singledispatchmethod
        def scale(self, value):
            return 1.0

        @scale.register
        def _(self, value: int):
            log.append(value)
            return 2.0

    scaling = Scaling()
    return lambda x: x * scaling.scale(3)


@effect
def partialmethod(log):
    class Scaling:
        def _scale(self, value):
            log.append(value)
            return float(value)

        double = functools.partialmethod(_scale, 2)

    scaling = Scaling()
    return lambda x: x * scaling.double()


@effect
def wraps(log):
    def noted(function):
        @functools.wraps(function)
        def inner(*args):
            log.append("called")
            return function(*args)

        return inner

    return noted(lambda x: x * 2)


@effect
def callable_class_as_decorator(log):
    class Noted:
        def __init__(self, function):
            self.function = function

        def __call__(self, x):
            log.append("called")
            return self.function(x)

    return Noted(lambda x: x * 2)


@effect
def lambda_default(log):
    return lambda x, note=log.append: (note("called"), x * 2)[1]


@effect
def callbacks_of_builtins(log):
    counter = Counter(log)

    class Key:
        def __call__(self, value):
            log.append(value)
            return -value

    return lambda x: (
        x * sorted([1, 2], key=Key())[0]
        + sum(map(lambda v: v * counter.bump(), [1, 2]))  # noqa: C417
        + functools.reduce(lambda a, b: a + counter.bump(), [1, 2])
        + next(filter(Key(), [1, 2]))
    )


@effect
def bound_methods_as_callbacks(log):
    counter = Counter(log)
    return lambda x: x * max([1, 2], key=lambda v: v * 0 + counter.bump()) + len(list(map(log.append, [1, 2])))


@effect
def callbacks_of_numpy(log):
    def noted(value):
        log.append(1)
        return value * 2

    return lambda x: x * float(np.vectorize(noted, otypes=[float])(np.ones(2)).sum())


@effect
def accumulate_and_starmap(log):
    def noted(a, b):
        log.append((a, b))
        return a + b

    return lambda x: x * list(itertools.accumulate([1, 2], noted))[-1] + sum(itertools.starmap(noted, [(1, 2)]))


@effect
def iter_until(log):
    counter = Counter(log)
    return lambda x: x * len(list(iter(lambda: counter.bump() % 3, 0)))
