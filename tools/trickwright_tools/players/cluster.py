"""Where chunks are played: in this process, in several beside it, or by the workers of a Dask scheduler. Nothing else depends on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from typing import Any, TypeVar

from trickwright_tools.fast import NotInstalled

Made = TypeVar("Made")
Task = tuple[int, int]
"""First hand of a chunk, and its number of hands."""
Play = Callable[[int, int], Made]
"""Plays a chunk and makes something small of it; for other processes it must be picklable."""

ATTEMPTS = 4
"""How often a chunk is begun anew on a cluster because its worker was lost, before the run ends."""


class Unreachable(Exception):
    """A scheduler that does not answer, or all of whose workers are gone; the text says which."""


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


def on_dask(
    tasks: Iterator[Task], play: Play[Made], address: str, patience: float = 30
) -> Iterator[tuple[int, Made]]:
    """Chunks on the workers of the Dask scheduler at ``address``, ``tcp://host:port``; they must have trickwright installed.

    A chunk whose worker is lost is played by another one. ``patience`` are the seconds to wait for the scheduler and for a
    worker. NotInstalled without Dask, Unreachable if nobody answers.
    """
    try:
        from distributed import Client, as_completed
    except ImportError:
        said = "Dask is not installed: pip install 'trickwright[cluster]'"
        raise NotInstalled(said) from None
    try:
        client: Any = Client(address, timeout=patience, set_as_default=False)
    except (OSError, ValueError, TimeoutError) as error:
        raise Unreachable(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        try:
            client.wait_for_workers(1, timeout=patience)
        except TimeoutError:
            raise Unreachable(f"the Dask scheduler at {address} has no workers") from None
        most = 2 * max(1, sum(client.nthreads().values()))
        firsts: dict[str, int] = {}
        running: Any = as_completed(loop=client.loop)

        def send() -> bool:
            task = next(tasks, None)
            if task is None:
                return False
            future = client.submit(play, *task, pure=False, retries=ATTEMPTS)
            firsts[future.key] = task[0]
            running.add(future)
            return True

        for _ in range(most):
            if not send():
                break
        for future in running:
            made = future.result()
            yield firsts.pop(future.key), made
            future.release()
            send()
