"""The words of a language, read from its `.po` file.

The file that translators edit is the file that runs: there is no compiled copy that can be stale
or missing. It is read strictly and handed to the standard library's gettext, which knows plurals.
"""

from __future__ import annotations

import ast
import gettext
import io
import struct
from functools import lru_cache
from importlib.resources import files
from typing import Final

LANGUAGES: Final = {"en": "English", "nb": "Norsk bokmål", "bg": "Български", "ru": "Русский"}
"""Languages by code, each by its own name. English is written in the code itself."""


class CatalogueError(ValueError):
    """A line of a `.po` file that can not be read."""


def read_po(text: str, name: str = "catalogue") -> dict[str, list[str]]:
    """Messages of a `.po` file: msgid (plural forms joined by NUL) to its translations.

    Fuzzy and untranslated entries are left out, so that they fall back to English. Raises
    CatalogueError with the line's number for anything that is not understood.
    """
    found: dict[str, list[str]] = {}
    entry: dict[str, str] = {}
    field = ""
    fuzzy = False

    def finish() -> None:
        nonlocal entry, field, fuzzy
        if "msgid" in entry:
            key = entry["msgid"]
            if "msgid_plural" in entry:
                key += "\0" + entry["msgid_plural"]
            forms = [value for part, value in entry.items() if part.startswith("msgstr")]
            if all(forms) and (not fuzzy or not key):
                found[key] = forms
        entry, field, fuzzy = {}, "", False

    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        if line.startswith("#"):
            if "msgstr" in entry or "msgstr[0]" in entry:
                finish()
            fuzzy = fuzzy or (line.startswith("#,") and "fuzzy" in line)
            continue
        if not line:
            finish()
            continue
        if not line.startswith('"'):
            field, _, line = line.partition(" ")
            if field == "msgid" and entry:
                finish()
                field = "msgid"
            known = field in ("msgid", "msgid_plural", "msgstr") or field.startswith("msgstr[")
            if not known or field in entry:
                raise CatalogueError(f'{name}, line {number}: "{field}" is not expected here')
            entry[field] = ""
        try:
            value = ast.literal_eval(line.strip())
        except (SyntaxError, ValueError):
            value = None
        if not isinstance(value, str) or not field:
            raise CatalogueError(f"{name}, line {number}: a text in double quotes is expected")
        entry[field] += value
    finish()
    return found


def compiled(messages: dict[str, list[str]]) -> bytes:
    """The messages in gettext's binary form (`.mo`)."""
    pairs = sorted((key.encode(), "\0".join(forms).encode()) for key, forms in messages.items())
    start = 28 + 16 * len(pairs)
    keys = b"".join(key + b"\0" for key, _ in pairs)
    texts = b"".join(text + b"\0" for _, text in pairs)
    tables: list[int] = []
    for part, base in ((0, start), (1, start + len(keys))):
        for pair in pairs:
            tables += [len(pair[part]), base]
            base += len(pair[part]) + 1
    head = (0x950412DE, 0, len(pairs), 28, 28 + 8 * len(pairs), 0, start)
    return struct.pack(f"<{7 + len(tables)}I", *head, *tables) + keys + texts


@lru_cache(maxsize=len(LANGUAGES))
def load(language: str) -> gettext.NullTranslations:
    """The translations of a language; English and unknown languages need none."""
    path = files("display") / "locale" / f"{language}.po"
    if language == "en" or language not in LANGUAGES or not path.is_file():
        return gettext.NullTranslations()
    messages = read_po(path.read_text(encoding="utf-8"), f"{language}.po")
    return gettext.GNUTranslations(io.BytesIO(compiled(messages)))
