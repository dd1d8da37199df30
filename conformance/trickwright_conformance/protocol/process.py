"""The process of an engine, with its three pipes. Nothing of it is left when it is ended."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import subprocess
import time
from collections.abc import Sequence
from typing import Any, Final

from trickwright_conformance.protocol.faults import Fault
from trickwright_conformance.protocol.messages import MAX_LINE, plain, quoted

MAX_STDERR: Final = 8_000
"""Bytes of stderr kept for each case; what comes after them is only counted."""

_CHUNK = 1 << 16
_MOST_READS = 50
_LOOK = 0.25
"""Seconds after which one looks whether the engine is still there."""

_GRACE = 1.0
"""Seconds in which an engine that closed its output may end by itself."""


class EngineProcess:
    """A running engine. Raises Fault ``no-start`` if the command cannot be run.

    One thread does all: whatever was written to stderr before an answer is there when the answer is.
    """

    def __init__(self, argv: Sequence[str]) -> None:
        if os.name != "posix":
            raise Fault("no-start", "engines of other people are tested on Linux and macOS only")
        try:
            self._process = subprocess.Popen(
                argv,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,  # a group of its own, so that what it starts ends with it
            )
        except (OSError, ValueError) as error:
            said = getattr(error, "strerror", None) or error
            raise Fault("no-start", f"'{argv[0]}' cannot be run: {said}") from None
        self._out = bytearray()
        self._err = bytearray()
        self._err_more = 0
        self._unsent = b""
        self._ended = False
        self._selector = selectors.DefaultSelector()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
        for pipe in (self._process.stdout, self._process.stderr):
            self._selector.register(self._number(pipe), selectors.EVENT_READ)

    @staticmethod
    def _number(pipe: Any) -> int:
        return int(pipe.fileno())

    def send(self, data: bytes) -> None:
        """Give the engine something to read; it is written while a line is awaited."""
        if not self._unsent and not self._stdin.closed:
            self._selector.register(self._number(self._stdin), selectors.EVENT_WRITE)
        self._unsent += data

    def unread(self) -> bytes:
        """What the engine has written and nobody has read; reads nothing but what is there already."""
        for _ in range(_MOST_READS):  # one that never stops writing must not keep us here
            if not self._step(0):
                break
        return bytes(self._out)

    def line(self, limit: float) -> bytes:
        """The next line, without its end. Raises Fault if none comes within so many seconds."""
        deadline = time.monotonic() + limit
        while b"\n" not in self._out:
            if len(self._out) > MAX_LINE:
                said = f"a line has more than {MAX_LINE} bytes: {quoted(bytes(self._out))}"
                raise Fault("too-long", said)
            if self._ended:
                raise self._end_of_output()
            left = deadline - time.monotonic()
            if left <= 0:
                raise Fault("timed-out", f"no answer within {limit:g} s{self._begun()}")
            if not self._step(min(left, _LOOK)) and self._process.poll() is not None:
                self.unread()
                if not self._ended and b"\n" not in self._out:
                    said = "; something that it started still holds its output"
                    how = _how_it_ended(self._process.returncode)
                    raise Fault("ended", f"the engine {how}{said}{self._begun()}")
        end = self._out.index(b"\n")
        if end > MAX_LINE:
            said = f"a line has more than {MAX_LINE} bytes: {quoted(bytes(self._out))}"
            raise Fault("too-long", said)
        line = bytes(self._out[:end])
        del self._out[: end + 1]
        self.unread()  # what was written to stderr before is there already
        return line

    def _begun(self) -> str:
        if not self._out:
            return ""
        return f", only {len(self._out)} bytes without an end of line: {quoted(bytes(self._out))}"

    def _end_of_output(self) -> Fault:
        """Why no line can come any more."""
        begun = self._begun()
        try:
            code = self._process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            said = f"the engine closed its output and goes on running{begun}"
            return Fault("closed-output", said)
        return Fault("ended", f"the engine {_how_it_ended(code)}{begun}")

    def _step(self, limit: float) -> bool:
        """Wait until some pipe is ready, and read or write there; whether anything was read."""
        if not self._selector.get_map():
            if limit:
                time.sleep(min(limit, 0.05))
            return False
        read = False
        out, err = self._number(self._process.stdout), self._number(self._process.stderr)
        for key, _ in self._selector.select(limit):
            if key.fd not in (out, err):
                self._write()
                continue
            try:
                data = os.read(key.fd, _CHUNK)
            except BlockingIOError:
                continue
            if not data:
                self._selector.unregister(key.fd)
                self._ended = self._ended or key.fd == out
            elif key.fd == out:
                read = len(self._out) <= MAX_LINE
                self._out += data if read else b""
            else:
                read = True
                room = MAX_STDERR - len(self._err)
                self._err += data[:room]
                self._err_more += max(len(data) - room, 0)
        return read

    def _write(self) -> None:
        try:
            self._unsent = self._unsent[os.write(self._number(self._stdin), self._unsent) :]
        except BlockingIOError:
            return
        except OSError:  # nobody reads there any more; what it says is told by its output
            self._unsent = b""
        if not self._unsent:
            self._selector.unregister(self._number(self._stdin))

    @property
    def _stdin(self) -> Any:
        return self._process.stdin

    def take_stderr(self) -> str:
        """What was written to stderr since it was last taken."""
        text = plain(self._err.decode("utf-8", "replace")).strip()
        if self._err_more:
            text += f"\n... and {self._err_more} bytes more"
        self._err.clear()
        self._err_more = 0
        return text

    def end(self, grace: float = 0) -> bool:
        """End the engine and all that it started; whether it had ended by itself within so many seconds."""
        deadline = time.monotonic() + grace
        if grace:
            if self._unsent:
                self._step(0)
            if not self._unsent:
                self._close(self._stdin)
        while (left := deadline - time.monotonic()) > 0 and self._process.poll() is None:
            self._step(min(left, 0.05))  # one that still has something to say must not wait for us
        by_itself = self._process.poll() is not None
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self.unread()
        self._selector.close()
        for pipe in (self._stdin, self._process.stdout, self._process.stderr):
            self._close(pipe)
        return by_itself

    @staticmethod
    def _close(pipe: Any) -> None:
        with contextlib.suppress(OSError):
            pipe.close()


def _how_it_ended(code: int) -> str:
    if code >= 0:
        return f"ended with exit code {code}"
    try:
        name = signal.Signals(-code).name
    except ValueError:
        name = str(-code)
    return f"was ended by the signal {name}"
