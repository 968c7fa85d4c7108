"""The wheel holds everything, and twistd finds us however we were installed."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from attrs import frozen

ROOT = Path(__file__).parent.parent
NOT_SOURCE = shutil.ignore_patterns(
    *(".*", "node_modules", "build", "dist", "*.egg-info", "__pycache__"),
    "dropin.cache*",  # a relay that starts meanwhile writes it beside itself
)
PIP_WHEEL = [
    *(sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index"),
    "--no-build-isolation",
]
TWISTD = "import sys; from twisted.scripts.twistd import run; sys.argv[0] = 'twistd'"


@frozen
class Venv:
    """A fresh environment that borrows the dependencies of the one we run in."""

    python: Path

    def run(self, *words: str | Path, cwd: Path | None = None) -> str:
        """Run its Python; what it printed."""
        done = subprocess.run(
            [self.python, *words],
            cwd=cwd or self.python.parent,
            check=False,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def pip(self, *words: str | Path) -> None:
        """Run our pip on it, offline."""
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", self.python, *words],
            check=True,
            capture_output=True,
        )

    def install(self, what: str | Path, *words: str) -> None:
        """Install *what* alone."""
        self.pip(
            "install", "--no-deps", "--no-index", "--no-build-isolation", *words, what
        )

    def commands(self) -> set[str]:
        """List what twistd offers."""
        shown = self.run("-c", f"{TWISTD}; run()", "--help")
        _, _, listed = shown.partition("Commands:")
        return set(re.findall(r"^    (\S+)  ", listed, re.MULTILINE))

    @property
    def site(self) -> Path:
        """Name its site-packages."""
        return next(self.python.parent.parent.glob("lib/python*/site-packages"))


@pytest.fixture
def venv(tmp_path):
    """Make an empty environment."""
    home = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    made = Venv(home / "bin" / "python")
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (made.site / "borrowed.pth").write_text("\n".join(sorted(borrowed)))
    return made


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    """Copy the checkout, so that building leaves nothing in it."""
    copy = tmp_path_factory.mktemp("source") / "aagm"
    shutil.copytree(ROOT, copy, ignore=NOT_SOURCE)
    return copy


@pytest.fixture(scope="module")
def wheel(source, tmp_path_factory):
    """Build the wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP_WHEEL, "-w", folder, source], check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


def test_the_wheel_holds_all_that_runs(wheel):
    """Everything the README promises is in the one file that pip installs."""
    names = zipfile.ZipFile(wheel).namelist()
    for wanted in (
        "aagm/tap.py",
        "aagm/py.typed",
        "aagm/_foundry/module/module.json",
        "aagm/_foundry/module/scripts/bridge.js",
        "aagm/_foundry/module/lang/en.json",
        "aagm/_foundry/module/styles/aagm.css",
        "aagm/_foundry/simulator/boot.js",
        "aagm/demo/page/index.html",
        "aagm/demo/page/demo.js",
        "aagm/demo/page/demo.css",
        "twisted/plugins/aagm_plugin.py",
    ):
        assert wanted in names
    assert any(re.fullmatch(r"aagm/docs/\w+\.md", name) for name in names)


def test_the_wheel_holds_every_package_and_module(wheel):
    """A package missing in setup.cfg would only be noticed by whoever installs."""
    names = set(zipfile.ZipFile(wheel).namelist())
    ours = {str(path.relative_to(ROOT)) for path in (ROOT / "aagm").rglob("*.py")}
    assert ours - names == set()


def test_the_wheel_holds_nothing_else(wheel):
    """No tests, no node modules, no caches, and no other top-level name."""
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {
        "aagm",
        "twisted",
    }
    bad = re.compile(r"node_modules|__pycache__|/tests?/|\.cache$|package-lock\.json")
    assert [name for name in names if bad.search(name)] == []
    assert [name for name in names if name.startswith("twisted/")] == [
        "twisted/plugins/aagm_plugin.py"
    ]


def test_the_source_archive_makes_the_same_wheel(source, wheel, tmp_path):
    """Whoever packages us from the archive of a release gets all of it."""
    code = "from setuptools.build_meta import build_sdist; import sys; "
    code += "build_sdist(sys.argv[1])"
    subprocess.run(
        [sys.executable, "-c", code, tmp_path],
        cwd=source,
        check=True,
        capture_output=True,
    )
    (archive,) = tmp_path.glob("*.tar.gz")
    subprocess.run(
        [*PIP_WHEEL, "-w", tmp_path, archive], check=True, capture_output=True
    )
    (built,) = tmp_path.glob("*.whl")
    names = [zipfile.ZipFile(each).namelist() for each in (built, wheel)]
    assert sorted(names[0]) == sorted(names[1])


@pytest.mark.parametrize("how", ["wheel", "regular", "editable"])
def test_twistd_lists_us_and_all_others(how, venv, wheel, source):
    """However it is installed, `twistd --help` has aagm and loses nobody."""
    neighbour = venv.site / "twisted" / "plugins" / "neighbour_plugin.py"
    neighbour.parent.mkdir(parents=True)
    neighbour.write_text(
        "from twisted.application.service import ServiceMaker\n"
        "neighbour = ServiceMaker('n', 'nowhere', 'Another one.', 'neighbour')\n"
    )
    before = venv.commands()
    assert "neighbour" in before
    assert "aagm" not in before

    match how:
        case "wheel":
            venv.install(wheel)
        case "regular":
            venv.install(source)
        case "editable":
            venv.install(source, "-e")

    assert venv.commands() == before | {"aagm"}
    help_text = venv.run("-c", f"{TWISTD}; run()", "aagm", "--help")
    assert "--data-dir" in help_text
    found = "from aagm.foundry import module_folder, simulator_folder, version;"
    found += "assert simulator_folder().is_dir(); print(version())"
    assert venv.run("-c", found).strip() == re.search(
        r"aagm-([\d.]+)-", wheel.name
    ).group(1)


def test_after_uninstalling_twistd_forgets_us(venv, wheel):
    """Nothing of ours stays in twistd's list, and the others still run."""
    before = venv.commands()
    venv.install(wheel)
    assert "aagm" in venv.commands()
    venv.pip("uninstall", "-y", "aagm")
    assert venv.commands() == before
    assert not (venv.site / "twisted" / "plugins" / "aagm_plugin.py").exists()


def test_from_a_checkout_the_installed_twisted_is_used(venv, source):
    """A folder named twisted beside us does not hide Twisted."""
    code = "import twisted.internet, aagm.foundry as f; print(f.module_folder())"
    folder = venv.run("-c", code, cwd=source).strip()
    assert Path(folder) == source / "foundry" / "module"


@pytest.mark.parametrize("name", ["twisted", "twisted/plugins"])
def test_no_package_file_hides_twisted(name):
    """An `__init__.py` there would hide Twisted itself, or our plug-in."""
    assert not (ROOT / name / "__init__.py").exists()
