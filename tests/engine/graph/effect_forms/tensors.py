"""Tensors of outside, which graphs write, and hooks."""

import numpy as np

from mindspore import Parameter, Tensor, nn, ops
from tests.engine.graph.effect_forms.forms import Counter, effect, pure


@pure
def parameter_of_outside(log):
    steps = Parameter(Tensor(0.0), name="steps_outside")

    def body(x):
        ops.assign_add(steps, Tensor(1.0))
        return x * steps

    return body


@pure
def tensor_of_outside(log):
    kept = Tensor(np.zeros(3, np.float32))

    def body(x):
        kept[0] = kept[0] + 1.0
        return x * kept[0]

    return body


@effect
def list_of_tensors_of_outside(log):
    kept = [Tensor(1.0)]

    def body(x):
        kept[0] = kept[0] * 2
        return x * kept[0]

    return body


@effect
def data_of_a_parameter(log):
    scale = Parameter(Tensor(1.0), name="scale_outside")

    def body(x):
        scale.set_data(scale * 2)
        log.append(float(scale))
        return x * scale

    return body


@effect
def hook_of_a_cell(log):
    relu = nn.ReLU()
    counter = Counter(log)
    relu.register_forward_hook(lambda cell, inputs, output: output * counter.bump())
    relu.register_forward_pre_hook(lambda cell, inputs: log.append("before"))
    return relu


@effect
def cell_with_an_own_operator(log):
    class Gate(nn.Cell):
        def __getitem__(self, index):
            log.append(index)
            return 2.0

        def __contains__(self, index):
            log.append("in")
            return True

        def construct(self, x):
            return x * self[0] * (2.0 if 3 in self else 1.0)

    return Gate()


@effect
def property_setter_of_a_cell(log):
    class Gate(nn.Cell):
        @property
        def scale(self):
            return self._scale

        @scale.setter
        def scale(self, value):
            log.append("set")
            self._scale = value

        def construct(self, x):
            self.scale = x.sum()
            return x * self.scale

    return Gate()


@effect
def part_that_is_changed(log):
    def body(x):
        whole = x * 1
        part = whole[0:2]
        part[0] = 9.0
        return whole

    return body


@effect
def other_shape_that_is_changed(log):
    def body(x):
        whole = x * 1
        turned, flat = whole.T, whole.reshape(-1)
        flat.add_(1.0)
        return turned + flat.sum()

    return body


@effect
def whole_that_is_changed_under_its_part(log):
    def body(x):
        whole = x * 1
        part = whole[0:2]
        whole[1] = 5.0
        return part * whole[:2]

    return body


@pure
def elements_that_are_changed(log):
    def body(x):
        whole = (x * 1).reshape(-1)
        for place in range(1, 4):
            whole[place] = whole[place - 1] + 1
        whole[0:2] += 5.0
        whole[4] *= 2.0
        return whole

    return body
