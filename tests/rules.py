"""Switch off each protective rule of the undo in turn; a test must notice each time.

``python -m tests.rules`` prints what caught each, and ``caught N of N``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from attrs import frozen

ROOT = Path(__file__).parent.parent
RELAY = "aagm/relay/rollback"
TESTS = "tests/relay/rollback"


@frozen
class Rule:
    """A rule, the text that upholds it, and the same text without it."""

    name: str
    file: str
    upheld: str
    off: str
    tests: str  # the module that holds it

    def source(self) -> str:
        """Read the file that upholds it."""
        return (ROOT / self.file).read_text(encoding="utf-8")

    def is_found(self) -> bool:
        """Say whether the text stands there, once."""
        return self.source().count(self.upheld) == 1


def relay(module: str, name: str, upheld: str, off: str, tests: str) -> Rule:
    """Name a rule of the relay's."""
    file = f"{RELAY}/{module}.py"
    return Rule(name, file, upheld, off, f"{TESTS}/test_{tests}.py")


RULES = (
    relay(
        "undo",
        "the world is compared before anything is overwritten",
        "if conflicts and not (request.force or request.keep):",
        "if False:",
        "undo",
    ),
    relay(
        "chain",
        "what somebody changed is left where the rest is taken back",
        "[*running.kept, *running.failed]",
        "running.failed",
        "undo",
    ),
    relay(
        "expectation",
        "a created document is compared by its hash",
        'row["hash"] = value',
        'row["exists"] = bool(value)',
        "undo",
    ),
    relay(
        "expectation",
        "a created document is compared with the children that are known",
        'row["children"] = children',
        "pass",
        "undo",
    ),
    relay(
        "expectation",
        "a write between two points is found",
        "self.seams += seams(older, self.changes)",
        "self.seams += []",
        "undo",
    ),
    relay(
        "entries",
        "a write amid one point is found",
        "if known is not None and self._goes_on(self._kept[known], entry):",
        "if known is not None:",
        "undo",
    ),
    relay(
        "expectation",
        "the parent of a deleted child is looked for",
        'return [{"uuid": parent, "exists": True}]',
        "return []",
        "undo",
    ),
    relay(
        "changes",
        "a flag is no number",
        "if isinstance(a, bool) or isinstance(b, bool):\n        return False",
        "if a == b:\n        return True",
        "undo",
    ),
    relay(
        "plan",
        "what the GM may have done by hand is left out",
        'if e.get("own") and not self.own}',
        'if e.get("own") and False}',
        "undo",
    ),
    relay(
        "plan",
        "one point alone is not undone under a later one",
        "each.id for each, left in standing if any(_any(mine, e) for e in left)",
        "each.id for each, left in standing if False and left and mine",
        "undo",
    ),
    relay(
        "undone",
        "an older value is not written where a newer one stuck",
        "is_blocked = any(touch(entry, other) for other in failed)",
        "is_blocked = bool(failed and touch is None)",
        "undo",
    ),
    relay(
        "undo",
        "a point of another world is no target",
        "if is_foreign(digests[-1].head, world):",
        "if False:",
        "undo",
    ),
    relay(
        "undo",
        "a write that still runs is no target",
        "if each.id in running:",
        "if False:",
        "calls",
    ),
    relay(
        "recordings",
        "the journal is on disk before anything is sent",
        "self._journals.open(head.id, head_line(recording))",
        "pass",
        "recordings",
    ),
    relay(
        "journal",
        "no write is begun while an older journal lags behind",
        "if not self.append(other, ()):",
        "if False:",
        "breaks",
    ),
    relay(
        "intake",
        "nothing is acknowledged before it is journaled",
        "if self._recordings.is_journaled(recording):",
        "if recording:",
        "breaks",
    ),
    relay(
        "intake",
        "what is missing after a break is asked for",
        'return {"resend": resend} if resend else {}',
        "return {}",
        "breaks",
    ),
    relay(
        "intake",
        "a recording that runs at the hello holds the lane",
        'self._lane.enter(until_ended, by="relay", label=recording.head.summary)',
        "del until_ended",
        "breaks",
    ),
    relay(
        "writes",
        "the lane is held while a cut-off tab may still write",
        "if recording.streams:\n            left",
        "if False:\n            left",
        "breaks",
    ),
    relay(
        "writes",
        "a late answer completes its point",
        "self._runaways.pop(point_id, None)\n",
        "return\n",
        "recordings",
    ),
    relay(
        "journal",
        "a torn last line is dropped",
        "except ValueError:\n        return None",
        "except ValueError:\n        raise",
        "breaks",
    ),
    relay(
        "findings",
        "what nobody confirmed is looked up in the world",
        "if is_never:",
        "if False:",
        "breaks",
    ),
    relay(
        "findings",
        "a write that never came is nobody's change",
        "is_other = not same(now, after(change)) and not any(",
        "is_other = key in self._leaves and not any(",
        "findings",
    ),
    relay(
        "findings",
        "what was written upon a write that never came is not written back",
        'befores.has(c["path"], self._now(document, c)) for c in changes',
        "same(before(c), self._now(document, c)) for c in changes",
        "findings",
    ),
    relay(
        "undo",
        "what the world has lost is no target unless named",
        "if not each.is_stuck:",
        "if True:",
        "undo",
    ),
    relay(
        "entries",
        "a create that nobody confirmed is never deleted",
        'return bool(entry["op"] == "create" and not is_sure)',
        "return not is_sure and False",
        "recordings",
    ),
    relay(
        "chain",
        "a killed chain knows which point it was at",
        "self._recordings.note(\n            running.redo,",
        "_ = (\n            running.redo,",
        "chain",
    ),
    relay(
        "chain",
        "what an undo names stays as it was when it was taken back",
        "self._recordings.rest(step.point.id)",
        "pass",
        "breaks",
    ),
    relay(
        "lane",
        "the GM goes before what agents queued",
        'if by == "gm":',
        "if False:",
        "lane",
    ),
    relay(
        "lane",
        "mode and interrupts are looked at when the turn starts",
        "if (instead := recheck()) is not None:",
        "if (instead := None) is not None:",
        "lane",
    ),
    relay(
        "lane",
        "a caller that left takes its queued write along",
        "self.refuse(CallerLeft(",
        "str(CallerLeft(",
        "lane",
    ),
    relay(
        "lane",
        "only so many writes wait",
        "if len(self._waiting) >= LONGEST_QUEUE",
        "if False",
        "lane",
    ),
    Rule(
        "a call that lost its answer is not done twice",
        "aagm/mcp/writing.py",
        "if each.key == key:",
        "if False:",
        f"{TESTS}/test_calls.py",
    ),
    Rule(
        "a call whose answer arrived is done again when it is made again",
        "aagm/mcp/writing.py",
        "if delivered or call.is_cancelled",
        "if call.is_cancelled",
        f"{TESTS}/test_calls.py",
    ),
    Rule(
        "a call made again is told what its point is by now",
        "aagm/mcp/writing.py",
        'again["rollbackPoint"] = now',
        "pass",
        f"{TESTS}/test_calls.py",
    ),
    relay(
        "index",
        "a clock that jumps back does not turn the order round",
        "max(int(self._now() * 1000), self._latest + 1)",
        "int(self._now() * 1000)",
        "index",
    ),
    relay(
        "index",
        "an id is used once",
        'if made not in self._digests and f"{made}.json" not in today:',
        "if made or today:",
        "index",
    ),
    relay(
        "points",
        "a file of an unknown version is never guessed at",
        "if version not in (None, VERSION) or isinstance(version, bool):",
        "if False:",
        "index",
    ),
    Rule(
        "a file is replaced whole",
        "aagm/relay/disk.py",
        "os.ftruncate(fd, size)",
        "pass",
        "tests/relay/test_disk.py",
    ),
)


