"""Random image transforms: their results stay within what is allowed and follow from the seed alone."""

import numpy as np
import pytest
from PIL import Image

import mindspore.dataset.vision as vision
from mindspore._utils.sample_random import SampleRandom, SampleRandoms
from mindspore.dataset.core.operation import RandomOperation, seed_calls

RGB = np.random.default_rng(3).integers(0, 256, (24, 30, 3), dtype=np.uint8)
PICTURE = Image.fromarray(RGB)
LABELS = np.eye(4, dtype=np.int32)
BATCH = np.random.default_rng(4).integers(0, 256, (4, 8, 10, 3), dtype=np.uint8)

ON_ARRAYS = [
    vision.AutoAugment(),
    vision.AutoAugment(vision.AutoAugmentPolicy.CIFAR10),
    vision.AutoAugment(vision.AutoAugmentPolicy.SVHN, vision.Inter.BILINEAR, (1, 2, 3)),
    vision.CutOut(5, 2),
    vision.RandAugment(3),
    vision.RandomAdjustSharpness(2.0),
    vision.RandomAffine(20, (-0.1, 0.1, -0.2, 0.2), (0.8, 1.2), (-5, 5, -3, 3)),
    vision.RandomAutoContrast(10.0),
    vision.RandomColor(),
    vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1),
    vision.RandomCrop(12, 3),
    vision.RandomEqualize(),
    vision.RandomHorizontalFlip(),
    vision.RandomInvert(),
    vision.RandomLighting(0.1),
    vision.RandomPosterize((1, 8)),
    vision.RandomResize(10),
    vision.RandomResizedCrop(10),
    vision.RandomRotation(30),
    vision.RandomSharpness(),
    vision.RandomSolarize(),
    vision.RandomVerticalFlip(),
    vision.TrivialAugmentWide(),
    vision.UniformAugment([vision.RandomColor(), vision.Invert(), vision.RandomSharpness()]),
    vision.RandomSelectSubpolicy([[(vision.Invert(), 0.5)], [(vision.RandomRotation(9), 0.7), (vision.Equalize(), 1)]]),
]
ON_PICTURES = [
    vision.RandomAffine(20, (0.1, 0.2), (0.8, 1.2), 5),
    vision.RandomColor(),
    vision.RandomColorAdjust(0.4, 0.4, 0.4, 0.1),
    vision.RandomCrop(12, 3),
    vision.RandomGrayscale(0.5),
    vision.RandomHorizontalFlip(),
    vision.RandomLighting(0.1),
    vision.RandomPerspective(),
    vision.RandomResizedCrop(10),
    vision.RandomRotation(30),
    vision.RandomSharpness(),
    vision.RandomVerticalFlip(),
]


def name_of(operation):
    return type(operation).__name__


@pytest.mark.parametrize("operation", ON_ARRAYS, ids=name_of)
def test_arrays_change_by_the_seed_alone(operation):
    assert isinstance(operation, RandomOperation)
    results = [operation.run(SampleRandom(seed), RGB) for seed in range(20)]
    again = [operation.run(SampleRandom(seed), RGB) for seed in range(20)]
    for first, second in zip(results, again, strict=True):
        assert first.dtype == np.uint8
        np.testing.assert_array_equal(first, second)
    assert len({result.tobytes() for result in results}) > 1


@pytest.mark.parametrize("operation", ON_PICTURES, ids=name_of)
def test_pictures_change_by_the_seed_alone(operation):
    results = [operation.run(SampleRandom(seed), PICTURE) for seed in range(20)]
    again = [operation.run(SampleRandom(seed), PICTURE) for seed in range(20)]
    assert all(isinstance(result, Image.Image) for result in results)
    assert [result.tobytes() for result in results] == [result.tobytes() for result in again]
    assert len({result.tobytes() for result in results}) > 1


def test_the_image_given_is_never_written_to():
    before = RGB.copy()
    for operation in ON_ARRAYS:
        for seed in range(5):
            operation.run(SampleRandom(seed), RGB)
    np.testing.assert_array_equal(RGB, before)


def test_several_images_are_changed_alike():
    for operation in (vision.RandomCrop(9), vision.RandomHorizontalFlip(), vision.RandomResizedCrop(7)):
        first, second = operation.run(SampleRandom(5), RGB, RGB)
        np.testing.assert_array_equal(first, second)


def test_direct_calls_follow_the_seed_of_calls():
    flip = vision.RandomHorizontalFlip()
    seed_calls(11)
    first = [flip(RGB).tobytes() for _ in range(8)]
    seed_calls(11)
    assert [flip(RGB).tobytes() for _ in range(8)] == first


def test_random_crops_reach_every_corner():
    image = np.arange(36, dtype=np.uint8).reshape(6, 6)
    corners = {int(vision.RandomCrop(4).run(SampleRandom(seed), image)[0, 0]) for seed in range(200)}
    assert corners == {row * 6 + column for row in range(3) for column in range(3)}


@pytest.mark.parametrize("fill", [0, 9])
@pytest.mark.parametrize("image", [RGB, RGB[:, :, 0], RGB[:, :, :1].astype(np.float32)], ids=["rgb", "hw", "float"])
def test_a_random_crop_is_a_part_of_the_padded_image(image, fill):
    crop = vision.RandomCrop((20, 22), (5, 6, 7, 8), fill_value=fill)
    padded = vision.Pad((5, 6, 7, 8), fill)(image)
    for seed in range(30):
        top, left = crop.corner(SampleRandom(seed), padded.shape)
        result = crop.run(SampleRandom(seed), image)
        np.testing.assert_array_equal(result, padded[top : top + 20, left : left + 22])


