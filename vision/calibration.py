"""What a table knows of its camera: where the tray is, how the picture hangs, the empty tray.

`calibrate` finds it in pictures of the empty tray and, better, one with the printed card in it. A
`Calibration` is kept as JSON::

    {"format": "dicetable calibration", "version": 1,
     "camera": "picamera2", "size": [1280, 960],     pixels of the turned picture
     "turn": 0,                                      degrees the picture is turned, clockwise
     "found_by": "markers", "tray": {...},           see `vision.tray`
     "anchors": [{"place": [x, y], "piece": PNG}],   see `vision.anchors`
     "empty": PNG}                                   the empty tray, small and grey

PNG stands for a small grey picture in base64.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np
import numpy.typing as npt

from vision import markers
from vision.anchors import Anchor, Anchors, Grey, cut
from vision.edges import LIKELY, find_floor
from vision.lens import Lens
from vision.pose import Points, Pose, fit
from vision.reading import Image
from vision.tray import Tray, TrayError
from vision.watch import Motion

FORMAT = "dicetable calibration"
VERSION = 1
TURNS = (0, 90, 180, 270)
STRAY_MM = 4.0
"""A marker that is seen so far from where it should be is glued on the wrong place."""

Array = npt.NDArray[np.float64]


class CalibrationError(Exception):
    """No calibration: one sentence, what is wrong and what to do."""


class FoundBy(StrEnum):
    """What told where the tray is."""

    MARKERS = "markers"
    EDGES = "edges"


@dataclass(frozen=True, slots=True)
class Measures:
    """The tray's measures, in millimetres, and what is known of the lens."""

    size_mm: tuple[float, float] = (280.0, 280.0)
    rim_mm: float = 35.0
    """How high the rim, with its markers, is above the felt."""
    rail_mm: float = 50.0
    """Depth of the keep rail along the near edge; 0 for none."""
    angle: float | None = None
    """What the lens sees across a picture, in degrees; None when that is not known."""

    @property
    def rail(self) -> float:
        """Depth of the rail as a share of the tray's."""
        return self.rail_mm / self.size_mm[1]


UNKNOWN_ANGLE = 60.0
"""A webcam's, when nobody knows better."""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What a table knows of its camera."""

    camera: str
    """The camera's name as it was given, such as `picamera2`."""
    size: tuple[int, int]
    turn: int
    found_by: FoundBy
    tray: Tray
    anchors: Anchors
    empty: Grey

    def fits(self, camera: str, size: tuple[int, int]) -> bool:
        """Whether it is for this camera with pictures of this size, before they are turned."""
        if self.turn in (90, 270):
            size = size[::-1]
        return self.camera == camera and self.size == size

    def to_dict(self) -> dict[str, object]:
        """As JSON; `from_dict` reads it back."""
        return {
            "format": FORMAT,
            "version": VERSION,
            "camera": self.camera,
            "size": list(self.size),
            "turn": self.turn,
            "found_by": self.found_by.value,
            "tray": self.tray.to_dict(),
            "anchors": [
                {"place": [round(v, 2) for v in anchor.place], "piece": _packed(anchor.piece)}
                for anchor in self.anchors.anchors
            ],
            "empty": _packed(self.empty),
        }

    @classmethod
    def from_dict(cls, data: object) -> Calibration:
        """Read back what `to_dict` gave.

        Raises:
            CalibrationError: it is no calibration, of another version, or damaged.
        """
        if not isinstance(data, Mapping) or data.get("format") != FORMAT:
            raise CalibrationError("this is no calibration; calibrate again")
        if data.get("version") != VERSION:
            raise CalibrationError("the calibration is of another version; calibrate again")
        try:
            width, height = (int(v) for v in data["size"])
            tray = Tray.from_dict(data["tray"])
            anchors = [
                Anchor((float(one["place"][0]), float(one["place"][1])), _unpacked(one["piece"]))
                for one in data["anchors"]
            ]
            if data["turn"] not in TURNS or min(width, height) < 1:
                raise ValueError("turn or size")
            return cls(
                str(data["camera"]),
                (width, height),
                int(data["turn"]),
                FoundBy(data["found_by"]),
                tray,
                Anchors(anchors, (width, height), tray.scale),
                _unpacked(data["empty"]),
            )
        except TrayError as error:
            raise CalibrationError(str(error)) from error
        except (KeyError, IndexError, TypeError, ValueError, AttributeError, cv2.error) as error:
            raise CalibrationError("the calibration is damaged; calibrate again") from error


