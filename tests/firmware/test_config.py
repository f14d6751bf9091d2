"""The configuration: one table, plain messages with line and remedy, the last good one kept."""

import dataclasses
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware import config as configuration
from firmware.config import Config, config_path, load, parse, render, save_setting
from firmware.options import OPTIONS, SECTIONS, Option, build, toml
from firmware.rules import RULES
from firmware.rules.options import from_json


@pytest.fixture
def home(tmp_path: Path) -> tuple[Path, Path]:
    """An owner's file (not there yet) and a state folder."""
    (tmp_path / "state").mkdir()
    return tmp_path / "dicetable.toml", tmp_path / "state"


def problems(text: str) -> list[tuple[int | None, str]]:
    return [(one.line, one.text) for one in parse(text).problems]


def values_of(option: Option) -> st.SearchStrategy[Any]:
    """Any value that an option may have."""
    limits = option.limits
    if limits.choices:
        return st.sampled_from(limits.choices)
    if limits.pattern:
        return st.from_regex(limits.pattern, fullmatch=True)
    if option.kind is bool:
        return st.booleans()
    if option.kind is int:
        return st.integers(int(limits.low or 0), int(limits.high or 0))
    if option.kind is float:
        return st.floats(limits.low, limits.high)
    return st.text()


# --- the table -------------------------------------------------------------------------------


@pytest.mark.parametrize("option", OPTIONS.values(), ids=OPTIONS)
def test_every_option_has_a_right_default_and_a_help(option: Option) -> None:
    assert option.read(option.default) == option.default
    assert option.limits.help.endswith(".")
    assert option.section in SECTIONS
    assert getattr(getattr(Config(), option.section), option.name) == option.default


def test_every_file_lacking_a_key_has_the_default_for_it() -> None:
    text = render({key: option.default for key, option in OPTIONS.items()})
    for key, option in OPTIONS.items():
        line = f"{option.name} = {toml(option.default)}"
        section = text.index(f"[{option.section}]")
        place = text.index(f"\n{line}\n", section)
        parsed = parse(text[:place] + text[place + len(line) + 1 :])
        assert parsed.problems == []
        assert key not in parsed.values
        assert build(parsed.values, {}) == Config()


@given(st.fixed_dictionaries({}, optional={k: values_of(o) for k, o in OPTIONS.items()}))
def test_what_is_rendered_is_read_back(values: dict[str, Any]) -> None:
    parsed = parse(render(values))
    assert parsed.problems == []
    assert parsed.values == values


def test_the_commented_file_is_the_defaults_and_names_everything() -> None:
    text = render()
    assert parse(text).values == {}
    for option in OPTIONS.values():
        assert f"\n# {option.name} = {toml(option.default)}\n" in text
        assert option.limits.help in text
    for game, kind in RULES.items():
        section = text[text.index(f"[rules.{game}]") :]
        for one in dataclasses.fields(kind):
            assert f"\n# {one.name} = " in section


def test_the_commented_defaults_are_right_when_uncommented() -> None:
    text = render()
    lines = [
        line.removeprefix("# ") if " = " in line and line.startswith("# ") else line
        for line in text.splitlines()
        if not line.startswith("# ") or line.split(" = ")[0].removeprefix("# ").isidentifier()
    ]
    parsed = parse("\n".join(lines))
    assert parsed.problems == []
    assert build(parsed.values, {}) == Config()
    for game, kind in RULES.items():
        assert from_json(kind, parsed.rules[game]) == kind()


@given(st.recursive(
    st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
))  # fmt: skip
def test_values_survive_being_written(value: Any) -> None:
    assert tomllib.loads(f"x = {toml(value)}") == {"x": value}