def catches(rule: Rule, folder: Path) -> str | None:
    """Run the tests without *rule*; name the first that fails."""
    file = folder / rule.file
    whole = file.read_text(encoding="utf-8")
    file.write_text(whole.replace(rule.upheld, rule.off), encoding="utf-8")
    try:
        run = subprocess.run(
            [
                *(sys.executable, "-m", "pytest", "-q", "-x", "--no-header"),
                *("-p", "no:cacheprovider", rule.tests),
            ],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(folder)},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        file.write_text(whole, encoding="utf-8")
    failed = (line for line in run.stdout.splitlines() if line.startswith("FAILED"))
    line = next(failed, None)
    return None if line is None else line.split("::")[-1].split(" - ")[0]


def main() -> int:
    """Switch off each; the exit status says whether all were caught."""
    caught = 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in ("aagm", "tests", "twisted"):
            ignored = shutil.ignore_patterns("node_modules", "__pycache__")
            shutil.copytree(ROOT / part, folder / part, ignore=ignored)
        shutil.copy(ROOT / "pyproject.toml", folder)
        for rule in RULES:
            by = catches(rule, folder) if rule.is_found() else None
            caught += by is not None
            sys.stdout.write(f"{rule.name}: {by or 'NOT CAUGHT'}\n")
            sys.stdout.flush()
    sys.stdout.write(f"caught {caught} of {len(RULES)}\n")
    return int(caught != len(RULES))


if __name__ == "__main__":
    sys.exit(main())
