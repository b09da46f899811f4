"""Generators, iterators and contexts."""

import contextlib
import itertools

from tests.engine.graph.effect_forms.forms import Counter, effect


@effect
def generator(log):
    def steps():
        log.append("first")
        yield 1.0
        log.append("second")
        yield 2.0

    def body(x):
        for step in steps():
            x = x * step
        return x

    return body


@effect
def generator_that_calls_a_method(log):
    counter = Counter(log)

    def steps():
        for _ in range(2):
            yield counter.bump()

    return lambda x: x * sum(steps())


@effect
def generator_method(log):
    class Steps:
        count = 0

        def __iter__(self):
            self.count += 1
            yield self.count

    steps = Steps()
    return lambda x: x * sum(steps)


@effect
def generator_expression_with_a_call(log):
    counter = Counter(log)
    return lambda x: x * sum(counter.bump() for _ in range(2))


@effect
def iterator_made_outside(log):
    numbers = iter(range(1, 100))
    return lambda x: x * next(numbers)


@effect
def iterator_unpacked(log):
    numbers = iter(range(1, 100))

    def body(x):
        first, second = itertools.islice(numbers, 2)
        return x * first + second

    return body


@effect
def iterator_in_zip(log):
    numbers = iter(range(1, 100))
    return lambda x: x * sum(a * b for a, b in zip([1, 2], numbers, strict=False))


@effect
def iterator_in_a_membership_test(log):
    numbers = iter(range(1, 100))
    return lambda x: x * (2.0 if 3 in numbers else 1.0)


@effect
def iterator_to_a_list(log):
    numbers = iter(range(1, 4))
    return lambda x: x * len(list(numbers))


@effect
def iterator_as_arguments(log):
    numbers = iter(range(1, 4))
    return lambda x: x * max(0, *numbers, 1)


@effect
def count(log):
    numbers = itertools.count(1)
    return lambda x: x * next(numbers)


@effect
def generator_made_outside(log):
    def steps():
        number = 0
        while True:
            number += 1
            yield number

    made = steps()
    return lambda x: x * next(made)


@effect
def sending_to_a_generator(log):
    def steps():
        total = 1
        while True:
            total += yield total

    made = steps()
    next(made)
    return lambda x: x * made.send(1)


@effect
def context_manager_class(log):
    class Region:
        def __enter__(self):
            log.append("in")
            return 2.0

        def __exit__(self, *_):
            log.append("out")

    region = Region()

    def body(x):
        with region as scale:
            return x * scale

    return body


@effect
def context_manager_of_a_generator(log):
    @contextlib.contextmanager
    def region():
        log.append("in")
        yield 2.0
        log.append("out")

    def body(x):
        with region() as scale:
            y = x * scale
        return y

    return body


@effect
def context_manager_that_sets_a_variable(log):
    settings = {"scale": 1.0}

    @contextlib.contextmanager
    def scaled(by):
        before = settings["scale"]
        settings["scale"] = before + by
        try:
            yield
        finally:
            log.append(settings["scale"])
            settings["scale"] = before

    def body(x):
        with scaled(2.0):
            y = x * settings["scale"]
        return y

    return body


@effect
def exit_stack(log):
    def body(x):
        with contextlib.ExitStack() as stack:
            stack.callback(log.append, "closed")
            return x * 2

    return body


@effect
def decorated_by_a_context(log):
    @contextlib.contextmanager
    def region():
        log.append("in")
        yield

    @region()
    def body(x):
        return x * 2

    return body
