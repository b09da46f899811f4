"""What only computes."""

import collections
import contextlib
import dataclasses
import enum
import functools
import operator
import typing

import numpy as np

from mindspore import Tensor, ops
from tests.engine.graph.effect_forms.forms import pure


class Vector:
    """Operators and properties that only compute."""

    def __init__(self, value):
        self.value = value

    def __add__(self, other):
        return Vector(self.value + getattr(other, "value", other))

    def __radd__(self, other):
        return self + other

    def __mul__(self, factor):
        return Vector(self.value * factor)

    def __getitem__(self, index):
        return self.value[index]

    def __len__(self):
        return len(self.value.shape)

    def __iter__(self):
        yield self.value
        yield self.value * 2

    def __bool__(self):
        return self.value.shape[0] > 1

    def __eq__(self, other):
        return self.value.shape == other.value.shape

    def __hash__(self):
        return 3

    def __contains__(self, number):
        return number in self.value.shape

    def __call__(self, factor):
        return self.value * factor

    @property
    def doubled(self):
        if self.value.sum() > 0:
            return self.value * 2
        return self.value * 3


@pure
def pure_operators(log):
    outside = Vector(Tensor(np.ones((8, 3), np.float32)))

    def body(x):
        vector = Vector(x) + outside + 1.0
        vector += 2.0
        both = sum([vector, outside * 3.0]) if vector and len(vector) == 2 and 3 in vector else outside
        first, second = both
        return first + second + both[0] + both(2.0) + both.doubled + (1.0 if vector == outside else 2.0)

    return body


@pure
def pure_generators(log):
    def steps(x, count):
        for number in range(count):
            x = ops.relu(x) + number
            yield x

    return lambda x: sum(steps(x, 3)) + max(i * 2 for i in range(3))


@pure
def pure_contexts(log):
    @contextlib.contextmanager
    def scaled(x):
        yield x * 2

    class Region:
        def __enter__(self):
            return 3.0

        def __exit__(self, *_):
            return False

    def body(x):
        with scaled(x) as y, Region() as scale:
            return y * scale

    return body


@pure
def pure_classes(log):
    @dataclasses.dataclass
    class Point:
        first: typing.Any
        rest: list = dataclasses.field(default_factory=list)

        def summed(self):
            return self.first + sum(self.rest)

    class Pair(typing.NamedTuple):
        first: typing.Any
        second: typing.Any = 2.0

    class Kind(enum.Enum):
        ONE = 1

    def body(x):
        class Inner:
            scale = 2.0

            def __init__(self, value):
                self.kept = [value]
                self.kept.append(value * 2)

        point = Point(x)
        point.rest.append(x * 2)
        pair = Pair(x)
        inner = Inner(x)
        inner.kept.append(x)
        return point.summed() * pair.second + pair.first * Kind.ONE.value + sum(inner.kept) * Inner.scale

    return body


@pure
def pure_functions(log):
    @functools.singledispatch
    def scale(value):
        return 1.0

    @scale.register
    def _(value: int):
        return 2.0

    def body(x):
        double = functools.partial(lambda a, b: a * b, 2.0)
        parts = list(map(double, [x, x + 1]))
        pick = operator.itemgetter(1)
        return parts[0] + pick(parts) + scale(3) + functools.reduce(lambda a, b: a + b, parts)

    return body


@pure
def pure_collections(log):
    def body(x):
        grouped = collections.defaultdict(list)
        grouped["a"].append(x)
        grouped["b"].append(x * 2)
        ordered = collections.OrderedDict(a=x, b=x + 1)
        ordered.move_to_end("a")
        counted = collections.Counter("abca")
        counted["z"] += 2
        ends = collections.deque([x], maxlen=2)
        ends.append(x * 3)
        ends.appendleft(x)
        chained = collections.ChainMap({"a": 1.0}, {"b": 2.0})
        return (
            grouped["a"][0] + grouped["b"][0] + next(iter(ordered.values())) + counted["a"] + sum(ends) + chained["b"]
        )

    return body


@pure
def pure_answers(log):
    """What Python answers with a bool is one, also where a Tensor decides."""

    def body(x):
        first = x[0, 0]
        return x * (not first > 1), not first > 1, first in (1.0, 5.0), first not in [first], 1 if not first > 7 else 2

    return body
