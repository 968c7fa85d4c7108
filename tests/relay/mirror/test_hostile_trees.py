"""Whatever lies in the mirror's folder: nothing outside is touched, nothing is lost."""

from __future__ import annotations

import errno
import os
import shutil
import unicodedata
from pathlib import Path

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st
from twisted.internet.defer import Deferred, execute

from aagm.relay.mirror import tree as tree_module
from aagm.relay.mirror.mirror import Mirror, MirrorRefused, MirrorSettings

NFC = unicodedata.normalize("NFC", "Anführer")
NFD = unicodedata.normalize("NFD", NFC)
NAMES = ("Heal", "heal", "HEAL ", NFC, NFD, "CON", "..", "a/b", "Heal (id1)", "")
FOLDERS = ("", "Combat", "Combat", "out", "out/Combat", "Combat/Heal.js", f"{NFD}/CON")
FILES = (
    *("Heal.js", "heal.js", "HEAL.JS", f"{NFC}.js", f"{NFD}.js", "_CON.js"),
    *("untitled.js", "Heal (id1).js", "Heal.js.bkp", "notes.txt"),
)
IN_THE_WAY = ("Combat", "Combat", "out", "Heal.js", "Heal.js.bkp", "combat")
IDS = ("id1", "id2", "id3")


def head(id_, command):
    """Write a file as an earlier run, or somebody else, may have left it."""
    name = '"Heal"'
    return (
        f"// Macro UUID: Macro.{id_} | Name: {name}\n"
        f"// Foundry folder: \n// Image: \n{command}"
    ).encode()


def leads(link, root, outside):
    """Say where a link leads."""
    return {
        "link to a file": outside / "secret.js",
        "link to a folder": outside,
        "dead link": outside / "made through a link.js",
        "loop": root,
    }[link]


@define
class Thing:
    """Something that lies in the folder."""

    where: tuple[str, ...]
    name: str
    kind: str
    content: bytes

    def put(self, root: Path, outside: Path) -> None:
        """Make it, unless something else is in the way."""
        folder = root.joinpath(*self.where)
        path = folder / self.name
        if os.path.lexists(path):
            return
        try:
            folder.mkdir(parents=True, exist_ok=True)
            match self.kind:
                case "file":
                    path.write_bytes(self.content)
                case "shared file":
                    os.link(outside / "shared.js", path)
                case "pipe":
                    os.mkfifo(path)
                case link:
                    path.symlink_to(leads(link, root, outside))
        except OSError:
            return


TRAPS = ("link to a folder", "link to a folder", "link to a file", "loop", "dead link")

files = st.builds(
    Thing,
    where=st.sampled_from([(), (), ("Combat",), ("combat",), ("Combat", "Heal.js")]),
    name=st.sampled_from(FILES),
    kind=st.just("file"),
    content=st.one_of(
        st.builds(head, st.sampled_from(IDS), st.sampled_from(["old", "older"])),
        st.sampled_from([b"", b"mine", b"\xff\xfe"]),
    ),
)
traps = st.builds(
    Thing,
    where=st.sampled_from([(), (), (), ("Combat",)]),
    name=st.sampled_from(IN_THE_WAY),
    kind=st.sampled_from([*TRAPS, "shared file", "pipe"]),
    content=st.just(b""),
)
macros = st.lists(
    st.fixed_dictionaries(
        {
            "uuid": st.sampled_from([f"Macro.{id_}" for id_ in IDS]),
            "name": st.sampled_from(NAMES),
            "command": st.sampled_from(["new", "old", ""]),
            "folderPath": st.sampled_from(FOLDERS),
            "type": st.sampled_from(["script", "chat"]),
        }
    ),
    min_size=1,
    max_size=3,
    unique_by=lambda macro: macro["uuid"],
)


@define
class World:
    """A world with these macros."""

    macros: list[dict] = field(factory=list)

    async def call(self, method, params, *, limit):
        """List them."""
        return {"macros": self.macros}


def wait(work):
    """Run it to its end."""
    got = []
    Deferred.fromCoroutine(work).addBoth(got.append)
    [result] = got
    if hasattr(result, "raiseException"):
        result.raiseException()
    return result


def make(root, world, *, sorts):
    """Make a mirror over *root*."""
    posture = MirrorSettings(is_enabled=True, path=str(root), sorts=sorts)
    return Mirror(world, lambda: posture, (root,), execute, 30)


