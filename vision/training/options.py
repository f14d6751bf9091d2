"""The options that all trainings share."""

from __future__ import annotations

import argparse

import cv2
import torch


def parse(text: str | None, batch: int, rate: float) -> argparse.Namespace:
    """Read the command line, and make the run repeatable and modest."""
    parser = argparse.ArgumentParser(description=text)
    parser.add_argument("out", help="where the weights go (.pt)")
    parser.add_argument("scenes", help="folder written by vision.training.scenes")
    parser.add_argument("renders", nargs="*", help="folders written by the path tracer")
    parser.add_argument("--steps", type=int, default=4000)
    parser.add_argument("--batch", type=int, default=batch)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--start", default="", help="weights to go on from")
    parser.add_argument("--above", default="", help="scenes with the table's own camera")
    parser.add_argument(
        "--false",
        default="",
        help="false finds of vision.training.mine, one or two files with a comma",
    )
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.manual_seed(args.seed)
    return args
