"""Run every check and count every test; `tests/run` sets up and calls this.

Three parts run beside each other on two cores, and a busy machine may let any process
stand still for seconds. So Python tests that fail are run once more, when all else has
ended. What fails then has failed; what passes then is named as unsteady, to be mended.
Failures in more than `UNSTEADY` files are no accident of the machine: no second look.

The last line says ``tests: N passed, M failed``, Python, Node and browser together.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import deque
from contextlib import suppress
from pathlib import Path
from xml.etree import ElementTree as ET

from attrs import define, evolve, field, frozen

ROOT = Path(__file__).parent.parent
FOUNDRY = ROOT / "foundry"
SHOWN = 12  # lines of a part that went well
PATIENCE = 1200  # seconds for one part; only a hang takes so long
AT_ONCE = 3  # parts on two cores: each waits for others half of its time
RUNNING: set[int] = set()  # process groups of the parts that run now
UNSTEADY = 2  # files whose failures may be the machine's
NO_TESTS = 5  # pytest's status when it collected nothing


@frozen
class Count:
    """How many tests passed and failed."""

    passed: int = 0
    failed: int = 0

    def __add__(self, other: Count) -> Count:
        """Add up."""
        return Count(self.passed + other.passed, self.failed + other.failed)


@frozen(eq=False)
class Part:
    """One program to run: a check, or tests of a kind."""

    name: str
    command: list[str]
    folder: Path = ROOT
    kind: str = ""  # Python, Node or browser; a check counts nothing

    @property
    def is_pytest(self) -> bool:
        """Whether pytest runs it, which can run some of its tests again."""
        return self.command[1:3] == ["-m", "pytest"]


@define
class Report:
    """What the parts said."""

    counts: dict[str, Count] = field(
        factory=lambda: {kind: Count() for kind in ("Python", "Node", "browser")}
    )
    broken: dict[Part, list[str]] = field(factory=dict)  # with what failed in it
    unsteady: list[str] = field(factory=list)  # failed beside others, passed alone
    _lock: threading.Lock = field(factory=threading.Lock)

    def run(self, part: Part) -> list[str]:
        """Run *part*, show what it printed, and count; gives what passed."""
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as folder:
            results = Path(folder) / "results.xml"
            status, said = run(
                [word.replace("{results}", str(results)) for word in part.command],
                part.folder,
            )
            passed, failed = read_junit(results) if results.exists() else ([], [])
        seconds = time.monotonic() - began
        with self._lock:
            is_good = status == 0 or (status == NO_TESTS and part.is_pytest)
            lines = said.splitlines()
            shown = lines[-SHOWN:] if is_good else lines
            how = "good" if is_good else f"status {status}"
            sys.stdout.write("\n".join([f"--- {part.name}", *shown, ""]))
            sys.stdout.write(f"--- {part.name}: {seconds:.1f} s, {how}\n")
            sys.stdout.flush()
            if part.kind:
                self.counts[part.kind] += Count(len(passed), len(failed))
            if not is_good:
                self.broken[part] = failed
        return passed

    def run_at_once(self, parts: list[Part], workers: int) -> None:
        """Run *parts* in their order, as many at once as there are *workers*."""
        left = deque(parts)

        def work() -> None:
            while left:
                self.run(left.popleft())

        threads = [threading.Thread(target=work) for _ in range(workers)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def look_again(self) -> None:
        """Run what failed once more, alone, if it is so little that it may pass."""
        doubtful = dict(self.broken)
        files = {test.split("::")[0] for tests in doubtful.values() for test in tests}
        can_be_run = all(part.is_pytest and tests for part, tests in doubtful.items())
        if not can_be_run or len(files) > UNSTEADY:
            return
        for part, tests in doubtful.items():
            name, command = f"{part.name}, again", pytest_command(*tests)
            passed = self.run(evolve(part, name=name, command=command, kind=""))
            if set(passed) >= set(tests):
                del self.broken[part]
                self.counts[part.kind] += Count(len(tests), -len(tests))
                self.unsteady += tests

    def summary(self) -> str:
        """Write the last lines."""
        total = sum(self.counts.values(), Count())
        kinds = ", ".join(
            f"{kind} {count.passed} passed {count.failed} failed"
            for kind, count in self.counts.items()
        )
        # A broken check, or tests that could not run, must not read as success.
        failed = max(total.failed, len(self.broken))
        lines = [
            *(f"unsteady, passed alone: {test}" for test in self.unsteady),
            *(f"not good: {part.name}" for part in self.broken),
        ]
        return "\n".join(
            [*lines, kinds, f"tests: {total.passed} passed, {failed} failed"]
        )


def run(command: list[str], folder: Path) -> tuple[int, str]:
    """Run a program to its end, or to the limit; its status and what it printed."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen(
            command,
            cwd=folder,
            stdout=out,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
            process_group=0,
        )
        RUNNING.add(process.pid)
        try:
            status = process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            kill_group(process.pid)
            status = process.wait()
        RUNNING.discard(process.pid)
        out.seek(0)
        return status, out.read()


