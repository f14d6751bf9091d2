"""The sub-commands of `dicetable`, one file each.

A command's module defines `HELP` (one line), `add_arguments(parser)` and `run(args) -> int`
(the exit status). `firmware.cli` imports a module only when its command is asked for.
"""
