"""Writing that is killed, stopped or cannot be done: every file is the whole old one or the whole new one, and nothing stays beside."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import trickwright.beside
from trickwright.beside import beside, left_beside
from trickwright_tools.cli import main

BASE = Path(__file__).parent / "errors" / "base"
PACKAGE = Path("generated/trickwright_games")
CHANGE = ("points: gift", "points: gift * 2")

HOOK = """
import os, signal, sys
from pathlib import Path
signal.signal(signal.SIGINT, signal.default_int_handler)  # what runs in the background may have it ignored
step, sign = int(sys.argv[1]), int(sys.argv[2])
done = 0
write, replace = Path.write_bytes, os.replace

def strike():
    global done
    done += 1
    if done == step:
        os.kill(os.getpid(), sign)
        while sign == signal.SIGKILL:
            pass

def write_half(path, data):
    write(path, data[: len(data) // 2])
    strike()
    return write(path, data)

def replace_struck(one, other):
    strike()
    replace(one, other)

Path.write_bytes, os.replace = write_half, replace_struck
sys.argv = ["trickwright", "generate"]
from trickwright_tools.cli import main
main()
"""
"""Generates, and sends itself a signal at one of its steps: in the middle of a file, or before one is moved to its place."""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one small game, whose engines are of rules that have changed since."""
    shutil.copytree(BASE, tmp_path / "spec" / "games" / "base")
    monkeypatch.chdir(tmp_path)
    generate()
    rules = tmp_path / "spec" / "games" / "base" / "rules.yaml"
    text = rules.read_text(encoding="utf-8")
    assert CHANGE[0] in text
    rules.write_text(text.replace(*CHANGE), encoding="utf-8")
    return tmp_path


def generate(code: int = 0) -> str:
    result = CliRunner().invoke(main, ["generate"])
    assert result.exit_code == code, result.output
    return result.output


def files() -> dict[str, bytes]:
    found = (
        path for path in PACKAGE.rglob("*") if path.is_file() and "__pycache__" not in path.parts
    )
    return {path.relative_to(PACKAGE).as_posix(): path.read_bytes() for path in found}


def hidden(name: str) -> bool:
    return Path(name).name.startswith(".")


def whole(old: dict[str, bytes], new: dict[str, bytes]) -> None:
    """Every file that an import could find is one of the two."""
    for name, data in files().items():
        if not hidden(name):
            assert data in (old[name], new[name]), name
    assert {name for name in files() if not hidden(name)} == set(old)


def both(project: Path) -> tuple[dict[str, bytes], dict[str, bytes]]:
    """The files as they are, and as they should become."""
    old = files()
    copy = project / "copy"
    shutil.copytree("spec", copy / "spec")
    result = CliRunner().invoke(
        main, ["generate", str(copy / "spec/games/base"), "--out", str(copy / "out")]
    )
    assert result.exit_code == 0, result.output
    changed = {path.name: path.read_bytes() for path in (copy / "out").glob("base.py")}
    assert changed["base.py"] != old["base.py"]
    shutil.copytree(PACKAGE, copy / "kept")
    generate()
    new = files()
    shutil.rmtree(PACKAGE)
    shutil.copytree(copy / "kept", PACKAGE)
    shutil.rmtree(copy)
    assert files() == old != new and new["base.py"] == changed["base.py"]
    return old, new


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}


@pytest.mark.skipif(os.name != "posix", reason="signals end a process only here")
def test_a_generate_that_is_killed_leaves_whole_files_and_the_next_one_tidies_up(
    project: Path,
) -> None:
    old, new = both(project)
    left = ended = 0
    for sign in (signal.SIGKILL, signal.SIGINT):
        for step in range(1, 8):
            shutil.rmtree(PACKAGE)
            for name, data in old.items():
                (PACKAGE / name).parent.mkdir(parents=True, exist_ok=True)
                (PACKAGE / name).write_bytes(data)
            told = subprocess.run(
                [sys.executable, "-c", HOOK, str(step), str(int(sign))],
                env=environment(), capture_output=True, text=True, timeout=300,
            )  # fmt: skip
            whole(old, new)
            strays = [name for name in files() if hidden(name)]
            if told.returncode == 0:
                ended += 1
                assert step > 2 and files() == new
                break
            if sign == signal.SIGKILL:
                assert told.returncode == -signal.SIGKILL
                left += bool(strays)
            else:
                assert (told.returncode, told.stderr.strip()) == (130, "stopped")
                assert not strays, "what can still be tidied up is"
            assert "removed" in generate() or not strays
            assert files() == new
    assert left >= 2 and ended == 2, "killed in all steps, and files were left beside"


@pytest.mark.skipif(os.name != "posix", reason="signals end a process only here")
def test_a_generate_that_is_really_killed_at_any_time_leaves_whole_files(project: Path) -> None:
    old, new = both(project)
    for wait in (0.0, 0.01, 0.05):
        process = subprocess.Popen(
            [sys.executable, "-c", "from trickwright_tools.cli import main; main(['generate'])"],
            env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        while process.poll() is None and not list(PACKAGE.glob(".*.tmp")):
            pass
        time.sleep(wait)
        process.kill()
        process.wait()
        whole(old, new)
        generate()
        assert files() == new


def test_only_what_dead_processes_left_beside_ones_own_files_is_taken_away(tmp_path: Path) -> None:
    own, dead = tmp_path / "game.py", subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    left = tmp_path / f".game.py.{dead.pid}.tmp"
    for name in (left.name, f".game.py.{os.getppid()}.tmp", f".other.py.{dead.pid}.tmp", ".game.py.tmp", ".game.py.x.tmp"):  # fmt: skip
        (tmp_path / name).write_text("")
    (tmp_path / f".folder.py.{dead.pid}.tmp").mkdir()
    found = left_beside([own, tmp_path / "folder.py"])
    assert found == ([left] if os.name == "posix" else [])
    assert beside(own).parent == tmp_path


@pytest.mark.parametrize(
    ("number", "said"),
    [(28, "No space left on device"), (30, "Read-only file system"), (13, "Permission denied")],
)
def test_what_cannot_be_written_is_said_with_its_file(
    project: Path, monkeypatch: pytest.MonkeyPatch, number: int, said: str
) -> None:
    old = files()

    def fail(path: Path, data: bytes) -> int:
        raise OSError(number, said)  # the error of a write names no file

    monkeypatch.setattr(trickwright.beside.Path, "write_bytes", fail)
    output = generate(code=2)
    assert files() == old
    assert output.startswith("trickwright: cannot write ") and output.endswith(f".py: {said}\n")
    assert "None" not in output and "Traceback" not in output


@pytest.mark.skipif(os.name != "posix", reason="a limit that stands in for a full disk")
def test_a_full_disk_leaves_the_old_files(project: Path) -> None:
    old = files()
    call = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000));"
        "from trickwright_tools.cli import main; main(['generate'])"
    )
    told = subprocess.run(
        [sys.executable, "-B", "-c", call], env=environment(), capture_output=True, text=True
    )
    assert told.returncode == 2
    assert told.stderr.startswith("trickwright: cannot write ")
    assert told.stderr.endswith(".py: File too large\n")
    assert files() == old


def test_generate_does_not_follow_a_link_out_of_the_project(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside")
    shutil.rmtree("generated")
    try:
        Path("generated").symlink_to(outside)
    except OSError:
        pytest.skip("no links here")
    assert "a link that leads out of the project" in generate(code=2)
    assert not list(outside.iterdir())


def test_a_link_or_a_pipe_in_the_place_of_a_file_is_not_followed(
    project: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    if os.name != "posix":
        pytest.skip("no pipes here")
    kept = tmp_path_factory.mktemp("outside") / "kept.py"
    kept.write_text("kept")
    (PACKAGE / "base.py").unlink()
    (PACKAGE / "base.py").symlink_to(kept)
    os.mkfifo(PACKAGE / "pipe.py")
    generate()
    assert kept.read_text() == "kept" and not (PACKAGE / "base.py").is_symlink()
