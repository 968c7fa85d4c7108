"""Plug-in API 1.0, rule by rule, through the official client, in 12, 13 and 14.

Done when 1 and 2 of the ninth issue.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from mcp_caller import ToolFailed
from plugin_world import PIKE, POLE, PluginWorld, plugin_world, source

from aagm.foundry import plugins_folder

VERSIONS = ("12", "13", "14")
OTTAR = "Actor.OttarReed0000000"
MOVE = f"await {POLE}.update({{ name: `Pole ${{scope.n}}` }});"
STRAY = f'await {PIKE}.update({{ name: "Stray Pike" }});'
OK = "return { ok: true };"


@pytest.fixture(scope="module", params=VERSIONS)
def profile(request, tmp_path_factory) -> Iterator[PluginWorld]:
    """Open one version of Foundry, with short tails."""
    folder = tmp_path_factory.mktemp(f"v{request.param}")
    with plugin_world(folder, request.param, "settle_ms = 60") as opened:
        yield opened


@pytest.fixture
def at(profile) -> Iterator[PluginWorld]:
    """Leave the world as it was found: whatever a plug-in did is taken back."""
    before = profile.documents()
    yield profile
    profile.undo_all()
    profile.tidy()
    assert profile.documents() == before
    assert profile.world.do("state")["errors"] == []


# Section 2: the manifest.


def test_the_smallest_plug_in_of_the_specification_works(at):
    """Renamed, and named as before when the point is taken back."""
    at.macro("Rename Actor", (plugins_folder() / "rename-actor.js").read_text())
    before = at.documents()
    answer = at.call("Rename Actor", {"uuid": OTTAR, "name": "Ottar Wet"})
    assert (answer["ok"], answer["uuid"]) == (True, OTTAR)
    assert answer["rollbackPoint"]["captured"] == "1 update"
    assert at.documents()[OTTAR]["name"] == "Ottar Wet"
    at.undo(answer)
    assert at.documents() == before


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("return 5;", "is not a plug-in"),
        ("return { ok: true, diagnostic: true };", "is not a plug-in"),
        ("ui.notifications.info('hello');", "it returned undefined"),
        ("const one = {}; one.one = one; return one;", "is no JSON"),
        ("throw new Error('not today');", "threw not today"),
        ("return {", "threw"),
        ('return { api: "aagm-plugin/2.0" };', "keeps to aagm-plugin/2.0"),
        ('return { api: "aagm-plugin/1.0" };', "name must be"),
        ('return { api: "aagm-plugin/1.0", text: "x".repeat(40000) };', "characters"),
    ],
)
def test_a_macro_without_a_manifest_is_no_plug_in(at, text, says):
    """Whatever else a bare run returns is refused, with what to do."""
    at.macro("Odd One", text)
    answer = at.call("Odd One", {"n": 1})
    assert (answer["ok"], answer["refused"]) == (False, True)
    assert says in answer["error"]
    assert answer["fix"]


def test_a_manifest_names_its_macro(at):
    """A copy under another name is refused."""
    at.macro("Copy", source("Original", OK))
    assert "it says that it is called 'Original'" in at.call("Copy", {"n": 1})["error"]


def test_a_bare_run_may_read_the_world_to_fill_defaults(at):
    """The schema may list what there is."""
    text = source("Chooser", OK).replace('{ type: "integer" }', "{ enum: NUMBERS }")
    at.macro("Chooser", f"const NUMBERS = [game.items.size];\n{text}")
    size = at.world.run("return game.items.size;")
    assert at.call("Chooser", {"n": size})["ok"] is True
    assert at.call("Chooser", {"n": size + 1})["schemaPath"] == "#/properties/n/enum"


def test_a_bare_run_that_writes_is_undone_at_once_and_refused(at):
    """The world is as it was, and the point says what happened."""
    before = at.documents()
    at.macro("Rash", f"{STRAY}\n{source('Rash', OK)}")
    answer = at.call("Rash", {"n": 1})
    assert answer["refused"] is True
    assert "wrote on a run without arguments: Actor" in answer["error"]
    assert answer["rollbackPoint"]["state"] == "rolled-back"
    assert at.documents() == before


@pytest.mark.parametrize(
    ("args", "says"),
    [
        ({"type": "nonsense"}, "no valid JSON Schema"),
        ({"$ref": "https://example.org/schema.json"}, "none of its own"),
        ({"allOf": [{"$ref": "#"}]}, "refers to itself without end"),
        ({"properties": {"actor": {}}}, "Foundry keeps that name"),
        ({"properties": {"x=evil()": {}}}, "no plain identifier"),
        ({"properties": {"class": {}}}, "a word of JavaScript"),
        ({"properties": {"0": {}}}, "no plain identifier"),
    ],
)
def test_a_schema_that_cannot_be_used_is_refused(at, args, says):
    """Invalid, remote, endless, or with names that are code."""
    at.plugin("Schemer", OK, args=args)
    answer = at.call("Schemer", {"n": 1})
    assert answer["refused"] is True
    assert says in answer["error"]


# Section 3: the call.


def test_the_manifest_is_read_once_a_session_and_again_on_refresh(at):
    """Bare runs are counted by the macro itself."""
    count = "globalThis.bareRuns = (globalThis.bareRuns ?? 0) + 1;"
    text = source("Counted", OK).replace(
        "if (!Object", f"if (!Object.keys(scope).length) {count}\nif (!Object"
    )
    at.macro("Counted", text)
    at.world.run("globalThis.bareRuns = 0;")
    for _ in range(3):
        at.call("Counted", {"n": 1})
    assert at.world.run("return globalThis.bareRuns;") == 1
    at.call("Counted", {"n": 1}, refresh=True)
    assert at.world.run("return globalThis.bareRuns;") == 2


def test_a_manifest_that_changes_between_calls_is_read_again(at):
    """A new text is a new plug-in: its new schema and its new writes hold."""
    id_ = at.plugin("Shifty", OK)
    assert at.call("Shifty", {"n": 1})["ok"] is True
    schema = {"properties": {"m": {"type": "string"}}, "additionalProperties": False}
    at.rewrite(id_, source("Shifty", STRAY + OK, args=schema, writes=["Scene"]))
    assert "unknown: 'n'" in at.call("Shifty", {"n": 1})["error"]
    answer = at.call("Shifty", {"m": "x"})
    assert answer["error"] == "wrote outside declared scope: Actor"


def test_arguments_are_judged_before_anything_reaches_foundry(at):
    """The macro would throw; it never learns of them."""
    at.plugin("Strict", "throw new Error('reached');")
    points = len(at.points())
    answer = at.call("Strict", {"n": "many"})
    assert answer == {
        "ok": False,
        "error": "n: 'many' is not of type 'integer'",
        "fix": "Correct the arguments: foundry_plugins shows what the plug-in takes.",
        "schemaPath": "#/properties/n/type",
    }
    assert len(at.points()) == points


@pytest.mark.parametrize(
    "args",
    [
        {"x=globalThis.evil=true": 1},
        {"__proto__": {"polluted": True}},
        {"n": {"deep": [{"__proto__": {"polluted": True}}]}},
        {"speaker": {}},
        {"my-arg": 1},
    ],
)
def test_names_that_are_code_never_reach_foundry(at, args):
    """Even where the schema takes everything."""
    at.plugin("Open House", "return { ok: true, ...scope };", args={"type": "object"})
    answer = at.call("Open House", args)
    assert answer["ok"] is False
    assert at.world.run("return [globalThis.evil, ({}).polluted];") == [None, None]


def test_arguments_arrive_as_they_were_sent(at):
    """Quotes, line separators, other scripts, deep objects."""
    args = {
        "text": "\"'`${1}\\ \u2028 żółw 🐢 </script>",
        "list": [1, 2.5, None, True, {"a.b": "c"}],
        "empty": {},
    }
    at.plugin("Echo", "return { ok: true, scope };", args={"type": "object"})
    assert at.call("Echo", args)["scope"] == args


def test_the_point_is_labelled_with_the_name_and_one_line(at):
    """As the game master's card shows it."""
    at.plugin("Mover", MOVE + OK)
    point = at.call("Mover", {"n": 7})["rollbackPoint"]
    assert (point["summary"], point["kind"]) == ("Mover: n=7", "plugin")


