"""`python -m firmware` is the `dicetable` command."""

from firmware.cli import main

raise SystemExit(main())
