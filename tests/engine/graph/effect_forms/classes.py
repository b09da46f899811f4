"""Making objects and classes."""

import dataclasses
import enum
import typing

from tests.engine.graph.effect_forms.forms import Counter, effect


@effect
def constructor(log):
    class Noted:
        def __init__(self, value):
            self.value = value
            log.append("made")

    return lambda x: Noted(x).value


@effect
def constructor_that_calls_a_method(log):
    counter = Counter(log)

    class Noted:
        def __init__(self, value):
            self.value = value * self.start(counter)

        def start(self, one):
            return one.bump()

    return lambda x: Noted(x).value


@effect
def new(log):
    class Single:
        one = None

        def __new__(cls):
            if cls.one is None:
                cls.one = super().__new__(cls)
                log.append("first")
            return cls.one

    return lambda x: x * (1.0 if Single() is Single() else 2.0)


@effect
def metaclass_call(log):
    class Meta(type):
        def __call__(cls, *args):
            log.append("call")
            return super().__call__(*args)

    class Made(metaclass=Meta):
        pass

    return lambda x: x if isinstance(Made(), Made) else x * 2


@effect
def finalizer(log):
    class Ends:
        def __del__(self):
            log.append("gone")

    def body(x):
        Ends()
        return x * 2

    return body


@effect
def class_body(log):
    def body(x):
        class Inner:
            log.append("body")
            scale = 2.0

        return x * Inner.scale

    return body


@effect
def init_subclass(log):
    class Base:
        def __init_subclass__(cls):
            log.append("subclass")

    def body(x):
        class Inner(Base):
            scale = 2.0

        return x * Inner.scale

    return body


@effect
def decorator_inside(log):
    def noting(function):
        log.append("decorated")
        return function

    def body(x):
        @noting
        def double(y):
            return y * 2

        @noting
        class Inner:
            pass

        return double(x)

    return body


@effect
def default_argument_inside(log):
    counter = Counter(log)

    def body(x):
        def inner(y, scale=counter.bump()):  # noqa: B008
            return y * scale

        return inner(x)

    return body


@effect
def mutable_default_argument(log):
    def body(x, seen=log):
        seen.append("called")
        return x * len(seen)

    return body


@effect
def dataclass_post_init(log):
    @dataclasses.dataclass
    class Point:
        scale: float

        def __post_init__(self):
            log.append("made")

    return lambda x: x * Point(2.0).scale


@effect
def dataclass_default_factory(log):
    counter = Counter(log)

    @dataclasses.dataclass
    class Point:
        scale: float = dataclasses.field(default_factory=counter.bump)

    return lambda x: x * Point().scale


@effect
def field_of_a_dataclass_outside(log):
    @dataclasses.dataclass
    class Point:
        scale: float = 1.0

    point = Point()

    def body(x):
        point.scale += 1
        return x * point.scale

    return body


@effect
def method_of_a_namedtuple(log):
    class Pair(typing.NamedTuple):
        first: float

        def scaled(self):
            log.append("scaled")
            return self.first

    pair = Pair(2.0)
    return lambda x: x * pair.scaled()


@effect
def enum_missing(log):
    class Kind(enum.Enum):
        ONE = 1

        @classmethod
        def _missing_(cls, value):
            log.append(value)
            return cls.ONE

    return lambda x: x * Kind(5).value