def test_declared_writes_are_kept_and_can_be_taken_back(at):
    """The ordinary road: live, rolled back, redone."""
    at.plugin("Mover", MOVE + OK)
    before = at.documents()
    answer = at.call("Mover", {"n": 2})
    after = at.documents()
    assert after != before
    at.undo(answer)
    assert at.documents() == before
    at.agent.call("foundry_rollback", redo=True)
    assert at.documents() == after


OUTSIDE = {
    "at once": MOVE + STRAY + OK,
    "not awaited": MOVE + STRAY.removeprefix("await ") + OK,
    "through a child": (
        f"await {PIKE}.createEmbeddedDocuments"
        f'("ActiveEffect", [{{ name: "Wet" }}]);{OK}'
    ),
    "through an unlinked token": (
        'const { actor } = canvas.scene.tokens.getName("Drowned Lodger");'
        f'await actor.update({{ name: "Dry Lodger" }});{OK}'
    ),
    "by a delete": f"await {PIKE}.delete();{OK}",
    "by a create": f'await getDocumentClass("Scene").create({{ name: "Cave" }});{OK}',
    "before a throw": f"{MOVE}{STRAY}throw new Error('too late');",
}
NAMED = {
    "through a child": "ActiveEffect",
    "by a create": "Scene",
}


