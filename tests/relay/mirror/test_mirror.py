"""Backing up into real folders, with everything a hostile tree can hold."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from attrs import define, evolve, field
from twisted.internet.defer import Deferred, execute

from aagm.errors import DiskFault
from aagm.relay.mirror import tree as tree_module
from aagm.relay.mirror.mirror import Mirror, MirrorRefused, MirrorSettings
from aagm.relay.mirror.tree import Tree


def macro(id_, name, command="x", folder="", **more):
    """Make a macro as the module lists it."""
    return {
        "uuid": f"Macro.{id_}",
        "name": name,
        "command": command,
        "folderPath": folder,
        "img": "",
        **more,
    }


@define
class World:
    """The macros of a world, as the bridge shows them."""

    macros: list[dict] = field(factory=list)

    async def call(self, method, params, *, limit):
        """List the macros, all or those of a name."""
        assert method == "mirror.list"
        name = params.get("name")
        found = [m for m in self.macros if name in {None, m["name"]}]
        return {"macros": found}


@define
class Bench:
    """A mirror on a real folder."""

    root: Path
    world: World = field(factory=World)
    settings: MirrorSettings = field(init=False)
    allowed: tuple[Path, ...] = field(init=False)
    progress: list[tuple[int, int]] = field(factory=list)
    in_thread: object = execute

    def __attrs_post_init__(self):
        """Point the settings at the root."""
        self.settings = MirrorSettings(is_enabled=True, path=str(self.root), sorts=True)
        self.allowed = (self.root,)

    def wait(self, start):
        """Run what *start* makes of the mirror, to its end."""
        mirror = Mirror(
            bridge=self.world,
            settings=lambda: self.settings,
            allowed=self.allowed,
            in_thread=self.in_thread,
            read_seconds=30,
        )
        got: list[object] = []
        Deferred.fromCoroutine(start(mirror)).addBoth(got.append)
        [result] = got
        if hasattr(result, "raiseException"):
            result.raiseException()
        return result

    def backup(self, *macros, name=None):
        """Back up *macros*."""
        if macros:
            self.world.macros = list(macros)
        return self.wait(
            lambda m: m.backup(name, lambda *row: self.progress.append(row))
        )

    def tree(self):
        """Read all files below the root."""
        return {
            str(p.relative_to(self.root)): p.read_bytes()
            for p in self.root.rglob("*")
            if p.is_file()
        }


@pytest.fixture
def bench(tmp_path):
    """A mirror folder of its own."""
    root = (tmp_path / "mirror").resolve()
    root.mkdir()
    return Bench(root)


@pytest.fixture
def outside(bench):
    """A folder beside the mirror, which nothing may touch."""
    folder = bench.root.parent / "outside"
    folder.mkdir()
    (folder / "secret.js").write_text("a secret")
    return folder


def test_a_backup_writes_each_macro_and_twice_changes_nothing(bench):
    """The second run finds everything as it is."""
    macros = [macro("a", "Heal", folder="Combat/Cures"), macro("b", "Hit")]
    first = bench.backup(*macros)
    assert first["written"] == ["Combat/Cures/Heal.js", "Hit.js"]
    assert (first["root"], first["failed"]) == (str(bench.root), [])
    before = bench.tree()
    second = bench.backup(*macros)
    assert (second["written"], second["unchanged"]) == ([], 2)
    assert bench.tree() == before


def test_what_was_there_stands_beside_as_a_copy(bench):
    """A change of a macro, or of its file, never loses what the file held."""
    bench.backup(macro("a", "Heal", "one"))
    one = (bench.root / "Heal.js").read_bytes()
    bench.backup(macro("a", "Heal", "two"))
    assert (bench.root / "Heal.js.bkp").read_bytes() == one
    assert b"two" in (bench.root / "Heal.js").read_bytes()


def test_a_renamed_macro_keeps_its_old_file_as_a_copy(bench):
    """After a rename one file is the macro's; the old one is kept as a copy."""
    bench.backup(macro("a", "Heal"))
    bench.backup(macro("a", "Cure"))
    assert set(bench.tree()) == {"Cure.js", "Heal.js.bkp"}


def test_many_macros_tell_how_far_they_are(bench):
    """A long backup shows its progress."""
    bench.backup(*(macro(f"id{n}", f"Macro {n}") for n in range(120)))
    assert bench.progress == [(50, 120), (100, 120), (120, 120)]


def test_a_restore_finds_a_macro_by_name_uuid_and_path(bench):
    """The record has everything that a macro is."""
    bench.backup(
        macro("a", "Heal", "1", type="chat", author="u1", scope="actors"),
        macro("b", "Heal", "2", folder="Combat"),
    )
    for wanted in ("Macro.a", "Heal.js"):
        record = bench.wait(lambda m, wanted=wanted: m.find(wanted))
        assert record["uuid"] == "Macro.a"
        assert (record["type"], record["author"], record["scope"]) == (
            "chat",
            "u1",
            "actors",
        )
    with pytest.raises(MirrorRefused, match=r"several.*Combat/Heal\.js, Heal\.js"):
        bench.wait(lambda m: m.find("heal"))
    with pytest.raises(MirrorRefused, match="no backup"):
        bench.wait(lambda m: m.find("Hurt"))


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"is_enabled": False}, "is off"),
        ({"path": ""}, "has no folder"),
        ({"path": "relative/path"}, "no absolute path"),
        ({"path": "/nowhere/at/all"}, "does not exist"),
        ({"path": "/"}, "lies outside"),
        ({"path": "/etc\x00"}, "does not exist"),
    ],
)
def test_a_mirror_that_may_not_be_used_says_why(bench, change, says):
    """A world cannot point the relay at another folder of the machine."""
    bench.settings = evolve(bench.settings, **change)
    with pytest.raises(MirrorRefused, match=says):
        bench.backup(macro("a", "Heal"))


