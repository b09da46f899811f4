"""Arrays and iterators that change while a Tensor decides, and functions of libraries that change what they are given.

Each is run as Python and compiled, see ``test_language.py``.
"""

import bisect
import heapq
import itertools
import operator

import numpy as np

from mindspore import Tensor
from tests.engine.syntax.programs.cases import case

F = Tensor([1.0, 2.0, 3.0])


@case(-F)
def array_in_a_branch(x):
    a = np.zeros(3, np.float32)
    if x.sum() > 1:
        a[2] = 7
    return x + Tensor(a)


@case(-F)
def array_augmented_in_a_branch(x):
    a = np.zeros(3, np.float32)
    if x.sum() > 1:
        a += 1
    return x + Tensor(a)


@case(-F)
def array_sorted_in_a_branch(x):
    a = np.array([3, 1, 2], np.float32)
    if x.sum() > 1:
        a.sort()
    return x + Tensor(a)


@case(-F)
def array_filled_in_a_branch(x):
    a = np.array([3, 1, 2], np.float32)
    if x.sum() > 1:
        a.fill(9)
    else:
        np.copyto(a, 4)
    return x + Tensor(a)


@case(F)
def array_in_a_loop(x):
    a = np.zeros(3, np.float32)
    while x.sum() < 50:
        a[0] += 1
        x = x * 2
    return x + Tensor(a)


@case(-F)
def array_made_in_a_branch(x):
    if x.sum() > 1:
        a = np.zeros(3, np.float32)
        a[0] = 5
        y = x + Tensor(a)
    else:
        y = x
    return y


@case(-F)
def heap_in_a_branch(x):
    h = [3, 1, 2]
    if x.sum() > 1:
        heapq.heapify(h)
        heapq.heappush(h, 0)
    return h, x


@case(-F)
def list_changed_by_functions(x):
    h = [1, 5]
    if x.sum() > 1:
        bisect.insort(h, 3)
    else:
        list.append(h, 9)
    return h, x


@case(-F)
def items_set_by_functions(x):
    h = [1, 5]
    d = {}
    if x.sum() > 1:
        operator.setitem(h, 0, 100)
        operator.setitem(d, "a", 1)
    return h, d


@case(F)
def iterator_in_a_branch(x):
    it = iter([1.0, 2.0, 3.0])
    if x.sum() > 1:
        y = next(it)
    else:
        y = 0.0
    return y + next(it)


@case(-F)
def iterator_in_the_other_branch(x):
    it = iter([1.0, 2.0, 3.0])
    if x.sum() > 1:
        y = next(it)
    else:
        y = 0.0
    return y + next(it)


@case(F)
def iterator_in_a_loop(x):
    it = itertools.count(1)
    while x.sum() < 50:
        x = x + next(it)
    return x


@case(-F)
def generator_in_a_branch(x):
    def g():
        for i in range(5):
            yield float(i)

    k = g()
    next(k)
    if x.sum() > 1:
        y = sum(k)
    else:
        y = next(k)
    return y, list(k)


@case(F)
def iterator_made_in_a_branch(x):
    if x.sum() > 1:
        it = iter([1.0, 2.0])
        y = next(it) + next(it)
    else:
        y = 0.0
    for v in (i for i in range(3)):
        if x.sum() > v:
            y = y + v
    return y


@case(F)
def iterators_made_in_a_loop(x):
    while x.sum() < 50:
        for a, b in zip([1, 2], map(lambda v: v * 2, [3, 4])):
            x = x + a * b
        x = x + next(iter([5])) + sum(v for v in [1, 2])
        for k, v in {"a": 1}.items():
            x = x + v
    return x