@pytest.mark.parametrize("how", OUTSIDE)
def test_a_write_outside_the_declared_types_is_undone_at_once(at, how):
    """All of the run goes, and nothing brings it back."""
    before = at.documents()
    at.plugin("Stray", OUTSIDE[how])
    answer = at.call("Stray", {"n": 1})
    kind = NAMED.get(how, "Actor")
    assert answer["error"] == f"wrote outside declared scope: {kind}"
    assert (answer["ok"], answer["undone"]) == (False, True)
    assert answer["rollbackPoint"]["state"] == "rolled-back"
    assert at.documents() == before
    id_ = answer["rollbackPoint"]["id"]
    assert at.points()[0]["id"] == id_
    undone = [u["id"] for point in at.points() for u in point.get("undoes", [])]
    assert id_ not in undone


def test_a_write_by_another_modules_hook_counts(at):
    """What the run set going is part of it."""
    before = at.documents()
    at.world.run(
        "globalThis.answering = Hooks.on('updateItem', (_, { name }) => "
        f"name?.startsWith('Pole ') && {PIKE}.update({{ sort: 4321 }}));"
    )
    at.plugin("Mover", MOVE + OK)
    answer = at.call("Mover", {"n": 3})
    at.world.run("Hooks.off('updateItem', globalThis.answering);")
    assert answer["error"] == "wrote outside declared scope: Actor"
    assert answer["undone"] is True
    assert at.documents() == before


def test_an_empty_list_of_writes_means_read_only(at):
    """Nothing may be written; a run that keeps to it leaves no point."""
    at.plugin("Counter", "return { ok: true, items: game.items.size };", writes=[])
    points = len(at.points())
    answer = at.call("Counter", {"n": 1})
    assert answer["items"] == at.world.run("return game.items.size;")
    assert "rollbackPoint" not in answer
    assert len(at.points()) == points
    at.plugin("Liar", MOVE + OK, writes=[])
    assert at.call("Liar", {"n": 1})["error"] == "wrote outside declared scope: Item"


def test_a_run_does_not_depend_on_the_selected_token(at):
    """Speaker, token and actor are nobody's."""
    act = "return { ok: true, who: [token?.id ?? null, actor?.id ?? null] };"
    at.plugin("Who", act)
    at.world.run("canvas.tokens.placeables[0].control();")
    assert at.call("Who", {"n": 1})["who"] == [None, None]
    at.world.run("canvas.tokens.releaseAll();")


