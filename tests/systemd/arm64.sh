#!/usr/bin/env bash
# Run the reader on arm64, as a 64-bit Raspberry Pi would, under qemu's user emulation.
#
#   sudo tests/systemd/arm64.sh [bookworm] [trixie]
#
# Takes Debian's own Python for arm64 and the wheels that a Pi would install, imports every one
# of them, and reads some recorded throws: no picture may get other values than on this machine.
# It says nothing about speed, and takes some minutes for each system. Needs debootstrap,
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

wheels() {
    [[ -d $CACHE/site-arm64-$1 ]] && return
    echo "  fetching arm64 wheels for Python $1 (once) ..."
    "${PYTHON:-python3}" -c '
import tomllib
print(*tomllib.load(open("pyproject.toml", "rb"))["project"]["dependencies"], "simplejpeg>=1.9", sep="\n")' |
        xargs -d '\n' "${PYTHON:-python3}" -m pip install --quiet --target "$CACHE/site-arm64-$1.part" \
            --only-binary=:all: --implementation cp --python-version "$1" \
            --platform manylinux_2_28_aarch64 --platform manylinux_2_17_aarch64 --platform manylinux2014_aarch64
    mv "$CACHE/site-arm64-$1.part" "$CACHE/site-arm64-$1"
}

program() {
    cat <<'PROGRAM'
import platform
import sys
from pathlib import Path

import cv2
import gpiozero
import numpy
import pygame

from vision.reader import Reader
from vision.recording import load_recordings

print(f"  {platform.machine()}, Python {platform.python_version()}, numpy {numpy.__version__}, "
      f"cv2 {cv2.__version__}, pygame-ce {pygame.version.ver}", file=sys.stderr)
if platform.machine() == "aarch64":
    import simplejpeg  # as the extra `pi` wants it

    sdl = next((Path(pygame.__file__).parents[1] / "pygame_ce.libs").glob("libSDL2-2*"))
    assert b"KMSDRM" in sdl.read_bytes(), "this SDL can not draw on a Pi's bare console"
pygame.display.init()
pressed = []
button = gpiozero.Button(5)
button.when_pressed = lambda: pressed.append(1)
button.pin.drive_low()
assert pressed == [1]
cv2.setNumThreads(1)
reader = Reader()
for recording in load_recordings("tests/recordings/stills")[::16]:
    reading = reader.read(recording.image(0), dice=len(recording.truth.dice))
    print(recording.name, reading.values, sep="\t", flush=True)
PROGRAM
}

export PYTHONDONTWRITEBYTECODE=1 SDL_VIDEODRIVER=dummy GPIOZERO_PIN_FACTORY=mock PYGAME_HIDE_SUPPORT_PROMPT=1

try() {
    local root=$CACHE/$1.arm64 version=$2
    program >"$CACHE/arm64.py"
    PYTHONPATH=$PWD "${PYTHON:-python3}" "$CACHE/arm64.py" >"$CACHE/here.txt"
    PYTHONPATH="$CACHE/site-arm64-$version:$PWD" QEMU_LD_PREFIX="$root" PYTHONHOME="$root/usr" \
        nice -n 19 qemu-aarch64-static "$root/usr/bin/python$version" "$CACHE/arm64.py" >"$CACHE/there.txt"
    # The decoders of the two machines may round otherwise: a doubt more or less is no fault, two
    # different values are.
    paste "$CACHE/here.txt" "$CACHE/there.txt" | awk -F'\t' '
        $1 != $3 || ($2 != $4 && $2 != "None" && $4 != "None") { print "  FAIL  " $0; bad = 1 }
        $2 == $4 { alike++ }
        END { print "  " alike + 0 " of " NR " pictures read alike"; exit bad }'
}

for suite in "${suites[@]}"; do
    echo "$suite"
    base "$suite"
    wheels "${python_of[$suite]}"
    try "$suite" "${python_of[$suite]}"
done
