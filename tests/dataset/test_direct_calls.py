"""Transforms called on a sample at hand: MindSpore 2.10's results for masks, batches, integers and functions."""

import numpy as np
import pytest
from PIL import Image

import mindspore as ms
import mindspore.dataset as ds
from mindspore.dataset import transforms, vision

PIXELS = np.random.RandomState(3).randint(0, 256, (12, 10, 3)).astype(np.uint8)
PICTURE = Image.fromarray(PIXELS)
MASK = PIXELS[:, :, 0] > 100
COLOURED = PIXELS > 100
Compose = transforms.Compose


def same(image):
    return image


@pytest.mark.parametrize(
    ("operations", "sample", "kind"),
    [
        ([vision.ToPIL()], PIXELS, Image.Image),
        ([vision.ToPIL(), vision.Resize(5), vision.ToTensor()], PIXELS, np.ndarray),
        ([Compose([vision.ToPIL()]), vision.HorizontalFlip()], PIXELS, np.ndarray),
        ([vision.Resize(5)], PICTURE, Image.Image),
        ([vision.RandomHorizontalFlip(1.0), vision.ToTensor()], PICTURE, np.ndarray),
        ([vision.Resize(5, vision.Inter.ANTIALIAS)], PICTURE, Image.Image),
        ([vision.HsvToRgb(True)], PIXELS / 255, np.ndarray),
        ([vision.RandomErasing(1.0)], PIXELS, np.ndarray),
        ([transforms.RandomApply([vision.ToPIL()], 0.0)], PIXELS, np.ndarray),
        ([same], PICTURE, Image.Image),
        ([lambda image: [image, image]], PICTURE, list),
    ],
)
def test_a_compose_that_runs_in_python_gives_a_tuple_of_columns(operations, sample, kind):
    result = Compose(operations)(sample)
    assert type(result) is tuple and len(result) == 1
    assert isinstance(result[0], kind)


@pytest.mark.parametrize(
    ("operations", "samples"),
    [
        ([vision.Resize(5), vision.HWC2CHW()], [PIXELS]),
        ([same], [PIXELS]),
        ([transforms.TypeCast(ms.int32)], [3]),
        ([transforms.RandomApply([vision.ToPIL(), same], 0.0)], [PIXELS]),
        ([lambda first, second: first + second], [1, 2]),
        ([lambda _: "text"], [PIXELS]),
    ],
)
def test_other_composes_give_the_array(operations, samples):
    assert isinstance(Compose(operations)(*samples), np.ndarray)


def test_a_function_of_a_compose_returns_something():
    with pytest.raises(RuntimeError, match="Got None"):
        Compose([lambda _: None])(PIXELS)


@pytest.mark.parametrize(
    ("operation", "image", "dtype", "total"),
    [
        (vision.Resize(5), MASK, bool, 23),
        (vision.Resize(5), COLOURED, bool, 73),
        (vision.Resize((20, 20), vision.Inter.NEAREST), MASK, bool, 226),
        (vision.Rotate(90), MASK, bool, 54),
        (vision.Affine(15, (0.1, 0.1), 0.8, (5, 5)), COLOURED, bool, 137),
        (vision.ResizedCrop(1, 2, 4, 5, (6, 7)), MASK, bool, 19),
        (vision.ConvertColor(vision.ConvertMode.COLOR_RGB2GRAY), COLOURED, bool, 80),
        (vision.Invert(), COLOURED, bool, 360),
        (vision.Pad(1, 1), COLOURED, np.uint8, 365),
        (vision.CenterCrop(20), MASK, np.uint8, 70),
        (vision.RandomCrop((14, 12), 1), MASK, np.uint8, 70),
        (vision.GaussianBlur(3), COLOURED, np.uint8, 251),
        (vision.AdjustSharpness(1.5), COLOURED, np.uint8, 222),
    ],
)
def test_masks_are_images_of_zeros_and_ones(operation, image, dtype, total):
    for result in (
        operation(image),
        next(
            iter(ds.NumpySlicesDataset({"x": image[None]}).map(operation, "x").create_tuple_iterator(output_numpy=True))
        )[0],
    ):
        assert result.dtype == dtype
        assert int(result.sum(dtype=np.int64)) == total


