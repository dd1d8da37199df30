"""Where chunks are played: in this process, in several beside it, or by the workers of a Dask scheduler. Nothing else depends on it."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from typing import Any, TypeVar

from trickwright_tools.fast import NotInstalled

Made = TypeVar("Made")
Task = tuple[int, int]
"""First hand of a chunk, and its number of hands."""
Play = Callable[[int, int], Made]
"""Plays a chunk and makes something small of it; for other processes it must be picklable."""

ATTEMPTS = 4
"""How often a chunk is begun anew on a cluster because its worker was lost, before the run ends."""
LOOK = 5
"""Seconds after which, while no chunk is finished, it is seen whether there still are workers."""
CODE = "__import__('trickwright_tools.players.kept', fromlist=['kept']).code_that_plays()"
"""What each machine of a cluster is asked, as text: one without trickwright can tell then what it lacks, where a function of ours
would end it."""
INSTALL = "install there what is here, in the Python that runs it: pip install 'trickwright[cluster,playtest]'"


class Unreachable(Exception):
    """A cluster that cannot play, or no longer: nobody answers, or somebody lacks something; the text says who and what."""


def here(tasks: Iterator[Task], play: Play[Made]) -> Iterator[tuple[int, Made]]:
    """One chunk after another in this process."""
    for first, count in tasks:
        yield first, play(first, count)


def in_processes(
    tasks: Iterator[Task], play: Play[Made], workers: int
) -> Iterator[tuple[int, Made]]:
    """Chunks in so many processes, as they come. Never more than two a worker are under way or waited for."""
    with ProcessPoolExecutor(workers) as pool:
        waiting: dict[Future[Made], int] = {}
        try:
            while True:
                while len(waiting) < 2 * workers and (task := next(tasks, None)) is not None:
                    waiting[pool.submit(play, *task)] = task[0]
                if not waiting:
                    return
                for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                    yield waiting.pop(future), future.result()
        finally:
            for future in waiting:
                future.cancel()


_ADDRESS = re.compile(r"(dask|tcp|tls|ws|wss)://(\[[0-9a-fA-F:.]+\]|[^\s/:@\[\]]+):(\d{1,5})/?")


def address_of(text: str) -> str:
    """The address of a Dask scheduler as Dask writes it; ``dask://`` is told for ``tcp://``. ValueError if it is none."""
    found = _ADDRESS.fullmatch(text)
    if found is None:
        raise ValueError(f"'{text}' is not an address of a Dask scheduler, such as tcp://host:8786")
    scheme, host, port = found.groups()
    return f"{'tcp' if scheme == 'dask' else scheme}://{host}:{port}"


def on_dask(
    tasks: Iterator[Task],
    play: Play[Made],
    address: str,
    patience: float = 30,
    rules: Callable[[], str] = str,
) -> Iterator[tuple[int, Made]]:
    """Chunks on the workers of the Dask scheduler at ``address``, as ``address_of`` takes it.

    A chunk whose worker is lost is played by another one. ``patience`` are the seconds to wait for the scheduler and for a
    worker; ``rules`` gives a fingerprint of the rules that are played, which must be the same on each machine. NotInstalled
    without Dask; Unreachable if nobody answers at the beginning or later, or if the scheduler or a worker has not the
    trickwright of this machine, or other rules.
    """
    try:
        from distributed import Client, KilledWorker
        from distributed import wait as finished
        from distributed.comm import CommClosedError
    except ImportError:
        said = "Dask is not installed: pip install 'trickwright[cluster]'"
        raise NotInstalled(said) from None
    address = address_of(address)
    try:
        client: Any = Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise Unreachable(f"no Dask scheduler answers at {address}: {error}") from None

    def of_cluster(call: Callable[..., Any], *values: Any) -> Any:
        """What a call of the cluster gives. Errors of its machines become Unreachable, those of what they play stay as they are."""
        while True:
            try:
                return call(*values)
            except TimeoutError:  # nobody has finished anything yet
                need_worker()
            except KilledWorker:
                text = f"{ATTEMPTS} workers of the Dask scheduler at {address} were lost with the same hands"
                raise Unreachable(f"{text}; their logs say why") from None
            except ImportError as error:
                text = f"a worker of the Dask scheduler at {address} cannot play: {error}"
                raise Unreachable(f"{text}; {INSTALL}") from None
            except (CancelledError, CommClosedError):
                raise Unreachable(f"the Dask scheduler at {address} went away") from None

    def some_finished(futures: list[Any]) -> Any:
        with client.as_current():
            return finished(futures, timeout=LOOK, return_when=FIRST_COMPLETED)

    def need_worker() -> None:
        try:
            client.wait_for_workers(1, timeout=patience)
        except (TimeoutError, CancelledError, OSError):
            raise Unreachable(f"the Dask scheduler at {address} has no workers") from None

    with _quiet(), client:
        need_worker()
        of_cluster(_alike, client, address, rules)
        most = 2 * max(1, sum(of_cluster(client.nthreads).values()))
        waiting: dict[Any, int] = {}
        while True:
            while len(waiting) < most and (task := next(tasks, None)) is not None:
                future = client.submit(play, *task, pure=False, retries=ATTEMPTS)
                waiting[future] = task[0]
            if not waiting:
                return
            for future in of_cluster(some_finished, list(waiting)).done:
                made = of_cluster(future.result)
                yield waiting.pop(future), made
                future.release()


@contextmanager
def _quiet() -> Iterator[None]:
    """Dask does not print a traceback of its own when its scheduler goes away."""
    log = logging.getLogger("distributed.client")
    before = log.level
    log.setLevel(logging.CRITICAL)
    try:
        yield
    finally:
        log.setLevel(before)


def _alike(client: Any, address: str, rules: Callable[[], str]) -> None:
    """Unreachable if the scheduler or a worker has not what is here."""
    from trickwright_tools.players.kept import code_that_plays

    try:
        of_scheduler = client.run_on_scheduler(eval, CODE)
    except (ImportError, AttributeError) as error:
        of_scheduler = error
    found = {f"the Dask scheduler at {address}": of_scheduler}
    for worker, code in client.run(eval, CODE, on_error="return").items():
        found[f"the Dask worker at {worker}"] = code
    for who, code in found.items():
        if isinstance(code, OSError):
            continue  # lost by now, which others make good
        if isinstance(code, ModuleNotFoundError):
            lacks = str(code.name or "trickwright").partition(".")[0].partition("_")[0]
            raise Unreachable(f"{who} has no {lacks}; {INSTALL}")
        if code != code_that_plays():
            text = f"{who} has another version of trickwright than this machine"
            raise Unreachable(f"{text}; {INSTALL}")
    for worker, there in client.run(rules, on_error="return").items():
        if there != rules() and not isinstance(there, OSError):
            text = f"the Dask worker at {worker} has other rules than this machine, or none of this game"
            raise Unreachable(f"{text}; put the same files there")