def kill_group(pid: int) -> None:
    """End a part with all that it started: relays, worlds and browsers too."""
    with suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def read_junit(path: Path) -> tuple[list[str], list[str]]:
    """Read the test cases of a JUnit file; a skipped one has failed.

    Returns:
        What passed and what failed, as pytest names it (no test of ours is in a class).
    """
    passed: list[str] = []
    failed: list[str] = []
    for case in ET.parse(path).iter("testcase"):  # noqa: S314 - our own file
        file = case.get("classname", "").replace(".", "/")
        bad = any(case.find(tag) is not None for tag in ("failure", "error", "skipped"))
        (failed if bad else passed).append(f"{file}.py::{case.get('name')}")
    return passed, failed


def pytest_command(*arguments: str) -> list[str]:
    """Write the command that runs some of the Python tests."""
    return [sys.executable, "-m", "pytest", "-q", "--junitxml={results}", *arguments]


def node_tests() -> list[str]:
    """Name the files that node should run; a folder name means less to old Nodes."""
    return sorted(
        str(path.relative_to(FOUNDRY))
        for path in (FOUNDRY / "tests").rglob("*")
        if re.search(r"\.test\.m?js$", path.name)
    )


def parts() -> list[Part]:
    """List what may wait for its processor, the longest first."""
    tool = [sys.executable, "-m"]
    node = ["node", "--test", "--test-reporter=spec", "--test-reporter=junit"]
    sequences = "tests/e2e/test_sequences.py"
    return [
        Part(
            "browser",
            pytest_command("-m", "browser and not speed", "tests/e2e"),
            kind="browser",
        ),
        Part(
            "end to end",
            pytest_command(
                *("-m", "not browser and not speed", "tests/e2e"),
                f"--ignore={sequences}",
            ),
            kind="Python",
        ),
        Part(
            "sequences",
            pytest_command("-m", "not browser", sequences),
            kind="Python",
        ),
        Part(
            "Python tests",
            pytest_command("-m", "not speed", "--ignore=tests/e2e"),
            kind="Python",
        ),
        Part(
            "Node tests",
            [
                *node,
                "--test-reporter-destination=stdout",
                "--test-reporter-destination={results}",
                *node_tests(),
            ],
            FOUNDRY,
            kind="Node",
        ),
        Part("mypy", [*tool, "mypy"]),
        Part("eslint", ["npm", "run", "--silent", "lint"], FOUNDRY),
        Part("tsc", ["npm", "run", "--silent", "types"], FOUNDRY),
        Part("ruff check", [*tool, "ruff", "check", "."]),
        Part("ruff format", [*tool, "ruff", "format", "--check", "."]),
    ]


def quiet_parts() -> list[Part]:
    """List what holds time limits: nothing runs beside it."""
    return [
        Part(
            "speed",
            pytest_command("-m", "speed and not browser", "tests"),
            kind="Python",
        ),
        Part(
            "speed in the browser",
            pytest_command("-m", "speed and browser", "tests/e2e"),
            kind="browser",
        ),
    ]


def main() -> int:
    """Run all; the exit status."""
    # Started in the background (`tests/run &`) we, and so every demo and relay of the
    # tests, would ignore Ctrl-C, which is one of the things that are tested.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    began = time.monotonic()
    report = Report()
    report.run_at_once(parts(), AT_ONCE)
    for part in quiet_parts():
        report.run(part)
    report.look_again()
    sys.stdout.write(f"all in {time.monotonic() - began:.0f} s\n{report.summary()}\n")
    return 1 if report.broken else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    finally:
        for each in tuple(RUNNING):
            kill_group(each)
