"""Changes of things made outside."""

import collections
import contextlib
import operator
import types

import numpy as np

from tests.engine.graph.effect_forms.forms import Counter, effect


@effect
def item_of_what_a_call_gives(log):
    kept = {"count": 0}

    def place():
        return kept

    def body(x):
        place()["count"] += 1
        return x * kept["count"]

    return body


@effect
def attribute_of_what_a_call_gives(log):
    counter = Counter(log)

    def place():
        return counter

    def body(x):
        place().count = counter.count + 1
        return x * counter.count

    return body


@effect
def element_of_an_expression(log):
    kept = [0]

    def body(x):
        (kept if True else [])[0] += 1
        [kept][0].append(1)
        return x * kept[0] + len(kept)

    return body


@effect
def item_by_a_computed_key(log):
    kept = {}

    def body(x):
        kept[len(kept)] = 1
        kept[str(len(kept))] = 2
        return x * len(kept)

    return body


@effect
def deleting_an_item(log):
    kept = list(range(9))

    def body(x):
        del kept[0]
        return x * len(kept)

    return body


@effect
def deleting_an_attribute(log):
    class Kept:
        pass

    kept = Kept()
    kept.one = kept.two = kept.three = kept.four = 1

    def body(x):
        names = sorted(vars(kept))
        delattr(kept, names[0])
        return x * len(names)

    return body


@effect
def setattr_of_outside(log):
    kept = Counter(log)

    def body(x):
        setattr(kept, "count", kept.count + 1)  # noqa: B010
        return x * kept.count

    return body


@effect
def namespace_dict(log):
    kept = Counter(log)

    def body(x):
        kept.__dict__["count"] += 1
        vars(kept)["more"] = kept.count
        return x * kept.more

    return body


@effect
def object_setattr(log):
    kept = Counter(log)

    def body(x):
        object.__setattr__(kept, "count", kept.count + 1)
        return x * kept.count

    return body


@effect
def unbound_append(log):
    return lambda x: (list.append(log, "a"), operator.setitem(log, 0, "b"), operator.iadd(log, ["c"]), x * len(log))[3]


@effect
def augmented_list_of_outside(log):
    kept = {"all": log}

    def body(x):
        kept["all"] += ["one"]
        return x * len(log)

    return body


@effect
def augmented_argument(log):
    def inner(seen, x):
        seen += ["one"]
        return x * len(seen)

    return lambda x: inner(log, x)


@effect
def slice_of_outside(log):
    def body(x):
        log[len(log) :] = ["one", "two"]
        return x * len(log)

    return body


@effect
def loop_target_of_outside(log):
    kept = Counter(log)

    def body(x):
        for kept.count in range(kept.count + 2):  # noqa: B020
            x = x * 1.0
        return x * kept.count

    return body


@effect
def with_target_of_outside(log):
    kept = {"value": 0.0}

    def body(x):
        with contextlib.nullcontext(kept["value"] + 1.0) as kept["value"]:
            return x * kept["value"]

    return body


@effect
def class_attribute(log):
    class Kept:
        count = 0

    def body(x):
        Kept.count += 1
        return x * Kept.count

    return body


@effect
def function_attribute(log):
    def body(x):
        body.calls += 1
        return x * body.calls

    body.calls = 0
    return body


@effect
def array_of_outside(log):
    kept = np.zeros(2)

    def body(x):
        kept[0] += 1
        np.add(kept, 1, out=kept)
        kept.fill(kept[0])
        return x * float(kept[0])

    return body


@effect
def dictionary_of_outside(log):
    kept = collections.Counter()
    rest = collections.defaultdict(list)
    ends = collections.deque(maxlen=2)

    def body(x):
        kept.update("ab")
        rest["a"].append(1)
        ends.append(1)
        rest[len(rest)]
        return x * kept["a"] + len(rest) + len(ends)

    return body


@effect
def attribute_container_of_an_argument(log):
    kept = types.SimpleNamespace(seen=[])

    def note(place, x):
        place.seen.append(1)
        return x * len(place.seen)

    return lambda x: note(kept, x)


@effect
def change_in_a_handler(log):
    def body(x):
        try:
            raise KeyError("a")
        except KeyError as error:
            log.append(str(error))
        else:
            log.append("no")
        finally:
            log.append("at last")
        return x * 2

    return body


@effect
def change_in_a_match(log):
    def body(x):
        match x.shape:
            case (_, 3):
                log.append("three")
            case _:
                log.append("other")
        return x * 2

    return body


@effect
def match_by_property(log):
    class Point:
        __match_args__ = ("first",)
        first = property(lambda self: log.append("read") or 1)

    point = Point()

    def body(x):
        match point:
            case Point(1):
                return x * 2
        return x

    return body
