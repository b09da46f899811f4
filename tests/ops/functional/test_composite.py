import pytest

import mindspore as ms
from mindspore import Tensor, ops
from mindspore.ops import composite as C
from mindspore.ops import functional as F

scale = C.MultitypeFuncGraph("scale")


@scale.register("Number", "Tensor")
def scale_by_number(factor, x):
    return x * factor


@scale.register("Tensor", "Tensor")
def scale_by_tensor(factor, x):
    return x * factor.astype(x.dtype)


@scale.register("Function", "Tensor")
def scale_by_function(factor, x):
    return factor(x)


def both(function):
    return pytest.mark.parametrize("wrap", [lambda f: f, ms.jit], ids=["eager", "graph"])(function)


def numbers(nested):
    return tuple(map(numbers, nested)) if isinstance(nested, (tuple, list)) else nested.asnumpy().tolist()


@both
def test_hyper_map_goes_into_nested_tuples(wrap):
    def add_all(x, y):
        return C.HyperMap()(ops.add, (x, (x, y)), (y, (x, [y][0])))

    assert numbers(wrap(add_all)(Tensor(1.0), Tensor(2.0))) == (3.0, (2.0, 4.0))


@both
def test_hyper_map_of_a_dispatched_function_with_its_first_argument_fixed(wrap):
    def scaled(factor, x, y):
        return C.HyperMap()(F.partial(scale, factor), (x, y))

    assert numbers(wrap(scaled)(Tensor(3.0), Tensor([1.0]), Tensor([2.0]))) == ([3.0], [6.0])


def test_the_function_may_be_given_first_or_at_construction():
    pairs = (Tensor(1.0), Tensor(2.0)), (Tensor(10.0), Tensor(20.0))
    assert numbers(C.Map(ops.add)(*pairs)) == numbers(C.Map()(ops.add, *pairs)) == (11.0, 22.0)
    assert numbers(C.HyperMap(scale)((2, 3), (Tensor(1.0), Tensor(1.0)))) == (2.0, 3.0)
    assert numbers(ops.hyper_map(ops.add, Tensor(1.0), Tensor(2.0))) == 3.0


def test_map_stays_on_the_first_level():
    assert C.Map()(lambda pair: len(pair), ((1, 2), (3,))) == (2, 1)


@pytest.mark.parametrize("name", ["HyperMap", "Map"])
def test_wrong_inputs_of_maps_are_refused(name):
    mapper = getattr(C, name)
    with pytest.raises(RuntimeError, match=f"The tuples in {name} should have the same length"):
        mapper()(ops.add, (1, 2), (1, 2, 3))
    with pytest.raises(TypeError, match=f"For '{name}', the first argument must be a function, but got 3"):
        mapper()(3, (1, 2))
    with pytest.raises(TypeError, match=f"For '{name}', the 'ops' must be a function"):
        mapper(3)
    with pytest.raises(TypeError, match="there must be a tuple or list"):
        mapper()(ops.add)


def test_a_form_that_fits_is_called():
    assert numbers(scale(2, Tensor([1.0]))) == [2.0]
    assert numbers(scale(Tensor(3), Tensor([1.0]))) == [3.0]
    assert numbers(scale(lambda x: x + 1, Tensor([1.0]))) == [2.0]
    assert numbers(scale(ops.Neg(), Tensor([1.0]))) == [-1.0]


def test_no_form_that_fits_is_an_error_that_lists_the_forms():
    with pytest.raises(
        ValueError, match=r"cannot find fn match given args.*\(Number, Tensor\).*but got \(String, Tensor\)"
    ):
        scale("text", Tensor([1.0]))
    with pytest.raises(ValueError, match="cannot find fn match given args"):
        scale(Tensor([1.0]))


def test_types_may_be_dtypes_python_types_and_names_of_values_we_do_not_have():
    kind = C.MultitypeFuncGraph("kind")
    kind.register("RowTensor", "Number")(lambda x, y: "row")
    kind.register(ms.dtype.tensor_type, ms.dtype.number)(lambda x, y: "tensor")
    kind.register("Tuple", "List")(lambda x, y: "sequences")
    kind.register("Bool", "None")(lambda x, y: "flag")
    kind.register("String", float)(lambda x, y: "text")
    kind.register_default()(lambda *args: "other")
    assert kind(Tensor(1), 2) == "tensor"
    assert kind((1,), [2]) == "sequences"
    assert kind(True, None) == "flag"
    assert kind("a", 1.5) == "text"
    assert kind("a", 1) == "other"


