"""Makes JPEG files by libjpeg-turbo (Pillow), and what it decodes of them as PNG, for a test of our decoding."""

import os

import numpy as np
from PIL import Image

os.chdir(os.path.dirname(os.path.abspath(__file__)))
rng = np.random.default_rng(3)
y, x = np.mgrid[0:61, 0:83]
a = np.stack([128 + 90 * np.sin(x / 23) + 20 * np.cos(y / 7), 128 + 80 * np.sin(y / 31 + x / 50), 60 + 1.6 * x + 20 * np.sin(y / 11)], -1)
a[10:30, 20:50] = [220, 40, 30]
a[33:51, 5:23] = [20, 60, 200]
colour = Image.fromarray(np.clip(a + rng.normal(0, 6, a.shape), 0, 255).astype("uint8"))
for name, sampling in (("444", "4:4:4"), ("422", "4:2:2"), ("420", "4:2:0"), ("grey", None)):
    image = colour if sampling else colour.convert("L")
    image.save(name + ".jpg", quality=90, **({"subsampling": sampling} if sampling else {}))
    Image.open(name + ".jpg").save(name + ".png")
# Pillow writes no 4:4:0: a square of 4:2:2 whose frame header says that the samples of colour lie below each other.
colour.crop((0, 0, 48, 48)).save("440.jpg", quality=90, subsampling="4:2:2")
with open("440.jpg", "rb") as f:
    b = bytearray(f.read())
b[b.index(b"\xff\xc0") + 11] = 0x12
with open("440.jpg", "wb") as f:
    f.write(b)
Image.open("440.jpg").save("440.png")
