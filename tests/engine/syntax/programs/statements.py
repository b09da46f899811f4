"""Operators and statements.

Each is run as Python and compiled, see ``test_language.py``.
"""

from mindspore import Tensor
from tests.engine.syntax.programs.cases import case

F, S, N, I = Tensor([1.0, 2.0, 3.0]), Tensor(2.0), Tensor(-2.0), Tensor([1, 2, 3])
M = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


@case(F)
def augmented(x):
    a = 1
    a += 2
    a -= 1
    a *= 5
    a //= 3
    a **= 2
    a %= 5
    y = x
    y = y + 1
    y *= 2
    b = [1]
    b += [2]
    c = (1,)
    c += (2,)
    s = "a"
    s += "b"
    return a, y, b, c, s


@case(F)
def bit_numbers(x):
    return 5 & 3, 5 | 3, 5 ^ 3, ~5, 1 << 3, 16 >> 2


@case(F)
def chained(x):
    return 1 < 2 < 3, 3 > 2 > 2, 1 == 1 == 1


@case(S)
def chained_tensor(x):
    return 1 < x < 3, 0 < x < 1


@case(S)
def bool_ops(x):
    return x > 0 and x < 3, x > 5 or x > 1, not x > 0, x and 3, (x > 0) and 5


@case(F)
def in_ops(x):
    return 1 in [1, 2], "a" in {"a": 1}, 3 not in (1, 2)


@case(S)
def conditional_exp(x):
    return x if x > 0 else -x, 1 if x > 5 else 2, (x, 1) if True else 0


@case(S)
def if_else(x):
    if x > 0:
        y = x + 1
    elif x < -1:
        y = x - 1
    else:
        y = x
    return y


@case(N)
def if_else_n(x):
    if x > 0:
        y = x + 1
    elif x < -1:
        y = x - 1
    else:
        y = x
    return y


@case(S)
def nested_return(x):
    if x > 0:
        if x > 5:
            return x * 2
        else:
            return x * 3
    return x


@case(S, 3)
def nested_else_return(x, n):
    if n > 5:
        y = x
    else:
        if n > 4:
            return x
        else:
            if n == 3:
                return x * 7
    return y


@case(S, 3)
def return_in_else(x, n):
    if n == 3:
        x = x + 1
    else:
        return x
    return x * 2


@case(S)
def return_in_loop(x):
    for i in range(5):
        if i == 3:
            return x * i
    return x


@case(S)
def while_tensor(x):
    while x < 20:
        x = x * 2
    return x


@case(S)
def while_py(x):
    i = 0
    while i < 3:
        x = x + i
        i += 1
    return x, i


@case(S)
def while_break(x):
    i = 0
    while True:
        i += 1
        if i == 2:
            continue
        if i > 4:
            break
        x = x + i
    return x


@case(S)
def while_tensor_break(x):
    while x < 100:
        x = x * 2
        if x > 10:
            break
    return x


@case(S)
def while_else(x):
    i = 0
    while i < 2:
        i += 1
    else:
        x = x * 10
    return x


@case(S)
def for_else(x):
    for i in (1, 2):
        x = x + i
    else:
        x = x * 10
    return x


@case(M)
def for_tensor(x):
    s = 0
    for r in x:
        s = s + r.sum()
    return s


@case(F)
def for_zip(x):
    out = []
    for i, (a, b) in enumerate(zip([1, 2], [x, x + 1])):
        out.append(a * b + i)
    return out


@case(F)
def for_range(x):
    s = 0
    for i in range(5, 0, -2):
        s += i
    for i in range(2):
        s += i
    return s, x


@case(F)
def for_nested(x):
    for i in range(2):
        for j in range(3):
            if j == 1:
                continue
            x = x + i * j
    return x
