#!/bin/sh
# `dicetable` on an installed table (/usr/local/bin/dicetable). With sudo it runs as the table's
# own user on the table's own record, so that no file there ever comes to belong to root.
set -eu
program=/opt/dicetable/venv/bin/dicetable
if [ "$(id -u)" -eq 0 ]; then
    cd /var/lib/dicetable
    exec runuser -u dicetable -- env HOME=/var/lib/dicetable STATE_DIRECTORY=/var/lib/dicetable \
        CONFIGURATION_DIRECTORY=/etc/dicetable GPIOZERO_PIN_FACTORY=lgpio LG_WD=/var/lib/dicetable \
        "$program" "$@"
fi
exec "$program" "$@"
