"""The image transforms' three spellings, whole stacks at once, and image files."""

import numpy as np
import pytest
from PIL import Image

import mindspore as ms
import mindspore.dataset.vision as vision
import mindspore.dataset.vision.c_transforms as C
import mindspore.dataset.vision.py_transforms as P
import mindspore.dataset.vision.py_transforms_util as util

RGB = np.random.default_rng(3).integers(0, 256, (6, 24, 30, 3), dtype=np.uint8)
GRAY = np.random.default_rng(4).integers(0, 256, (6, 28, 28, 1), dtype=np.uint8)
PICTURE = Image.fromarray(RGB[0])

IN_BLOCKS = [
    vision.Rescale(1 / 255, -0.5),
    vision.Normalize([12.0], [5.0]),
    vision.HWC2CHW(),
    vision.ToTensor(),
    vision.Resize((32, 32)),
    vision.Resize(14, vision.Inter.NEAREST),
    vision.Resize((9, 40), vision.Inter.CUBIC),
    vision.CenterCrop((11, 14)),
    vision.Crop((3, 4), (8, 9)),
    vision.HorizontalFlip(),
    vision.VerticalFlip(),
    vision.ToType(np.float32),
]


@pytest.mark.parametrize("operation", IN_BLOCKS, ids=lambda one: type(one).__name__)
@pytest.mark.parametrize(
    "stack", [RGB, GRAY, GRAY[..., 0], RGB.astype(np.float32) / 7], ids=["rgb", "hw1", "hw", "float"]
)
def test_a_block_has_the_bits_of_its_samples(operation, stack):
    block = operation.block(stack)
    assert block is not NotImplemented
    samples = np.stack([operation(one) for one in stack])
    assert block.dtype == samples.dtype
    np.testing.assert_array_equal(block, samples)


@pytest.mark.parametrize("operation", [vision.Normalize([1.0, 2.0, 3.0], [1.5, 2.5, 3.5], False), vision.Invert()])
def test_blocks_of_three_channels_have_the_bits_of_their_samples(operation):
    stack = RGB if isinstance(operation, vision.Invert) else np.ascontiguousarray(RGB.transpose(0, 3, 1, 2))
    np.testing.assert_array_equal(operation.block(stack), np.stack([operation(one) for one in stack]))


def test_a_crop_larger_than_the_images_is_left_to_the_samples():
    assert vision.CenterCrop(100).block(RGB) is NotImplemented


def test_normalize_pad_adds_a_channel_of_zeros():
    padded = vision.NormalizePad([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])(RGB[0])
    np.testing.assert_array_equal(padded[..., :3], vision.Normalize([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])(RGB[0]))
    assert padded.shape == (24, 30, 4) and not padded[..., 3].any()
    assert vision.NormalizePad([1.0], [1.0], "float16", False)(RGB[0].transpose(2, 0, 1)).shape == (4, 24, 30)


def test_to_tensor_takes_mindspore_dtypes():
    assert vision.ToTensor(ms.float16)(RGB[0]).dtype == np.float16
    assert vision.ToType(ms.int32)(RGB[0]).dtype == np.int32


def test_every_name_of_the_three_spellings_is_there():
    for module in (vision, vision.transforms, vision.utils, C, P):
        assert len(module.__all__) == len(set(module.__all__))
        for name in module.__all__:
            assert getattr(module, name) is not None


def test_c_transforms_decode_takes_rgb():
    data = vision.encode_png(RGB[0])
    np.testing.assert_array_equal(C.Decode(rgb=True)(data), RGB[0])
    np.testing.assert_array_equal(C.SoftDvppDecodeResizeJpeg((24, 30))(data), RGB[0])
    with pytest.raises(TypeError):
        C.Decode(rgb=1)
    with pytest.raises(RuntimeError, match="rgb"):
        C.Decode(rgb=False)(data)


@pytest.mark.parametrize(
    "operation",
    [
        P.Resize(8),
        P.CenterCrop(8),
        P.Pad(2),
        P.RandomCrop(8),
        P.RandomResizedCrop(8),
        P.RandomHorizontalFlip(),
        P.RandomVerticalFlip(),
        P.RandomColorAdjust(0.3),
        P.RandomRotation(10),
        P.RandomAffine(10),
        P.RandomColor(),
        P.RandomSharpness(),
        P.RandomGrayscale(),
        P.RandomPerspective(),
        P.Grayscale(),
        P.AutoContrast(),
        P.Invert(),
        P.Equalize(),
        P.FiveCrop(4),
        P.TenCrop(4),
    ],
    ids=lambda one: type(one).__name__,
)
def test_py_transforms_take_pictures_alone(operation):
    result = operation(PICTURE)
    assert all(isinstance(one, Image.Image) for one in (result if isinstance(result, tuple) else (result,)))
    with pytest.raises(TypeError, match="PIL"):
        operation(RGB[0])


def test_py_transforms_as_a_pipeline_of_an_old_program():
    image = P.Decode()(vision.encode_png(RGB[0]).tobytes())
    tensor = P.ToTensor()(P.CenterCrop(16)(image))
    result = P.Normalize([0.5, 0.4, 0.3], [0.2, 0.2, 0.1])(tensor)
    middle = RGB[0][4:20, 7:23].transpose(2, 0, 1)
    expected = (middle / 255.0 - np.reshape([0.5, 0.4, 0.3], (3, 1, 1))) / np.reshape([0.2, 0.2, 0.1], (3, 1, 1))
    assert result.dtype == np.float32
    np.testing.assert_allclose(result, expected, atol=1e-5)
    assert P.NormalizePad([0.5], [0.5])(tensor).shape == (4, 16, 16)
    assert P.ToType(np.float16)(tensor).dtype == np.float16
    assert P.HWC2CHW()(RGB[0]).shape == (3, 24, 30)
    assert P.Cutout(4)(tensor).shape == (3, 16, 16)
    np.testing.assert_array_equal(P.RgbToBgr(is_hwc=True)(RGB[0]), RGB[0][..., ::-1])


