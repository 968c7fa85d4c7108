"""Check a plug-in in the simulated world, as ``foundry_plugin`` would judge it.

Source: aagm/docs/plugins.md; Plug-in API 1.0.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from attrs import frozen
from jsonschema import Draft202012Validator, ValidationError

from aagm.cli.simulated import Simulated, simulated
from aagm.errors import AagmError, BadParams, HandlerThrew, Unparseable
from aagm.foundry import page as page_of_docs
from aagm.relay.guard import Protected, classify
from aagm.relay.plugins import page
from aagm.relay.plugins.manifest import READ, Manifest, Refused, read
from aagm.relay.plugins.results import shaped
from aagm.relay.plugins.scope import outside, touched
from aagm.relay.rollback.points import Head, Point
from aagm.wire.jsonrpc import loads

FOUNDRY = ("12", "13", "14")
SYSTEM = "sim-generic"
_PAGE = page_of_docs("plugins")
_FILE = f"Give a file of UTF-8 text that you may read: see {_PAGE}."
_FIXTURE = (
    "A fixture is a JSON object: system is a text, setup a list of lines of code,"
    " calls, reads and refused are lists of objects with a call's arguments."
)
_CALLS = {"type": "array", "items": {"type": "object"}}
_MEMBERS = {
    "system": {"type": "string"},
    "setup": {"type": "array", "items": {"type": "string"}},
    **dict.fromkeys(("calls", "reads", "refused"), _CALLS),
}
_SHAPE = Draft202012Validator(
    {"type": "object", "properties": _MEMBERS, "additionalProperties": False}
)
_HEAD = Head("rp-000000", "1970-01-01T00:00:00Z", "1970-01-01", "", None, "plugin")


@frozen
class Fixture:
    """What a plug-in is tried with; ``NAME.fixture.json`` beside its file."""

    system: str = SYSTEM
    setup: str = ""  # code that is run before
    calls: tuple[dict[str, Any], ...] = ()
    reads: tuple[dict[str, Any], ...] = ()
    refused: tuple[dict[str, Any], ...] = ()

    @classmethod
    def of(cls, path: Path) -> Fixture:
        """Read the fixture that lies beside a plug-in; an empty one without.

        Raises:
            BadParams: It is none.
        """
        if not path.exists():
            return cls()
        try:
            body = loads(_text(path))
        except Unparseable as e:
            raise BadParams(f"{path.name} is no fixture: {e}", fix=_FIXTURE) from e
        if (wrong := next(_SHAPE.iter_errors(body), None)) is not None:
            said = f"{path.name} is no fixture: {_fault(wrong, body)}"
            raise BadParams(said, fix=_FIXTURE)
        return cls(
            system=body.get("system", SYSTEM),
            setup="\n".join(body.get("setup", ())),
            calls=tuple(body.get("calls", ())),
            reads=tuple(body.get("reads", ())),
            refused=tuple(body.get("refused", ())),
        )


def _fault(wrong: ValidationError, body: Any) -> str:
    if wrong.validator == "additionalProperties":
        name = next(name for name in body if name not in _MEMBERS)
        return f"{name} is nothing that it may have"
    where = wrong.json_path.replace("$", "", 1).lstrip(".") or "all of it"
    return f"{where} must be of type {wrong.validator_value}"


@frozen
class Finding:
    """One thing that was looked at."""

    what: str
    fault: str | None = None  # None: it is as it should be
    is_hint: bool = False  # the specification recommends it, no more


@frozen
class Check:
    """One plug-in, one fixture, one version of Foundry."""

    name: str  # of the file
    source: str
    fixture: Fixture
    version: str
    world: Simulated

    def findings(self) -> Iterator[Finding]:
        """Try everything, until something makes the rest pointless."""
        ran, found = self._manifest()
        if isinstance(found, Refused):
            fix = f" ({found.fix})" if found.fix else ""
            yield Finding("manifest", f"{found.reason}{fix}")
            return
        yield Finding("manifest")
        yield from (Finding("a hint", each, is_hint=True) for each in found.hints())
        types = touched(_point(ran))
        what = "a run without arguments changes nothing"
        yield Finding(what, f"it wrote {', '.join(types)}" if types else None)
        yield from self._refusals(found)
        for args in self.fixture.calls:
            yield from self._call(found, args)
        if not self.fixture.calls:
            listed = self._in_fixture("calls")
            fault = f"there are no arguments to try: give --args, or {listed}"
            yield Finding("a call", fault)
        if READ in found.modes:
            for args in self.fixture.reads:
                yield from self._reading(found, args)
            if not self.fixture.reads:
                listed = self._in_fixture("reads")
                fault = f"there are no arguments to try it with: {listed}"
                yield Finding("read mode", fault)

    def _in_fixture(self, key: str) -> str:
        return f"list them as {key} in {self.name}.fixture.json"

    def _open(self, *, select: bool = False) -> Simulated:
        self.world.open(self.version, self.fixture.system, select=select)
        return self.world

    def _manifest(self) -> tuple[dict[str, Any], Manifest | Refused]:
        """Read the manifest of the macro under the name that it gives itself."""
        world = self._open()
        world.write(self.name, self.source)
        ran = world.run(page.bare_run(self.name))
        ended = self._ended(ran)
        if not isinstance(ended, page.Returned):
            verdict = classify(self.source, Protected())
            said = str(shaped(ended)["error"])
            if verdict.syntax_error:  # the world's own error has no place
                said = f"{verdict.reason} ({verdict.place})"
            return ran, Refused(f"run without arguments: {said}", "")
        value = ended.value
        named = value.get("name") if isinstance(value, dict) else None
        name = named if isinstance(named, str) and named else self.name
        return ran, read(value, name)

    def _refusals(self, manifest: Manifest) -> Iterator[Finding]:
        wrong = [*self.fixture.refused, *_wrong_ones(manifest, self.fixture.calls)]
        if self.fixture.calls and not wrong:
            fault = "its schema refuses nothing that can be tried: say there what is "
            fault += f"required, or {self._in_fixture('refused')}"
            yield Finding("wrong arguments are refused", fault)
        for args in wrong:
            is_taken = manifest.rules.check(args) is None
            what = f"wrong arguments are refused: {_line(args)}"
            yield Finding(what, "its schema takes them" if is_taken else None)

    def _call(self, manifest: Manifest, args: dict[str, Any]) -> Iterator[Finding]:
        what = f"a call: {_line(args)}"
        if (wrong := manifest.rules.check(args)) is not None:
            yield Finding(what, f"{wrong.error} ({wrong.schema_path})")
            return
        ran, answer, undone = self._run(manifest, args)
        yield Finding(what, None if answer["ok"] else str(answer["error"]))
        wrote = _listed(touched(_point(ran)))
        fault = None
        if outside(_point(ran), manifest.writes):
            fault = f"it declares {_listed(manifest.writes)}, and wrote {wrote}"
        what = "it writes what it declares"
        yield Finding(what if fault else f"{what}: {wrote}", fault)
        left = [*undone["failed"], *undone["differ"]]
        fault = f"not taken back: {_line(left)}" if left else None
        yield Finding("a rollback takes it back", fault)
        with_token = self._run(manifest, args, select=True)[0]
        is_same = _effect(with_token) == _effect(ran)
        fault = None if is_same else "another token selected, another outcome"
        yield Finding("the selected token does not matter", fault)

    def _reading(self, manifest: Manifest, args: dict[str, Any]) -> Iterator[Finding]:
        what = f"read mode: {_line(args)}"
        if (wrong := manifest.rules.check(args)) is not None:
            yield Finding(what, f"{wrong.error} ({wrong.schema_path})")
            return
        ran, answer, _ = self._run(manifest, {"mode": READ, **args})
        yield Finding(what, None if answer["ok"] else str(answer["error"]))
        types = touched(_point(ran))
        fault = f"it wrote {', '.join(types)}" if types else None
        yield Finding("read mode changes nothing", fault)

    def _run(
        self, manifest: Manifest, args: dict[str, Any], *, select: bool = False
    ) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any]]:
        """Call it in a fresh world: what it touched, its answer, and its undo."""
        world = self._open(select=select)
        world.write(manifest.name, self.source)
        if self.fixture.setup:
            try:
                world.set_up(self.fixture.setup)
            except HandlerThrew as e:
                said = f"the fixture's setup did not run: {e}"
                raise HandlerThrew(said) from e
        bare = page.value_of(world.run(page.bare_run(manifest.name))["result"])
        macro = page.Macro(bare["id"], bare["hash"])
        ran = world.run(page.full_run(manifest.name, args, macro))
        return ran, shaped(self._ended(ran)), world.undo()

    @staticmethod
    def _ended(ran: dict[str, Any]) -> page.Ended:
        if "error" in ran:
            return page.Threw(ran["error"])
        match page.read_full(ran["result"]):
            case page.Found() | page.Changed():
                return page.Unreadable("the macro was changed")
            case ended:
                return ended


def _point(ran: dict[str, Any]) -> Point:
    return Point(_HEAD, tuple(ran["entries"]), tuple(ran["uncovered"]))


def _listed(types: Sequence[str]) -> str:
    return ", ".join(types) or "nothing"


def _effect(ran: dict[str, Any]) -> list[tuple[Any, ...]]:
    keys = ("op", "uuid", "documentName")
    return [tuple(entry.get(key) for key in keys) for entry in ran["entries"]]


def _wrong_ones(
    manifest: Manifest, calls: Sequence[dict[str, Any]]
) -> Iterator[dict[str, Any]]:
    """Make wrong arguments of right ones: one too few, one too many."""
    for args in calls[:1]:
        for name in manifest.args.get("required", ())[:1]:
            yield {key: value for key, value in args.items() if key != name}
        if manifest.args.get("additionalProperties") is False:
            yield {**args, "unheardOf": 1}


def _line(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 90 else f"{text[:89]}…"  # noqa: PLR2004


def _text(path: Path) -> str:
    """Read a file.

    Raises:
        BadParams: It cannot be read.
    """
    try:
        return path.read_text(encoding="utf-8")
    except OSError as e:
        raise BadParams(f"{path} cannot be read: {e.strerror}", fix=_FILE) from e
    except UnicodeDecodeError as e:
        raise BadParams(f"{path} is not UTF-8 text", fix=_FILE) from e


def _arguments(text: str) -> dict[str, Any]:
    try:
        value = loads(text)
    except Unparseable as e:
        raise argparse.ArgumentTypeError(str(e)) from e
    if not isinstance(value, dict):
        raise argparse.ArgumentTypeError("arguments are a JSON object")
    return value


def check(check: Check, stdout: TextIO) -> bool:
    """Print what was found, a line each; False when something is wrong."""
    is_good = True
    stdout.write(f"{check.name}, Foundry {check.version}, {check.fixture.system}\n")
    for each in check.findings():
        is_good = is_good and (each.fault is None or each.is_hint)
        how = "ok  " if each.fault is None else "note" if each.is_hint else "FAIL"
        more = "" if each.fault is None else f"\n        {each.fault}"
        stdout.write(f"  {how}  {each.what}{more}\n")
    return is_good


def main(argv: Sequence[str]) -> int:
    """Check what was named; the status is 0 when all is well."""
    parser = argparse.ArgumentParser(
        prog="aagm plugin",
        description=f"Work on plug-ins: see {_PAGE}.",
        formatter_class=argparse.RawDescriptionHelpFormatter,  # breaks no path
    )
    verbs = parser.add_subparsers(dest="verb", required=True, metavar="{check}")
    checking = verbs.add_parser("check", help="try a plug-in in the simulated world")
    checking.add_argument("file", type=Path, help="the macro's text")
    checking.add_argument(
        "--args",
        action="append",
        type=_arguments,
        default=[],
        metavar="JSON",
        help="arguments of a call that works; besides those of NAME.fixture.json",
    )
    checking.add_argument("--system", help="sim-generic, sim-pf1, sim-5e or sim-pf2e")
    checking.add_argument(
        "--foundry", choices=FOUNDRY, action="append", help="only this version"
    )
    given = parser.parse_args(argv)
    source = _text(given.file)
    fixture = Fixture.of(given.file.with_suffix(".fixture.json"))
    fixture = Fixture(
        system=given.system or fixture.system,
        setup=fixture.setup,
        calls=(*fixture.calls, *given.args),
        reads=fixture.reads,
        refused=fixture.refused,
    )
    return 0 if _check_all(given.file.stem, source, fixture, given.foundry) else 1


def _check_all(
    name: str, source: str, fixture: Fixture, versions: Sequence[str] | None
) -> bool:
    is_good = True
    with simulated() as world:
        for version in versions or FOUNDRY:
            try:
                one = Check(name, source, fixture, version, world)
                is_good = check(one, sys.stdout) and is_good
            except AagmError as e:
                sys.stdout.write(f"  FAIL  {e}\n")
                return False
    return is_good