def _packed(picture: Grey) -> str:
    return base64.b64encode(cv2.imencode(".png", picture)[1].tobytes()).decode("ascii")


def _unpacked(text: str) -> Grey:
    try:
        data = np.frombuffer(base64.b64decode(text, validate=True), np.uint8)
    except binascii.Error as error:
        raise ValueError("not base64") from error
    picture = cv2.imdecode(data, cv2.IMREAD_GRAYSCALE)
    if picture is None or min(picture.shape) < 3:
        raise ValueError("not a picture")
    return np.asarray(picture, np.uint8)


def turned(image: Image, turn: int) -> Image:
    """The picture turned by so many degrees (0, 90, 180 or 270), clockwise."""
    return image if turn == 0 else np.ascontiguousarray(np.rot90(image, -(turn // 90)))


# ------------------------------------------------------------------------------------- finding out


@dataclass(frozen=True, slots=True)
class Found:
    """A calibration, and what it was made from."""

    calibration: Calibration
    image: Image
    """The empty tray, turned."""
    seen: markers.Seen
    """The rim's markers in it."""
    card: Image | None
    """The picture with the card, turned."""
    card_seen: markers.Seen | None
    pose: Pose | None
    """Where the camera hangs, where markers or the card told it."""
    sure: float = 1.0
    """How likely the tray is right where its edges told it, 0 to 1."""


def calibrate(
    empty: Image,
    measures: Measures,
    *,
    camera: str,
    card: Image | None = None,
    turn: int | None = None,
) -> Found:
    """Find out all about the camera from a picture of the empty tray, and one with the card in it.

    `turn`: how far the picture is turned before use; None: as the markers tell, else not at all.

    Raises:
        CalibrationError: the tray is not found; the sentence says what to do.
    """
    seen = markers.find(empty)
    if len(seen.rim) < 3 and len(markers.find(_mirrored(empty)).rim) >= 3:
        raise CalibrationError(
            "the picture is mirrored: switch mirroring off in the camera's own settings"
        )
    if 0 < len(seen.rim) < 3:
        raise CalibrationError(
            f"only {len(seen.rim)} of the 4 markers can be told (one may be missing, no more): get "
            "the lens sharp, give more light, wipe or print the markers again, or take them off"
        )
    if turn is None:
        turn = _turn_of(seen.rim)
    if turn:
        empty = turned(empty, turn)
        seen = markers.find(empty)
    size = (empty.shape[1], empty.shape[0])
    sure = 1.0
    card_seen = None
    if card is not None:
        card = turned(card, turn)
        card_seen = markers.find(card)
    if len(seen.rim) >= 3:
        pose: Pose | None
        pose = _pose_of_markers(seen, card_seen, size, measures)
        tray = _tray_of(pose, measures)
        places = {n: quad.mean(axis=0) for n, quad in seen.rim.items()}
        side, found_by = markers.RIM_MM * 1.1 * tray.scale, FoundBy.MARKERS
    else:
        tray, pose, sure = _tray_of_edges(empty, card_seen, measures)
        places = dict(enumerate(np.array(tray.corners)))
        side, found_by = 30.0 * tray.scale, FoundBy.EDGES
    anchors = cut(empty, [(float(x), float(y)) for x, y in places.values()], side)
    small = Motion.small(empty)
    known = Calibration(
        camera, size, turn, found_by, tray, Anchors(anchors, size, tray.scale), small
    )
    return Found(known, empty, seen, card, card_seen, pose, sure)


def _mirrored(image: Image) -> Image:
    return np.ascontiguousarray(image[:, ::-1])


def _turn_of(rim: Mapping[int, Array]) -> int:
    """How far the picture must be turned, clockwise, for the player to be at the bottom."""
    if len(rim) < 3:
        return 0
    # The upper edges of the markers, all of them together, point to the player's right.
    right = sum((quad[1] - quad[0] + quad[2] - quad[3] for quad in rim.values()), np.zeros(2))
    angle = float(np.degrees(np.arctan2(right[1], right[0])))
    return -round(angle / 90) % 4 * 90


def _card_points(seen: markers.Seen | None) -> tuple[Array, Array]:
    if seen is None or len(seen.card) < 12:
        return np.zeros((0, 2)), np.zeros((0, 2))
    numbers = sorted(seen.card)
    return markers.card_places()[numbers], np.array([seen.card[n] for n in numbers])


def _pose_of_markers(
    seen: markers.Seen, card: markers.Seen | None, size: tuple[int, int], measures: Measures
) -> Pose:
    """From the middles of the markers: blur and glare make them larger or smaller all round."""
    where = markers.places(measures.size_mm, measures.rim_mm)
    places = np.array([where[n].mean(axis=0) for n in seen.rim])
    pixels = np.array([quad.mean(axis=0) for quad in seen.rim.values()])
    lens = Lens.of_angle(size, measures.angle or UNKNOWN_ANGLE)
    known = Points(places, pixels, *_card_points(card))
    with_card = len(known.card) > 0
    # Four middles fit any lens: only with the card there is something left to find out.
    pose = fit(known, lens, find_focal=with_card and len(places) == 4, find_k1=with_card)
    stray = np.linalg.norm(pose.project(places) - pixels, axis=1).max()
    scale = pose.lens.focal / max(pose.height_mm, 1.0)
    if stray / scale > STRAY_MM:
        names = ", ".join(f"{n} {corner}" for n, corner in enumerate(markers.CORNERS))
        raise CalibrationError(
            f"the markers are up to {stray / scale:.0f} mm from where they should be: glue them on "
            f"the rim's corners ({names}), and look whether the tray's measures are right"
        )
    return pose


def _tray_of(pose: Pose, measures: Measures) -> Tray:
    width, depth = measures.size_mm
    floor = np.array([[0, 0, 0], [width, 0, 0], [width, depth, 0], [0, depth, 0]], float)
    a, b, c, d = ((float(x), float(y)) for x, y in pose.project(floor))
    lens = pose.lens if pose.lens.k1 else None
    return Tray((a, b, c, d), measures.size_mm, measures.rail, lens)


def _tray_of_edges(
    image: Image, card: markers.Seen | None, measures: Measures
) -> tuple[Tray, Pose | None, float]:
    """By the tray's edges, and how sure; the card tells how the lens bends, but not its angle."""
    width, depth = measures.size_mm
    found = find_floor(image, width / depth)
    if found is None or found.sure < LIKELY:
        raise CalibrationError(
            "no tray found: its inner edges must all be in the picture and differ from the floor; "
            "move the camera, or glue the printed markers on the rim (dicetable sheets)"
        )
    a, b, c, d = ((float(x), float(y)) for x, y in found.corners)
    tray = Tray((a, b, c, d), measures.size_mm, measures.rail)
    points, pixels = _card_points(card)
    if not len(points):
        return tray, None, found.sure
    floor = np.array([[0, 0, 0], [width, 0, 0], [width, depth, 0], [0, depth, 0]], float)
    size = (image.shape[1], image.shape[0])
    lens = Lens.of_angle(size, measures.angle or UNKNOWN_ANGLE)
    known = Points(floor, np.array(tray.corners), points, pixels)
    pose = fit(known, lens, find_focal=False, find_k1=True)
    return Tray(tray.corners, tray.size_mm, tray.rail, pose.lens), pose, found.sure