# --- problems --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "line", "sentence"),
    [
        ('[camera]\n\nsorce = "webcam"', 3,
         'unknown key "camera.sorce"; did you mean "camera.source"?'),
        ("[camra]\nwidth = 640", 1, 'unknown section "camra"; did you mean "camera"?'),
        ("width = 640", 1, 'unknown key "width"; did you mean "camera.width"?'),
        ("[display]\nfps = 10", 2, 'unknown key "display.fps"; did you mean "camera.fps"?'),
        ("[dice]\nqwertz = 1", 2, 'unknown key "dice.qwertz"; remove it'),
        ('[camera]\nfps = "fast"', 2, 'camera.fps must be a whole number from 1 to 60, not "fast"'),
        ("[camera]\nfps = 61", 2, "camera.fps must be a whole number from 1 to 60, not 61"),
        ("[camera]\nfps = true", 2, "camera.fps must be a whole number from 1 to 60, not true"),
        ("[camera]\nfps = 15.0", 2, "camera.fps must be a whole number from 1 to 60, not 15.0"),
        ("[dice]\nedge_mm = nan", 2, "dice.edge_mm must be a number from 5 to 50, not nan"),
        ("[display]\nwindowed = 1", 2, "display.windowed must be true or false, not 1"),
        ('[display]\nlanguage = "fr"', 2,
         'display.language must be one of "en", "nb", "bg", "ru", not "fr"'),
        ('[camera]\nsource = "webcams"', 2,
         "camera.source must be picamera2, webcam, webcam:NUMBER, recording:FOLDER, simulated or "
         'simulated:SEED, not "webcams"'),
        ('[table]\noperator_pin = "12"', 2,
         "table.operator_pin must be 4 to 8 digits in quotes"),
        ("[table]\noperator_pin = 1234", 2,
         "table.operator_pin must be 4 to 8 digits in quotes"),
        ("[camera]\nfps = 1\nfps = 2", 3, "it is no valid TOML: cannot overwrite a value"),
        ("[camera]\nfps =", 2, "it is no valid TOML: invalid value"),
        ("[camera\nfps = 3", 1,
         "it is no valid TOML: expected ']' at the end of a table declaration"),
        ("format = 9", 1, "format 9 is not known to this version (it knows 1)"),
        ("camera = 3", 1, "camera is a section; write [camera] on a line of its own"),
        ("[rules.barbudy]\ntwo_shot = true", 1,
         'unknown game "barbudy" in [rules.barbudy]; did you mean "barbudi"?'),
        ("[rules.barbudi]\ntwo_shots = true", 2,
         'rules.barbudi: unknown house rule "two_shots"; did you mean "two_shot"?'),
        ("[rules.barbudi]\ntwo_shot = 3", 2,
         'rules.barbudi: house rule "two_shot" must be true or false'),
    ],
)  # fmt: skip
def test_a_problem_is_told_with_line_and_remedy(text: str, line: int, sentence: str) -> None:
    assert problems(text) == [(line, sentence)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "# only a comment",
        "[camera]\n\tfps = 5",
        "\r\n[camera]\r\nfps = 5\r\n",
        "camera.fps = 5",
        "[rules]",
        "format = 1",
        "[rules.balut]",
    ],
)
def test_odd_but_right_files(text: str) -> None:
    parsed = parse(text)
    assert parsed.problems == []
    assert parsed.values in ({}, {"camera.fps": 5})


def test_a_file_nested_beyond_reason_is_told() -> None:
    ((line, text),) = problems("x = " + "[" * 99_999)
    assert line == 1
    assert text.startswith("it is no valid TOML: ")


def test_all_problems_are_told_and_the_rest_is_taken() -> None:
    parsed = parse("[camera]\nfps = 5\nwidht = 3\nheight = 1\n[display]\nsounds = false")
    assert [one.line for one in parsed.problems] == [3, 4]
    assert parsed.values == {"camera.fps": 5, "display.sounds": False}


@given(st.text(st.sampled_from("[]=\"'\n#\t \\.abcamerfps0159_-é")))
def test_no_text_makes_it_fail(text: str) -> None:
    for one in parse(text).problems:
        assert "\n" not in one.text
        assert one.line is None or 1 <= one.line <= text.count("\n") + 2


# --- files -----------------------------------------------------------------------------------


def test_a_broken_file_is_told_and_the_last_good_one_used(home: tuple[Path, Path]) -> None:
    path, state = home
    path.write_text("[camera]\nfps = 7\n[rules.barbut]\nvari = false\n")
    good = load(path, state)
    assert (good.source, good.config.camera.fps, good.problems) == ("file", 7, ())
    assert good.config.rules["barbut"] == {"vari": False}
    for broken in ("[camera]\nfpss = 9\n", "[camera\n", "[camera]\nfps = 999", "\x00"):
        path.write_text(broken)
        loaded = load(path, state)
        assert loaded.source == "last good"
        assert loaded.config == good.config
        assert str(loaded.problems[0]).startswith(f"{path}, line ")
    path.write_bytes(b"[camera]\nfps = \xff\n")
    assert str(load(path, state).problems[0]) == (
        f"{path}, line 2: it is no UTF-8 text; save it as UTF-8"
    )


def test_a_broken_file_without_a_good_one_gives_what_is_right_in_it(
    home: tuple[Path, Path],
) -> None:
    path, state = home
    path.write_text("[camera]\nfps = 7\nwidth = 'wide'\n")
    loaded = load(path, state)
    assert (loaded.source, loaded.config.camera.fps, loaded.config.camera.width) == (
        "file",
        7,
        1280,
    )
    path.write_text("[camera\n")
    loaded = load(path, state)
    assert (loaded.source, loaded.config) == ("defaults", Config())


def test_a_byte_order_mark_is_harmless(home: tuple[Path, Path]) -> None:
    path, state = home
    path.write_bytes(b"\xef\xbb\xbf[camera]\nfps = 7\n")
    assert load(path, state).config.camera.fps == 7


def test_a_missing_file_is_the_defaults_and_told_only_when_asked_for(
    home: tuple[Path, Path],
) -> None:
    path, state = home
    assert [one.text for one in load(path, state).problems] == [
        "there is no such file; the defaults are used"
    ]
    loaded = load(None, state, {"CONFIGURATION_DIRECTORY": str(path.parent)})
    assert (loaded.problems, loaded.config, loaded.path) == ((), Config(), path)


