"""Distributions and bijectors: numbers recorded from real MindSpore 2.10, samples, and use inside of networks."""

from __future__ import annotations

import numpy as np
import pytest

import mindspore as ms
from mindspore import Parameter, Tensor, nn
from mindspore.nn.probability import bijector
from mindspore.nn.probability import distribution as msd

X = Tensor([0.3, 0.9, 1.7])
UNIT = Tensor([0.2, 0.5, 0.9])
COUNTS = Tensor([0.0, 1.0, 3.0])
ALL = ("prob", "log_prob", "cdf", "log_cdf", "survival_function", "log_survival")

# distribution, values, {function: what real MindSpore gives}, other parameters, [kl_loss, cross_entropy]
RECORDED = {
    "Normal": (msd.Normal(0.5, 2.0), X, {
        "prob": [0.19848, 0.19552, 0.16661], "cdf": [0.46017, 0.57926, 0.72575], "log_survival": [-0.61651, -0.86574, -1.2937],
        "mean": 0.5, "sd": 2.0, "var": 4.0, "mode": 0.5, "entropy": 2.11209}, (0.3, 1.5), [0.1101, 2.22218]),
    "Uniform": (msd.Uniform(0.1, 2.5), X, {
        "prob": [0.41667] * 3, "cdf": [0.08333, 0.33333, 0.66667], "mean": 1.3, "sd": 0.69282, "entropy": 0.87547},
        (0.0, 3.0), [0.22314, 1.09861]),
    "Bernoulli": (msd.Bernoulli(0.3), Tensor([0, 1, 1], ms.int32), {
        "prob": [0.7, 0.3, 0.3], "cdf": [0.7, 1, 1], "mean": 0.3, "sd": 0.45826, "mode": 0, "entropy": 0.61086},
        (0.6,), [0.18379, 0.79465]),
    "Categorical": (msd.Categorical([0.2, 0.3, 0.5]), Tensor([0, 2, 1], ms.int32), {
        "prob": [0.2, 0.5, 0.3], "cdf": [0.2, 1.0, 0.5], "mean": [1.3], "var": [0.61], "mode": 2, "entropy": 1.02965},
        ([0.1, 0.5, 0.4],), [0.09695, 1.12661]),
    "Exponential": (msd.Exponential(0.7), X, {
        "prob": [0.56741, 0.37281, 0.21295], "cdf": [0.18942, 0.46741, 0.69578], "log_survival": [-0.21, -0.63, -1.19],
        "mean": 1.42857, "sd": 1.42857, "mode": 0, "entropy": 1.35667}, (1.3,), [0.2381, 1.59478]),
    "Gamma": (msd.Gamma([2.0], [1.5]), X, {
        "prob": [0.4304, 0.52496, 0.29866], "cdf": [0.07544, 0.39079, 0.72281], "mean": [1.33333], "sd": [0.94281],
        "mode": [0.66667], "entropy": [1.17175]}, ([3.0], [0.5]), [[2.23287], [3.40462]]),
    "Beta": (msd.Beta([2.0], [3.0]), UNIT, {
        "prob": [1.536, 1.5, 0.108], "mean": [0.4], "sd": [0.2], "mode": [0.33333], "entropy": [-0.23491]},
        ([1.5], [2.5]), [[0.02371], [-0.21119]]),
    "Poisson": (msd.Poisson([1.5]), COUNTS, {
        "prob": [0.22313, 0.3347, 0.12551], "cdf": [0.22313, 0.55783, 0.93436], "mean": [1.5], "sd": [1.22474], "mode": [1]},
        None, None),
    "LogNormal": (msd.LogNormal(0.3, 0.8), X, {
        "prob": [0.28395, 0.48733, 0.2814], "cdf": [0.03006, 0.30618, 0.61344], "mean": 1.85893, "sd": 1.76008,
        "mode": 0.71177, "entropy": 1.4958}, (0.1, 1.2), [0.14158, 1.63737]),
    "Gumbel": (msd.Gumbel(0.3, 1.4), X, {
        "prob": [0.26277, 0.24257, 0.18189], "cdf": [0.36788, 0.5213, 0.6922], "mean": 1.1081, "sd": 1.79557, "mode": 0.3,
        "entropy": 1.91369}, (0.1, 1.2), [0.0249, 1.93859]),
    "Cauchy": (msd.Cauchy(0.3, 1.4), X, {
        "prob": [0.22736, 0.19208, 0.11368], "cdf": [0.5, 0.62888, 0.75], "mode": 0.3, "entropy": 2.8675},
        (0.1, 1.2), [0.01183, 2.87933]),
    "Logistic": (msd.Logistic(0.3, 1.4), X, {
        "prob": [0.17857, 0.17062, 0.14044], "cdf": [0.5, 0.60553, 0.73106], "mean": 0.3, "sd": 2.53932, "entropy": 2.33647},
        None, None),
    "Geometric": (msd.Geometric(0.4), COUNTS, {
        "prob": [0.4, 0.24, 0.0864], "cdf": [0.4, 0.64, 0.8704], "mean": 1.5, "sd": 1.93649, "mode": 0, "entropy": 1.68253},
        (0.6,), [0.20273, 1.88526]),
    "HalfNormal": (msd.HalfNormal(0.0, 1.4), X, {"prob": [0.55698, 0.46352, 0.27267]}, None, None),
    "Laplace": (msd.Laplace(0.3, 1.4), X, {"prob": [0.35714, 0.23266, 0.13139]}, None, None),
    "StudentT": (msd.StudentT(3.0, 0.3, 1.4), X, {"prob": [0.26254, 0.23312, 0.14768]}, None, None),
}  # fmt: skip
every = pytest.mark.parametrize("name", RECORDED)


