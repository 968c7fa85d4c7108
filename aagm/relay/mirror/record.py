"""One macro as a file: a few comment lines, then its command to the letter: pure.

The first three lines are the family's; the fourth is ours and may be missing.

Source: PROTOCOL_FACTS section 11.
"""

from __future__ import annotations

import json
import re

from attrs import field, frozen

from aagm.errors import BadParams
from aagm.wire.jsonrpc import Params

_FIRST = re.compile(r"// Macro UUID: (\S+)(?: \| Name: (.*))?")
_SECOND = re.compile(r"// Foundry folder: ?(.*)")
_THIRD = re.compile(r"// Image: ?(.*)")
_FOURTH = re.compile(r"// Type: (script|chat|unknown) \| Scope: (\S*) \| Author: (\S*)")
_TYPES = ("script", "chat")
_UNKNOWN = "unknown"
_BREAKS = re.compile(r"[\r\n\u2028\u2029]+")


@frozen
class MacroRecord:
    """What the mirror keeps of a macro."""

    uuid: str
    name: str
    command: str = field(repr=False)
    folder: tuple[str, ...] = ()  # the macro's folder in Foundry, outermost first
    img: str = ""
    type: str = ""  # script or chat; empty when nobody said, as in a family's file
    scope: str = "global"
    author: str = ""

    @property
    def id(self) -> str:
        """The last part of the uuid."""
        return self.uuid.rpartition(".")[2]

    def to_wire(self) -> Params:
        """Write the record as ``mirror.restore`` takes it.

        A type that nobody said is left out: then the macro keeps the one it has.
        """
        kind = {"type": self.type} if self.type else {}
        return kind | {
            "uuid": self.uuid,
            "name": self.name,
            "command": self.command,
            "folderPath": "/".join(self.folder),
            "img": self.img,
            "scope": self.scope,
            "author": self.author,
        }


def from_wire(macro: Params) -> MacroRecord:
    """Read one macro of ``mirror.list``; a family module names fewer members.

    Raises:
        BadParams: uuid, name or command is missing.
    """
    match macro:
        case {"uuid": str(uuid), "name": str(name), "command": str(command)}:
            path, kind = _text(macro, "folderPath"), _text(macro, "type")
            return MacroRecord(
                uuid=_word(uuid),
                name=name,
                command=command,
                folder=tuple(part for part in path.split("/") if part),
                img=_text(macro, "img"),
                type=kind if kind in _TYPES else "",
                scope=_word(_text(macro, "scope")) or "global",
                author=_word(_text(macro, "author")),
            )
    raise BadParams("the module listed a macro without uuid, name or command")


def to_file(macro: MacroRecord) -> bytes:
    """Write *macro* as its file."""
    head = (
        f"// Macro UUID: {_line(macro.uuid)} | Name: {json.dumps(macro.name)}\n"
        f"// Foundry folder: {_line('/'.join(macro.folder))}\n"
        f"// Image: {_line(macro.img)}\n"
        f"// Type: {macro.type or _UNKNOWN} | Scope: {macro.scope}"
        f" | Author: {macro.author}\n"
    )
    return (head + macro.command).encode("utf-8", "surrogatepass")


def from_file(data: bytes, stem: str) -> MacroRecord | None:
    """Read a file; None when it is no macro of ours.

    Args:
        data: The whole file. Line ends of Windows are taken for plain ones when the
            head has them.
        stem: The file's name without ``.js``, for a file whose head names no macro.
    """
    try:
        text = data.decode("utf-8", "surrogatepass").removeprefix("\ufeff")
    except UnicodeDecodeError:
        return None
    if "\r\n" in text.partition("\n")[0] + "\n":
        text = text.replace("\r\n", "\n")
    first, _, rest = text.partition("\n")
    if (found := _FIRST.fullmatch(first)) is None:
        return None
    second, _, rest = rest.partition("\n")
    third, _, rest = rest.partition("\n")
    folder, img = _SECOND.fullmatch(second), _THIRD.fullmatch(third)
    if folder is None or img is None:
        return None
    fourth, _, after = rest.partition("\n")
    ours = _FOURTH.fullmatch(fourth)
    name = _name(found[2])
    kind, scope, author = ours.groups() if ours else (_UNKNOWN, "global", "")
    return MacroRecord(
        uuid=found[1],
        name=stem if name is None else name,
        command=after if ours else rest,
        folder=tuple(part for part in folder[1].split("/") if part),
        img=img[1],
        type="" if kind == _UNKNOWN else kind,
        scope=scope,
        author=author,
    )


def _name(text: str | None) -> str | None:
    """Read the name, which is a JSON string."""
    try:
        name = json.loads(text or "null")
    except ValueError:
        return None
    return name if isinstance(name, str) else None


def _text(macro: Params, key: str) -> str:
    value = macro.get(key)
    return value if isinstance(value, str) else ""


def _word(text: str) -> str:
    """Take out white space: an id has none, and must not end its line."""
    return "".join(text.split())


def _line(text: str) -> str:
    return _BREAKS.sub(" ", text)
