"""Break real processes at random moments, and see that nothing is lost or done twice.

``python -m tests.faults --rounds 50`` runs a relay and a world with the real module,
lets an agent write and roll back, and at a random moment of either kills the relay,
the tab or both, cuts the tab's socket or the agent's, fills the disk or delays the
tab's frames. Then everything comes back, what is live is rolled back, and the world
must be as it was.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

from attrs import define, field

sys.path.append(str(Path(__file__).parent / "e2e" / "drivers"))

from node_world import NodeWorld, client_settings
from relay_process import RelayProcess

SETTLED = 40.0  # seconds within which everything must have come back
WRITE_SECONDS = 8
LIMITS = f"[limits]\nwrite_seconds = {WRITE_SECONDS}\nsettle_ms = 20\n"
STEPS = 12
IN_WRITE = 2 / 3  # of the rounds break during the write, the others during its undo
LASTS = {"_write": 0.35, "_roll_back": 0.15}  # seconds, about
CODE = f"""
globalThis.busy = true;
globalThis.runs = (globalThis.runs ?? 0) + 1;
const type = game.items.contents[0].type;
try {{
  for (let i = 0; i < {STEPS}; i++) {{
    const pike = game.actors.getName("Old Pike");
    const value = (pike.toObject().system.resource?.value ?? 0) + 1;
    await pike.update({{ "system.resource.value": value, "flags.world.step": i }});
    const lamp = await Item.create({{ name: `lamp ${{i}}`, type }});
    if (i % 3 === 2) await lamp.delete();
    await new Promise((resolve) => setTimeout(resolve, 5));
  }}
}} finally {{
  globalThis.busy = false;
}}
return "done";
"""


@define(eq=False)
class Wire:
    """A loopback proxy before the relay's bridge port: it can be cut and slowed.

    Whoever dials while the relay is down is held until it is back, so that no round
    waits for the module's next attempt.
    """

    target: int
    port: int = field(init=False)
    delay: float = 0.0  # seconds that each piece waits
    holds: bool = False  # the relay is not told of a tab that left
    left: threading.Event = field(factory=threading.Event)  # all of it was passed on
    _listener: socket.socket = field(init=False)
    _open: list[socket.socket] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        """Listen."""
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """End every connection."""
        pairs, self._open = self._open, []
        for each in pairs:
            _reset(each)

    def close(self) -> None:
        """Stop listening, and wake the thread that does."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()

    def _serve(self) -> None:
        while True:
            try:
                here, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._join, args=(here,), daemon=True).start()

    def _join(self, here: socket.socket) -> None:
        until = time.monotonic() + SETTLED
        while time.monotonic() < until:
            try:
                there = socket.create_connection(("127.0.0.1", self.target))
            except OSError:
                time.sleep(0.02)
                continue
            self._open += [here, there]
            threading.Thread(
                target=self._pump, args=(here, there, self.left), daemon=True
            ).start()
            threading.Thread(
                target=self._pump, args=(there, here, None), daemon=True
            ).start()
            return
        _reset(here)

    def _pump(
        self, one: socket.socket, other: socket.socket, left: threading.Event | None
    ) -> None:
        try:
            while data := one.recv(65536):
                time.sleep(self.delay)
                other.sendall(data)
        except OSError:
            pass
        _reset(one)
        if left is not None and self.holds:
            left.set()
        else:
            _reset(other)


def _reset(each: socket.socket) -> None:
    """Close at once, with a reset.

    A close alone would wait for the thread that still reads there, which may be for
    ever: the other end would never learn of it.
    """
    with suppress(OSError):
        each.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        each.shutdown(socket.SHUT_RD)
    each.close()


@define(eq=False)
class Agent:
    """An agent that calls tools over HTTP and repeats a call whose connection broke."""

    port: int
    _socket: socket.socket | None = field(default=None, init=False)

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Call a tool; the connection may break."""
        http = HTTPConnection("127.0.0.1", self.port, timeout=SETTLED)
        params = {"name": tool, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
        }
        try:
            http.request("POST", "/mcp", json.dumps(message), headers)
            self._socket = http.sock
            text = http.getresponse().read().decode()
        finally:
            self._socket = None
            http.close()
        answer = json.loads(_last_event(text))
        return json.loads(answer["result"]["content"][0]["text"])

    def insist(self, tool: str, **arguments: Any) -> dict[str, Any] | None:
        """Call a tool, and once more if the connection broke: as Kimi does."""
        for _ in range(2):
            try:
                return self.call(tool, **arguments)
            except (OSError, HTTPException, ValueError):
                continue
        return None

    def turn_twice(self) -> None:
        """Let the relay's loop turn: it has then read whatever had reached it."""
        for _ in range(2):
            http = HTTPConnection("127.0.0.1", self.port, timeout=SETTLED)
            http.request("GET", "/healthz")
            http.getresponse().read()
            http.close()

    def cut(self) -> None:
        """Lose the connection of the call that waits."""
        if (held := self._socket) is not None:
            with suppress(OSError):  # the call ended by itself this moment
                linger = struct.pack("ii", 1, 0)
                held.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
                held.shutdown(socket.SHUT_RDWR)