@every
def test_numbers_are_those_of_real_mindspore(name):
    distribution, values, expected, other, divergences = RECORDED[name]
    for function, numbers in expected.items():
        arguments = (values,) if function in ALL else ()
        found = getattr(distribution, function)(*arguments).asnumpy()
        assert found.shape == np.shape(numbers), function
        np.testing.assert_allclose(found, numbers, atol=2e-5, err_msg=function)
    if other is not None:
        parameters = [Tensor(value) for value in other]
        for function, number in zip(("kl_loss", "cross_entropy"), divergences):
            np.testing.assert_allclose(getattr(distribution, function)(name, *parameters).asnumpy(), number, atol=2e-5)


@every
def test_logarithms_and_complements_agree(name):
    distribution, values, expected, _, _ = RECORDED[name]
    np.testing.assert_allclose(
        np.exp(distribution.log_prob(values).asnumpy()), distribution.prob(values).asnumpy(), 1e-4
    )
    if "cdf" in expected:
        below, beyond = distribution.cdf(values).asnumpy(), distribution.survival_function(values).asnumpy()
        np.testing.assert_allclose(below + beyond, 1, atol=1e-5)
        np.testing.assert_allclose(np.exp(distribution.log_cdf(values).asnumpy()), below, atol=1e-5)


@every
def test_samples_have_the_moments_of_the_distribution(name):
    distribution, _, expected, _, _ = RECORDED[name]
    if "mean" not in expected:
        return
    ms.set_seed(3)
    drawn = distribution.sample((4000,))
    assert drawn.shape == (4000, *distribution.batch_shape) and drawn.dtype == distribution.dtype
    mean, deviation = (np.squeeze(getattr(distribution, f)().asnumpy()) for f in ("mean", "sd"))
    assert abs(drawn.asnumpy().mean() - mean) < 5 * deviation / 4000**0.5


def test_categories_are_drawn_as_often_as_they_should(mode):
    ms.set_seed(1)
    weights = np.array([[0.2, 0.3, 0.5], [0.6, 0.3, 0.1]])
    drawn = msd.Categorical(weights).sample((3000,)).asnumpy()
    assert drawn.shape == (3000, 2)
    for column, expected in zip(drawn.T, weights):
        np.testing.assert_allclose(np.bincount(column, minlength=3) / 3000, expected, atol=0.04)


def test_a_seed_gives_the_same_samples_and_each_call_others():
    first, second = msd.Normal(0.0, 1.0, seed=5), msd.Normal(0.0, 1.0, seed=5)
    drawn = first.sample((3,)).asnumpy()
    np.testing.assert_array_equal(drawn, second.sample((3,)).asnumpy())
    assert (drawn != first.sample((3,)).asnumpy()).all()


def test_parameters_may_come_with_the_call(mode):
    normal = msd.Normal(dtype=ms.float32)
    mean, sd = Tensor([0.0, 1.0, 2.0]), Tensor([1.0])
    np.testing.assert_allclose(normal.prob(X, mean, sd).asnumpy(), [0.38139, 0.39695, 0.38139], atol=1e-5)
    np.testing.assert_allclose(normal.sd(mean, sd).asnumpy(), [1, 1, 1])
    assert normal.sample((2,), mean, sd).shape == (2, 3)
    np.testing.assert_allclose(normal.prob(value=X, mean=mean, sd=sd).asnumpy(), normal.prob(X, mean, sd).asnumpy())
    other = msd.Normal(0.0, 1.0).kl_loss("Normal", Tensor(1.0), Tensor(2.0), Tensor(0.5), Tensor(0.5))
    assert other.asnumpy() == pytest.approx(0.94879, abs=1e-5)


