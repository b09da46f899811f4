"""Special methods of the program's classes."""

import copy
import operator

import numpy as np

from mindspore import Tensor
from tests.engine.graph.effect_forms.forms import EFFECTS, effect, with_methods

_OPERATORS = {
    "__add__": lambda o, x: x + len((o + x).shape), "__sub__": lambda o, x: o - x, "__mul__": lambda o, x: o * x,
    "__truediv__": lambda o, x: o / x, "__matmul__": lambda o, x: o @ x, "__pow__": lambda o, x: o**x,
    "__mod__": lambda o, x: o % x, "__floordiv__": lambda o, x: o // x, "__and__": lambda o, x: o & x,
    "__lshift__": lambda o, x: o << x, "__getitem__": lambda o, x: o[0], "__call__": lambda o, x: o(x),
    "__lt__": lambda o, x: o < x, "__eq__": lambda o, x: o == x, "__ne__": lambda o, x: o != x, "__ge__": lambda o, x: o >= x,
    "__neg__": lambda o, x: -o, "__pos__": lambda o, x: +o, "__invert__": lambda o, x: ~o, "__abs__": lambda o, x: abs(o),
    "__iadd__": lambda o, x: _augmented(o, x),
}  # fmt: skip


def _augmented(owner, x):
    owner += x
    return owner


def _operator_form(name, use):
    def form(log):
        one = with_methods(log, **{name: lambda self, other=None: other if isinstance(other, Tensor) else 2.0})
        return lambda x: x * 1.0 + use(one, x)

    form.__name__ = f"operator{name}"
    return form


for _name, _use in _OPERATORS.items():
    EFFECTS[f"operator{_name}"] = _operator_form(_name, _use)

_ASKED = {
    "__len__": (2, lambda o: len(o)), "__bool__": (True, lambda o: 1 if o else 2),
    "__contains__": (True, lambda o: 1 if 3 in o else 2), "__iter__": (lambda self: iter((1, 2)), lambda o: sum(o)),
    "__int__": (3, lambda o: int(o)), "__float__": (3.0, lambda o: float(o)), "__index__": (1, lambda o: [5, 6][o]),
    "__str__": ("a", lambda o: len(str(o))), "__repr__": ("ab", lambda o: len(repr(o))),
    "__format__": (lambda self, form: "abc", lambda o: len(f"{o}")), "__hash__": (7, lambda o: len({o: 1})),
    "__getattr__": (lambda self, name: 4.0, lambda o: o.anything),
    "__round__": (2, lambda o: round(o)), "__reversed__": (lambda self: iter((1, 2)), lambda o: len(list(reversed(o)))),
    "__complex__": (1j, lambda o: abs(complex(o))), "__divmod__": (lambda self, other: (1, 2), lambda o: divmod(o, 2)[0]),
    "__array__": (lambda self, *_: np.ones(2), lambda o: float(np.asarray(o).sum())),
    "__copy__": (lambda self: self, lambda o: 1 if copy.copy(o) is o else 2),
    "__deepcopy__": (lambda self, memo: self, lambda o: 1 if copy.deepcopy(o) is o else 2),
    "__bytes__": (b"ab", lambda o: len(bytes(o))), "__dir__": (["a"], lambda o: len(dir(o))),
    "__length_hint__": (2, lambda o: operator.length_hint(o)), "__instancecheck__": (True, lambda o: isinstance(1, o) + 1),
    "__trunc__": (2, lambda o: __import__("math").trunc(o)), "__ceil__": (2, lambda o: __import__("math").ceil(o)),
}  # fmt: skip


def _asked_form(name, result, use):
    def form(log):
        one = with_methods(log, **{name: result})
        return lambda x: x * use(one)

    return form


for _name, (_result, _use) in _ASKED.items():
    EFFECTS[f"asked{_name}"] = _asked_form(_name, _result, _use)


@effect
def truth_by_length(log):
    one = with_methods(log, __len__=1)
    return lambda x: x if not one else x * 2


@effect
def truth_in_and_or(log):
    one = with_methods(log, __bool__=True)
    return lambda x: x * ((one and 2) + (0 if (one or 3) is one else 1))


@effect
def truth_in_while_and_assert(log):
    one = with_methods(log, __bool__=lambda self: len(log) % 3 != 2)

    def body(x):
        while one:
            x = x + 1
        return x

    return body


@effect
def truth_in_a_comprehension(log):
    one = with_methods(log, __bool__=True)
    return lambda x: x * len([i for i in range(3) if one])


@effect
def reflected_operator(log):
    one = with_methods(log, __radd__=lambda self, other: other + 2, __rmul__=lambda self, other: other)
    return lambda x: x * (2 * one) + (3 - one if False else sum([one]) * 1.0)


@effect
def comparisons_in_sorting(log):
    class Item:
        def __init__(self, rank):
            self.rank = rank

        def __lt__(self, other):
            log.append((self.rank, other.rank))
            return self.rank < other.rank

    items = [Item(2), Item(1)]
    return lambda x: x * sorted(items)[0].rank + min(items).rank


@effect
def equality_in_containers(log):
    one = with_methods(log, __eq__=lambda self, other: True)
    return lambda x: x * [one].index(3) + (2 if 5 in [one] else 1)


@effect
def unpacking_an_object(log):
    one = with_methods(log, __iter__=lambda self: iter((1.0, 2.0)))

    def body(x):
        first, second = one
        return x * first + [*one][1] + max(*one) + second

    return body


@effect
def iterating_by_getitem(log):
    def item(self, index):
        if index > 1:
            raise IndexError
        return index + 1.0

    one = with_methods(log, __getitem__=item)

    def body(x):
        for value in one:
            x = x * value
        return x

    return body


@effect
def iterator_of_the_program(log):
    class Steps:
        def __iter__(self):
            self.left = 2
            return self

        def __next__(self):
            log.append("next")
            if self.left == 0:
                raise StopIteration
            self.left -= 1
            return 2.0

    steps = Steps()

    def body(x):
        for value in steps:
            x = x * value
        return x

    return body


@effect
def keys_of_a_mapping(log):
    one = with_methods(log, keys=lambda self: ["a"], __getitem__=lambda self, key: 2.0)
    return lambda x: x * dict(**one)["a"]


@effect
def missing_keys(log):
    class Made(dict):
        def __missing__(self, key):
            log.append(key)
            return 2.0

    made = Made()
    return lambda x: x * made["a"]
