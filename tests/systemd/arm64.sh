#!/usr/bin/env bash
# Run the program on arm64, as a 64-bit Raspberry Pi would, under qemu's user emulation.
#
#   sudo tests/systemd/arm64.sh [bookworm] [trixie]
#
# Takes Debian's own Python for arm64 and the wheels that a Pi would install, imports all of them,
# presses a mock button, judges a game, draws a screen and reads some recorded throws. Nothing may
# come out otherwise than on this machine. It says nothing about speed. Needs debootstrap,
# qemu-aarch64-static (qemu-user-static) and pip; what is fetched is kept in $CACHE.
set -euo pipefail

cd "$(dirname "$0")/../.."
CACHE=${CACHE:-/var/tmp/dicetable-containers}
suites=("$@")
((${#suites[@]})) || suites=(bookworm trixie)
declare -A python_of=([bookworm]=3.11 [trixie]=3.13)
for tool in debootstrap qemu-aarch64-static dpkg; do
    command -v "$tool" >/dev/null || { echo "arm64.sh: $tool is missing" >&2; exit 2; }
done

base() {
    [[ -d $CACHE/$1.arm64 ]] && return
    echo "  unpacking Python for arm64 from $1 (once) ..."
    rm -rf "$CACHE/$1.arm64.part"
    # The first stage fetches and unpacks; the second one would run arm64 programs and is not needed.
    nice -n 19 debootstrap --arch=arm64 --foreign --variant=minbase --include=python3,libpython3-stdlib \
        "$1" "$CACHE/$1.arm64.part" >"$CACHE/$1.arm64.log" 2>&1
    local deb
    for deb in "$CACHE/$1.arm64.part"/var/cache/apt/archives/*.deb; do dpkg -x "$deb" "$CACHE/$1.arm64.part"; done
    mv "$CACHE/$1.arm64.part" "$CACHE/$1.arm64"
}

# Fetched anew when a dependency is added or changed.
wheels() {
    local wanted
    wanted=$("${PYTHON:-python3}" -c '
import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], "simplejpeg>=1.9", sep="\n")')
    [[ -d $CACHE/site-arm64-$1 && $(cat "$CACHE/site-arm64-$1.wanted" 2>/dev/null) == "$wanted" ]] && return
    echo "  fetching arm64 wheels for Python $1 ..."
    rm -rf "$CACHE/site-arm64-$1" "$CACHE/site-arm64-$1.part"
    xargs -d '\n' "${PYTHON:-python3}" -m pip install --quiet --target "$CACHE/site-arm64-$1.part" \
        --only-binary=:all: --implementation cp --python-version "$1" \
        --platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64 \
        <<<"$wanted"
    mv "$CACHE/site-arm64-$1.part" "$CACHE/site-arm64-$1"
    printf '%s\n' "$wanted" >"$CACHE/site-arm64-$1.wanted"
}

# Our own package as a wheel would bring it: the same files for every machine.
ours() {
    rm -rf "$CACHE/site-ours"
    "${PYTHON:-python3}" -m pip install --quiet --no-deps --target "$CACHE/site-ours" .
}

# Writes "name TAB result" lines; how far it is goes to stderr.
program() {
    cat <<'PROGRAM'
import contextlib
import hashlib
import importlib
import io
import json
import platform
import re
import sys
import time
import tomllib
from importlib import metadata
from pathlib import Path

STILLS = ("01004_hand", "01038_cocked", "01043_cup", "ivory_black_20001_03_good",
          "black_white_20007_04_normal", "worn_bone_20026_04_good")
started = time.monotonic()


def tell(*words):
    print(f"  {time.monotonic() - started:5.0f} s ", *words, file=sys.stderr, flush=True)


def result(name, value):
    print(name, value, sep="\t", flush=True)
    tell(name, value)


wanted = tomllib.loads(Path("pyproject.toml").read_text())["project"]["dependencies"]
if platform.machine() == "aarch64":
    wanted.append("simplejpeg")  # as the extra `pi` wants it
modules = {}
for module, distributions in metadata.packages_distributions().items():
    for distribution in distributions:
        modules.setdefault(distribution.lower(), []).append(module)
tell(platform.machine(), "Python", platform.python_version())
for name in (re.match(r"[\w-]+", line)[0].lower() for line in wanted):
    for module in modules[name]:
        importlib.import_module(module)
    tell("imported", name, metadata.version(name))

import cv2
import gpiozero
import pygame

if platform.machine() == "aarch64":
    sdl = next((Path(pygame.__file__).parents[1] / "pygame_ce.libs").glob("libSDL2-2*"))
    assert b"KMSDRM" in sdl.read_bytes(), "this SDL can not draw on a Pi's bare console"
    tell("its SDL has KMSDRM")
pressed = []
button = gpiozero.Button(5)
button.when_pressed = lambda: pressed.append(1)
button.pin.drive_low()
result("button", pressed)

from firmware import cli

from firmware.rules import GAMES

vectors = json.loads(Path("tests/firmware/rules/vectors.json").read_text())
for game in GAMES:
    case = max(vectors[game]["vectors"], key=lambda case: len(case["steps"]))
    Path(sys.argv[1] + ".json").write_text(json.dumps({**case, "game": game}))
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        status = cli.main(["judge", sys.argv[1] + ".json"])
    digest = hashlib.sha256(told.getvalue().replace(sys.argv[1], "").encode()).hexdigest()
    result(game, (status, len(case["steps"]), digest))

from display.stage import draw
from tests.display.views import VIEWS

pygame.font.init()
surface = pygame.Surface((1024, 600))
draw(surface, VIEWS["throw_read"](), 0.0)
pygame.image.save(surface, sys.argv[1])
tell("drawn", sys.argv[1])

from vision.reader import Reader
from vision.recording import load_recordings

cv2.setNumThreads(1)
reader = Reader()
tell("the reader is up")
for recording in load_recordings("tests/recordings/stills"):
    if recording.name in STILLS:
        reading = reader.read(recording.image(0), dice=len(recording.truth.dice))
        result(recording.name, (reading.values, [str(why) for why in reading.problems]))
PROGRAM
}

# The two screens: freetype may round a letter's edge otherwise, no more.
same_screen() {
    "${PYTHON:-python3}" - "$1" "$2" <<'PROGRAM'
import sys

import cv2

here, there = (cv2.imread(name).astype(int) for name in sys.argv[1:])
off = abs(here - there).max(axis=2)
print(f"  screen: {(off > 0).mean():.3%} of its pixels differ, by {off.max()} of 255 at most")
sys.exit(int(here.std() < 5 or (off > 8).mean() > 0.001))
PROGRAM
}

export PYTHONDONTWRITEBYTECODE=1 SDL_VIDEODRIVER=dummy GPIOZERO_PIN_FACTORY=mock PYGAME_HIDE_SUPPORT_PROMPT=1

try() {
    local root=$CACHE/$1.arm64 version=$2
    # Compiling takes minutes under qemu; a Python of the same version here does it in seconds.
    if command -v "python$version" >/dev/null; then
        "python$version" -m compileall -qq "$CACHE/site-arm64-$version" "$root/usr/lib/python$version" || true
    fi
    program >"$CACHE/arm64.py"
    PYTHONPATH=$CACHE/site-ours:$PWD "${PYTHON:-python3}" "$CACHE/arm64.py" "$CACHE/here.png" >"$CACHE/here.txt"
    PYTHONPATH="$CACHE/site-ours:$CACHE/site-arm64-$version:$PWD" QEMU_LD_PREFIX="$root" PYTHONHOME="$root/usr" \
        qemu-aarch64-static "$root/usr/bin/python$version" "$CACHE/arm64.py" "$CACHE/there-$1.png" >"$CACHE/there.txt"
    diff "$CACHE/here.txt" "$CACHE/there.txt" && echo "  all $(wc -l <"$CACHE/there.txt") results alike"
    same_screen "$CACHE/here.png" "$CACHE/there-$1.png"
}

ours
for suite in "${suites[@]}"; do
    echo "$suite"
    base "$suite"
    wheels "${python_of[$suite]}"
    try "$suite" "${python_of[$suite]}"
done
