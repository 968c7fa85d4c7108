"""The walk is blind to order, and ends only when nothing is left to be found."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from aagm.relay.guard import Protected, classify
from aagm.relay.guard.parsing import (
    Budget,
    Doubt,
    NotJavaScript,
    OutOfTime,
    encoded,
    parse,
)
from aagm.relay.guard.passes import Passes
from aagm.relay.guard.reading import read_program
from aagm.relay.guard.walk import Walk

FUZZ = runpy.run_path(str(Path(__file__).with_name("fuzz.py")))

# The first statements call a method that only looks; what is put in later deletes.
LATER = {
    "a name": """
        let name = "toObject"; const use = () => doc[name]();
        use(); name = "delete";""",
    "a field": """
        const box = {name: "toObject"}; const use = () => doc[box.name]();
        use(); box.name = "delete";""",
    "an element": """
        const box = ["toObject"]; const use = () => doc[box[0]]();
        use(); box[0] = "delete";""",
    "an element to iterate over": """
        const box = ["toObject"]; const use = () => { for (const n of box) doc[n](); };
        use(); box.push("delete");""",
    "an element to call back with": """
        const box = ["toObject"]; const use = () => box.map(n => doc[n]());
        use(); box.push("delete");""",
    "an element that is taken": """
        const box = ["toObject"]; const use = () => doc[box.pop()]();
        use(); box.push("delete");""",
    "elements as arguments": """
        const box = ["toObject"]; const go = name => doc[name]();
        const use = () => go(...box); use(); box.unshift("delete");""",
    "a key": """
        const box = {toObject: 1}; const use = () => doc[Object.keys(box)[0]]();
        use(); box.delete = 1;""",
    "a map's value": """
        const box = new Map([["a", "toObject"]]); const use = () => doc[box.get("a")]();
        use(); box.set("a", "delete");""",
    "a map's key": """
        const box = new Map([["toObject", 1]]);
        const use = () => { for (const [n] of box) doc[n](); };
        use(); box.set("delete", 1);""",
    "a set's element": """
        const box = new Set(["toObject"]); const use = () => box.forEach(n => doc[n]());
        use(); box.add("delete");""",
    "a result": """
        let name = "toObject"; const pick = () => name; const use = () => doc[pick()]();
        use(); name = "delete";""",
    "a result of a result": """
        let name = "toObject"; const pick = () => name; const more = () => pick();
        const use = () => doc[more()](); use(); name = "delete";""",
    "a generator's yield": """
        let name = "toObject"; function* each() { yield name; }
        const use = () => { for (const n of each()) doc[n](); };
        use(); name = "delete";""",
    "a promise": """
        let give; const box = new Promise(r => { give = r; give("toObject"); });
        const use = async () => doc[await box](); use(); give("delete");""",
    "a copy": """
        const box = {name: "toObject"}; const use = () => doc[({...box}).name]();
        use(); box.name = "delete";""",
    "an argument": """
        const use = name => { const go = () => doc[name](); return go(); };
        use("toObject"); use("delete");""",
    "a default": """
        let name = "toObject"; const use = ({n = name} = {}) => doc[n]();
        use(); name = "delete";""",
    "this": """
        const one = {name: "toObject", use() { return (() => doc[this.name]())(); }};
        const two = {name: "delete", use: one.use};
        one.use(); two.use();""",
    "arguments": """
        function use() { return (() => doc[arguments[0]]())(); }
        use("toObject"); use("delete");""",
    "a bound argument": """
        const use = name => doc[name](); const binds = name => use.bind(null, name);
        const go = binds("toObject"); go(); binds("delete");""",
    "a getter": """
        let name = "toObject"; class Box { get name() { return name; } }
        const use = () => doc[new Box().name](); use(); name = "delete";""",
    "an instance's field": """
        class Box { name = "toObject"; } const box = new Box();
        const use = () => doc[box.name](); use(); box.name = "delete";""",
}


@pytest.mark.parametrize("what", LATER)
def test_what_is_put_in_later_is_found(what):
    """A statement that came too early is looked at again."""
    code = f"const doc = game.actors.contents[0]; {LATER[what]}"
    assert classify(code, Protected()).kind == "delete"
    harmless = code.replace('"delete"', '"toObject"').replace(".delete", ".toObject")
    assert classify(harmless, Protected()).kind in ("read", "unproven")


def is_settled(source: bytes) -> bool | None:
    """Walk a source twice: whether the second time finds nothing; None for no code."""
    budget = Budget(lambda: 0.0, 1.0)  # time stands still
    try:
        program = read_program(parse(source, budget), source, budget)
        walk = Walk(Protected(), budget)
        passes = Passes(walk)
        passes.run(program)
    except (Doubt, NotJavaScript, OutOfTime):
        return None
    found = set(walk.findings)
    passes.settle()  # every piece, stale or not
    return set(walk.findings) == found


def test_another_look_at_everything_finds_nothing_new():
    """Only stale pieces are walked again; a look at all would add nothing."""
    sources = [encoded(code) for code in FUZZ["snippets"]()]
    sources += [encoded(c) for c in FUZZ["sources"](400, 20262) if len(c) < 2000]
    settled = [is_settled(source) for source in sources]
    assert settled.count(True) > 500
    assert [s for s, is_ in zip(sources, settled, strict=True) if is_ is False] == []