def _difference(before: dict[str, Any], now: dict[str, Any]) -> dict[str, str]:
    """Say of each document that is another now whether it was made, gone or changed."""
    found = {}
    for uuid in {**before, **now}:
        if uuid not in before:
            found[uuid] = "made"
        elif uuid not in now:
            found[uuid] = "gone"
        elif before[uuid] != now[uuid]:
            found[uuid] = "changed"
    return found


def _last_event(text: str) -> str:
    lines = [line[6:] for line in text.splitlines() if line.startswith("data: ")]
    return lines[-1] if lines else text


@define(eq=False)
class Round:
    """One write, one fault, and what came of it."""

    folder: Path
    rng: random.Random
    relay: RelayProcess = field(init=False)
    wire: Wire = field(init=False)
    world: NodeWorld = field(init=False)
    agent: Agent = field(init=False)
    one_run: bool = field(default=True, init=False)  # the eval may have run once

    def play(self, fault: str) -> str | None:
        """Play the round; gives what went wrong."""
        config = self.folder / "relay.toml"
        config.write_text(LIMITS)
        options = ("--pairing", "off", "--config", str(config))
        self.relay = RelayProcess(self.folder, options).start()
        self.wire = Wire(self.relay.bridge_port)
        self.world = self._open_world()
        self.agent = Agent(self.relay.mcp_port)
        try:
            before = self.world.canonical()
            breaks = FAULTS[fault]
            if self.rng.random() < IN_WRITE:
                self._break_while(self._write, breaks)
            else:
                self._write()
                self._break_while(self._roll_back, breaks)
            return self._judge(before)
        finally:
            self.world.close()
            self.wire.close()
            self.relay.close()

    def _open_world(self) -> NodeWorld:
        url = f"ws://127.0.0.1:{self.wire.port}"
        state = ("--state", str(self.folder / "world.json"))
        world = NodeWorld(client_settings(url), state)
        world.until_connected()
        return world

    def _write(self) -> None:
        self.agent.insist("foundry_eval", code=CODE, intent="write", summary="x")

    def _roll_back(self) -> None:
        self.agent.insist("foundry_rollback")

    def _break_while(
        self, work: Callable[[], None], breaks: Callable[[Round], None]
    ) -> None:
        working = threading.Thread(target=work)
        working.start()
        time.sleep(self.rng.uniform(0.0, LASTS[work.__name__]))
        breaks(self)
        working.join(SETTLED)

    def kill_relay(self) -> None:
        """Kill the relay and start it again."""
        self.one_run = False  # who would remember the call is dead
        self.relay.kill()
        self.relay.start()

    def kill_tab(self) -> None:
        """Close the tab and open the world again."""
        self.one_run = False  # so is who counts the runs
        self.world.close()
        self.world = self._open_world()

    def kill_both(self) -> None:
        """Kill tab and relay: what left the page reaches the relay, no more.

        What neither of them had passed on is known to nobody: a hook cannot wait.
        """
        self.one_run = False
        self.wire.left.clear()
        self.wire.holds = True
        self.world.close()
        self.wire.left.wait(SETTLED)
        self.agent.turn_twice()
        self.relay.kill()
        self.wire.holds = False
        self.relay.start()
        self.world = self._open_world()

    def cut_tab(self) -> None:
        """Cut the tab's socket; the module dials again."""
        self.wire.cut()

    def cut_agent(self) -> None:
        """Cut the agent's connection; it repeats its call."""
        self.agent.cut()

    def fill_disk(self) -> None:
        """Let no file of the relay's grow for a while."""
        with self._no_room():
            time.sleep(self.rng.uniform(0.05, 0.4))

    @contextmanager
    def _no_room(self) -> Iterator[None]:
        limit = resource.RLIMIT_FSIZE
        old = resource.prlimit(self.relay.pid, limit, (0, resource.RLIM_INFINITY))
        try:
            yield
        finally:
            resource.prlimit(self.relay.pid, limit, old)

    def delay(self) -> None:
        """Let every frame wait for a while, then go on as before."""
        self.wire.delay = self.rng.uniform(0.02, 0.2)
        time.sleep(1.0)
        self.wire.delay = 0.0

    def _judge(self, before: Any) -> str | None:
        self.world.until_connected()
        self._until(lambda: not self.world.run("return globalThis.busy ?? false"))
        points = self._until(self._settled)
        runs = self.world.run("return globalThis.runs ?? 0")
        if self.one_run and runs > 1:
            return f"doubled: the eval ran {runs} times"
        made = [
            entry["uuid"]
            for point in points
            for entry in self._file(point)["entries"]
            if entry["op"] == "create" and entry["uuid"]
        ]
        if len(made) != len(set(made)):
            return "doubled: a document is in two points"
        writes = [point for point in points if point["kind"] != "redo"]
        if writes:
            answer = self._until(lambda: self._rolled_back(writes[-1]["id"]))
            rows = answer.get("rolledBack", [])
            if answer.get("refused") or any(row["failed"] for row in rows):
                return f"lost: {json.dumps(answer)[:600]}"
        told = sum(point.get("mayExist", 0) for point in points)
        left = _difference(before, self.world.canonical())
        lamps = [uuid for uuid in left if left[uuid] == "made" and "Item." in uuid]
        if len(lamps) == len(left) and len(lamps) <= told:
            return None  # each is named by its point as what may exist
        return f"lost: {json.dumps(left)[:600]}"

    def _rolled_back(self, point_id: str) -> dict[str, Any] | None:
        """Roll back; None while the tab is not there, which is no refusal."""
        answer = self.agent.call("foundry_rollback", rollbackId=point_id)
        return None if "error" in answer else answer

    def _path(self, point: dict[str, Any]) -> Path:
        return self.relay.data_dir / "Rollback Points" / str(point["file"])

    def _file(self, point: dict[str, Any]) -> dict[str, Any]:
        whole: dict[str, Any] = json.loads(self._path(point).read_text())
        return whole

    def _settled(self) -> list[dict[str, Any]] | None:
        """List the points of the round, once none is open and all are on disk."""
        points = self.agent.call("foundry_rollback_points")["points"]
        if any(point["state"] == "open" for point in points):
            return None
        if not all(self._path(point).exists() for point in points):
            return None
        journals = self.relay.data_dir / "state" / "journal"
        if journals.is_dir() and any(journals.iterdir()):
            return None
        return [point for point in points if point["state"] in ("live", "partial")]

    @staticmethod
    def _until(look: Callable[[], Any]) -> Any:
        """Look again until there is something; a person would, too."""
        until = time.monotonic() + SETTLED
        while (seen := look()) is None or seen is False:
            if time.monotonic() > until:
                raise TimeoutError("it does not settle")
            time.sleep(0.1)
        return seen


