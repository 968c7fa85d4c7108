"""`aagm plugin check` tries a plug-in in the simulated world."""

from __future__ import annotations

import json

import pytest

from aagm.cli import main as command
from aagm.cli.plugin import main
from aagm.foundry import page, plugins_folder

MANIFEST = """
const MANIFEST = {
  api: "aagm-plugin/1.0", name: "Bell", version: "1.0.0", description: "Rings.",
  args: { type: "object", required: ["n"], properties: { n: { type: "integer" } },
          additionalProperties: false },
  writes: ["Actor"], modes: ["run", "read"],
};
if (!Object.keys(scope).length) return MANIFEST;
"""
RENAME = 'await game.actors.getName("Old Pike").update({ name: `Pike ${scope.n}` });'
GOOD = f"{MANIFEST}if (scope.mode !== 'read') {RENAME} return {{ ok: true }};"
FIXTURE = {"calls": [{"n": 1}], "reads": [{"n": 1}]}


@pytest.fixture
def checked(tmp_path, capsys):
    """Check a macro's text; gives the status and what was printed."""

    def run(source, *options, fixture=FIXTURE):
        (tmp_path / "bell.js").write_text(source)
        (tmp_path / "bell.fixture.json").write_text(json.dumps(fixture))
        status = main(["check", str(tmp_path / "bell.js"), "--foundry", "13", *options])
        return status, capsys.readouterr().out

    return run


@pytest.mark.parametrize(
    ("name", "version"),
    [
        ("rename-actor", "12"),
        ("claude-item-forge", "12"),
        ("claude-foe-forge", "13"),
        ("claude-link-reforge", "14"),
        ("claude-total-actor-backup", "14"),
    ],
)
def test_the_shipped_plug_ins_pass(name, version, capsys):
    """Manifest, bare run, calls, scope, rollback, with the fixtures beside them."""
    path = plugins_folder() / f"{name}.js"
    status = main(["check", str(path), "--foundry", version])
    told = capsys.readouterr().out
    assert status == 0, told
    assert "a rollback takes it back" in told
    assert "FAIL" not in told


def test_a_good_one_passes(checked):
    """Every rule has its line."""
    status, told = checked(GOOD)
    assert status == 0, told
    for line in (
        "manifest",
        "a run without arguments changes nothing",
        'wrong arguments are refused: {"n": 1, "unheardOf": 1}',
        'a call: {"n": 1}',
        "it writes what it declares: Actor",
        "a rollback takes it back",
        "the selected token does not matter",
        'read mode: {"n": 1}',
        "read mode changes nothing",
    ):
        assert f"ok    {line}\n" in told


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("return 5;", "is not a plug-in"),
        ("const x = (", "run without arguments: syntax error: "),
        ("return 1;\nreturn {", "(line 2, column 7)"),
        ("await new Promise(() => {});", "did not end within"),
        (GOOD.replace("Rings.", "").replace('"1.0.0"', "1"), "version must be"),
        (GOOD.replace("{ n: {", "{ actor: {}, n: {"), "Foundry keeps that name"),
        (f"await game.actors.contents[0].update({{sort: 7}});{GOOD}", "it wrote Actor"),
        (GOOD.replace('["Actor"]', '["Item"]'), "declares Item, and wrote Actor"),
        (GOOD.replace("ok: true", "okay: true"), "no boolean ok"),
        (GOOD.replace("if (scope.mode !== 'read')", ""), "it wrote Actor"),
        (f"{MANIFEST}throw new Error('cracked');", "cracked"),
        (
            GOOD.replace("scope.mode !== 'read'", "canvas.tokens.controlled[0]"),
            "another token selected",
        ),
    ],
)
def test_what_breaks_a_rule_fails_and_says_which(checked, source, says):
    """The status is 1; the line below the rule says why."""
    status, told = checked(source)
    assert status == 1
    assert says in told


def test_a_schema_that_refuses_nothing_fails(checked):
    """There is nothing that it would keep from the world."""
    source = GOOD.replace(
        'required: ["n"], properties: { n: { type: "integer" } },', ""
    )
    source = source.replace("additionalProperties: false", "")
    status, told = checked(source)
    assert status == 1
    assert "its schema refuses nothing" in told
    assert "note  a hint" in told


def test_arguments_can_be_given_on_the_command_line(checked):
    """Without a fixture there is nothing to try, and no verdict on what was not."""
    status, told = checked(GOOD, fixture={})
    assert status == 1
    assert "give --args, or list them as calls in bell.fixture.json" in told
    assert "list them as reads in bell.fixture.json" in told
    assert "refuses nothing" not in told
    status, told = checked(GOOD, "--args", '{"n": 3}', fixture={"reads": [{"n": 1}]})
    assert status == 0, told
    assert 'a call: {"n": 3}' in told


