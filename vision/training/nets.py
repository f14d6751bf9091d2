"""The four networks: small, of plain convolutions, which every OpenCV from 4.11 on runs alike."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional


def _conv(i: int, o: int, k: int = 3, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(i, o, k, stride, k // 2, groups=groups, bias=False),
        nn.BatchNorm2d(o),
        nn.ReLU(inplace=True),
    )


class _Block(nn.Module):
    """A depth-wise separable convolution around which the input passes."""

    def __init__(self, c: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _conv(c, c, groups=c), nn.Conv2d(c, c, 1, bias=False), nn.BatchNorm2d(c)
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.body(x))


class DiceNet(nn.Module):
    """BGR picture (n, 3, h, w) to maps (n, 11, h/4, w/4); `vision.dice` says what they mean."""

    def __init__(
        self, widths: tuple[int, ...] = (12, 24, 48, 80), depth: tuple[int, ...] = (2, 2, 4)
    ):
        super().__init__()
        a, b, c, d = widths
        self.stem = nn.Sequential(_conv(3, a, 3, 2), _conv(a, b, 3, 2))
        self.at4 = nn.Sequential(*(_Block(b) for _ in range(depth[0])))
        self.at8 = nn.Sequential(_conv(b, c, 3, 2), *(_Block(c) for _ in range(depth[1])))
        self.at16 = nn.Sequential(_conv(c, d, 3, 2), *(_Block(d) for _ in range(depth[2])))
        self.up8, self.mix8 = nn.Conv2d(d, c, 1), _Block(c)
        self.up4, self.mix4 = nn.Conv2d(c, b, 1), _Block(b)
        self.head = nn.Sequential(_conv(b, 48, 1), nn.Conv2d(48, 11, 1))
        with torch.no_grad():
            self.head[1].bias[0] = self.head[1].bias[9] = -4

    def forward(self, x: Tensor) -> Tensor:
        """The eleven maps."""
        x4 = self.at4(self.stem(x))
        x8 = self.at8(x4)
        y = functional.interpolate(self.up8(self.at16(x8)), scale_factor=2.0, mode="nearest")
        y = functional.interpolate(self.up4(self.mix8(y + x8)), scale_factor=2.0, mode="nearest")
        return self.head(self.mix4(y + x4))


def _patch_body(planes: int, widths: tuple[int, int, int]) -> nn.Sequential:
    """(n, planes, h, w) to (n, widths[2], h / 8, w / 8).

    Halved at once: most of the time went into what was worked out at full size.
    """
    a, b, c = widths
    return nn.Sequential(
        _conv(planes, a, stride=2), _conv(a, a), _conv(a, b, stride=2), _conv(b, b),
        _conv(b, c, stride=2), _conv(c, c),
    )  # fmt: skip


class FaceNet(nn.Module):
    """Patches (n, 3, 40, 40) of unit contrast to logits (n, 8); `vision.faces` names them."""

    def __init__(self, widths: tuple[int, int, int] = (24, 48, 72)) -> None:
        super().__init__()
        self.body = _patch_body(3, widths)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(widths[2] * 25, 8)

    def forward(self, x: Tensor) -> Tensor:
        """The eight logits."""
        return self.head(self.drop(self.body(x).flatten(1)))


class FrameNet(nn.Module):
    """Patches (n, 5, 40, 40) to a top face's frame (n, 8); see `vision.dice`.

    Three planes are the colours, of unit contrast, two the way to the picture's middle.
    """

    def __init__(self, widths: tuple[int, int, int] = (24, 48, 64)) -> None:
        super().__init__()
        self.body = _patch_body(5, widths)
        self.head = nn.Sequential(nn.Linear(widths[2] * 25, 48), nn.ReLU(), nn.Linear(48, 8))

    def forward(self, x: Tensor) -> Tensor:
        """Middle, log edge, u²v², u²+v², and the logit of being a die."""
        return self.head(self.body(x).flatten(1))


class RestNet(nn.Module):
    """Patches (n, 5, 64, 64) to the logits of four ways to rest (n, 4); see `vision.dice`.

    One plane is grey, lest dice be known by their colour, the others `vision.dice.rest_planes`.
    """

    def __init__(self, widths: tuple[int, int, int] = (16, 40, 64)) -> None:
        super().__init__()
        c = widths[2]
        self.body = nn.Sequential(_patch_body(5, widths), _conv(c, c, stride=2), _conv(c, c))
        self.drop = nn.Dropout(0.15)
        self.head = nn.Sequential(nn.Linear(c * 16, 48), nn.ReLU(), nn.Linear(48, 5))

    def tilted(self, x: Tensor) -> Tensor:
        """The four logits, and the lean in units of `train_rests.LEANS`, which only teaches."""
        return self.head(self.drop(self.body(x).flatten(1)))

    def forward(self, x: Tensor) -> Tensor:
        """The four logits."""
        return self.tilted(x)[:, :4]
