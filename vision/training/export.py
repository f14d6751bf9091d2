"""Write trained weights as ONNX.

python -m vision.training.export DICE.pt FRAMES.pt FACES.pt      (- leaves one as it is)
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from torch import nn

from vision.training.nets import DiceNet, FaceNet, FrameNet

WEIGHTS = Path(__file__).parents[1] / "weights"


def write(net: nn.Module, state: str, out: Path, shape: tuple[int, ...]) -> None:
    """Export with a free batch size; the picture's size may differ from `shape` all the same."""
    net.load_state_dict(torch.load(state))
    net.eval()
    axes = {"x": {0: "n"}, "y": {0: "n"}}
    torch.onnx.export(
        net, torch.zeros(1, *shape), str(out), dynamo=False, opset_version=13,
        input_names=["x"], output_names=["y"], dynamic_axes=axes,
    )  # fmt: skip
    print(out, out.stat().st_size, "bytes")


if __name__ == "__main__":
    WEIGHTS.mkdir(exist_ok=True)
    for net, state, name, shape in zip(
        (DiceNet(), FrameNet(), FaceNet()),
        sys.argv[1:],
        ("dice", "frames", "faces"),
        ((3, 288, 384), (3, 40, 40), (3, 40, 40)),
        strict=True,
    ):
        if state != "-":
            write(net, state, WEIGHTS / f"{name}.onnx", shape)