def test_a_link_to_the_outside_is_no_root(bench, outside):
    """A root that is a link is judged by where it leads."""
    link = bench.root / "inside"
    link.symlink_to(outside)
    bench.settings = evolve(bench.settings, path=str(link))
    with pytest.raises(MirrorRefused, match="lies outside"):
        bench.backup(macro("a", "Heal"))


def test_links_are_neither_read_nor_written_through(bench, outside):
    """A folder, a file and a copy that are links leave the outside as it is."""
    (bench.root / "Combat").symlink_to(outside)
    (bench.root / "secret.js").symlink_to(outside / "secret.js")
    (bench.root / "secret.js.bkp").symlink_to(outside / "secret.js")
    (bench.root / "loop").symlink_to(bench.root)
    result = bench.backup(macro("a", "Heal", folder="Combat"), macro("b", "secret"))
    assert [row["name"] for row in result["failed"]] == ["Heal"]
    assert [p.name for p in outside.iterdir()] == ["secret.js"]
    assert (outside / "secret.js").read_text() == "a secret"
    assert "a secret" not in (bench.root / "secret.js").read_text()
    assert not (bench.root / "secret.js").is_symlink()


def test_a_file_shared_with_the_outside_is_not_read(bench, outside):
    """A hard link never carries another's file into the world."""
    head = b'// Macro UUID: Macro.z | Name: "z"\n// Foundry folder: \n// Image: \n'
    (outside / "z.js").write_bytes(head + b"a secret")
    os.link(outside / "z.js", bench.root / "z.js")
    with pytest.raises(MirrorRefused, match="no backup"):
        bench.wait(lambda m: m.find("z"))


def test_a_pipe_does_not_hang_the_backup(bench):
    """Something in the folder that is no file is passed over."""
    os.mkfifo(bench.root / "Heal.js")
    assert bench.backup(macro("a", "Heal"))["failed"] == []


def test_a_folder_swapped_for_a_link_meanwhile_is_refused(bench, outside, monkeypatch):
    """Whoever swaps a folder in the middle of a run gains nothing."""
    real = tree_module._replace
    (bench.root / "Combat").mkdir()

    def swap(fd, name, data):
        real(fd, name, data)
        (bench.root / "Combat").rename(bench.root / "gone")
        (bench.root / "Combat").symlink_to(outside)
        monkeypatch.setattr(tree_module, "_replace", real)

    monkeypatch.setattr(tree_module, "_replace", swap)
    result = bench.backup(
        macro("a", "One", folder="Combat"), macro("b", "Two", folder="Combat")
    )
    assert [row["name"] for row in result["failed"]] == ["Two"]
    assert [p.name for p in outside.iterdir()] == ["secret.js"]


def test_a_root_swapped_for_a_link_is_refused(bench, outside):
    """The root itself is opened without following a link."""
    moved = bench.root.with_name("moved")
    tree = Tree(bench.root)
    bench.root.rename(moved)
    bench.root.symlink_to(outside)
    with pytest.raises(DiskFault):
        tree.write((), "Heal.js", b"x")
    assert not (outside / "Heal.js").exists()


def test_a_disk_that_refuses_costs_one_macro_not_the_run(bench):
    """A folder that is a file in the way fails that macro and no other."""
    (bench.root / "Combat").write_text("in the way")
    result = bench.backup(macro("a", "Heal", folder="Combat"), macro("b", "Hit"))
    assert [row["name"] for row in result["failed"]] == ["Heal"]
    assert result["written"] == ["Hit.js"]
    assert (bench.root / "Combat").read_text() == "in the way"


def test_a_second_backup_waits_its_turn(bench):
    """Two runs at once never write the same files."""
    bench.world.macros = [macro("a", "Heal")]
    refused = []

    async def both(mirror):
        async def second():
            try:
                await mirror.backup(None, lambda *_: None)
            except MirrorRefused as e:
                refused.append(str(e))

        return await mirror.backup(
            None, lambda *_: Deferred.fromCoroutine(second()) and None
        )

    bench.wait(both)
    assert refused == ["a backup is running"]


def test_an_unknown_macro_is_said_to_be(bench):
    """A backup of a macro that the world has not is refused."""
    with pytest.raises(MirrorRefused, match="no macro called Hurt"):
        bench.backup(macro("a", "Heal"), name="Hurt")


def test_no_temporary_file_stays_behind(bench, monkeypatch):
    """A write that fails half way leaves the old file and nothing else."""
    bench.backup(macro("a", "Heal", "one"))
    before = bench.tree()

    def full(fd):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(tree_module.os, "fsync", full)
    result = bench.backup(macro("a", "Heal", "two"))
    assert "no space left" in result["failed"][0]["reason"]
    assert bench.tree() == before