@pytest.mark.parametrize(
    ("factor", "dtype", "expected"),
    [
        (0.5, np.int32, [53, 76, 124, 66, 92, 100]),
        (1.3, np.int16, [138, 198, 324, 170, 239, 260]),
        (300.0, np.int16, [31800, 32767, 32767, 32767, 32767, 32767]),
    ],
)
def test_brightness_of_integers_is_rounded_and_kept_within_their_range(factor, dtype, expected):
    assert vision.AdjustBrightness(factor)(PIXELS.astype(dtype)).ravel()[:6].tolist() == expected


@pytest.mark.parametrize("scale", [1 / 255, 10 / 255, 100 / 255])
def test_contrast_of_fractions_knows_their_mean(scale):
    image = (PIXELS * scale).astype(np.float32)
    np.testing.assert_allclose(vision.AdjustContrast(0.0)(image), 134.2645 * scale, rtol=1e-4)


@pytest.mark.parametrize(
    "operation",
    [vision.AdjustGamma(1.5), vision.Normalize([10.0, 20.0, 30.0], [2.0, 3.0, 4.0]), vision.RandomCrop((12, 10))],
)
def test_batches_are_taken_image_by_image(operation):
    batch = np.stack([PIXELS, PIXELS[::-1]])[None]
    expected = [operation(PIXELS), operation(np.ascontiguousarray(PIXELS[::-1]))]
    np.testing.assert_array_equal(operation(batch), np.stack(expected)[None])


def test_images_of_a_batch_are_cropped_each_by_itself_and_resized_alike():
    batch = np.stack([PIXELS] * 16)
    assert len(np.unique(vision.RandomCrop(4)(batch), axis=0)) > 1
    resized = vision.RandomResizedCrop(4)(batch)
    assert resized.shape == (16, 4, 4, 3) and len(np.unique(resized, axis=0)) == 1


@pytest.mark.parametrize("operation", [vision.Invert(), vision.RandomInvert(1.0), vision.Solarize(0.0)])
def test_inverted_values_stay_within_the_range_of_their_type(operation):
    assert operation(np.full((2, 2, 3), 5, np.int8)).max() == 127
    assert operation(np.full((2, 2, 3), 500, np.uint16)).max() == 0


@pytest.mark.parametrize(
    ("operation", "dtype"),
    [
        (vision.RandomInvert(1.0), bool),
        (vision.RandomInvert(0.0), bool),
        (vision.RandomAutoContrast(prob=1.0), np.uint8),
        (vision.RandomAutoContrast(prob=0.0), bool),
        (vision.RandomAdjustSharpness(2.0, 1.0), np.uint8),
    ],
)
def test_random_transforms_take_masks(operation, dtype):
    assert operation(PIXELS > 100).dtype == dtype


def test_images_that_cannot_be_written_to_are_erased_in_a_copy():
    picture = Image.fromarray(PIXELS)
    assert vision.Erase(0, 0, 2, 2, 9, inplace=True)(picture)[0, 0].tolist() == [9, 9, 9]
    assert np.asarray(picture)[0, 0].tolist() == PIXELS[0, 0].tolist()


def test_contrast_of_fractions_is_refused_by_type():
    with pytest.raises(RuntimeError, match=r"integers from 0 to 255, but got float32\. Convert the image to uint8"):
        vision.AutoContrast()((PIXELS / 255).astype(np.float32))


@pytest.mark.parametrize("dtype", [np.float16, np.float64])
def test_gamma_of_fractions_is_float32(dtype):
    assert vision.AdjustGamma(0.5)((PIXELS / 255).astype(dtype)).dtype == np.float32


def test_channels_first_are_normalized_in_float32():
    images = np.stack([PIXELS] * 2).transpose(0, 3, 1, 2).astype(np.float64)
    result = vision.Normalize([10.0, 20.0, 30.0], [2.0, 3.0, 4.0], is_hwc=False)(images)
    assert result.dtype == np.float32 and result[0, 0, 0, 0] == (PIXELS[0, 0, 0] - 10.0) / 2.0


@pytest.mark.parametrize("operation", [vision.Resize((2, 2)), vision.HWC2CHW(), vision.Rotate(10), vision.ToTensor()])
def test_empty_images_are_refused(operation):
    empty = np.zeros((0, 3, 3), np.uint8)
    with pytest.raises(RuntimeError, match="Input Tensor has no data"):
        operation(empty)
    with pytest.raises(RuntimeError, match=r"map operation: \[\w+\] failed at sample 0 .*has no data"):
        list(ds.GeneratorDataset([(empty,)], ["image"]).map(operation, "image").create_tuple_iterator(num_epochs=1))