def seen(folder):
    """Everything below, without following a link."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            found[name] = str(path.readlink())
        elif path.is_file():
            found[name] = path.read_bytes()
        else:
            found[name] = path.stat().st_mode
    return found


def found(mirror, uuid):
    """Read a macro's file; where several claim to be it, the one that is newest."""
    try:
        return wait(mirror.find(uuid))
    except MirrorRefused as e:
        paths = str(e).partition(": ")[2].partition(". Name one")[0].split(", ")
        records = [wait(mirror.find(path)) for path in paths]
        assert len(records) > 1
        return next(each for each in records if "type" in each)


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder that each example gets anew."""
    return tmp_path_factory.mktemp("hostile").resolve()


@settings(max_examples=60)
@given(
    listed=macros,
    lying=st.lists(traps | files, max_size=8),
    sorts=st.sampled_from([True, True, False]),
)
def test_no_tree_leads_outside_and_nothing_is_lost(place, listed, lying, sorts):
    """Links, loops, pipes and look-alikes: outside is untouched, inside all is kept."""
    shutil.rmtree(place / "x", ignore_errors=True)
    root, outside = place / "x" / "mirror", place / "x" / "outside"
    root.mkdir(parents=True)
    outside.mkdir()
    (outside / "secret.js").write_bytes(head("id1", "a secret"))
    (outside / "shared.js").write_bytes(head("id2", "a shared secret"))
    for thing in lying:
        thing.put(root, outside)
    around, before = seen(outside), seen(root)
    world = World(listed)
    mirror = make(root, world, sorts=sorts)

    answer = wait(mirror.backup(None, lambda *_: None))

    assert seen(outside) == around
    after = seen(root)
    files = [value for value in after.values() if isinstance(value, bytes)]
    for name, value in before.items():
        if isinstance(value, bytes) and not name.endswith(".bkp"):
            assert value in files, f"{name} is lost"
    own = [each for each in root.rglob("*") if each.is_file() and not each.is_symlink()]
    copied = [each for each in own if each.stat().st_nlink == 1]
    assert not any(b"secret" in each.read_bytes() for each in copied)
    assert not [name for name in after if name.endswith(".tmp")]
    said = len(answer["written"]) + answer["unchanged"] + len(answer["failed"])
    assert said == len(listed)
    failed = {row["name"] for row in answer["failed"]}
    for macro in listed:
        if macro["name"] not in failed:
            record = found(mirror, macro["uuid"])
            assert {key: record[key] for key in ("command", "type")} == {
                key: macro[key] for key in ("command", "type")
            }

    if answer["failed"]:  # the folders made meanwhile may have room for it
        wait(mirror.backup(None, lambda *_: None))
        after = seen(root)
    again = wait(mirror.backup(None, lambda *_: None))
    assert again["written"] == []
    assert seen(root) == after


def test_a_tree_that_goes_too_deep_is_read_no_deeper(tmp_path):
    """A thousand folders in each other cost a few names, not the relay."""
    root = tmp_path.resolve()
    deep = root
    for _ in range(60):
        deep /= "d"
    deep.mkdir(parents=True)
    (deep / "Heal.js").write_bytes(head("id1", "old"))
    mirror = make(
        root, World([{"uuid": "Macro.id1", "name": "Heal", "command": ""}]), sorts=False
    )
    assert wait(mirror.backups())["backups"] == []
    assert wait(mirror.backup(None, lambda *_: None))["written"] == ["Heal.js"]


def test_a_folder_that_may_not_be_written_fails_its_macros_alone(tmp_path, monkeypatch):
    """A read-only folder, or disk, loses nothing and says why."""
    root = tmp_path.resolve()
    (root / "Combat").mkdir()
    listed = [
        {"uuid": "Macro.id1", "name": "Hit", "command": "1", "folderPath": "Combat"},
        {"uuid": "Macro.id2", "name": "Heal", "command": "2"},
    ]
    mirror = make(root, World(listed), sorts=True)
    locked = (root / "Combat").stat().st_ino
    real = os.open

    def refuse(path, flags, mode=0o777, *, dir_fd=None):
        if (
            flags & os.O_CREAT
            and dir_fd is not None
            and os.fstat(dir_fd).st_ino == locked
        ):
            raise OSError(errno.EROFS, "Read-only file system")
        return real(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(tree_module.os, "open", refuse)
    answer = wait(mirror.backup(None, lambda *_: None))
    assert answer["written"] == ["Heal.js"]
    assert answer["failed"] == [
        {"name": "Hit", "reason": "Hit.js: read-only file system"}
    ]


def test_one_name_in_two_spellings_is_one_macro(tmp_path):
    """A file that a Mac wrote is the macro's own, and is found by either spelling."""
    root = tmp_path.resolve()
    listed = [{"uuid": "Macro.id1", "name": NFD, "command": "1", "type": "chat"}]
    mirror = make(root, World(listed), sorts=False)
    wait(mirror.backup(None, lambda *_: None))
    [path] = root.iterdir()
    path.rename(root / f"{NFD}.js")
    again = wait(mirror.backup(None, lambda *_: None))
    assert (again["written"], again["unchanged"]) == ([], 1)
    for spelling in (NFC, NFD, NFC.upper()):
        assert wait(mirror.find(spelling))["uuid"] == "Macro.id1"


def test_two_files_that_some_file_systems_hold_for_one_are_told_apart(tmp_path):
    """Names that differ in case alone are ambiguous for a restore, and both listed."""
    root = tmp_path.resolve()
    (root / "Heal.js").write_bytes(head("id1", "one"))
    (root / "heal.js").write_bytes(head("id2", "two"))
    mirror = make(root, World(), sorts=False)
    with pytest.raises(MirrorRefused, match=r"Heal\.js, heal\.js"):
        wait(mirror.find("heal"))
    assert wait(mirror.find("heal.js"))["uuid"] == "Macro.id2"
