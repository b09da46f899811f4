"""What real MindSpore makes of images: ``python -m tools.oracle.record_vision tests/data/dataset_vision.npz``.

Every line of ``CASES`` is a call. Random transforms get ranges of one value, so that their result is certain.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
from typing import Any

import numpy as np
from PIL import Image

WITHOUT_AVX2 = " without AVX2"  # after the key of a result that MindSpore rounds otherwise on such processors

CASES = """
vision.Rescale(1 / 255, -0.1307)(rgb)
vision.Rescale(1 / 255, -0.1307)(single)
vision.Rescale(1 / 0.3081, -0.1307 / 0.3081)(single)
vision.Rescale(2.0, 1)(gray)
vision.Rescale(2.0, 1)(picture)
vision.Normalize([123.675, 116.28, 103.53], [58.395, 57.12, 57.375])(rgb)
vision.Normalize([123.675, 116.28, 103.53], [58.395, 57.12, 57.375])(single)
vision.Normalize([123.675, 116.28, 103.53], [58.395, 57.12, 57.375], False)(chw)
vision.Normalize([123.675, 116.28, 103.53], [58.395, 57.12, 57.375], is_hwc=False)(single_chw)
vision.Normalize([12.0], [5.0])(rgb)
vision.Normalize([12.0], [5.0])(gray)
vision.Normalize([12.0], [5.0])(gray_hwc)
vision.HWC2CHW()(rgb)
vision.HWC2CHW()(gray)
vision.HWC2CHW()(gray_hwc)
vision.HWC2CHW()(single)
vision.ToTensor()(rgb)
vision.ToTensor()(gray)
vision.ToTensor()(picture)
vision.ToTensor()(single)
vision.ToTensor(np.float16)(rgb)
vision.ToTensor("int32")(rgb)
vision.ToTensor(np.float64)(rgb)
vision.ToNumpy()(picture)
vision.ToPIL()(rgb)
vision.ToPIL()(gray)
vision.ToPIL()(gray_hwc)
vision.ToType(np.int32)(single)
vision.Decode()(jpeg)
vision.Decode()(jpeg_444)
vision.Decode()(jpeg_gray)
vision.Decode()(jpeg_cmyk)
vision.Decode()(jpeg_turned)
vision.Decode()(png)
vision.Decode()(png_alpha)
vision.Decode()(bmp)
vision.Decode(to_pil=True)(jpeg)
vision.Decode(to_pil=True)(png_alpha)
vision.Decode()(bytes(jpeg))
vision.encode_jpeg(rgb)
vision.encode_jpeg(gray, 30)
vision.Decode()(vision.encode_png(rgb))
vision.RandomCropDecodeResize((17, 23), scale=(1, 1), ratio=(23 / 17, 23 / 17))(jpeg)
vision.RandomCropDecodeResize((9, 30), scale=(1, 1), ratio=(23 / 17, 23 / 17))(png)
vision.Resize((9, 12))(rgb)
vision.Resize((32, 40))(rgb)
vision.Resize((32, 32))(gray_hwc)
vision.Resize((17, 23))(rgb)
vision.Resize(8)(rgb)
vision.Resize(8)(tall)
vision.Resize(40)(tall)
vision.Resize(11)(gray)
vision.Resize((9, 12))(single)
vision.Resize((9, 12))(stack)
vision.Resize((9, 12), vision.Inter.NEAREST)(rgb)
vision.Resize((33, 41), vision.Inter.NEAREST)(rgb)
vision.Resize((9, 12), vision.Inter.CUBIC)(rgb)
vision.Resize((33, 41), vision.Inter.BICUBIC)(rgb)
vision.Resize((9, 12), vision.Inter.AREA)(rgb)
vision.Resize((33, 41), vision.Inter.AREA)(rgb)
vision.Resize((9, 12), vision.Inter.PILCUBIC)(rgb)
vision.Resize((33, 41), vision.Inter.PILCUBIC)(rgb)
vision.Resize((9, 12))(picture)
vision.Resize(8)(picture)
vision.Resize(8)(tall_picture)
vision.Resize((9, 12), vision.Inter.ANTIALIAS)(picture)
vision.Resize((33, 41), vision.Inter.BICUBIC)(picture)
vision.Resize((33, 41), vision.Inter.NEAREST)(picture)
vision.ResizedCrop(2, 3, 8, 9, (12, 5))(rgb)
vision.ResizedCrop(0, 0, 17, 23, 10, vision.Inter.CUBIC)(rgb)
vision.RandomResizedCrop((9, 12), (1, 1), (23 / 17, 23 / 17))(rgb)
vision.RandomResizedCrop((9, 12), (1, 1), (23 / 17, 23 / 17))(picture)
vision.RandomResizedCrop(7, (4, 4), (0.2, 0.2))(rgb)
vision.RandomResizedCrop(7, (4, 4), (5, 5))(rgb)
vision.RandomResizedCrop(7, (4, 4), (5, 5))(picture)
vision.CenterCrop(8)(rgb)
vision.CenterCrop((9, 12))(rgb)
vision.CenterCrop((20, 30))(rgb)
vision.CenterCrop((21, 8))(rgb)
vision.CenterCrop((7, 28))(gray)
vision.CenterCrop((9, 12))(single)
vision.CenterCrop((9, 12))(stack)
vision.CenterCrop((9, 12))(picture)
vision.CenterCrop((20, 30))(picture)
vision.Crop((2, 3), (5, 6))(rgb)
vision.Crop((2, 3), 5)(gray)
vision.RandomCrop((17, 23))(rgb)
vision.RandomCrop((17, 23))(picture)
vision.RandomCrop((21, 25), [1, 2, 1, 2], fill_value=(7, 8, 9))(rgb)
vision.RandomCrop((21, 25), [1, 2, 1, 2], fill_value=(7, 8, 9))(picture)
vision.RandomCrop((17, 23), padding=None, pad_if_needed=True)(rgb)
vision.Pad(2)(rgb)
vision.Pad((1, 2), (7, 8, 9))(rgb)
vision.Pad((1, 2, 3, 4), 5)(gray)
vision.Pad((1, 2, 3, 4), 5)(gray_hwc)
vision.Pad((1, 2, 3, 4), 5, vision.Border.EDGE)(rgb)
vision.Pad((1, 2, 3, 4), 5, vision.Border.REFLECT)(rgb)
vision.Pad((1, 2, 3, 4), 5, vision.Border.SYMMETRIC)(rgb)
vision.Pad((1, 2, 3, 4), (7, 8, 9))(picture)
vision.Pad((1, 2, 3, 4), 5)(gray_picture)
vision.Pad((1, 2, 3, 4), 5, vision.Border.EDGE)(picture)
vision.Pad((1, 2, 3, 4), 5, vision.Border.REFLECT)(picture)
vision.Pad((1, 2, 3, 4), 5, vision.Border.SYMMETRIC)(picture)
vision.PadToSize(30)(rgb)
vision.PadToSize((20, 24), (1, 0), (7, 8, 9))(rgb)
vision.PadToSize((20, 26), None, 5, vision.Border.EDGE)(gray)
vision.FiveCrop((5, 6))(picture)
vision.TenCrop(5)(picture)
vision.TenCrop(5, True)(picture)
vision.SlicePatches(2, 3)(rgb)
vision.SlicePatches(2, 3, vision.SliceMode.DROP)(rgb)
vision.SlicePatches(2, 3, vision.SliceMode.PAD, 9)(gray)
vision.HorizontalFlip()(rgb)
vision.HorizontalFlip()(gray)
vision.HorizontalFlip()(stack)
vision.HorizontalFlip()(picture)
vision.VerticalFlip()(rgb)
vision.VerticalFlip()(single)
vision.RandomHorizontalFlip(1.0)(rgb)
vision.RandomHorizontalFlip(1.0)(picture)
vision.RandomHorizontalFlip(0.0)(rgb)
vision.RandomVerticalFlip(1.0)(rgb)
vision.RandomVerticalFlip(1.0)(picture)
vision.RandomVerticalFlip(1.0)(gray_hwc)
vision.RandomHorizontalFlip(1.0)(rgb, gray)
vision.Rotate(33)(rgb)
vision.Rotate(-400.5, vision.Inter.BILINEAR)(rgb)
vision.Rotate(33, vision.Inter.BICUBIC, fill_value=(7, 8, 9))(rgb)
vision.Rotate(33, vision.Inter.AREA, center=(3, 4))(rgb)
vision.Rotate(33, expand=True)(rgb)
vision.Rotate(120, vision.Inter.BILINEAR, True)(rgb)
vision.Rotate(90, expand=True)(gray)
vision.Rotate(33)(gray_hwc)
vision.Rotate(33)(stack)
vision.RandomRotation((33, 33))(rgb)
vision.RandomRotation((-50, -50), vision.Inter.LINEAR)(rgb)
vision.RandomRotation((33, 33), fill_value=(7, 8, 9))(picture)
vision.RandomRotation((33, 33), vision.Inter.BICUBIC, True)(picture)
vision.RandomRotation((-50, -50), center=(3, 4))(picture)
vision.Affine(15, (0.1, 0.2), 1.1, 0)(rgb)
vision.Affine(15, (-0.1, 0.2), 0.8, (5, 7), vision.Inter.BILINEAR, (7, 8, 9))(rgb)
vision.Affine(-30, (0, 0), 1.0, (20, 0), vision.Inter.CUBIC)(rgb)
vision.Affine(-30, (0, 0), 1.0, (0, 20), vision.Inter.NEAREST, 9)(gray)
vision.RandomAffine((15, 15), (0.1, 0.1, 0.2, 0.2), (1.1, 1.1), (5, 5, 7, 7))(rgb)
vision.RandomAffine((-40, -40), None, (0.9, 0.9), (5, 5), vision.Inter.BILINEAR, 9)(rgb)
vision.RandomAffine((15, 15), None, (1.1, 1.1), (5, 5, 7, 7))(picture)
vision.RandomAffine((-40, -40), None, (0.9, 0.9), (5, 5), vision.Inter.BILINEAR)(picture)
vision.Perspective([[0, 0], [22, 0], [22, 16], [0, 16]], [[2, 1], [20, 0], [21, 15], [1, 14]])(rgb)
vision.Perspective([[0, 0], [22, 0], [22, 16], [0, 16]], [[2, 1], [20, 0], [21, 15], [1, 14]], vision.Inter.CUBIC)(rgb)
vision.Perspective([[0, 0], [22, 0], [22, 16], [0, 16]], [[2, 1], [20, 0], [21, 15], [1, 14]], vision.Inter.NEAREST)(gray)
vision.Perspective([[0, 0], [22, 0], [22, 16], [0, 16]], [[2, 1], [20, 0], [21, 15], [1, 14]])(picture)
vision.Perspective([[0, 0], [22, 0], [22, 16], [0, 16]], [[0, 0], [10, 4], [11, 12], [0, 16]], vision.Inter.CUBIC)(picture)
vision.Rotate(33, expand=True)(np.tile(rgb, (10, 10, 1)))
vision.Resize((9, 12))(np.tile(single, (5, 6, 1)))
vision.Resize((33, 50))(np.tile(rgb, (5, 6, 1)).astype(np.uint16))
vision.Resize((33, 50))(np.tile(rgb, (5, 6, 1)).astype(np.int16))
vision.RandomResizedCrop((17, 6), (4, 4), (0.35, 0.35))(rgb)
vision.RandomResizedCrop((17, 6), (4, 4), (0.35, 0.35))(picture)
vision.AdjustBrightness(1.3)(rgb)
vision.AdjustBrightness(0.55)(rgb)
vision.AdjustBrightness(1.3)(picture)
vision.AdjustContrast(1.3)(rgb)
vision.AdjustContrast(0.4)(rgb)
vision.AdjustContrast(1.3)(picture)
vision.AdjustSaturation(1.7)(rgb)
vision.AdjustSaturation(0.3)(rgb)
vision.AdjustSaturation(1.7)(picture)
vision.AdjustHue(0.2)(rgb)
vision.AdjustHue(-0.3)(rgb)
vision.AdjustHue(-0.3)(np.tile(rgb, (7, 10, 1)))
vision.AdjustHue(0.2)(picture)
vision.AdjustHue(-0.3)(picture)
vision.AdjustGamma(0.7)(rgb)
vision.AdjustGamma(2.3, 1.2)(gray)
vision.AdjustGamma(2.3, 1.2)(unit)
vision.AdjustGamma(0.7)(picture)
vision.AdjustSharpness(1.8)(rgb)
vision.AdjustSharpness(0.2)(gray)
vision.AutoContrast()(rgb)
vision.AutoContrast(10.0, [0, 255])(rgb)
vision.AutoContrast(3.0, 40)(gray)
vision.AutoContrast(5.0)(picture)
vision.Equalize()(rgb)
vision.Equalize()(gray)
vision.Equalize()(picture)
vision.Invert()(rgb)
vision.Invert()(picture)
vision.Posterize(3)(rgb)
vision.Posterize(0)(gray)
vision.Solarize(100)(rgb)
vision.Solarize((60, 150))(rgb)
vision.Solarize((60, 150))(gray)
vision.GaussianBlur(3)(rgb)
vision.GaussianBlur((5, 3), 1.4)(rgb)
vision.GaussianBlur((3, 7), (0.9, 2.0))(gray)
vision.GaussianBlur((3, 7))(rgb)
vision.ConvertColor(vision.ConvertMode.COLOR_RGB2BGR)(rgb)
vision.ConvertColor(vision.ConvertMode.COLOR_RGB2GRAY)(rgb)
vision.ConvertColor(vision.ConvertMode.COLOR_BGR2GRAY)(rgb)
vision.ConvertColor(vision.ConvertMode.COLOR_RGB2RGBA)(rgb)
vision.ConvertColor(vision.ConvertMode.COLOR_GRAY2RGB)(gray)
vision.Grayscale()(picture)
vision.Grayscale(3)(picture)
vision.RandomGrayscale(1.0)(picture)
vision.RgbToHsv(is_hwc=True)(unit)
vision.RgbToHsv()(unit_chw)
vision.HsvToRgb(is_hwc=True)(unit)
vision.HsvToRgb()(unit_chw)
vision.RandomColorAdjust(brightness=(1.3, 1.3))(rgb)
vision.RandomColorAdjust(contrast=(0.6, 0.6))(rgb)
vision.RandomColorAdjust(saturation=(1.4, 1.4))(rgb)
vision.RandomColorAdjust(hue=(0.2, 0.2))(rgb)
vision.RandomColorAdjust()(rgb)
vision.RandomColorAdjust()(picture)
vision.RandomColor((0.4, 0.4))(rgb)
vision.RandomColor((1.7, 1.7))(rgb)
vision.RandomColor((0.4, 0.4))(picture)
vision.RandomSharpness((0.4, 0.4))(rgb)
vision.RandomSharpness((1.7, 1.7))(rgb)
vision.RandomSharpness((1.7, 1.7))(picture)
vision.RandomPosterize((3, 3))(rgb)
vision.RandomPosterize(5)(gray)
vision.RandomSolarize((100, 100))(rgb)
vision.RandomLighting(0.0)(rgb)
vision.RandomLighting(0.0)(picture)
vision.RandomAdjustSharpness(2.0, 1.0)(rgb)
vision.RandomAutoContrast(10.0, None, 1.0)(rgb)
vision.RandomEqualize(1.0)(rgb)
vision.RandomInvert(1.0)(rgb)
vision.Erase(2, 3, 4, 5, 9)(rgb)
vision.Erase(2, 3, 17, 23, (7, 8, 9))(rgb)
vision.RandomErasing(0.0)(single_chw)
vision.LinearTransformation(np.eye(1173) * 2, np.ones(1173))(single)
vision.RandomSelectSubpolicy([[(vision.Invert(), 1.0), (vision.Posterize(3), 1.0)]])(rgb)
vision.RandomHorizontalFlipWithBBox(1.0)(rgb, boxes)
vision.RandomVerticalFlipWithBBox(1.0)(rgb, boxes)
vision.ResizeWithBBox((9, 40))(rgb, boxes)
vision.ResizeWithBBox(9)(rgb, boxes)
vision.RandomCropWithBBox((17, 23))(rgb, boxes)
vision.RandomCropWithBBox((21, 25), [1, 2, 1, 2])(rgb, boxes)
vision.RandomResizedCropWithBBox((9, 12), (1, 1), (23 / 17, 23 / 17))(rgb, boxes)
vision.RandomResizedCropWithBBox((9, 12), (4, 4), (5, 5))(rgb, boxes)
vision.BoundingBoxAugment(vision.Invert(), 1.0)(rgb, boxes)
vision.BoundingBoxAugment(vision.Rotate(90, expand=True), 1.0)(rgb, boxes)
"""

REFUSED = """
vision.Resize("a")
vision.Resize((-1, 2))
vision.Resize(0)
vision.Resize((1, 2, 3))
vision.Resize(4, "x")
vision.Resize(4)([1, 2])
vision.Resize(4)(np.zeros(4, np.uint8))
vision.Resize(4)(np.zeros((9, 9), np.int64))
vision.Resize((9, 9), vision.Inter.ANTIALIAS)(rgb)
vision.Resize((9, 9), vision.Inter.AREA)(picture)
vision.Resize((9, 9), vision.Inter.PILCUBIC)(gray)
vision.Resize((30000, 9))(rgb)
vision.Normalize([1.0], [0.0])
vision.Normalize([1.0], [1.0, 2.0])
vision.Normalize(1.0, 2.0)
vision.Normalize([300.0], [1.0])
vision.Normalize([1.0, 2.0], [1.0, 2.0])(rgb)
vision.Normalize([1.0], [1.0], 1)
vision.NormalizePad([1.0], [1.0], "float64")
vision.Rescale("a", 1)
vision.RandomHorizontalFlip(1.5)
vision.RandomHorizontalFlip("a")
vision.RandomCrop(40)(rgb)
vision.RandomCrop(4, padding=-1)
vision.RandomCrop(4, padding=(1, 2, 3))
vision.RandomCrop(4, padding_mode="constant")
vision.RandomCrop(4, fill_value=300)
vision.RandomCrop(4, fill_value=(1, 2))
vision.RandomCrop(4, pad_if_needed=1)
vision.CenterCrop(0)
vision.CenterCrop((1.5, 2))
vision.CenterCrop(400)(rgb)
vision.Crop((20, 3), 5)(rgb)
vision.Crop((1, 30), 5)(rgb)
vision.Crop((-1, 3), 5)
vision.Crop(3, 5)
vision.Decode()(b"abc")
vision.Decode(True)(b"abc")
vision.Decode()(rgb)
vision.Decode()(picture)
vision.Decode("a")
vision.HWC2CHW()(np.zeros((2, 2, 2, 2)))
vision.Invert()(gray)
vision.AdjustBrightness(-1.0)
vision.AdjustBrightness(1.0)(gray)
vision.AdjustHue(0.6)
vision.AutoContrast(50.0)
vision.AutoContrast(1.0, 300)
vision.Grayscale()(rgb)
vision.Grayscale(2)
vision.FiveCrop(50)(picture)
vision.FiveCrop(5)(rgb)
vision.Posterize(9)
vision.Posterize(1.5)
vision.RandomPosterize((5, 3))
vision.RandomSolarize((5, 3))
vision.RandomSolarize([3, 5])
vision.Solarize((5, 3))
vision.RandomColor((2.0, 1.0))
vision.RandomColor(1.0)
vision.RandomColorAdjust(brightness=-1)
vision.RandomColorAdjust(hue=0.6)
vision.RandomColorAdjust(hue=(0.3, 0.1))
vision.RandomColorAdjust(0.5)(gray)
vision.RandomRotation(-3)
vision.RandomRotation((5, 3))
vision.RandomRotation((1, 2, 3))
vision.RandomRotation(3, center=(1,))
vision.RandomAffine(15, translate=(2, 3))
vision.RandomAffine(15, scale=(2, 1))
vision.RandomAffine(15, shear=(1, 2, 3))
vision.Affine(200, (0, 0), 1, 0)
vision.Affine(20, (0, 0), -1, 0)
vision.Perspective([[0, 0]], [[0, 0]])
vision.RandomResizedCrop(4, scale=(1, 0.5))
vision.RandomResizedCrop(4, ratio=(0, 1))
vision.RandomResizedCrop(4, max_attempts=0)
vision.RandomErasing(value="a")
vision.RandomErasing(prob=2)
vision.GaussianBlur(4)
vision.GaussianBlur(3, "a")
vision.GaussianBlur(3, -1)
vision.ConvertColor(3)
vision.CutOut(0)
vision.CutOut(50)(rgb)
vision.CutMixBatch(1)
vision.CutMixBatch(vision.ImageBatchFormat.NHWC, 1.0, 2.0)
vision.MixUpBatch(-1.0)
vision.MixUpBatch()(rgb, gray)
vision.SlicePatches(0, 1)
vision.SlicePatches(40, 40)(rgb)
vision.UniformAugment([vision.Invert()], 2)
vision.UniformAugment([], 1)
vision.RandomSelectSubpolicy([])
vision.RandomSelectSubpolicy([[vision.Invert()]])
vision.BoundingBoxAugment(3)
vision.RandomHorizontalFlipWithBBox(1.0)(rgb, boxes * 10)
vision.ResizeWithBBox(5)(rgb, boxes[:, :3])
vision.AutoAugment("imagenet")
vision.AutoAugment()(gray)
vision.RandAugment(2, 31)
vision.TrivialAugmentWide(1)
vision.ToPIL()(np.zeros((2, 2, 2, 2)))
vision.ToPIL()(np.zeros((2, 2, 3), np.float32))
vision.ToTensor("unknown")
vision.LinearTransformation(np.ones((2, 3)), np.ones(2))
vision.MixUp(0, 1.0)
vision.PadToSize(5)(rgb)
vision.PadToSize((30, 30), (20, 0))(rgb)
vision.ResizedCrop(10, 10, 10, 10, 5)(rgb)
vision.Erase(0, 0, 50, 5)(rgb)
vision.read_image("missing.png")
vision.read_file(1)
vision.encode_jpeg(rgb, 101)
vision.encode_jpeg(single)
vision.get_image_size(np.zeros(3))
vision.write_file("x", b"abc")
"""


def lines(text: str) -> list[str]:
    """The calls in a text."""
    return [line for line in text.splitlines() if line]


def encoded(image: Image.Image, kind: str, **options: Any) -> np.ndarray:
    """The bytes of an image file."""
    buffer = io.BytesIO()
    image.save(buffer, kind, **options)
    return np.frombuffer(buffer.getvalue(), np.uint8)


def files() -> dict[str, np.ndarray]:
    """Encoded images; they are recorded, since another Pillow may encode otherwise."""
    picture = inputs()["picture"]
    alpha = picture.copy()
    alpha.putalpha(picture.convert("L"))
    turned = Image.Exif()
    turned[0x112] = 6
    return {
        "jpeg": encoded(picture, "JPEG", quality=85),
        "jpeg_444": encoded(picture, "JPEG", quality=90, subsampling=0),
        "jpeg_gray": encoded(picture.convert("L"), "JPEG"),
        "jpeg_cmyk": encoded(picture.convert("CMYK"), "JPEG"),
        "jpeg_turned": encoded(picture, "JPEG", exif=turned.tobytes()),
        "png": encoded(picture, "PNG"),
        "png_alpha": encoded(alpha, "PNG"),
        "bmp": encoded(picture, "BMP"),
    }


def inputs() -> dict[str, Any]:
    """The images that the calls name."""
    down, across = np.mgrid[0:17, 0:23]
    waves = [
        127 + 120 * np.sin(across / 3 + down / 5),
        120 + 110 * np.cos(across / 4 - down / 3),
        across * 9 + down * 3,
    ]
    noise = np.random.default_rng(7).integers(-20, 20, (17, 23, 3))
    rgb = np.clip(np.stack(waves, axis=-1) + noise, 0, 255).astype(np.uint8)
    single = (rgb.astype(np.float32) - 100) / 7
    unit = rgb.astype(np.float32) / 255
    gray = np.ascontiguousarray(rgb[:, :, 0])
    tall = np.ascontiguousarray(rgb.transpose(1, 0, 2))
    return {
        "np": np,
        "rgb": rgb,
        "chw": np.ascontiguousarray(rgb.transpose(2, 0, 1)),
        "gray": gray,
        "gray_hwc": gray[:, :, None].copy(),
        "tall": tall,
        "stack": np.stack([rgb, rgb[::-1]]),
        "single": single,
        "single_chw": np.ascontiguousarray(single.transpose(2, 0, 1)),
        "unit": unit,
        "unit_chw": np.ascontiguousarray(unit.transpose(2, 0, 1)),
        "picture": Image.fromarray(rgb),
        "gray_picture": Image.fromarray(gray),
        "tall_picture": Image.fromarray(tall),
        "boxes": np.array([[1, 2, 5, 6, 1], [10, 3, 12, 13, 2], [0, 0, 2, 2, 3]], np.float32),
    }


def answers(case: str, names: dict[str, Any]) -> list[np.ndarray]:
    """The arrays that a call returns; it gets inputs of its own, since some transforms write into them."""
    result = eval(case, {**names, **inputs()})
    return [np.asarray(one) for one in (result if isinstance(result, tuple) else (result,))]


def refusal(case: str, names: dict[str, Any]) -> str:
    """The class of the error that a call raises."""
    try:
        eval(case, {**names, **inputs()})
    except Exception as error:
        return type(error).__name__
    return "nothing"


def record(vision: Any) -> dict[str, np.ndarray]:
    """Everything, as this processor gives it."""
    known = files()
    names = {"vision": vision, **known}
    recorded = {f"file {name}": data for name, data in known.items()}
    for case in lines(CASES):
        try:
            results = answers(case, names)
        except Exception as error:
            print(f"{case}: {type(error).__name__}: {str(error).split('[ERROR]')[-1][:200]}")
            continue
        recorded |= {f"{i} {case}": result for i, result in enumerate(results)}
    recorded["refusals"] = np.array([refusal(case, names) for case in lines(REFUSED)])
    return recorded


def recorded_under(**settings: str) -> dict[str, np.ndarray]:
    """What another process records under settings of the libraries that MindSpore uses."""
    with tempfile.TemporaryDirectory() as folder:
        path = f"{folder}/recorded.npz"
        command = [sys.executable, "-m", "tools.oracle.record_vision", path, "once"]
        subprocess.run(command, env={**os.environ, **settings}, check=True)
        return dict(np.load(path))


def main() -> None:
    """Record real MindSpore under two kinds of processor; the second where it differs.

    Its perspective maps of pictures rest on a solver that rounds otherwise with AVX-512, so that is left out.
    """
    recorded = recorded_under(OPENBLAS_CORETYPE="Haswell")
    others = recorded_under(OPENBLAS_CORETYPE="Haswell", OPENCV_CPU_DISABLE="AVX2,FMA3")
    differ = {key: other for key, other in others.items() if not np.array_equal(other, recorded[key])}
    recorded |= {key + WITHOUT_AVX2: other for key, other in differ.items()}
    np.savez_compressed(sys.argv[1], **recorded)


if __name__ == "__main__":
    if sys.argv[2:] == ["once"]:
        import mindspore.dataset.vision

        np.savez_compressed(sys.argv[1], **record(mindspore.dataset.vision))
    else:
        main()
