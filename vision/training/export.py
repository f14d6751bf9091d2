"""Write trained weights as ONNX.

python -m vision.training.export DICE.pt FRAMES.pt FACES.pt RESTS.pt    (- leaves one as it is)
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import nn

from vision.training.nets import DiceNet, FaceNet, FrameNet, RestNet

WEIGHTS = Path(__file__).parents[1] / "weights"
HALF = ".half"
"""Ends the name of what is stored with 16 bits."""


def write(net: nn.Module, state: str, out: Path, shape: tuple[int, ...]) -> None:
    """Export with a free batch size, and for the finder a free size of the picture."""
    net.load_state_dict(torch.load(state))
    net.eval()
    sides = {2: "h", 3: "w"} if isinstance(net, DiceNet) else {}
    axes = {"x": {0: "n", **sides}, "y": {0: "n", **sides}}
    torch.onnx.export(
        net, torch.zeros(1, *shape), str(out), dynamo=False, opset_version=13,
        input_names=["x"], output_names=["y"], dynamic_axes=axes,
    )  # fmt: skip
    model = onnx.load(out)
    halve(model)
    onnx.checker.check_model(model)
    onnx.save(model, out)
    print(out, out.stat().st_size, "bytes")


def halve(model: onnx.ModelProto) -> None:
    """Store the weights with 16 bits; they are widened again when the network is loaded."""
    kept = {i for node in model.graph.node if node.op_type == "Resize" for i in node.input}
    casts = []
    for tensor in model.graph.initializer:
        if tensor.data_type == onnx.TensorProto.FLOAT and tensor.name not in kept:
            short = onnx.numpy_helper.to_array(tensor).astype(np.float16)
            wide, tensor.name = tensor.name, tensor.name + HALF
            tensor.CopyFrom(onnx.numpy_helper.from_array(short, tensor.name))
            cast = onnx.helper.make_node("Cast", [tensor.name], [wide], to=onnx.TensorProto.FLOAT)
            casts.append(cast)
    nodes = [*casts, *model.graph.node]
    del model.graph.node[:]
    model.graph.node.extend(nodes)


if __name__ == "__main__":
    WEIGHTS.mkdir(exist_ok=True)
    for net, state, name, shape in zip(
        (DiceNet(), FrameNet(), FaceNet(), RestNet()),
        sys.argv[1:],
        ("dice", "frames", "faces", "rests"),
        ((3, 224, 304), (5, 40, 40), (3, 40, 40), (5, 64, 64)),
        strict=True,
    ):
        if state != "-":
            write(net, state, WEIGHTS / f"{name}.onnx", shape)
