"""The runtime of the networks."""

from __future__ import annotations

import numpy as np
import pytest

from vision.network import WEIGHTS, Network


@pytest.mark.parametrize(
    ("name", "shape"),
    [
        ("dice", (3, 64, 80)),
        ("dice", (3, 112, 48)),
        ("frames", (5, 40, 40)),
        ("faces", (3, 40, 40)),
        ("rests", (5, 64, 64)),
    ],
)
def test_many_are_answered_as_one_by_one(name: str, shape: tuple[int, ...]) -> None:
    network = Network(WEIGHTS / f"{name}.onnx")
    x = np.random.default_rng(3).normal(size=(3, *shape)).astype(np.float32)
    together = network(x)
    assert len(together) == 3
    assert together.std() > 0.01
    for one, said in zip(x, together, strict=True):
        assert network(one[None])[0] == pytest.approx(said, abs=1e-4)