def test_distributions_work_inside_of_networks(mode):
    class Likelihood(nn.Cell):
        def __init__(self):
            super().__init__()
            self.normal = msd.Normal(Parameter(Tensor(1.0), name="mean"), 2.0)

        def construct(self, x):
            return self.normal.log_prob(x).sum() + self.normal("entropy")

    net = Likelihood()
    assert len(net.trainable_params()) == 1
    expected = msd.Normal(1.0, 2.0)
    assert net(X).asnumpy() == pytest.approx(float(expected.log_prob(X).sum() + expected.entropy()), rel=1e-5)
    gradient = ms.grad(net, None, net.trainable_params())(X)[0]
    assert gradient.asnumpy() == pytest.approx(((X.asnumpy() - 1) / 4).sum(), rel=1e-4)


def test_samples_inside_of_networks_differ_from_call_to_call(mode):
    class Noise(nn.Cell):
        def __init__(self):
            super().__init__()
            self.normal = msd.Normal(0.0, 1.0)

        def construct(self, x):
            return x + self.normal.sample((3,))

    net = Noise()
    assert (net(X).asnumpy() != net(X).asnumpy()).all()


def test_arguments_of_a_distribution_are_handed_on_as_they_are():
    assert msd.Normal().get_dist_args() == (None, None) and msd.Exponential().get_dist_args() == (None,)
    mean, sd = msd.Normal(1.0, 2.0).get_dist_args(Tensor([3.0, 4.0]))
    assert mean.shape == (2,) and sd.shape == ()
    value, fixed = Tensor([0.5]), msd.Normal(3.0, 4.0)
    np.testing.assert_array_equal(fixed.prob(value, *msd.Normal().get_dist_args()), fixed.prob(value))


def test_a_distribution_without_all_parameters_has_no_batch_shape():
    assert msd.Normal([1.0, 2.0]).batch_shape is None and not msd.Normal([1.0, 2.0]).is_scalar_batch
    assert msd.Categorical().batch_shape is None and msd.Categorical().is_scalar_batch


def test_printed_forms():
    assert repr(msd.Normal(0.5, 2.0)) == "Normal(mean = 0.5, standard deviation = 2.0)"
    assert repr(msd.Normal([1.0, 2.0], 1.0)) == "Normal(batch_shape = (2,))"
    assert repr(msd.Normal()) == "Normal(mean = None, standard deviation = None)"
    assert repr(msd.Categorical([0.2, 0.3, 0.5])) == "Categorical(probs = [0.2 0.3 0.5])"
    assert repr(bijector.ScalarAffine(2.0, 0.5)) == "ScalarAffine(scale = 2.0, shift = 0.5)"


def test_values_outside_have_no_probability():
    np.testing.assert_allclose(
        msd.Uniform(0.0, 1.0).prob(Tensor([-1.0, 0.0, 0.5, 1.0, 2.0])).asnumpy(), [0, 1, 1, 1, 0]
    )
    assert (
        msd.Exponential(1.0).prob(Tensor([-1.0])).asnumpy() == 0
        and msd.Exponential(1.0).cdf(Tensor([-1.0])).asnumpy() == 0
    )
    np.testing.assert_allclose(msd.Geometric(0.4).cdf(Tensor([-1.0, 0.5, 2.5])).asnumpy(), [0, 0.4, 0.784], 1e-5)
    assert np.isinf(msd.Uniform(0.0, 1.0).kl_loss("Uniform", Tensor(0.5), Tensor(2.0)).asnumpy())


# -- bijectors ---------------------------------------------------------------------------------------------------------
BIJECTORS = {
    "Exp": (bijector.Exp(), X, [1.34986, 2.4596, 5.47394], [-1.20397, -0.10536, 0.53063], [0.3, 0.9, 1.7]),
    "Softplus": (bijector.Softplus(2.0), X, [0.51874, 0.97649, 1.71641], [-0.09794, 0.80966, 1.68303],
                 [-0.43749, -0.15298, -0.03283]),
    "ScalarAffine": (bijector.ScalarAffine(2.0, 0.5), X, [1.1, 2.3, 3.9], [-0.1, 0.2, 0.6], 0.69315),
    "PowerTransform": (bijector.PowerTransform(2.0), X, [1.26491, 1.67332, 2.09762], [-0.455, -0.095, 0.945],
                       [-0.235, -0.51481, -0.7408]),
    "GumbelCDF": (bijector.GumbelCDF(0.5, 2.0), UNIT, [0.31291, 0.36788, 0.44099], [-0.45177, 1.23303, 5.00073],
                  [-1.70498, -1.69315, -1.71188]),
    "Invert": (bijector.Invert(bijector.Exp()), X, [-1.20397, -0.10536, 0.53063], [1.34986, 2.4596, 5.47394],
               [1.20397, 0.10536, -0.53063]),
}  # fmt: skip


