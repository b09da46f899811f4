"""Python's builtin functions.

Each is run as Python and compiled, see ``test_language.py``.
"""

from mindspore import Tensor
from tests.engine.syntax.programs.cases import case

F, S, N, I = Tensor([1.0, 2.0, 3.0]), Tensor(2.0), Tensor(-2.0), Tensor([1, 2, 3])
M = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@case(S)
def b_int(x):
    return int(x), int(2.7), int("3"), int(True), int("11", 2)


@case(S)
def b_float(x):
    return float(x), float(1), float("1.5")


@case(S)
def b_bool(x):
    return bool(x), bool(0), bool(""), bool([1]), bool(Tensor([0]))


@case(S)
def b_str(x):
    return str(1), str([1, 2]), str(1.5), str(None)


@case(F)
def b_str_tensor(x):
    return str(x)


@case(F)
def b_tuple(x):
    return tuple([1, 2]), tuple(x), tuple({"a": 1}), tuple("ab"), tuple(), tuple(range(3))


@case(F)
def b_list(x):
    return list((1, 2)), list(x), list({"a": 1}), list("ab"), list(), list(range(3))


@case(F)
def b_getattr(x):
    return getattr(x, "shape"), getattr(x, "nope", 5), hasattr(x, "dtype"), hasattr(x, "nope")


@case(F)
def b_len(x):
    return len(x), len([1]), len({"a": 1}), len("abc"), len((1, 2))


@case(F)
def b_isinstance(x):
    return (
        isinstance(x, Tensor),
        isinstance(1, int),
        isinstance("a", str),
        isinstance((1,), (list, tuple)),
        isinstance([1], tuple),
        isinstance(1.0, (int, float)),
        isinstance({}, dict),
        isinstance(None, type(None)),
    )


@case(F)
def b_all_any(x):
    return all([1, 0]), any([0, ""]), all(x > 0), any(x > 2), all([]), any([]), all((True, x.sum() > 0)), any({"a": 1})


@case(F)
def b_round(x):
    return round(10), round(0.12), round(4.56), round(4.5678, 2), round(x * 1.26, 1)


@case(F)
def b_max(x):
    return (
        max(1, 2, 3),
        max([1, 5]),
        max(x),
        max({"a": 1, "b": 2}),
        max("abc"),
        min(1, 2),
        min((3, 1)),
        min(x),
        max(Tensor(1), Tensor(3)),
    )


@case(F)
def b_sum(x):
    return sum([1, 2]), sum((1, 2), 3), sum(x), sum([x, x]), sum({1: 2, 3: 4}), sum([x, 1])


@case(F)
def b_abs(x):
    return abs(-1), abs(-2.5), abs(-x), abs(True)


@case(F)
def b_map(x):
    return map(lambda a: a * 2, [1, 2]), list(map(lambda a, b: a + b, (1, 2), (3, 4))), tuple(map(str, (1, 2)))


@case(F)
def b_zip(x):
    return zip((1, 2), (3, 4)), list(zip([1], [x])), zip(), zip((1, 2, 3), (4,))


@case(F)
def b_enumerate(x):
    return enumerate((7, 8), 3), list(enumerate([x])), enumerate("ab")


@case(F)
def b_range(x):
    return range(3), range(1, 4), range(4, 0, -2), list(range(2)), len(range(5)), range(3)[1]


@case(F)
def b_filter(x):
    return filter(lambda v: v > 1, (1, 2, 3)), list(filter(None, [0, 1]))


@case(F)
def b_sorted(x):
    return sorted([3, 1, 2]), sorted((3, 1), reverse=True), sorted({"b": 1, "a": 2}), sorted([1, -2], key=abs)


@case(F)
def b_pow(x):
    return pow(2, 3), pow(x, 2), pow(2.0, 0.5)


@case(F)
def b_divmod(x):
    return divmod(7, 2)


@case(F)
def b_slice(x):
    return [1, 2, 3][slice(0, 2)], x[slice(1, 3)]


@case(F)
def b_super_type(x):
    return type(x) == Tensor, type(1) == int, type("a").__name__


@case(F)
def b_callable(x):
    return callable(len), callable(1)


@case(F)
def b_chr(x):
    return chr(97), ord("a"), hex(10), bin(5), oct(8)


@case(F)
def b_reversed(x):
    return list(reversed([1, 2])), [v for v in reversed((1, 2))]


@case(F)
def b_iter(x):
    it = iter([1, 2, 3])
    a = next(it)
    return a, next(it)


@case(F)
def b_id(x):
    return id(x) == id(x), hash(1)


@case(F)
def b_format(x):
    return (
        "{:.2f}".format(1.234),
        f"{3:03d}",
        f"{'a':>3}",
        "a,b".split(","),
        "-".join(["a", "b"]),
        " a ".strip(),
        "abc".startswith("a"),
        "abc".find("c"),
        "abc".replace("a", "z"),
    )
