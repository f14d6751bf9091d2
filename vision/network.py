"""The trained networks, run by ONNX Runtime.

It needs two fifths to two thirds of the time of OpenCV's own `dnn`, and says the same whichever
OpenCV is installed.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime

Floats = npt.NDArray[np.float32]

WEIGHTS = Path(__file__).parent / "weights"
_ERRORS = 3  # severity: it warns of graphics cards that a Pi lacks


class Network:
    """One network, called with one array and giving one. It works on one core."""

    def __init__(self, path: Path) -> None:
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = _ERRORS
        self._session = onnxruntime.InferenceSession(
            path, options, providers=["CPUExecutionProvider"]
        )
        self._input = self._session.get_inputs()[0].name

    def __call__(self, x: Floats) -> Floats:
        """What it says of `x` (n, ...): (n, ...)."""
        return np.asarray(self._session.run(None, {self._input: x})[0], np.float32)