def test_a_misspelt_type_name_is_refused_with_a_suggestion():
    with pytest.raises(ValueError, match=r"no type named 'Tensr'. Did you mean 'Tensor'"):
        scale.register("Tensr")
    with pytest.raises(TypeError, match="'name' must be a str"):
        C.MultitypeFuncGraph(3)


def test_partial_fixes_leading_arguments():
    assert ops.Partial()(ops.sub, Tensor(5.0))(Tensor(2.0)).asnumpy() == 3.0
    with pytest.raises(TypeError, match="For 'partial', the 'func' must be a function, but got 3"):
        F.partial(3, 1)


@pytest.mark.usefixtures("mode")
def test_gradients_flow_through_hyper_map():
    def total(x, y):
        squares = C.HyperMap()(ops.square, (x, y))
        return squares[0] + squares[1]

    dx, dy = ms.grad(total, (0, 1))(Tensor(2.0), Tensor(3.0))
    assert (dx.asnumpy(), dy.asnumpy()) == (4.0, 6.0)


def test_flags_leave_the_function_as_it_is():
    @C.add_flags(has_effect=True)
    def step(x):
        return x

    assert step(1) == 1 and step._func_graph_flags == {"has_effect": True}
    assert C.tail((1, 2, 3)) == (2, 3) and C.zip_operation((1, 2), (3, 4)) == ((1, 3), (2, 4))


def test_the_error_for_arguments_that_fit_no_form_names_the_page():
    own = ops.MultitypeFuncGraph("own")
    own.set_doc_url("docs/own.md")
    with pytest.raises(ValueError, match=r"See docs/own\.md"):
        own(1)
    own.register_default_fn(lambda x: x + 1)
    assert own(1) == 2


@pytest.mark.parametrize(
    ("forms", "argument", "in_graph", "in_python"),  # which form MindSpore 2.10 calls
    [
        ("Number Bool", True, 1, 0),
        ("Bool Number", True, 1, 0),
        ("Bool Number", 1, 1, 1),
        ("Int Number", 1, 1, 0),
        ("Int Float", 1, 0, 0),
        ("Int32 Int64", 1, 1, 1),
        ("Int64 Int32", 1, 0, 0),
        ("Int64 Number", 1, 1, 0),
        ("Tensor Tensor", Tensor([1.0]), 1, 0),
        ("Tensor Number", Tensor([1.0]), 0, 0),
        ("TypeType Tensor", ms.float32, 0, 0),
    ],
)
def test_of_several_forms_graphs_call_the_last_that_fits(forms, argument, in_graph, in_python):
    kind = C.MultitypeFuncGraph("kind")
    for place, name in enumerate(forms.split()):
        kind.register(name)(lambda x, place=place: place)
    assert kind(argument) == in_python
    assert ms.jit(lambda x: kind(x))(argument) == in_graph


@both
@pytest.mark.parametrize("argument", [Tensor([1.0]), "text", (1,), 2])
def test_the_only_form_is_called_whatever_the_types(wrap, argument):
    kind = C.MultitypeFuncGraph("kind")
    kind.register("String")(lambda x: 7)
    assert wrap(lambda x: kind(x))(argument) == 7
    with pytest.raises(TypeError, match="positional argument"):
        wrap(lambda x: kind(x, x))(argument)


@pytest.mark.parametrize("name", ["HyperMap", "Map"])
@pytest.mark.parametrize("reverse", [False, True])
def test_maps_in_graphs_keep_lists_and_their_order(name, reverse):
    def product(a, b):
        return a * b

    mapper = getattr(C, name)(reverse=reverse)
    mapped = ms.jit(lambda x, y: mapper(product, x, y))
    assert mapped([1, 2.0], [3, 4]) == [3, 8.0]
    assert mapped((1, 2), (3, 4)) == (3, 8)
    assert mapped([], []) == []
    assert mapper(product, [1, 2], [3, 4]) == (3, 8)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ((((1, 2), 3), (2, 3)), ((1, 2, 1, 2), 9)),
        ((2, (1, 3)), (1, 3, 1, 3)),
        (([1, (2,)], [3, (4,)]), [3, (8,)]),
        (({"a": 2, "b": (3,)}, {"a": 4, "b": (5,)}), {"a": 8, "b": (15,)}),
    ],
)
def test_hyper_map_in_graphs_calls_the_function_where_nesting_ends_in_any_input(inputs, expected):
    def product(a, b):
        return a * b

    assert ms.jit(lambda x, y: C.HyperMap()(product, x, y))(*inputs) == expected