def test_a_folder_in_place_of_the_file(home: tuple[Path, Path]) -> None:
    path, state = home
    path.mkdir()
    (problem,) = load(path, state).problems
    assert "it can not be read (Is a directory)" in str(problem)


def test_the_state_folder_comes_from_the_option_when_not_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "dicetable.toml"
    path.write_text(f'[state]\nfolder = "{tmp_path}/box"\n')
    env = {"HOME": str(tmp_path), "STATE_DIRECTORY": "/var/lib/dicetable"}
    assert load(path, None, env).state == tmp_path / "box"
    assert load(path, tmp_path / "asked", env).state == tmp_path / "asked"
    assert load(tmp_path / "none.toml", None, env).state == Path("/var/lib/dicetable")


def test_where_the_file_is_looked_for(tmp_path: Path) -> None:
    env = {"CONFIGURATION_DIRECTORY": "/etc/x", "HOME": str(tmp_path)}
    assert config_path(Path("/given"), env) == Path("/given")
    assert config_path(None, env) == Path("/etc/x/dicetable.toml")
    del env["CONFIGURATION_DIRECTORY"]
    assert config_path(None, env) == Path("/etc/dicetable/dicetable.toml")
    own = tmp_path / ".config" / "dicetable" / "dicetable.toml"
    own.parent.mkdir(parents=True)
    own.write_text("")
    assert config_path(None, env) == own


def test_pins_that_clash_are_told(home: tuple[Path, Path]) -> None:
    path, state = home
    path.write_text("[panel]\nconfirm_pin = 6\n")
    (problem,) = load(path, state).problems
    assert (
        problem.text
        == "panel.back_pin: GPIO6 is used by panel.confirm_pin already; use another pin"
    )


# --- the settings page -----------------------------------------------------------------------


def test_settings_override_the_file_and_stay(home: tuple[Path, Path]) -> None:
    path, state = home
    path.write_text("[camera]\nfps = 7\n[display]\nlanguage = 'nb'\n[rules.balut]\ngames = 3\n")
    save_setting(state, "display.language", "bg")
    save_setting(state, "display.sounds", False)
    save_setting(state, "rules.balut.start", "host")
    save_setting(state, "rules.barbudi.house_fee", {"mode": "fixed", "amount": 1})
    save_setting(state, "display.language", "ru")
    loaded = load(path, state)
    assert loaded.problems == ()
    assert loaded.config.display == dataclasses.replace(
        Config().display, language="ru", sounds=False
    )
    assert loaded.config.camera.fps == 7
    assert loaded.config.rules == {
        "balut": {"games": 3, "start": "host"},
        "barbudi": {"house_fee": {"mode": "fixed", "amount": 1}},
    }
    assert path.read_text().startswith("[camera]\nfps = 7\n")


@pytest.mark.parametrize(
    ("key", "value", "sentence"),
    [
        ("display.language", "fr", "display.language must be one of"),
        ("display.langage", "nb", 'did you mean "display.language"'),
        ("rules.balut.start", "x", 'house rule "start" must be one of'),
    ],
)
def test_a_wrong_setting_is_refused(
    home: tuple[Path, Path], key: str, value: object, sentence: str
) -> None:
    _, state = home
    with pytest.raises(ValueError, match=sentence):
        save_setting(state, key, value)
    assert list(state.iterdir()) == []


def test_a_setting_that_clashes_with_the_file_is_passed_over(home: tuple[Path, Path]) -> None:
    path, state = home
    path.write_text("[panel]\nconfirm_pin = 20\n")
    save_setting(state, "panel.left_pin", 20)
    loaded = load(path, state)
    assert loaded.config.panel.left_pin == 13
    (problem,) = loaded.problems
    assert (problem.path, problem.line) == (state / "settings.toml", 3)


# --- migration -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "fps"),
    [
        ("# mine\n[camera]\nrate = 9  # slow\nwidth = 640\n", 9),
        ("[kamera]\nrate = 9\n[camera]\nwidth = 640\n", 15),
        ("[display]\nspeed = 9\n", 9),
        ("[display]\nspeed = 9\n\n[camera]\nwidth = 640\n", 9),
    ],
)
def test_an_older_file_is_migrated_with_a_copy_kept(
    home: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch, old: str, fps: int
) -> None:
    path, state = home
    names = {"camera.rate": "camera.fps", "display.speed": "camera.fps"}
    monkeypatch.setattr(configuration, "RENAMED", names)
    path.write_text(old)
    for _ in range(2):  # the second time nothing is left to do
        loaded = load(path, state)
        assert loaded.config.camera.fps == fps
        assert (loaded.problems == ()) == (fps == 9)
    if fps == 9:
        assert path.with_name("dicetable.toml.before-migration").read_text() == old
        assert "(now camera.fps)" in path.read_text()


def test_a_file_that_can_not_be_written_is_migrated_in_memory(
    home: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, state = home
    monkeypatch.setattr(configuration, "RENAMED", {"camera.rate": "camera.fps"})
    path.write_text("[camera]\nrate = 9\n")

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(configuration, "write_durably", refuse)
    assert load(path, state).config.camera.fps == 9
    assert path.read_text() == "[camera]\nrate = 9\n"