def test_a_fixture_sets_the_world_up(checked):
    """Code that is run before, in the system it names."""
    source = GOOD.replace("Old Pike", "New Pike")
    setup = ['await game.actors.getName("Old Pike").update({ name: "New Pike" });']
    fixture = {**FIXTURE, "setup": setup, "system": "sim-pf1"}
    status, told = checked(source, fixture=fixture)
    assert status == 0, told
    assert "sim-pf1" in told


def test_a_setup_that_throws_is_told_apart_from_the_plug_in(checked):
    """It is the fixture that has to be mended."""
    status, told = checked(GOOD, fixture={**FIXTURE, "setup": ["cracked();"]})
    assert status == 1
    assert "FAIL  the fixture's setup did not run: cracked is not defined" in told


def test_a_name_that_no_fixture_has_is_refused(tmp_path, capsys):
    """A typing error would leave the call untried."""
    (tmp_path / "bell.js").write_text(GOOD)
    (tmp_path / "bell.fixture.json").write_text('{"call": [{"n": 1}]}')
    assert command.main(["plugin", "check", str(tmp_path / "bell.js")]) == 1
    said, fix = capsys.readouterr().err.splitlines()
    assert said.startswith("aagm: bell.fixture.json is no fixture: call ")
    assert "calls" in fix


def test_the_page_that_is_named_is_there(capsys):
    """In a checkout and after an installation alike."""
    with pytest.raises(SystemExit):
        main(["--help"])
    assert f"see {page('plugins')}." in capsys.readouterr().out
    assert page("plugins").is_file()


def test_all_three_versions_are_tried_by_default(tmp_path, capsys):
    """A plug-in has to work in each."""
    (tmp_path / "bell.js").write_text("return 5;")
    assert main(["check", str(tmp_path / "bell.js")]) == 1
    told = capsys.readouterr().out
    assert [f"Foundry {version}" in told for version in (12, 13, 14)] == [True] * 3


def test_a_missing_node_is_said_in_one_sentence(monkeypatch, tmp_path, capsys):
    """And nothing else happens."""
    (tmp_path / "bell.js").write_text(GOOD)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert command.main(["plugin", "check", str(tmp_path / "bell.js")]) == 1
    told = capsys.readouterr().err
    assert told == (
        "aagm: this needs Node 20 or newer on the path\n"
        "      Install it from https://nodejs.org, and start again.\n"
    )


def test_an_old_node_is_said(monkeypatch, tmp_path, capsys):
    """With its version."""
    (tmp_path / "bell.js").write_text(GOOD)
    node = tmp_path / "node"
    node.write_text("#!/bin/sh\necho v18.19.0\n")
    node.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/bin:/usr/bin")
    assert command.main(["plugin", "check", str(tmp_path / "bell.js")]) == 1
    assert "not v18.19.0" in capsys.readouterr().err


def test_a_file_that_is_not_there_is_said(tmp_path, capsys):
    """One sentence, status 1."""
    assert command.main(["plugin", "check", str(tmp_path / "no.js")]) == 1
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["bell.js", "bell.fixture.json"])
def test_a_file_in_another_encoding_is_said(tmp_path, capsys, name):
    """With what to do about it, whichever of the two it is."""
    (tmp_path / "bell.js").write_text(GOOD)
    (tmp_path / name).write_bytes(b"// caf\xe9")
    assert command.main(["plugin", "check", str(tmp_path / "bell.js")]) == 1
    said, fix = capsys.readouterr().err.splitlines()
    assert said.endswith(f"{name} is not UTF-8 text")
    assert "UTF-8" in fix


@pytest.mark.parametrize(
    "text",
    ["{", "[]", '"x"', '{"calls":[5]}', '{"calls":5}', '{"setup":"x"}', "[" * 99999],
)
def test_a_fixture_that_is_none_is_said(tmp_path, capsys, text):
    """Half a file, or another kind of JSON."""
    (tmp_path / "bell.js").write_text(GOOD)
    (tmp_path / "bell.fixture.json").write_text(text)
    assert command.main(["plugin", "check", str(tmp_path / "bell.js")]) == 1
    said, fix = capsys.readouterr().err.splitlines()
    assert said.startswith("aagm: bell.fixture.json is no fixture")
    assert "calls" in fix


@pytest.mark.parametrize("text", ["{", "[1]"])
def test_arguments_that_are_none_are_said(capsys, text):
    """As any wrong option is."""
    with pytest.raises(SystemExit):
        main(["check", "bell.js", "--args", text])
    assert "argument --args" in capsys.readouterr().err
