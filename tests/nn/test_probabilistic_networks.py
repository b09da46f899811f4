"""What MindSpore 1.x builds of distributions: autoencoders, variational inference, Bayesian networks, uncertainty."""

import numpy as np
import pytest

import mindspore as ms
from mindspore import Tensor, nn, ops
from mindspore import dataset as ds
from mindspore.nn.probability import bnn_layers
from mindspore.nn.probability.dpn import VAE, ConditionalVAE
from mindspore.nn.probability.infer import ELBO, SVI
from mindspore.nn.probability.toolbox import UncertaintyEvaluation, VAEAnomalyDetection
from mindspore.nn.probability.transforms import TransformToBNN

MODES = pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
IMAGES = np.tile(np.eye(4, dtype=np.float32)[:, None].reshape(4, 1, 2, 2), (8, 1, 1, 1))


def autoencoder():
    ms.set_seed(1)
    encoder = nn.SequentialCell(nn.Flatten(), nn.Dense(4, 8), nn.ReLU())
    return VAE(encoder, nn.SequentialCell(nn.Dense(8, 4), nn.Unflatten(1, (1, 2, 2))), 8, 2)


@MODES
def test_an_autoencoder_is_trained_by_variational_inference(mode):
    ms.set_context(mode=mode)
    net = autoencoder()
    svi = SVI(nn.WithLossCell(net, ELBO()), nn.Adam(net.trainable_params(), 0.02))
    data = ds.NumpySlicesDataset({"image": IMAGES, "label": np.zeros(32, np.int32)}, shuffle=False).batch(8)
    losses = []
    for epochs in (1, 15):
        assert svi.run(data, epochs) is net
        losses.append(float(svi.get_train_loss()))
    assert losses[-1] < 0.9 * losses[0]
    assert (
        net.generate_sample(3, (-1, 1, 2, 2)).shape == net.reconstruct_sample(Tensor(IMAGES[:3])).shape == (3, 1, 2, 2)
    )


def test_the_bound_counts_error_and_distance_from_the_prior():
    x, mean, std = ops.ones((2, 3)), Tensor([[1.0, 0.0]]), Tensor([[1.0, 2.0]])
    loss = ELBO()((x * 3, x, mean, std), None)
    # the distance of what is encoded from the prior: -log(s) + (s^2 + m^2) / 2 - 1/2
    expected = 24 + (1 + 1) / 2 - 0.5 - np.log(2) + 4 / 2 - 0.5
    assert np.isclose(float(loss), expected, atol=1e-5)


def test_wrong_autoencoders_are_named():
    net = nn.Dense(2, 2)
    with pytest.raises(TypeError, match="'encoder'"):
        VAE(None, net, 2, 2)
    with pytest.raises(ValueError, match="at most the 'hidden_size' 2"):
        VAE(net, net, 2, 3)
    with pytest.raises(ValueError, match="'num_classes'"):
        ConditionalVAE(net, net, 2, 2, 0)
    with pytest.raises(ValueError, match=r"\(3, C, H, W\)"):
        autoencoder().generate_sample(3, (4, 1, 2, 2))
    with pytest.raises(TypeError, match="must be an ELBO"):
        SVI(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params()))
    with pytest.raises(ValueError, match="'latent_prior'"):
        ELBO("Gamma")


def step_of(net):
    return nn.TrainOneStepCell(nn.WithLossCell(net, nn.MSELoss()), nn.Adam(net.trainable_params(), 0.02))


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv, self.flatten = nn.Conv2d(1, 2, 2, pad_mode="valid"), nn.Flatten()
        self.head = nn.SequentialCell(nn.Dense(2, 4), nn.ReLU(), nn.Dense(4, 1))

    def construct(self, x):
        return self.head(self.flatten(self.conv(x)))


