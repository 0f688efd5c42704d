"""Words on the picture: title and time, the floor's grid, and what the colours mean."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from windrow.render.colors import Legend, scale_color

INK = (38, 44, 52)


def annotated(image: NDArray[np.uint8], caption: str, legend: Legend) -> NDArray[np.uint8]:
    """A copy of the picture with caption below left and legend below right; tiny pictures stay bare."""
    height, width = image.shape[:2]
    if min(width, height) < 160:
        return image
    size = max(11, round(height / 42))
    font = ImageFont.load_default(size=size)
    canvas = Image.fromarray(image)
    draw = ImageDraw.Draw(canvas)
    margin = round(1.2 * size)
    draw.text((margin, height - margin), caption, fill=INK, font=font, anchor="ls")
    if legend.label:
        _color_bar(canvas, draw, font, size, margin, legend)
    for row, (name, color) in enumerate(reversed(legend.swatches)):
        base = height - margin - round(1.5 * size * row)
        right = width - margin
        draw.text((right, base), name, fill=INK, font=font, anchor="rs")
        left = right - round(draw.textlength(name, font=font)) - round(0.6 * size)
        fill = tuple(round(255 * c) for c in color)
        draw.ellipse((left - round(0.8 * size), base - round(0.8 * size), left, base), fill=fill)
    return np.asarray(canvas)


def _color_bar(
    canvas: Image.Image,
    draw: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    size: int,
    margin: int,
    legend: Legend,
) -> None:
    width, height = canvas.size
    length, thick = max(8 * size, width // 6), max(4, round(0.6 * size))
    left, bottom = width - margin - length, height - margin
    strip = np.broadcast_to(scale_color(np.linspace(0.0, 1.0, length), legend.scale), (thick, length, 3))
    top = bottom - round(1.3 * size) - thick
    canvas.paste(Image.fromarray(np.rint(255.0 * strip).astype(np.uint8)), (left, top))
    low, high = legend.limits
    draw.text((left, bottom), f"{low:.4g}", fill=INK, font=font, anchor="ls")
    draw.text((left + length, bottom), f"{high:.4g}", fill=INK, font=font, anchor="rs")
    draw.text((left + length // 2, top - round(0.5 * size)), legend.label, fill=INK, font=font, anchor="ms")
