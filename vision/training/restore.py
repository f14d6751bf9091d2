"""Make states to go on training from out of the exported weights.

    python -m vision.training.restore FOLDER SCENES RENDERS...

writes `dice.pt`, `frames.pt`, `faces.pt` and `rests.pt`. An export has the batch norms folded into
the convolutions; here each gets the mean and the spread back that its inputs have on pictures of
the training, so that the network says what it said and learns as before.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import torch
from torch import Tensor, nn

from vision.dice import FAR, with_planes
from vision.training import train_dice, train_faces, train_frames, train_rests
from vision.training.data import read_renders, read_scenes, recolour
from vision.training.export import HALF, WEIGHTS
from vision.training.nets import DiceNet, FaceNet, FrameNet, RestNet
from vision.training.patches import collect, normalise

BATCHES, SIZE = 8, 48


def folded(net: nn.Module, path: Path, x: Tensor) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Put the exported numbers into a network; the convolutions with the norms that follow them."""
    order: list[nn.Module] = []
    kinds = (nn.Conv2d, nn.Linear, nn.BatchNorm2d)
    hooks = [
        m.register_forward_hook(lambda m, _i, _o: order.append(m))
        for m in net.modules()
        if isinstance(m, kinds)
    ]
    net.eval()
    with torch.no_grad():
        net(x)
    for hook in hooks:
        hook.remove()
    graph = onnx.load(path).graph
    numbers = {
        t.name.removesuffix(HALF): onnx.numpy_helper.to_array(t).astype(np.float32)
        for t in graph.initializer
    }
    stored = [node.input for node in graph.node if node.op_type in ("Conv", "Gemm")]
    layers = [i for i, m in enumerate(order) if not isinstance(m, nn.BatchNorm2d)]
    pairs = []
    with torch.no_grad():
        for i, names in zip(layers, stored, strict=True):
            layer, norm = order[i], order[i + 1] if i + 1 < len(order) else None
            layer.weight.copy_(torch.from_numpy(numbers[names[1]]))
            bias = torch.from_numpy(numbers[names[2]]) if len(names) > 2 else None
            if isinstance(norm, nn.BatchNorm2d):
                norm.running_mean.zero_()
                norm.running_var.fill_(1 - norm.eps)
                norm.weight.fill_(1)
                norm.bias.copy_(bias)
                pairs.append((layer, norm))
            elif bias is not None:
                layer.bias.copy_(bias)
    return pairs


def measure(
    net: nn.Module, pairs: list[tuple[nn.Conv2d, nn.BatchNorm2d]], batches: list[Tensor]
) -> None:
    """Give each norm the mean and the spread of its inputs, and undo them behind it."""
    seen: dict[nn.Module, list[Tensor]] = {conv: [] for conv, _ in pairs}
    hooks = [
        conv.register_forward_hook(
            lambda m, _i, o: seen[m].append(
                torch.stack([o.mean((0, 2, 3)), (o * o).mean((0, 2, 3))])
            )
        )
        for conv, _ in pairs
    ]
    with torch.no_grad():
        for x in batches:
            net(x)
        for hook in hooks:
            hook.remove()
        for conv, norm in pairs:
            mean, square = torch.stack(seen[conv]).mean(0)
            spread = (square - mean * mean).clamp(min=1e-6)
            norm.bias.add_(mean)
            norm.running_mean.copy_(mean)
            norm.running_var.copy_(spread)
            norm.weight.copy_((spread + norm.eps).sqrt())


def main(out: str, scenes: str, *renders: str) -> None:
    """Write the four states."""
    rng = np.random.default_rng(1)
    soft, traced = read_scenes(scenes, 300), read_renders(list(renders))
    halves = read_renders(list(renders), half=True)
    parts = {train_frames.SCENE: collect(rng, soft), train_frames.RENDER: collect(rng, traced)}
    pool, rested = train_frames.pool_of(parts, ""), train_rests.gather(rng, [traced])

    def looks() -> Tensor:
        pictures = [
            train_dice.sample(rng, halves if i % 2 else soft, i % 2 == 1)[0] for i in range(SIZE)
        ]
        return (torch.from_numpy(np.stack(pictures)) - 128) / 64

    def frames() -> Tensor:
        cuts = [train_frames.jitter(rng, pool, i) for i in rng.choice(len(pool.source), SIZE)]
        x = np.stack([recolour(rng, cut[0]).transpose(2, 0, 1) for cut in cuts])
        return torch.from_numpy(with_planes(normalise(x), np.stack([c[2] for c in cuts]) / FAR))

    def faces() -> Tensor:
        rows = []
        for part in parts.values():
            for i in rng.choice(len(part.kind), SIZE // 2):
                cut = train_faces.jitter(rng, part.pixels[i], part.corners[i], int(part.kind[i]))
                rows.append(recolour(rng, cut[0]).transpose(2, 0, 1))
        return torch.from_numpy(normalise(np.stack(rows)))

    def rests() -> Tensor:
        dice = rng.choice(len(rested[0]), SIZE)
        return torch.from_numpy(train_rests.batch(rng, *(column[dice] for column in rested))[0])

    makers = (DiceNet, "dice", looks), (FrameNet, "frames", frames)
    for kind, name, batch in (*makers, (FaceNet, "faces", faces), (RestNet, "rests", rests)):
        net, batches = kind(), [batch() for _ in range(BATCHES)]
        pairs = folded(net, WEIGHTS / f"{name}.onnx", batches[0])
        before = net(batches[0])
        measure(net, pairs, batches)
        change = float((net(batches[0]) - before).abs().max().detach())
        torch.save(net.state_dict(), Path(out) / f"{name}.pt")
        print(name, f"largest change {change:.1e}")


if __name__ == "__main__":
    main(*sys.argv[1:])
