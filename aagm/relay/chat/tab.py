"""One tab of the box: its title, its state, what was said in it.

Source: PROTOCOL_FACTS section 6; WIRE section 6.
"""

from __future__ import annotations

from attrs import asdict, define, evolve, field, frozen

from aagm.wire.jsonrpc import Json

MAX_TABS = 5
MAX_LINES = 40
MAX_LINE = 8_000  # characters of a transcript line; no reply may be longer
TITLE = 24  # characters
MAIN_TAB = "t-main"  # the one tab where a prompt names none

IDLE, WORKING, DONE = "idle", "working", "done"


@frozen
class Line:
    """What was said, and by whom."""

    role: str  # user, assistant or system (the relay itself)
    text: str
    ts: str
    prompt_id: str | None = None
    is_cancelled: bool = False  # a user's line that nobody will get
    is_interrupt: bool = False  # a user's line that came while the agent worked

    def to_box(self) -> dict[str, Json]:
        """Shape it as an element of ``transcript``."""
        shape: dict[str, Json] = {"role": self.role, "text": self.text, "ts": self.ts}
        if self.prompt_id is not None:
            shape["promptId"] = self.prompt_id
        if self.is_cancelled:
            shape["cancelled"] = True
        if self.is_interrupt:
            shape["interrupt"] = True
        return shape


@define(eq=False)
class Tab:
    """A tab."""

    id: str
    title: str = ""  # the first prompt's beginning; the id shows until then
    state: str = IDLE
    lines: list[Line] = field(factory=list)

    def add(self, line: Line) -> None:
        """Add *line*, cut to size; the oldest go."""
        self.lines.append(evolve(line, text=line.text[:MAX_LINE]))
        del self.lines[:-MAX_LINES]

    def mark(self, prompt_id: str, *, is_cancelled: bool) -> None:
        """Mark the line of a prompt as cancelled, or as not."""
        self.lines = [
            evolve(line, is_cancelled=is_cancelled)
            if line.prompt_id == prompt_id and line.role == "user"
            else line
            for line in self.lines
        ]

    def to_box(self) -> dict[str, Json]:
        """Shape it as an element of ``aagm.tabs``."""
        lines = [line.to_box() for line in self.lines]
        return {**self.to_listener(), "transcript": lines}

    def to_listener(self) -> dict[str, Json]:
        """Shape it as an element of ``tabs`` in a poll's answer."""
        return {"id": self.id, "title": self.title or self.id, "state": self.state}


def title_of(text: str) -> str:
    """Name a tab for its first prompt."""
    return text.strip()[:TITLE]


def to_json(tab: Tab) -> dict[str, Json]:
    """Shape *tab* for the disk."""
    return asdict(tab)


def from_json(shape: dict[str, Json]) -> Tab:
    """Read what `to_json` wrote."""
    lines = [Line(**line) for line in shape["lines"]]
    return Tab(**{**shape, "lines": lines})