# Section 4: the result.


def test_a_throw_is_a_failure_whose_point_is_kept(at):
    """What was done before it can be taken back."""
    at.plugin("Half Way", f"{MOVE}throw new Error('the pole broke');")
    answer = at.call("Half Way", {"n": 1})
    assert (answer["ok"], answer["error"]) == (False, "the pole broke")
    assert answer["rollbackPoint"]["state"] == "live"


@pytest.mark.parametrize(
    ("act", "says"),
    [
        ("return { uuid: 'x' };", "no boolean ok"),
        ("return { ok: 'yes' };", "no boolean ok"),
        ("return 'done';", "no boolean ok"),
        ("", "it returned undefined"),
        ("return MANIFEST;", "manifest instead of acting"),
        ("return { ok: true, n: 10n };", "no JSON"),
    ],
)
def test_a_result_that_breaks_the_contract_is_an_error_that_says_so(at, act, says):
    """Truthy is not enough, and a manifest is no result."""
    at.plugin("Careless", act)
    answer = at.call("Careless", {"n": 1})
    assert answer["ok"] is False
    assert says in answer["error"]


def test_a_failure_of_the_plug_ins_own_is_passed_on(at):
    """With whatever else it says."""
    at.plugin("Picky", "return { ok: false, error: 'no eel', existing: 'Item.x' };")
    answer = at.call("Picky", {"n": 1})
    assert (answer["ok"], answer["error"]) == (False, "no eel")
    assert answer["existing"] == "Item.x"


def test_a_result_of_ten_megabytes_is_cut_and_says_so(at):
    """What counts of it arrives."""
    act = "return { ok: true, uuid: 'Item.x', text: 'żółw'.repeat(2_500_000) };"
    at.plugin("Chatty", act)
    answer = at.call("Chatty", {"n": 1})
    assert (answer["ok"], answer["uuid"], answer["truncated"]) == (True, "Item.x", True)
    assert answer["characters"] > 10_000_000
    assert "text" not in answer


def test_documents_in_a_result_arrive_as_data(at):
    """A plug-in may return what it made."""
    at.plugin("Shower", f"return {{ ok: true, item: {POLE} }};")
    assert at.call("Shower", {"n": 1})["item"]["name"] == "Barge pole"


# Section 5: read mode.


def test_read_mode_leaves_no_point_and_the_macro_is_told(at):
    """Mode is stripped before the schema judges, and reaches the macro."""
    at.plugin("Looker", "return { ok: true, mode: scope.mode, n: scope.n };")
    points = len(at.points())
    answer = at.call("Looker", {"mode": "read", "n": 4})
    assert answer == {"ok": True, "mode": "read", "n": 4}
    assert len(at.points()) == points


def test_read_mode_that_writes_is_undone_and_reported(at):
    """Even types that run mode may write."""
    before = at.documents()
    at.plugin("Looker", MOVE + OK)
    answer = at.call("Looker", {"mode": "read", "n": 4})
    assert answer["error"] == "wrote outside declared scope: Item"
    assert answer["undone"] is True
    assert at.documents() == before


def test_a_plug_in_without_read_mode_takes_none(at):
    """Its schema refuses the word."""
    at.plugin("Doer", OK, modes=["run"])
    assert "unknown: 'mode'" in at.call("Doer", {"mode": "read"})["error"]


# Section 6: names.


def test_names_are_exact_and_unique(at):
    """No other case, and never one of two: their ids are listed."""
    first = at.plugin("Twin", OK)
    assert "no macro of this world" in at.call("twin", {"n": 1})["error"]
    assert at.call("Twin", {"n": 1})["ok"] is True
    second = at.plugin("Twin", OK)
    answer = at.call("Twin", {"n": 1})
    assert "ambiguous" in answer["error"]
    assert sorted(answer["ids"]) == sorted([first, second])


