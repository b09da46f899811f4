"""Parameter and ParameterTuple: values, names, flags, copies. Facts as MindSpore 2.10 has them, where not said otherwise."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, ParameterTuple, Tensor, mint, ops
from mindspore.common.initializer import One, initializer


def make(value=(1.0, 2.0), name="w", **flags):
    return Parameter(Tensor(list(value) if isinstance(value, tuple) else value, ms.float32), name=name, **flags)


def numbers(tensor):
    return tensor.asnumpy().tolist()


# -- making -----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("value", "dtype", "shape"),
    [(3, ms.int32, ()), (2**40, ms.int64, ()), (3.5, ms.float32, ()), ([1, 2], ms.int64, (2,)), ([1.0, 2.0], ms.float32, (2,)),
     (np.ones(2), ms.float64, (2,)), (np.ones(2, np.int32), ms.int32, (2,)), (Tensor([True]), ms.bool_, (1,))],
)  # fmt: skip
def test_default_inputs(value, dtype, shape):
    parameter = Parameter(value)
    assert (parameter.dtype, parameter.shape) == (dtype, shape)
    assert np.array_equal(parameter.asnumpy(), np.asarray(value))


@pytest.mark.parametrize(
    ("value", "error"), [(True, ValueError), ("a", TypeError), (None, TypeError), ({}, TypeError), (1j, TypeError)]
)
def test_other_inputs_are_refused(value, error):
    with pytest.raises(error, match="For 'Parameter', the 'default_input'"):
        Parameter(value)


def test_a_parameter_of_a_lazy_tensor_has_its_data():
    lazy = initializer("ones", [2, 3])
    parameter = Parameter(lazy, name="lazy")
    assert not parameter.has_init and parameter.init_data() is parameter
    assert numbers(parameter) == [[1.0] * 3] * 2


def test_a_parameter_does_not_follow_the_tensor_it_was_made_of():
    source = Tensor([5.0, 6.0])
    parameter = Parameter(source)
    source[0] = 100.0
    parameter[1] = 50.0
    assert numbers(parameter) == [5.0, 50.0] and numbers(source) == [100.0, 6.0]


def test_a_parameter_of_a_parameter_has_its_own_name():
    assert Parameter(make()).name.startswith("Parameter#")
    assert Parameter(make(), name="other").name == "other"


# -- names and flags --------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", [None, "", "   "])
def test_without_a_name_one_is_made_up(name):
    first, second = Parameter(1, name=name), Parameter(1, name=name)
    assert first.name.startswith("Parameter#") and first.name != second.name and first.has_placeholder_name


def test_names():
    assert Parameter(1, name=" a ").name == "a"
    assert Parameter(1, name="a.b c").name == "a.b c"
    parameter = make()
    parameter.name = "other"
    assert parameter.name == "other"


@pytest.mark.parametrize("name", [3, b"a", "x" * 1025])
def test_wrong_names_are_refused(name):
    with pytest.raises(ValueError, match="Parameter's name"):
        Parameter(1, name=name)
    parameter = make()
    with pytest.raises(ValueError, match="Parameter's name"):
        parameter.name = name
    assert parameter.name == "w"


@pytest.mark.parametrize("flag", ["requires_grad", "layerwise_parallel", "parallel_optimizer"])
def test_flags_are_bools(flag):
    with pytest.raises(TypeError, match=f"`{flag}` must be bool"):
        make(**{flag: 1})
    parameter = make()
    with pytest.raises(TypeError, match=f"`{flag}` must be bool"):
        setattr(parameter, flag, "a")
    setattr(parameter, flag, False)
    assert getattr(parameter, flag) is False


def test_comm_fusion_is_a_count():
    parameter = make()
    assert parameter.comm_fusion == 1
    with pytest.raises(TypeError, match="comm_fusion"):
        parameter.comm_fusion = "a"
    with pytest.raises(ValueError, match="comm_fusion"):
        parameter.comm_fusion = -1
    parameter.comm_fusion = 2
    assert parameter.comm_fusion == 2


def test_attributes_old_programs_read():
    parameter = make()
    assert (parameter.unique, parameter.sliced, parameter.is_init, parameter.inited_param) == (
        False,
        False,
        False,
        None,
    )
    assert parameter.param_info.name == "w"
    parameter.is_init = True
    assert parameter.is_init


def test_text():
    parameter = make(requires_grad=False)
    assert repr(parameter) == str(parameter) == "Parameter (name=w, shape=(2,), dtype=Float32, requires_grad=False)"


# -- value ------------------------------------------------------------------------------------------------------------
def test_operators_give_plain_tensors(mode):
    parameter = make()
    for result in (parameter + 1, -parameter, parameter[0], parameter.astype(ms.int32), parameter.reshape((2, 1))):
        assert type(result) is Tensor
    assert isinstance(parameter, Tensor)


@pytest.mark.parametrize(
    "convert",
    [
        lambda w: w.astype(ms.float32),
        lambda w: w.astype(ms.float32, copy=False),
        lambda w: w.float(),
        lambda w: w.to(ms.float32),
        lambda w: w.type(ms.float32),
        mint.clone,
    ],
)
def test_conversions_to_the_own_dtype_give_plain_tensors(mode, convert):
    w = Parameter(Tensor([1.0, 2.0]), name="w")
    assert type(convert(w)) is Tensor
    assert ms.grad(lambda x: (convert(w) * x * w).sum(), None, [w])(Tensor(3.0))[0].asnumpy().tolist() == [6.0, 12.0]


def test_elements_are_written_in_place():
    parameter = make()
    parameter[0] = 9.0
    assert numbers(parameter) == [9.0, 2.0]
    parameter[...] = 3
    parameter[1:] = Tensor([4.0])
    assert numbers(parameter) == [3.0, 4.0] and isinstance(parameter, Parameter)


def test_data_and_value_are_tensors():
    parameter = make()
    assert type(parameter.data) is Tensor and str(parameter.data) == "[1. 2.]"
    parameter.data[0] = 9.0
    assert numbers(parameter) == [9.0, 2.0]
    before = parameter.value()
    parameter.data = Tensor([3.0, 4.0])
    assert numbers(parameter) == [3.0, 4.0] and numbers(before) == [9.0, 2.0]


@pytest.mark.parametrize(
    ("value", "expected"),
    [(Tensor([5.0, 6.0]), [5.0, 6.0]), (Tensor([5, 6], ms.int32), [5.0, 6.0]), (Tensor([5.0, 6.0], ms.float64), [5.0, 6.0]),
     (Tensor([5.0, 6.0], ms.float16), [5.0, 6.0]), (make((8.0, 9.0), "o"), [8.0, 9.0]), (initializer("ones", [2]), [1.0, 1.0]),
     (np.array([1.0, 3.0], np.float32), [1.0, 3.0])],
)  # fmt: skip
def test_set_data_converts_to_the_parameters_dtype(value, expected):
    parameter = make()
    assert parameter.set_data(value) is parameter
    assert (numbers(parameter), parameter.dtype, parameter.name) == (expected, ms.float32, "w")


def test_set_data_with_numbers():
    assert numbers(make(1.0).set_data(3)) == 3.0
    assert numbers(Parameter([1.0]).set_data(3.5)) == [3.5]
    assert numbers(Parameter(5).set_data(True)) == 1
    assert numbers(Parameter(Tensor(False)).set_data(2.5)) is True
    with pytest.raises(TypeError, match=r"Int32, and incoming is the number 2\.5"):
        Parameter(5).set_data(2.5)


def test_a_copy_is_a_parameter_of_the_same_name():
    copied = make().copy()
    assert (type(copied), copied.name, numbers(copied)) == (Parameter, "w", [1.0, 2.0])


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_gradients_pass_through_a_copy(mode):
    ms.set_context(mode=mode)
    parameter = make()
    gradient = ms.grad(lambda x: (parameter.copy() * x).sum(), None, parameter)(Tensor([3.0, 4.0]))
    assert numbers(gradient) == [3.0, 4.0]


def test_set_data_may_change_the_shape():
    assert make().set_data(Tensor([1.0, 2.0, 3.0])).shape == (3,)
    assert make().set_data(Tensor([1.0, 2.0, 3.0]), slice_shape=True).shape == (3,)


@pytest.mark.parametrize("value", ["a", None, [1.0, 2.0]])
def test_set_data_refuses_other_values(value):
    parameter = make()
    with pytest.raises(TypeError, match="For 'set_data'"):
        parameter.set_data(value)
    assert numbers(parameter) == [1.0, 2.0]


def test_set_data_does_not_share():
    parameter, given = make(), Tensor([5.0, 6.0])
    parameter.set_data(given)
    parameter[0] = 0.0
    given[1] = 0.0
    assert numbers(parameter) == [0.0, 6.0] and numbers(given) == [5.0, 0.0]


def test_set_data_is_seen_by_compiled_functions(mode):
    parameter = make()

    @ms.jit
    def double(x):
        return x * parameter

    first = numbers(double(Tensor([2.0, 2.0])))
    parameter.set_data(Tensor([5.0, 5.0]))
    assert (first, numbers(double(Tensor([2.0, 2.0])))) == ([2.0, 4.0], [10.0, 10.0])


def test_assign(mode):
    parameter = make()
    assert numbers(ops.assign(parameter, Tensor([9.0, 9.0]))) == [9.0, 9.0]
    assert numbers(ops.assign_add(parameter, Tensor([1.0, 1.0]))) == [10.0, 10.0]
    with pytest.raises(ValueError, match="'value' must have the same shape as 'variable'"):
        ops.assign(parameter, Tensor([1.0]))
    assert numbers(parameter) == [10.0, 10.0]


# -- copies -----------------------------------------------------------------------------------------------------------
def test_clone():
    parameter = make(requires_grad=False)
    parameter.comm_fusion = 3
    copied = parameter.clone()
    copied[0] = 9.0
    assert (copied.name, copied.requires_grad, copied.comm_fusion, numbers(parameter)) == ("w", False, 3, [1.0, 2.0])
    assert numbers(parameter.clone("zeros")) == [0.0, 0.0]
    assert numbers(parameter.clone(3)) == [3.0, 3.0]
    assert numbers(parameter.clone(Tensor([8.0, 8.0]))) == [8.0, 8.0]
    with pytest.raises(ValueError, match="'foo' was not found"):
        parameter.clone("foo")
    with pytest.raises(ValueError, match="shape"):
        parameter.clone(Tensor([8.0]))


@pytest.mark.parametrize("copies", [copy.deepcopy, copy.copy, lambda p: pickle.loads(pickle.dumps(p))])
def test_copies_are_independent(copies):
    parameter = make(requires_grad=False)
    copied = copies(parameter)
    copied[0] = 9.0
    assert (type(copied), copied.name, copied.requires_grad) == (Parameter, "w", False)
    assert numbers(parameter) == [1.0, 2.0]


def test_identity_and_hash():
    parameter = make()
    assert len({parameter, parameter, make()}) == 2
    assert numbers(parameter == parameter) == [True, True]


# -- ParameterTuple ---------------------------------------------------------------------------------------------------
def test_parameter_tuples():
    a, b = make(name="a"), make(name="b")
    for iterable in ((a, b), [a, b], iter([a, b]), filter(lambda p: p.requires_grad, [a, b])):
        found = ParameterTuple(iterable)
        assert isinstance(found, tuple) and found[0] is a and len(found) == 2
    assert len(ParameterTuple([a, a])) == 2 and len(ParameterTuple([])) == 0


def test_clones_of_a_parameter_tuple_have_a_prefix():
    weights = ParameterTuple([make(name="a"), make(name="b")])
    moments = weights.clone("moments", "zeros")
    assert type(moments) is ParameterTuple
    assert [(p.name, numbers(p)) for p in moments] == [("moments.a", [0.0, 0.0]), ("moments.b", [0.0, 0.0])]
    assert [numbers(p) for p in weights.clone("m")] == [[1.0, 2.0], [1.0, 2.0]]
    with pytest.raises(TypeError, match="'prefix' must be a str"):
        weights.clone(3)


def test_parameter_tuples_refuse_other_members_and_equal_names():
    with pytest.raises(TypeError, match="every element must be a Parameter, but got 3"):
        ParameterTuple([make(), 3])
    with pytest.raises(ValueError, match="name 'w' already exists"):
        ParameterTuple([make(), make()])
    with pytest.raises(TypeError):
        ParameterTuple(3)


def test_a_program_may_number_its_parameters():
    parameter = make()
    assert parameter.key == -1
    parameter.key = 2
    assert parameter.key == parameter.clone().key == parameter.param_info.key == 2
    with pytest.raises(TypeError, match="`key` must be int type"):
        parameter.key = "two"


def test_showing_what_has_no_data_yet_draws_nothing():
    ms.set_seed(1)
    first = initializer("normal", [2, 2]).init_data().asnumpy()
    ms.set_seed(1)
    lazy = initializer("normal", [2, 2])
    assert str(lazy) == "Tensor(shape=[2, 2], dtype=Float32, value=\n<uninitialized>)"
    assert str(initializer("ones", [2], ms.int32)) == "Tensor(shape=[2], dtype=Int32, value=<uninitialized>)"
    assert lazy.has_init and "uninitialized" in f"{lazy}" and "uninitialized" in repr(lazy)
    np.testing.assert_array_equal(lazy.init_data().asnumpy(), first)
    assert "uninitialized" not in str(lazy)
    assert "None" not in str(Tensor(shape=[None], dtype=ms.int32))


def test_data_of_any_dtype_become_the_parameters() -> None:
    def given(own, data):
        return Parameter(Tensor([1, 2], own), name="w").set_data(data).value().tolist()

    assert given(ms.int32, Tensor([3.7, -3.7])) == [3, -3]
    assert given(ms.bool_, Tensor([3.7, 0.0])) == [True, False]
    assert given(ms.float32, Tensor(np.array([1 + 2j, 3], np.complex64))) == [1.0, 3.0]


def test_a_lazy_tensor_takes_another_shape_and_has_no_initializer_afterwards() -> None:
    lazy = Tensor(shape=(2, 2), dtype=ms.float32, init=One())
    assert lazy.init is not None and lazy.init_data(shape=(1, 2)).tolist() == [[1.0, 1.0]]
    assert lazy.init is None and not lazy.has_init