@pytest.mark.parametrize("name", BIJECTORS)
def test_bijectors(name):
    one, value, forward, inverse, slope = BIJECTORS[name]
    np.testing.assert_allclose(one.forward(value).asnumpy(), forward, atol=2e-5)
    np.testing.assert_allclose(one.inverse(value).asnumpy(), inverse, atol=2e-5)
    np.testing.assert_allclose(one.forward_log_jacobian(value).asnumpy(), slope, atol=2e-5)
    back = one.inverse_log_jacobian(one.forward(value)).asnumpy()
    np.testing.assert_allclose(back, -np.asarray(slope), atol=2e-5)
    np.testing.assert_allclose(one("forward", value).asnumpy(), forward, atol=2e-5)


def test_a_bijector_makes_a_distribution_of_a_distribution():
    made = bijector.Exp()(msd.Normal(0.3, 0.8))
    assert isinstance(made, msd.TransformedDistribution)
    np.testing.assert_allclose(made.prob(X).asnumpy(), msd.LogNormal(0.3, 0.8).prob(X).asnumpy(), 1e-5)
    linear = msd.TransformedDistribution(bijector.ScalarAffine(2.0, 1.0), msd.Normal(0.5, 1.0))
    assert linear.mean().asnumpy() == 2.0 and linear.is_linear_transformation
    with pytest.raises(ValueError, match="not linear"):
        made.mean()


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda: msd.Normal(0.0, -1.0), ValueError, "'sd' must be greater than 0"),
        (lambda: msd.Normal("a", 1.0), TypeError, "mean"),
        (lambda: msd.Normal(0.0, 1.0, dtype=ms.int32), TypeError, "floating-point"),
        (lambda: msd.Normal(0.0, 1.0, seed=-1), ValueError, "seed"),
        (lambda: msd.Normal().prob(X), TypeError, "'mean' was not given"),
        (lambda: msd.Normal(0.0, 1.0).prob(3.0), TypeError, "must be a Tensor"),
        (lambda: msd.Normal(0.0, 1.0).prob(X, 1.0, 2.0), TypeError, "must be a Tensor"),
        (lambda: msd.Normal(0.0, 1.0).sample(3), TypeError, "tuple"),
        (lambda: msd.Normal(0.0, 1.0)("foo", X), NotImplementedError, "foo"),
        (lambda: msd.Normal(0.0, 1.0).kl_loss("Uniform", Tensor(0.0), Tensor(1.0)), ValueError, "'Normal'"),
        (lambda: msd.Uniform(2.0, 1.0), ValueError, "high - low"),
        (lambda: msd.Uniform(0.0, 1.0).mode(), NotImplementedError, "mode"),
        (lambda: msd.Bernoulli(1.0), ValueError, "between 0 and 1"),
        (lambda: msd.Categorical([0.2, 0.3]), ValueError, "sum to 1"),
        (lambda: msd.Cauchy(0.0, 1.0).mean(), ValueError, "undefined"),
        (lambda: msd.Logistic(0.0, 1.0).kl_loss("Logistic", Tensor(0.0), Tensor(1.0)), NotImplementedError, "kl_loss"),
        (lambda: msd.TransformedDistribution(3, msd.Normal(0.0, 1.0)), TypeError, "bijector"),
    ],
)
def test_errors_say_what_is_wrong(wrong, error, text):
    with pytest.raises(error, match=text):
        wrong()


@pytest.mark.parametrize("kind", ["Laplace", "HalfNormal", "Normal", "Uniform"])
def test_parameters_have_shapes_that_fit_together(kind):
    with pytest.raises(ValueError, match="broadcast"):
        getattr(msd, kind)([[0.5], [0.5]], [[2.0], [3.0], [4.0]])


@pytest.mark.parametrize("kind", ["Bernoulli", "Geometric", "Poisson"])
def test_samples_are_numbers(kind):
    with pytest.raises(TypeError, match="must be a dtype of numbers"):
        getattr(msd, kind)(0.5, dtype=ms.bool_)


def test_bijectors_take_fractions():
    with pytest.raises(TypeError, match="must have a floating-point dtype, but got Int32"):
        bijector.Exp().forward(Tensor([1], ms.int32))


class _Several(msd.Normal):
    """A library's distribution, which samples by itself."""

    def _sample(self, shape=(), mean=None, sd=None):
        shape = self.checktuple(shape, "shape") + self.broadcast_shape
        mean, sd = self._check_param_type(mean, sd)
        return self.broadcast(mean, shape) + self.uniform(shape, Tensor(0.0), Tensor(1.0)) * sd


def test_distributions_of_libraries_find_their_helpers():
    sample = _Several([0.0, 0.0], [1.0, 1.0]).sample((3,)).asnumpy()
    assert sample.shape == (3, 2)
    assert ((sample >= 0) & (sample < 1)).all()
    with pytest.raises(TypeError, match="'shape' must be a tuple, but got type 'list'"):
        _Several(0.0, 1.0).checktuple([3], "shape")
