"""Many cores, many machines, and runs taken up again: always the same hands."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest
from click.testing import CliRunner

from trickwright.places import home
from trickwright_tools.cli import main
from trickwright_tools.players import kept
from trickwright_tools.players.batches import Chunk, Table, in_chunks
from trickwright_tools.players.cluster import Unreachable, address_of, on_dask

TABLE = Table("papayoo", (), (), ("greedy", "random", "random"), (0, 0, 0), fast=False)
HANDS, SIZE = 60, 7


def scores(chunk: Chunk) -> list[list[int]]:
    """The scores of each hand."""
    engine = chunk.playing.engine
    return [[int(x) for x in row[engine.SCORE : engine.SCORE + 3]] for row in chunk.finals]


def slow_scores(chunk: Chunk) -> list[list[int]]:
    """The same, and no chunk is over too soon to be interrupted."""
    time.sleep(0.3)
    return scores(chunk)


@pytest.fixture(scope="module")
def wanted() -> dict[int, list[list[int]]]:
    """The chunks as one process plays them."""
    return dict(in_chunks(TABLE, HANDS, scores, size=SIZE))


def test_a_run_is_taken_up_where_it_broke_off(
    tmp_path: Path, wanted: dict[int, list[list[int]]], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.jsonl"
    run = kept.run_kept(path, TABLE, HANDS, scores, rules="x", size=SIZE)
    first = [next(run) for _ in range(3)]
    run.close()  # type: ignore[attr-defined]
    with path.open("a", encoding="utf-8") as file:
        file.write('{"first": 21, "made": [[1')  # broken off
    played = []
    monkeypatch.setattr(
        kept, "in_chunks", lambda *a, **named: played.append(named) or in_chunks(*a, **named)
    )
    again = dict(kept.run_kept(path, TABLE, HANDS, scores, rules="x", size=SIZE))
    assert again == wanted
    assert sorted(played[0]["finished"]) == [number for number, _ in first] == [0, 7, 14]
    assert dict(kept.run_kept(path, TABLE, HANDS, scores, rules="x", size=SIZE)) == wanted
    assert len(played) == 1


def test_a_run_taken_up_with_more_hands_plays_its_last_chunk_anew(
    tmp_path: Path, wanted: dict[int, list[list[int]]]
) -> None:
    path = tmp_path / "run.jsonl"
    dict(kept.run_kept(path, TABLE, 10, scores, rules="x", size=SIZE))
    assert dict(kept.run_kept(path, TABLE, HANDS, scores, rules="x", size=SIZE)) == wanted


def test_what_is_kept_of_another_run_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.jsonl"
    dict(kept.run_kept(path, TABLE, 7, scores, rules="x", size=SIZE))
    before = path.read_bytes()
    with pytest.raises(kept.OtherRun, match="keeps another run"):
        next(kept.run_kept(path, TABLE, 7, scores, rules="y", size=SIZE))
    with pytest.raises(kept.OtherRun, match="keeps another run"):
        next(kept.run_kept(path, TABLE, 7, scores, rules="x", size=SIZE + 1))
    assert path.read_bytes() == before
    path.write_text("notes\n")
    with pytest.raises(kept.OtherRun, match="cannot be read"):
        next(kept.run_kept(path, TABLE, 7, scores, rules="x", size=SIZE))
    assert path.read_text() == "notes\n"


def started(*command: str, before: str = "") -> subprocess.Popen[str]:
    """A process of the cluster; it works in the folder ``before``, if one is given, and looks there first for packages."""
    root = home()
    paths = [root / part for part in ("generator", "conformance", "tools", "tests")]
    places = [before, *map(str, paths), os.environ.get("PYTHONPATH", "")]
    return subprocess.Popen(
        [sys.executable, "-m", "distributed.cli." + command[0], *command[1:]],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, places))},
        cwd=before or None,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )


@contextmanager
def running(
    tmp_path: Path, workers: list[str], before: str = ""
) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """The address of a scheduler on this machine, and its processes: its own and those of its workers.

    ``workers`` and ``before`` are the folders in which each of the workers, and the scheduler, look for packages first.
    """
    pytest.importorskip("distributed", reason="Dask is not installed: 'cluster' is optional")
    told = tmp_path / "scheduler.json"
    common = ("--no-dashboard", "--scheduler-file", str(told))
    options = ("--host", "127.0.0.1", "--port", "0", *common)
    processes = [started("dask_scheduler", *options, before=before)]
    try:
        deadline = time.monotonic() + 60
        # The file is there before anything stands in it.
        while not (told.exists() and told.read_text()) and time.monotonic() < deadline:
            time.sleep(0.1)
        address = json.loads(told.read_text())["address"]
        for number, own in enumerate(workers):
            folder = str(tmp_path / f"worker{number}")
            more = ("--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
            call = ("dask_worker", address, *more, "--local-directory", folder)
            processes.append(started(*call, before=own))
        yield address, processes
    finally:
        for process in processes:
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[tuple[str, list[subprocess.Popen[str]]]]:
    """The address of a scheduler on this machine, and its two workers."""
    with running(tmp_path, ["", ""]) as (address, processes):
        yield address, processes[1:]


@pytest.fixture
def without(tmp_path: Path) -> str:
    """A folder that hides trickwright from those who look there first."""
    package = tmp_path / "without" / "trickwright_tools"
    package.mkdir(parents=True)
    text = "raise ModuleNotFoundError('none here', name='trickwright_tools')\n"
    (package / "__init__.py").write_text(text)
    return str(package.parent)


@pytest.fixture
def changed(tmp_path: Path) -> str:
    """A folder with another version of trickwright."""
    shutil.copytree(home() / "tools/trickwright_tools", tmp_path / "other/trickwright_tools")
    with (tmp_path / "other/trickwright_tools/players/minds.py").open("a") as file:
        file.write("# Another version.\n")
    return str(tmp_path / "other")


@pytest.fixture
def ruled(tmp_path: Path) -> str:
    """A folder with the same trickwright, in which the game has other rules."""
    for part in ("generator/trickwright", "spec"):
        shutil.copytree(home() / part, tmp_path / "ruled" / part)
    rules = tmp_path / "ruled/spec/games/papayoo/rules.yaml"
    rules.write_text(rules.read_text(encoding="utf-8") + "# Other rules.\n", encoding="utf-8")
    return str(tmp_path / "ruled/generator")


@pytest.mark.parametrize(
    ("fault", "of_scheduler", "said"),
    [
        ("without", False, "the Dask worker at tcp://127.0.0.1:PORT has no trickwright; install"),
        ("without", True, "the Dask scheduler at tcp://127.0.0.1:PORT has no trickwright; install"),
        ("changed", False, "tcp://127.0.0.1:PORT has another version of trickwright than"),
        ("ruled", False, "worker at tcp://127.0.0.1:PORT has other rules than this machine"),
    ],
)
def test_a_cluster_without_what_is_here_is_told(
    fault: str, of_scheduler: bool, said: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed: 'playtest' is optional")
    folder, out = request.getfixturevalue(fault), tmp_path / "x.html"
    workers = [""] if of_scheduler else [folder]
    with running(tmp_path, workers, folder if of_scheduler else "") as (address, _):
        call = ["playtest", "papayoo", "--hands", "10", "--ways", "random", "--plain"]
        call += ["--cluster", address, "--out", str(out)]
        result = CliRunner().invoke(main, call)
    assert result.exit_code == 2
    (line,) = [one for one in result.output.splitlines() if "Dask" in one]
    assert said in re.sub(r"(127\.0\.0\.1):[0-9]+", r"\1:PORT", line)
    assert "pip install 'trickwright[cluster,playtest]'" in line or fault == "ruled"
    assert not [*tmp_path.glob("x*")]


def test_a_scheduler_that_goes_away_is_told(tmp_path: Path) -> None:
    with running(tmp_path, ["", ""]) as (address, processes):
        found = in_chunks(TABLE, HANDS, slow_scores, size=SIZE, cluster=address)
        next(found)
        processes[0].kill()
        with pytest.raises(Unreachable, match=f"the Dask scheduler at {address} went away"):
            list(found)


def test_a_cluster_that_loses_all_its_workers_is_told(tmp_path: Path) -> None:
    with running(tmp_path, [""]) as (address, processes):
        from distributed import Client

        with Client(address, timeout=60, set_as_default=False) as client:  # type: ignore[no-untyped-call]
            client.wait_for_workers(1, timeout=60)
        tasks = ((first, 1) for first in range(100))
        found = on_dask(tasks, partial(slowly, TABLE), address, patience=10)
        next(found)
        processes[1].kill()
        with pytest.raises(Unreachable, match="has no workers"):
            list(found)


def slowly(table: Table, first: int, count: int) -> int:
    """What takes long enough to be interrupted."""
    time.sleep(0.3)
    return first


def test_a_lost_worker_changes_nothing(
    cluster: tuple[str, list[subprocess.Popen[str]]], wanted: dict[int, list[list[int]]]
) -> None:
    address, workers = cluster
    found = {}
    for first, made in in_chunks(TABLE, HANDS, slow_scores, size=SIZE, cluster=address):
        found[first] = made
        if len(found) == 3:
            workers[0].send_signal(signal.SIGKILL)
    assert workers[0].wait(10) == -signal.SIGKILL
    assert workers[1].poll() is None
    assert found == wanted


def test_a_scheduler_that_does_not_answer_is_told() -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: 'cluster' is optional")
    with pytest.raises(Unreachable, match="no Dask scheduler answers"):
        list(on_dask(iter([(0, 1)]), scores, "tcp://127.0.0.1:9", patience=2))  # type: ignore[arg-type]


def test_a_playtest_on_a_cluster_tells_the_same(
    cluster: tuple[str, list[subprocess.Popen[str]]], tmp_path: Path
) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed: 'playtest' is optional")
    call = ["playtest", "papayoo", "--hands", "1500", "--ways", "random", "--plain"]

    def told(name: str, *words: str) -> str:
        out = tmp_path / name
        result = CliRunner().invoke(main, [*call, *words, "--out", str(out)])
        assert result.exit_code == 0, result.output
        return out.with_suffix(".json").read_text(encoding="utf-8")

    for words in (["--against", "one-round"], ["--sweep", "scoring.numbers.papayoo_points=20"]):
        assert told("far.html", *words, "--cluster", cluster[0]) == told("near.html", *words)


def test_a_tuning_on_a_cluster_finds_the_same(
    cluster: tuple[str, list[subprocess.Popen[str]]], tmp_path: Path
) -> None:
    pytest.importorskip("numpy", reason="numpy is not installed: 'playtest' is optional")
    pytest.importorskip("scipy", reason="scipy is not installed: 'tune' is optional")
    span = "scoring.numbers.papayoo_points=80..95"
    call = ["tune", "papayoo", "spread.all=100", span, "--hands", "1500"]
    call += ["--ways", "random", "--plain"]

    def told(name: str, *words: str) -> tuple[str, str]:
        out = tmp_path / name
        result = CliRunner().invoke(main, [*call, *words, "--json", str(out)])
        assert result.exit_code == 0, result.output
        return result.stdout, out.read_text(encoding="utf-8")

    near = told("near.json", "--workers", "1")
    assert "papayoo_points=90 brings it to 100.00" in near[0]
    path = tmp_path / "run.jsonl"
    far = ("--cluster", cluster[0], "--resume", str(path))
    assert told("far.json", *far) == near
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(lines[: len(lines) // 2]), encoding="utf-8")
    assert told("again.json", *far) == near


def test_a_playtest_without_its_cluster_is_told(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="Dask is not installed: 'cluster' is optional")
    pytest.importorskip("numpy", reason="numpy is not installed: 'playtest' is optional")
    played = ["--hands", "40", "--ways", "random", "--plain", "--cluster", "nowhere:at:all"]
    for call in (
        ["playtest", "papayoo", "--out", str(tmp_path / "x.html")],
        ["tune", "papayoo", "spread.all=80", "match.hands=1..3", "--json", str(tmp_path / "x")],
    ):
        result = CliRunner().invoke(main, [*call, *played])
        assert result.exit_code == 2, result.output
        assert "--cluster: 'nowhere:at:all' is not an address" in result.output
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("dask://here:8786", "tcp://here:8786"),
        ("tcp://127.0.0.1:1/", "tcp://127.0.0.1:1"),
        ("tls://[::1]:8786", "tls://[::1]:8786"),
    ],
)
def test_the_address_of_a_scheduler_is_told_as_dask_writes_it(text: str, address: str) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["here:8786", "tcp://here", "http://here:8786", "tcp://:1", ""])
def test_what_is_no_address_of_a_scheduler_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="is not an address of a Dask scheduler"):
        address_of(text)
