#!/usr/bin/env bash
# Try the installer and the real units in Debian containers, systemd as their first process.
#
#   sudo tests/systemd/container.sh [bookworm] [trixie]
#
# Needs debootstrap, systemd-nspawn (package systemd-container), git, pip, a network the first
# time. Base systems and wheels are kept in $CACHE (/var/tmp/dicetable-containers). What a
# container cannot show (tty1, DRM, GPIO, cameras, the board's watchdog, arm64) it does not claim:
# the unit runs there with the simulated camera, the keyboard panel and an X screen in memory, and
# stand-ins take the place of the two packages that only Raspberry Pi's archive has.
set -euo pipefail

cd "$(dirname "$0")/../.."
CACHE=${CACHE:-/var/tmp/dicetable-containers}
suites=("$@")
((${#suites[@]})) || suites=(bookworm trixie)
# The last of them stand in for the screen and for the finger on the confirm button.
INCLUDE=systemd,systemd-sysv,dbus,python3,python3-venv,ca-certificates,xvfb,xdotool,libxext6,libxcursor1,libxi6,libxrandr2
declare -A python_of=([bookworm]=3.11 [trixie]=3.13)
box=''
leader=''
failures=0

((EUID == 0)) || { echo "container.sh: run it as root" >&2; exit 2; }
for tool in debootstrap systemd-nspawn git nsenter; do
    command -v "$tool" >/dev/null || { echo "container.sh: $tool is missing" >&2; exit 2; }
done

ok() { printf '  ok    %s\n' "$*"; }
bad() { printf '  FAIL  %s\n' "$*"; failures=$((failures + 1)); }
PATIENCE=${PATIENCE:-1} # longer waits on a busy machine
# expect WHAT COMMAND...: the command must succeed.
expect() {
    local what=$1
    shift
    if "$@" >>"$box.log" 2>&1; then ok "$what"; else bad "$what"; fi
}
# within SECONDS COMMAND...: the command must succeed before the time is over.
within() {
    local end=$((SECONDS + $1 * PATIENCE))
    shift
    until "$@" 2>/dev/null; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}
inside() { nsenter -t "$leader" -m -u -i -n -p -- env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 "$@"; }
show() { inside systemctl show -P "$1" dicetable.service; }
is() { [[ $(show "$1") == "$2" ]]; }
differs() { [[ $(show "$1") != "$2" ]]; }
says() { [[ $(show StatusText) == *"$1"* ]]; }
logged() { inside journalctl -u dicetable.service -o cat --no-pager | grep -e "$1" >/dev/null; }

base_system() {
    [[ -e $CACHE/$1.base/etc/os-release ]] && return
    echo "  making the base system of $1 (once) ..."
    nice -n 19 debootstrap --variant=minbase --include="$INCLUDE" \
        "$1" "$CACHE/$1.base" >"$CACHE/$1.debootstrap.log" 2>&1
}

# Fetched anew when a dependency is added or changed.
wheels() {
    local version=$1 wanted
    wanted=$(python3 -c '
import tomllib
project = tomllib.load(open("pyproject.toml", "rb"))
print(*project["build-system"]["requires"], *project["project"]["dependencies"], sep="\n")')
    [[ -d $CACHE/wheels-$version && $(cat "$CACHE/wheels-$version.wanted" 2>/dev/null) == "$wanted" ]] && return
    echo "  fetching wheels for Python $version ..."
    rm -rf "$CACHE/wheels-$version" "$CACHE/wheels-$version.part"
    xargs -d "\n" "${PYTHON:-python3}" -m pip download --quiet --dest "$CACHE/wheels-$version.part" \
        --only-binary=:all: --python-version "$version" --implementation cp \
        --platform manylinux_2_28_x86_64 --platform manylinux_2_17_x86_64 --platform manylinux2014_x86_64 \
        <<<"$wanted"
    mv "$CACHE/wheels-$version.part" "$CACHE/wheels-$version"
    printf '%s\n' "$wanted" >"$CACHE/wheels-$version.wanted"
}

# stand_in PACKAGE MODULE TEXT: a package of our own with one Python module.
stand_in() {
    local root=$CACHE/stand-in.build package=$1
    rm -rf "$root"
    mkdir -p "$root/DEBIAN" "$root/usr/lib/python3/dist-packages" "$box/srv/stand-in"
    printf '%s\n' "$3" >"$root/usr/lib/python3/dist-packages/$2.py"
    printf '%s\n' "Package: $package" 'Version: 0' 'Architecture: all' 'Maintainer: nobody <nobody@localhost>' \
        'Description: stand-in for a trial' >"$root/DEBIAN/control"
    dpkg-deb --root-owner-group --build "$root" "$box/srv/stand-in/$package.deb" >/dev/null
    {
        cat "$root/DEBIAN/control"
        printf 'Filename: ./%s.deb\nSize: %s\nSHA256: %s\n\n' "$package" \
            "$(stat -c %s "$box/srv/stand-in/$package.deb")" \
            "$(sha256sum "$box/srv/stand-in/$package.deb" | cut -d' ' -f1)"
    } >>"$box/srv/stand-in/Packages"
}

furnish() {
    local suite=$1
    box=$CACHE/$suite.run
    rm -rf "$box"
    cp -a --reflink=auto "$CACHE/$suite.base" "$box"
    : >"$box.log"
    stand_in python3-picamera2 picamera2 'class Picamera2:
    @staticmethod
    def global_camera_info():
        return []'
    stand_in python3-lgpio lgpio 'def gpiochip_open(chip):
    raise OSError("no GPIO in a container")'
    echo 'deb [trusted=yes] file:/srv/stand-in ./' >"$box/etc/apt/sources.list.d/stand-in.list"
    printf '[global]\nno-index = true\nfind-links = /srv/wheels\n' >"$box/etc/pip.conf"
    cp -a --reflink=auto "$CACHE/wheels-${python_of[$suite]}" "$box/srv/wheels"
    mkdir -p "$box/srv/dicetable" "$box/var/log/journal" "$box/etc/systemd/system/dicetable.service.d"
    git ls-files -co --exclude-standard -z | while IFS= read -r -d '' file; do
        [[ ! -e $file ]] || printf '%s\0' "$file"
    done | tar --null -T - -cf - | tar -C "$box/srv/dicetable" -xf - --no-same-owner
    cat >"$box/etc/systemd/system/dicetable.service.d/container.conf" <<'UNIT'
[Unit]
Wants=screen.service
After=screen.service
[Service]
ExecStart=
ExecStart=/opt/dicetable/venv/bin/dicetable play --camera simulated --panel keyboard
Environment=SDL_VIDEODRIVER=x11 DISPLAY=:0 GPIOZERO_PIN_FACTORY=mock
StandardInput=null
TTYPath=
TTYReset=no
TTYVHangup=no
TTYVTDisallocate=no
WatchdogSec=4
UNIT
    cat >"$box/etc/systemd/system/screen.service" <<'UNIT'
[Service]
ExecStart=/usr/bin/Xvfb :0 -screen 0 1024x600x24 -noreset
UNIT
}

boot() {
    # No tty of ours: the container must not read from the terminal of the one who runs this.
    timeout 3600 systemd-nspawn --quiet -D "$box" -b --register=no --keep-unit -M "dice-$1" \
        --resolv-conf=copy-host </dev/null >"$box.console" 2>&1 &
    nspawn=$!
    within 30 find_leader
    within 60 inside systemctl is-active --quiet multi-user.target
}
find_leader() {
    local worker
    worker=$(pgrep -P "$nspawn" systemd-nspawn | head -1)
    leader=$(pgrep -P "${worker:-0}" | head -1)
    [[ -n $leader ]] && inside true
}
halt() {
    [[ -z $leader ]] || kill -s RTMIN+4 "$leader" 2>/dev/null || true # systemd: power off
    wait "$nspawn" 2>/dev/null || true
    leader=''
}

# shellcheck disable=SC2120 # its arguments come by way of `expect`
install_here() { inside env READY_SECONDS=3 /srv/dicetable/install --any-machine "$@"; }

# Begin a game as the table does, and leave it open.
begin_game() {
    inside systemd-run --quiet --unit=begin --uid=dicetable -p StateDirectory=dicetable \
        -E SDL_VIDEODRIVER=dummy -E GPIOZERO_PIN_FACTORY=mock \
        /opt/dicetable/venv/bin/dicetable play --camera simulated --panel keyboard \
        --game barbudi --players Kari,Ola,Per
    within 30 game_open && inside systemctl stop begin.service
}
# Press Enter, the confirm button of the keyboard panel, until the game goes on.
resumes() { says resumed || { inside env DISPLAY=:0 xdotool key Return && false; }; }
game_open() {
    inside runuser -u dicetable -- /opt/dicetable/venv/bin/python -c '
from pathlib import Path
from firmware.journal import JournalReader
with JournalReader(Path("/var/lib/dicetable")) as reader:
    game = reader.open_game()
raise SystemExit(game is None or game.game != "barbudi" or game.id != 1)'
}

try_install() {
    local pid
    expect "the installer says all at once what is missing" missing_is_listed
    expect "it installs" install_here
    expect "the service is ready" is SubState running
    expect "it runs as its own user" is User dicetable
    expect "the settings are the table's and root's alone" settings_kept
    expect "the camera's process lives" camera_lives
    expect "the installed units are clean to systemd-analyze" verify_clean
    pid=$(show MainPID)
    expect "the unit has no network" no_network "$pid"
    expect "only its own directories can be written" read_only_elsewhere
    expect "installing again is safe" install_here
    expect "and leaves one older release" two_releases
    echo "        a release takes $(inside du -sm /opt/dicetable/venv/ | cut -f1) MB, its processes $(memory_mb) MB"
}
missing_is_listed() {
    local answer
    answer=$(inside /srv/dicetable/install --check --from /nowhere 2>&1) && return 1
    [[ $answer == *'nothing was changed'* && $answer == *'64-bit'* && $answer == *'/nowhere'* ]]
}
settings_kept() { [[ $(inside stat -c '%a %U %G' /etc/dicetable/dicetable.toml) == '640 root dicetable' ]]; }
# The table's processes; in a container the service's control group can not be read.
processes() {
    # shellcheck disable=SC2016 # for the shell inside
    inside sh -c 'for p in /proc/[0-9]*; do [ "$(stat -c %U "$p" 2>/dev/null)" != dicetable ] || echo "$p"; done'
}
# Proportional: what the processes share is counted once.
memory_mb() { processes | sed 's|$|/smaps_rollup|' | inside xargs cat | awk '/^Pss:/ { kb += $2 } END { printf "%d", kb / 1024 }'; }
# Main process, camera, and multiprocessing's resource tracker.
camera_lives() { [[ $(processes | wc -l) -ge 3 ]] && ! logged 'camera process has ended'; }
verify_clean() {
    local words
    words=$(inside systemd-analyze verify --man=no dicetable.service dicetable-fault.service dicetable-poweroff.path dicetable-poweroff.service 2>&1) || true
    ! grep dicetable <<<"$words"
}
no_network() { [[ $(show IPAddressDeny) == *'0.0.0.0/0'* ]] && ! show RestrictAddressFamilies | grep -q AF_INET; }
read_only_elsewhere() {
    # shellcheck disable=SC2016 # $place is for the shell inside
    inside nsenter -t "$(inside systemctl show -P MainPID dicetable.service)" -m -- sh -c '
        for place in /etc /opt /var /usr /home; do ! touch "$place/x" 2>/dev/null || exit 1; done
        touch /run/dicetable/x /var/lib/dicetable/x && rm /run/dicetable/x /var/lib/dicetable/x'
}
# shellcheck disable=SC2119
install_refused() { ! install_here; }
two_releases() { [[ $(inside ls /opt/dicetable/releases | wc -l) == 2 ]]; }

try_life() {
    local pid
    inside systemctl stop dicetable.service
    expect "a game is begun and left open" begin_game
    expect "it starts" inside systemctl start dicetable.service
    expect "and confirm resumes the open game" within 20 resumes
    pid=$(show MainPID)
    inside systemctl kill --kill-who=main --signal=STOP dicetable.service
    expect "a main loop that stands still is killed by the watchdog" within 30 logged 'Watchdog timeout'
    expect "and started again" within 30 differs MainPID "$pid"
    expect "ready again" within 30 is SubState running
    expect "with the game" within 20 resumes
    pid=$(show MainPID)
    inside systemctl kill --kill-who=main --signal=KILL dicetable.service
    expect "a killed table is started again" within 30 differs MainPID "$pid"
    expect "ready again" within 30 is SubState running
    expect "with the game" within 20 resumes
    expect "it stops when asked" inside systemctl stop dicetable.service
    expect "in good order, by itself" is Result success
    expect "and the game is still open" game_open
    expect "it starts once more" inside systemctl start dicetable.service
}

try_update() {
    local before
    before=$(inside realpath /opt/dicetable/venv)
    inside sed -i '1i raise SystemExit("this version is broken on purpose")' /srv/dicetable/firmware/commands/play.py
    expect "a broken update is refused" install_refused
    expect "the version before is back" test "$(inside realpath /opt/dicetable/venv)" = "$before"
    expect "and runs" within 20 is SubState running
    expect "with the game" within 20 resumes
    inside sed -i 1d /srv/dicetable/firmware/commands/play.py
    expect "the mended update goes in" install_here
    expect "with the game" within 20 resumes
}

# The partition with the record is missing: nothing is started, so something else must speak.
try_lost_partition() {
    inside systemctl stop dicetable.service
    inside sh -c 'printf "[Unit]\nRequires=lost.mount\nAfter=lost.mount\n" >/etc/systemd/system/dicetable.service.d/lost.conf
        printf "[Mount]\nWhat=/dev/lost\nWhere=/lost\n" >/etc/systemd/system/lost.mount
        mkdir /etc/systemd/system/dev-lost.device.d
        printf "[Unit]\nJobTimeoutSec=1\n" >/etc/systemd/system/dev-lost.device.d/quick.conf'
    inside systemctl daemon-reload
    expect "without its partition the table is not started" start_refused
    expect "and the screen says so" within 10 inside grep -q 'can not start' /dev/tty1
    inside sh -c 'rm -r /etc/systemd/system/dicetable.service.d/lost.conf /etc/systemd/system/*lost*'
    inside systemctl daemon-reload
    expect "with the partition back it starts by itself" within 80 is SubState running
}
start_refused() { ! inside systemctl start dicetable.service; }

try_power_off() {
    expect "the table asks for power off" inside runuser -u dicetable -- touch /run/dicetable/poweroff
    if within 40 gone; then ok "and the machine switches off"; else bad "and the machine switches off"; halt; fi
    leader=''
    expect "the table was stopped in good order before" stopped_in_order
}
gone() { ! kill -0 "$nspawn"; }
stopped_in_order() {
    journalctl -D "$box/var/log/journal" -o cat --no-pager -u dicetable.service | tail -5 | grep -e 'Deactivated successfully'
}

try_uninstall() {
    expect "uninstall" install_here --uninstall
    expect "leaves the record" inside test -e /var/lib/dicetable
    expect "and nothing else" inside test ! -e /opt/dicetable -a ! -e /etc/systemd/system/dicetable.service
    expect "uninstall with purge" install_here --uninstall --purge
    expect "leaves nothing" inside test ! -e /var/lib/dicetable
}

trap '[[ -z $leader ]] || halt' EXIT
mkdir -p "$CACHE"
for suite in "${suites[@]}"; do
    echo "$suite"
    base_system "$suite"
    wheels "${python_of[$suite]}"
    furnish "$suite"
    boot "$suite"
    ok "systemd $(inside systemctl --version | sed -n '1s/.*(\(.*\))/\1/p') and Python $(inside python3 -V | cut -d' ' -f2) are up"
    try_install
    try_life
    try_update
    try_lost_partition
    try_power_off
    boot "$suite"
    expect "after the next start of the machine the table runs" within 30 is SubState running
    expect "with the game" within 20 resumes
    try_uninstall
    halt
    echo "  log: $box.log"
done
echo "$failures failed"
((failures == 0))
