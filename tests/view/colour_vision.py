"""What colours look like without one kind of receptor, and how different two colours are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Colours = NDArray[np.float64]

VISIONS: dict[str, Colours] = {
    "usual": np.eye(3),
    "protanopia": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deuteranopia": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritanopia": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
"""How linear red, green and blue are seen: Machado, Oliveira and Fernandes (2009), at full severity."""

_TO_XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(srgb: Colours) -> Colours:
    """From the numbers of a picture (0 to 1) to amounts of light."""
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def seen(light: Colours, vision: str) -> Colours:
    """Amounts of light as somebody sees them."""
    return np.clip(light @ VISIONS[vision].T, 0, 1)


def lab(light: Colours) -> Colours:
    """CIELAB of amounts of light, under D65."""
    ratio = light @ _TO_XYZ.T / _TO_XYZ.sum(axis=1)
    root = np.where(ratio > (6 / 29) ** 3, np.cbrt(ratio), ratio / (3 * (6 / 29) ** 2) + 4 / 29)
    x, y, z = root[..., 0], root[..., 1], root[..., 2]
    return np.stack([116 * y - 16, 500 * (x - y), 200 * (y - z)], axis=-1)


def difference(one: Colours, other: Colours) -> float:
    """CIEDE2000 between two colours in CIELAB: 1 is just noticeable side by side, 10 is plain at a glance."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    mean = (np.hypot(a1, b1) + np.hypot(a2, b2)) / 2
    stretch = 1 + 0.5 * (1 - np.sqrt(mean**7 / (mean**7 + 25.0**7)))
    c1, c2 = np.hypot(a1 * stretch, b1), np.hypot(a2 * stretch, b2)
    h1, h2 = (np.degrees(np.arctan2(b, a * stretch)) % 360 for a, b in ((a1, b1), (a2, b2)))
    turn = (h2 - h1 + 180) % 360 - 180 if c1 * c2 else 0.0
    lightness, chroma, hue = l2 - l1, c2 - c1, 2 * np.sqrt(c1 * c2) * np.sin(np.radians(turn / 2))
    light, strength = (l1 + l2) / 2, (c1 + c2) / 2
    middle = (h1 + turn / 2) % 360 if c1 * c2 else h1 + h2
    wave = 1 - 0.17 * _cos(middle - 30) + 0.24 * _cos(2 * middle) + 0.32 * _cos(3 * middle + 6)
    wave -= 0.2 * _cos(4 * middle - 63)
    scale_l = 1 + 0.015 * (light - 50) ** 2 / np.sqrt(20 + (light - 50) ** 2)
    scale_c, scale_h = 1 + 0.045 * strength, 1 + 0.015 * strength * wave
    blue = 60 * np.exp(-(((middle - 275) / 25) ** 2))
    mixed = -2 * np.sqrt(strength**7 / (strength**7 + 25.0**7)) * np.sin(np.radians(blue))
    parts = lightness / scale_l, chroma / scale_c, hue / scale_h
    return float(np.sqrt(sum(part**2 for part in parts) + mixed * parts[1] * parts[2]))


def _cos(degrees: float) -> float:
    return float(np.cos(np.radians(degrees)))