@MODES
def test_a_network_becomes_bayesian(mode):
    ms.set_context(mode=mode)
    ms.set_seed(2)
    net = Net()
    step = TransformToBNN(step_of(net), 1, 1e-4).transform_to_bnn_model(
        add_dense_args={"bias_prior_fn": bnn_layers.NormalPrior}
    )
    assert isinstance(net.conv, bnn_layers.ConvReparam)
    assert [type(cell).__name__ for cell in net.head] == ["DenseReparam", "ReLU", "DenseReparam"]
    assert float(step.optimizer.learning_rate.asnumpy()) == pytest.approx(0.02)
    x, label = Tensor(IMAGES[:8]), ops.ones((8, 1))
    losses = [float(step(x, label)) for _ in range(60)]
    assert np.mean(losses[-10:]) < 0.7 * np.mean(losses[:10])


def test_layers_of_one_kind_become_bayesian():
    net = Net()
    TransformToBNN(step_of(net)).transform_to_bnn_layer(nn.Dense, bnn_layers.DenseReparam)
    assert type(net.conv) is nn.Conv2d and isinstance(net.head[0], bnn_layers.DenseReparam)
    with pytest.raises(ValueError, match="'dnn_layer_type'"):
        TransformToBNN(step_of(Net())).transform_to_bnn_layer(nn.ReLU, bnn_layers.DenseReparam)
    with pytest.raises(ValueError, match="'bnn_factor'"):
        TransformToBNN(step_of(Net()), 1, -1)


@pytest.mark.parametrize("task", ["classification", "regression"])
def test_a_network_tells_how_certain_it_is(task, tmp_path):
    ms.set_seed(3)
    labels = np.zeros(32, np.int32) if task == "classification" else np.ones((32, 3), np.float32)
    data = ds.NumpySlicesDataset((IMAGES, labels), shuffle=False).batch(8)

    class Answers(nn.Cell):
        def __init__(self):
            super().__init__()
            self.flatten, self.dense = nn.Flatten(), nn.Dense(4, 3)

        def construct(self, x):
            return self.dense(self.flatten(x))

    paths = {f"{kind}_uncer_model_path": str(tmp_path / kind) for kind in ("epi", "ale")}
    tool = UncertaintyEvaluation(Answers(), data, task, 3, 1, **paths, save_model=True)
    x = Tensor(IMAGES[:4])
    epistemic, aleatoric = tool.eval_epistemic_uncertainty(x), tool.eval_aleatoric_uncertainty(x)
    assert epistemic.shape == (4, 3) and aleatoric.shape == (4,)
    assert epistemic.min() == aleatoric.min() == 0 and epistemic.max() == aleatoric.max() == 1
    saved = next((tmp_path / "ale").glob("*.ckpt"))
    again = UncertaintyEvaluation(Answers(), data, task, 3, ale_uncer_model_path=str(saved))
    assert np.allclose(again.eval_aleatoric_uncertainty(x), aleatoric, atol=1e-5)
    with pytest.raises(ValueError, match="with 'save_model'"):
        UncertaintyEvaluation(Answers(), data, task, 3, save_model=True)


def test_samples_unlike_the_trained_ones_are_found():
    rng = np.random.RandomState(0)
    images = (np.ones((8, 6)) + 0.01 * rng.randn(8, 6)).astype(np.float32)
    data = ds.NumpySlicesDataset({"image": images, "label": np.zeros(8, np.int32)}, shuffle=False).batch(4)
    found = VAEAnomalyDetection(
        nn.SequentialCell(nn.Dense(6, 4), nn.ReLU()), nn.Dense(4, 6), hidden_size=4, latent_size=2
    )
    assert found.train(data, epochs=2) is found.vae
    usual, odd = Tensor(images[:1]), Tensor(100 * images[:1])
    assert found.predict_outlier_score(odd) > found.predict_outlier_score(usual)
    assert found.predict_outlier(odd, 50.0) is True and found.predict_outlier(usual, 50.0) is False
    with pytest.raises(TypeError, match="'sample_x' must be"):
        found.predict_outlier(images)
    with pytest.raises(ValueError, match="'threshold' must be a positive float"):
        found.predict_outlier(usual, -1.0)
