"""Pictures of digits and of a loss curve, drawn with Pillow."""

import numpy as np
from PIL import Image, ImageDraw

SCALE = 3  # pixels of the picture per pixel of a digit
COLUMNS = 8
CAPTION = 14
MARGIN = 10
WHITE, BLACK, RED, BLUE, GREY = (255, 255, 255), (0, 0, 0), (200, 30, 30), (40, 90, 200), (210, 210, 210)


def draw_digits(images, labels, predictions):
    """Digits in rows, each with what it was read as; misread ones in red, with what they are."""
    cell = 28 * SCALE + MARGIN
    rows = -(-len(images) // COLUMNS)
    picture = Image.new("RGB", (COLUMNS * cell + MARGIN, rows * (cell + CAPTION) + MARGIN), WHITE)
    pen = ImageDraw.Draw(picture)
    for position, (image, label, guess) in enumerate(zip(images, labels, predictions, strict=True)):
        left = MARGIN + position % COLUMNS * cell
        top = MARGIN + position // COLUMNS * (cell + CAPTION)
        digit = Image.fromarray(255 - image).resize((28 * SCALE, 28 * SCALE), Image.Resampling.NEAREST)
        picture.paste(digit, (left, top))
        right = guess == label
        caption = f"{guess}" if right else f"{guess}, is {label}"
        pen.text((left, top + 28 * SCALE + 1), caption, fill=BLACK if right else RED)
    return picture


def draw_losses(losses, width=COLUMNS * (28 * SCALE + MARGIN) + MARGIN, height=260):
    """The loss of every step in light colour, and its running mean over it."""
    picture = Image.new("RGB", (width, height), WHITE)
    pen = ImageDraw.Draw(picture)
    left, top, right, bottom = 40, 20, width - MARGIN, height - 24
    highest = max(float(losses.max()), 1e-6)
    for share in range(5):
        y = bottom - (bottom - top) * share / 4
        pen.line([(left, y), (right, y)], fill=GREY)
        pen.text((4, y - 6), f"{highest * share / 4:.2f}", fill=BLACK)
    pen.text((left, bottom + 6), "step 1", fill=BLACK)
    pen.text((right - 60, bottom + 6), f"step {len(losses)}", fill=BLACK)
    pen.text((left, 4), "training loss", fill=BLACK)

    def line(values, color, thickness):
        places = np.linspace(left, right, len(values)) if len(values) > 1 else np.array([left])
        heights = bottom - (bottom - top) * np.clip(values, 0, highest) / highest
        pen.line(list(zip(places.tolist(), heights.tolist(), strict=True)), fill=color, width=thickness)

    line(losses, GREY, 1)
    line(_running_mean(losses, max(1, len(losses) // 50)), BLUE, 2)
    return picture


def _running_mean(values, count):
    sums = np.cumsum(np.insert(values, 0, 0.0))
    ends = np.arange(1, len(values) + 1)
    starts = np.maximum(0, ends - count)
    return (sums[ends] - sums[starts]) / (ends - starts)


def stack(*pictures):
    """Pictures of the same width, one above the other."""
    whole = Image.new("RGB", (max(one.width for one in pictures), sum(one.height for one in pictures)), WHITE)
    top = 0
    for one in pictures:
        whole.paste(one, (0, top))
        top += one.height
    return whole
