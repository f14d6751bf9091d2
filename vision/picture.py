"""Load pictures from files, and say in one sentence why one can not be used."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.reading import Image

LARGEST_FILE = 256 * 1024 * 1024
"""Bytes; a larger file is no picture of dice, and a Pi has no memory for it."""


class PictureError(Exception):
    """A file can not be used as a picture; the message says which, why and what to do."""


def load_picture(path: str | Path) -> Image:
    """Read a picture file (JPEG, PNG, BMP, TIFF, WebP …) as blue, green, red of 8 bits each.

    Grey, 16-bit and transparent pictures are converted; a photograph is turned upright as its
    EXIF says. A file that is cut short is refused rather than read by half.

    Raises:
        PictureError: the file is missing, unreadable, no picture, damaged or too large.
    """
    path = Path(path)
    if path.is_dir():
        raise PictureError(f"{path}: is a folder, not a picture; name the pictures in it")
    try:
        size = path.stat().st_size
        data = path.read_bytes() if 0 < size <= LARGEST_FILE else b""
    except OSError as error:
        why = error.strerror or str(error)
        raise PictureError(f"{path}: can not be read ({why.lower()})") from error
    except ValueError as error:  # a NUL in the name
        raise PictureError(f"{path!r}: is no file name") from error
    if size > LARGEST_FILE:
        raise PictureError(f"{path}: is too large ({size // 2**20} MiB); make it smaller")
    if not data:
        raise PictureError(f"{path}: is empty; copy the picture again")
    if _cut_short(data):
        raise PictureError(f"{path}: the picture is cut short; copy it again")
    return _decode(data, path)


def _decode(data: bytes, path: Path) -> Image:
    try:
        with _silent():
            image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except cv2.error as error:
        if "CV_IO_MAX" in str(error):
            raise PictureError(f"{path}: has too many pixels; make it smaller") from error
        image = None
    except MemoryError as error:
        raise PictureError(
            f"{path}: has too many pixels for the memory; make it smaller"
        ) from error
    if image is None:
        raise PictureError(f"{path}: is no picture, or a damaged one; use JPEG or PNG")
    return np.asarray(image, np.uint8)


def _cut_short(data: bytes) -> bool:
    """True when a JPEG or PNG lacks its end: OpenCV versions differ in what they make of it."""
    half = len(data) // 2  # an embedded thumbnail has an end of its own, near the front
    if data.startswith(b"\xff\xd8"):
        return b"\xff\xd9" not in data[half:]
    if data.startswith(b"\x89PNG"):
        return b"IEND" not in data[half:]
    return False


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """Keep the decoders' own chatter (libpng writes to the descriptor) off standard error."""
    sys.stderr.flush()
    try:
        kept = os.dup(2)
    except OSError:  # no standard error at all
        yield
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(null)