def test_a_chat_macro_is_no_plug_in(at):
    """It is not run."""
    messages = at.world.run("return game.messages.size;")
    assert "is a chat macro" in at.call("Ring the bell", {"n": 1})["error"]
    assert at.world.run("return game.messages.size;") == messages


def test_the_shipped_plug_ins_are_reachable_by_the_familys_names(at):
    """Pasted as macros, listed with version, schema and writes; none has a problem."""
    names = []
    for path in sorted(plugins_folder().glob("*.js")):
        name = path.read_text().split('name: "')[1].split('"')[0]
        at.macro(name, path.read_text())
        names.append(name)
    listed = at.agent.call("foundry_plugins")["plugins"]
    assert [row["name"] for row in listed] == sorted(names)
    assert [row["problems"] for row in listed] == [[]] * 5
    assert all(row["usable"] and row["version"] and row["args"] for row in listed)
    assert set(names) == {
        "Claude Item Forge",
        "Claude Foe Forge",
        "Claude Link ReForge",
        "Claude Total Actor Backup",
        "Rename Actor",
    }


def test_only_macros_that_mean_to_be_plug_ins_are_run_for_the_list(at):
    """A bare run of a stranger's macro would be a surprise."""
    at.macro("Fireball", "globalThis.fired = true; return 5;")
    at.plugin("Mover", MOVE + OK)
    at.macro("Rash", f"{STRAY} /* aagm-plugin/1.0 */")
    rows = {row["name"]: row for row in at.agent.call("foundry_plugins")["plugins"]}
    assert set(rows) == {"Mover", "Rash"}
    assert rows["Mover"]["usable"] is True
    assert "wrote on a run" in rows["Rash"]["problems"][0]["error"]
    assert at.world.run("return globalThis.fired;") is None


# Section 9: conformance.


def test_both_tools_are_offered_and_say_what_they_do(at):
    """A client sees the arguments, typed."""
    listed = {
        tool.name: tool for tool in at.agent.raw(at.agent.client.list_tools).tools
    }
    schema = listed["foundry_plugin"].input_schema
    assert schema["required"] == ["name", "args"]
    assert set(schema["properties"]) == {"name", "args", "tabId", "refresh"}
    assert "foundry_plugins" in listed


# Slow ones: tails as they are shipped.


@pytest.mark.parametrize("version", VERSIONS)
def test_a_late_write_is_still_the_run(version, tmp_path):
    """What comes 200 ms after the answer is judged and taken back with the rest."""
    with plugin_world(tmp_path, version, "") as at:
        before = at.documents()
        late = f"setTimeout(() => {STRAY.removeprefix('await ')[:-1]}, 200);"
        at.plugin("Late", late + OK)
        answer = at.call("Late", {"n": 1})
        assert answer["error"] == "wrote outside declared scope: Actor"
        assert answer["undone"] is True
        assert at.documents() == before


@pytest.mark.parametrize("version", VERSIONS)
def test_at_the_limit_the_lane_is_free_and_a_run_is_judged(version, tmp_path):
    """A run that never ends is judged by what it had written."""
    with plugin_world(tmp_path, version, "write_seconds = 2") as at:
        before = at.documents()
        at.plugin("Never", f"{STRAY}await new Promise(() => {{}});")
        with pytest.raises(ToolFailed) as failed:
            at.call("Never", {"n": 1})
        assert failed.value.error["code"] == -33010
        said = failed.value.error["message"]
        assert "it wrote outside declared scope: Actor" in said
        assert failed.value.error["rollbackPoint"]["state"] == "rolled-back"
        assert at.documents() == before

        at.plugin("Slow", f"{MOVE}await new Promise(() => {{}});")
        with pytest.raises(ToolFailed) as failed:
            at.call("Slow", {"n": 1})
        point = failed.value.error["rollbackPoint"]
        assert (point["state"], point["captured"]) == ("live", "1 update")
        at.agent.call("foundry_rollback", rollbackId=point["id"])
        assert at.documents() == before