def test_py_normalize_wants_floats_from_0_to_1():
    with pytest.raises(NotImplementedError, match="ToTensor"):
        P.Normalize([0.5], [0.5])(RGB[0])
    with pytest.raises(ValueError, match="mean"):
        P.Normalize([120.0], [0.5])
    with pytest.raises(TypeError):
        P.Normalize([0.5], [0.5])(PICTURE)
    with pytest.raises(ValueError, match="channels"):
        P.Normalize([0.5, 0.5], [0.5, 0.5])(np.zeros((3, 2, 2)))


def test_the_functions_behind_py_transforms():
    assert util.is_pil(PICTURE) and not util.is_pil(RGB[0])
    assert "PIL image" in util.augment_error_message.format(int)
    assert util.rotate(PICTURE, 90, P.DE_PY_INTER_MODE[vision.Inter.NEAREST], True, None, 0).size == (24, 30)
    assert util.random_crop(PICTURE, 8, 2, False, 0, "constant").size == (8, 8)
    np.testing.assert_array_equal(util.horizontal_flip(PICTURE), RGB[0][:, ::-1])
    np.testing.assert_array_equal(util.crop(PICTURE, 2, 3, 4, 5), RGB[0][2:6, 3:8])
    for change, operation in (
        (util.adjust_brightness, vision.AdjustBrightness(1.2)),
        (util.adjust_contrast, vision.AdjustContrast(1.2)),
        (util.adjust_saturation, vision.AdjustSaturation(1.2)),
    ):
        np.testing.assert_array_equal(change(PICTURE, 1.2), operation(PICTURE))
    with pytest.raises(TypeError, match="PIL image"):
        util.adjust_brightness(RGB[0], 1.2)


def test_files_come_back_as_written(tmp_path):
    png, jpeg = str(tmp_path / "image.png"), str(tmp_path / "image.jpg")
    vision.write_png(png, RGB[0], 9)
    vision.write_jpeg(jpeg, RGB[0], 95)
    np.testing.assert_array_equal(vision.read_image(png), RGB[0])
    assert vision.read_image(png, vision.ImageReadMode.GRAYSCALE).shape == (24, 30, 1)
    data = vision.read_file(jpeg)
    np.testing.assert_array_equal(vision.Decode()(data), vision.read_image(jpeg, vision.ImageReadMode.COLOR))
    vision.write_file(png, data)
    np.testing.assert_array_equal(vision.read_file(png), data)
    assert vision.get_image_size(RGB[0]) == [24, 30] == vision.get_image_size(PICTURE)
    assert vision.get_image_num_channels(GRAY[0]) == 1


def test_a_damaged_file_is_named_in_the_error(tmp_path):
    path = tmp_path / "broken.png"
    path.write_bytes(b"not an image")
    with pytest.raises(RuntimeError, match=r"broken\.png"):
        vision.read_image(str(path))
    with pytest.raises(RuntimeError, match="Decode: image decode failed"):
        vision.Decode()(np.zeros(0, np.uint8))


def test_errors_name_the_operation_and_the_argument():
    with pytest.raises(ValueError, match=r"For 'RandomHorizontalFlip', the 'prob' must be in range \[0.0, 1.0\]"):
        vision.RandomHorizontalFlip(1.5)
    with pytest.raises(
        RuntimeError, match="RandomCrop: invalid crop size, crop size is bigger than the image dimensions"
    ):
        vision.RandomCrop(100)(RGB[0])
    with pytest.raises(TypeError, match="For 'Resize', the 'interpolation' must be of Inter"):
        vision.Resize(4, 2)


@pytest.mark.parametrize(
    ("transform", "image", "words"),
    [
        (vision.Resize(3), RGB[0, 0, :, 0], "the image tensor should have at least two dimensions. You may need to"),
        (vision.AdjustContrast(1.0), RGB[:1], "Expecting tensor in dimension of (3), in shape of <H, W, C>. But got"),
        (vision.Crop((0, 0), 2), RGB[:1], "Crop: input tensor is not in shape of <H,W> or <H,W,C>, but got rank: 4"),
        (vision.AdjustHue(0.1), RGB[0, :, :, :2], "Expecting tensor in channel of (3). But got channel 2."),
        (vision.AdjustSaturation(2.0), RGB[0] * 1.0, "in type of (uint8, uint16, float32). But got type float64."),
        (vision.Equalize(), np.float32(RGB[0]), "Expecting tensor in type of (uint8). But got type float32."),
        (vision.Invert(), [1], "Input should be NumPy or PIL image, got <class 'list'>."),
        (vision.FiveCrop(2), RGB[0], "img should be PIL image. Got <class 'numpy.ndarray'>."),
    ],
)
def test_refusals_of_images_hold_the_words_that_programs_search_for(transform, image, words):
    with pytest.raises((RuntimeError, TypeError)) as refused:
        transform(image)
    assert words in str(refused.value) and "OpenCV" not in str(refused.value)