def test_boxes_of_random_resized_crops_keep_area_and_ratio():
    crop = vision.RandomResizedCrop(8, (0.3, 0.6), (0.5, 2.0))
    for seed in range(100):
        top, left, height, width = crop.box(SampleRandom(seed), (100, 120))
        assert 0 <= top <= 100 - height and 0 <= left <= 120 - width
        assert 0.28 <= height * width / 12000 <= 0.62
        assert 0.45 <= width / height <= 2.2


def test_cut_out_blanks_no_more_than_its_squares():
    image = np.full((20, 20, 3), 9, np.uint8)
    blanked = [(vision.CutOut(5).run(SampleRandom(seed), image) == 0).sum() for seed in range(50)]
    assert max(blanked) == 75
    assert min(blanked) < 75


def test_random_erasing_fills_a_box_of_a_chw_array():
    image = np.zeros((3, 20, 20), np.float32)
    erased = vision.RandomErasing(1.0, value=(1, 2, 3)).run(SampleRandom(1), image)
    assert sorted(np.unique(erased[2])) == [0.0, 3.0]
    assert image.max() == 0
    noise = vision.RandomErasing(1.0, value="random").run(SampleRandom(1), image)
    assert len(np.unique(noise)) > 10


def test_mix_up_batch_blends_images_and_labels_by_one_weight():
    images, labels = vision.MixUpBatch(0.9).run(SampleRandom(2), BATCH, LABELS)
    weight = labels.max()
    others = np.argsort(-labels, axis=1)[:, 1]
    assert labels.dtype == np.float32
    np.testing.assert_allclose(labels.sum(axis=1), 1, rtol=1e-6)
    mixed = [i for i in range(4) if labels[i, i] not in (0, 1)]
    assert mixed
    for i in mixed:
        own = labels[i, i]
        other = next(k for k in range(4) if k != i and labels[i, k] > 0)
        expected = np.rint(own * BATCH[i].astype(np.float32) + (1 - own) * BATCH[other].astype(np.float32))
        assert np.abs(images[i].astype(int) - expected).max() <= 1
    assert 0 < weight <= 1 and others.shape == (4,)


@pytest.mark.parametrize("layout", list(vision.ImageBatchFormat))
def test_cut_mix_batch_labels_tell_the_share_of_the_pixels(layout):
    images = np.zeros((4, 8, 10, 3), np.uint8) + np.arange(4, dtype=np.uint8)[:, None, None, None]
    images = images if layout is vision.ImageBatchFormat.NHWC else np.ascontiguousarray(images.transpose(0, 3, 1, 2))
    mixed, labels = vision.CutMixBatch(layout, 1.0, 1.0).run(SampleRandom(3), images, LABELS)
    for i in range(4):
        shares = [(mixed[i] == k).mean() for k in range(4)]
        np.testing.assert_allclose(labels[i], shares, atol=1e-6)
    same, unchanged = vision.CutMixBatch(layout, 1.0, 0.0).run(SampleRandom(3), images, LABELS)
    np.testing.assert_array_equal(same, images)
    np.testing.assert_array_equal(unchanged, LABELS.astype(np.float32))


def test_mix_up_keeps_the_batch_before_when_asked():
    images, labels = BATCH.astype(np.float64), LABELS.astype(np.float64)
    mix = vision.MixUp(4, 0.3, is_single=False)
    first, _ = mix.run(SampleRandom(1), images, labels)
    np.testing.assert_array_equal(first, images)
    second, second_labels = mix.run(SampleRandom(2), images[::-1], labels[::-1])
    assert not np.array_equal(second, images[::-1])
    np.testing.assert_allclose(second_labels.sum(axis=1), 1)


def test_boxes_outside_a_crop_are_left_out_and_others_cut():
    boxes = np.array([[0, 0, 4, 4, 1], [20, 15, 10, 9, 2]], np.float32)
    seen = set()
    for seed in range(30):
        _, kept = vision.RandomCropWithBBox(10).run(SampleRandom(seed), RGB, boxes)
        assert (kept[:, :2] >= 0).all() and (kept[:, :2] + kept[:, 2:4] <= 10).all()
        seen.add(len(kept))
    assert seen >= {0, 1}


@pytest.mark.parametrize(
    "operation",
    [
        vision.RandomCrop(6),
        vision.RandomCrop((6, 5), padding=(2, 1, 0, 3), fill_value=7),
        vision.RandomCrop(12, pad_if_needed=True),
        vision.RandomHorizontalFlip(0.5),
        vision.RandomVerticalFlip(0.5),
    ],
    ids=lambda operation: type(operation).__name__,
)
@pytest.mark.parametrize("shape", [(9, 8, 8, 3), (9, 8, 8, 1), (9, 8, 8)])
def test_a_block_gives_what_single_images_give(operation, shape):
    stack = np.random.RandomState(0).randint(0, 256, shape).astype(np.uint8)
    alone = [operation.run(SampleRandom(5, index), image) for index, image in enumerate(stack)]
    together = operation.block(stack, SampleRandoms(SampleRandom(5), np.arange(len(stack))))
    assert np.array_equal(np.stack(alone), together)