FAULTS: dict[str, Callable[[Round], None]] = {
    "relay killed": Round.kill_relay,
    "tab killed": Round.kill_tab,
    "tab's socket cut": Round.cut_tab,
    "both killed": Round.kill_both,
    "agent's connection cut": Round.cut_agent,
    "disk full": Round.fill_disk,
    "frames delayed": Round.delay,
}


def main() -> int:
    """Play the rounds; the exit status says whether anything was lost or doubled."""
    parser = argparse.ArgumentParser(prog="tests.faults", description=__doc__)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000)
    parser.add_argument("--fault", choices=FAULTS, help="only this one")
    given = parser.parse_args()
    lost, doubled = play(given.rounds, given.seed, given.fault)
    sys.stdout.write(f"lost {lost} doubled {doubled}\n")
    return int(bool(lost or doubled))


def play(rounds: int, first_seed: int, fault: str | None = None) -> tuple[int, int]:
    """Play some rounds, each with the next seed and the next fault.

    Args:
        rounds: How many.
        first_seed: The first round's; what breaks when follows from it.
        fault: Only this one.

    Returns:
        In how many something was lost, and in how many something was doubled.
    """
    lost = doubled = 0
    for number in range(rounds):
        seed = first_seed + number
        breaks = fault or list(FAULTS)[number % len(FAULTS)]
        began = time.monotonic()
        with tempfile.TemporaryDirectory() as name:
            try:
                wrong = Round(Path(name), random.Random(seed)).play(breaks)
            except (TimeoutError, AssertionError) as e:
                wrong = f"lost: {e}"
        lost += bool(wrong and wrong.startswith("lost"))
        doubled += bool(wrong and wrong.startswith("doubled"))
        took = f"{time.monotonic() - began:.0f} s"
        said = f"round {number} (seed {seed}, {took}), {breaks}: {wrong or 'whole'}"
        sys.stdout.write(f"{said}\n")
        sys.stdout.flush()
    return lost, doubled


if __name__ == "__main__":
    sys.exit(main())
