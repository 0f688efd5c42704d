"""LAMMPS as a process: started, watched, stopped politely, and never left behind."""

from __future__ import annotations

import contextlib
import os
import queue
import re
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from pathlib import Path

from windrow.errors import WindrowError

LOOK_EVERY = 0.2
"""s, between questions whether to stop"""
PATIENCE = 60.0
"""s that LAMMPS has to write its restart file when it was asked to stop"""
MERCY = 10.0
"""s from asking a process to terminate to ending it"""
COLUMNS = 7
"""of a line of thermodynamic output"""


class LammpsError(WindrowError):
    """LAMMPS ended with an error; the message has its words."""


class Process:
    """One run of LAMMPS in a folder."""

    def __init__(self, command: list[str], folder: Path, ranks: int | None) -> None:
        self.folder = folder
        self.ranks = ranks
        """that must take part; None: the command decides"""
        self.last: deque[str] = deque(maxlen=30)
        self.clean = False
        """whether it has ended by itself, with all files whole"""
        self._lines: queue.Queue[str | None] = queue.Queue()
        environment = {"OMP_NUM_THREADS": "1", **os.environ}
        try:
            self._process = subprocess.Popen(
                command,
                cwd=folder,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                errors="replace",
                # Ctrl-C is for us; we tell LAMMPS in our own words
                start_new_session=True,
            )
        except OSError as error:
            raise LammpsError(f"LAMMPS cannot be started ({' '.join(command[:1])}: {error.strerror})") from None
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def watch(self, on_step: Callable[[int], None], heed: Callable[[], None], stop_file: Path) -> bool:
        """Follows the run to its end; returns False if `heed` raised KeyboardInterrupt and LAMMPS stopped early."""
        asked = False
        waited = 0.0
        try:
            while True:
                try:
                    line = self._lines.get(timeout=LOOK_EVERY)
                except queue.Empty:
                    line = ""
                    waited += LOOK_EVERY if asked else 0.0
                if line is None:
                    break
                self._take(line, on_step)
                if not asked:
                    try:
                        heed()
                    except KeyboardInterrupt:
                        asked = True
                        stop_file.touch()
                elif waited > PATIENCE:
                    self.end()
            code = self._process.wait()
        finally:
            self.end()
            with contextlib.suppress(OSError):
                stop_file.unlink()
        self.clean = code == 0
        if code != 0 and not asked:
            raise LammpsError(self._why(code))
        return not asked

    def end(self) -> None:
        """Ends LAMMPS and what it has started, if they still run."""
        if self._process.poll() is not None:
            return
        self._signal(signal.SIGTERM)
        try:
            self._process.wait(MERCY)
        except subprocess.TimeoutExpired:
            self._signal(getattr(signal, "SIGKILL", signal.SIGTERM))
            self._process.wait()

    def _signal(self, number: int) -> None:
        with contextlib.suppress(OSError):
            if sys.platform == "win32":
                self._process.terminate()
            else:
                os.killpg(self._process.pid, number)

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put(None)

    def _take(self, line: str, on_step: Callable[[int], None]) -> None:
        words = line.split()
        if words:
            self.last.append(line.strip())
        if len(words) == COLUMNS and words[0].isdecimal():
            on_step(int(words[0]))
            return
        grid = re.search(r"(\d+) by (\d+) by (\d+) MPI processor grid", line)
        if grid and self.ranks is not None:
            found = int(grid[1]) * int(grid[2]) * int(grid[3])
            if found != self.ranks:
                self.end()
                raise LammpsError(
                    f"--ranks {self.ranks}: LAMMPS sees {found}; mpiexec and LAMMPS belong to different MPI libraries. "
                    "Start them by --lammps-command, with the mpiexec that this LAMMPS was built for"
                )

    def _why(self, code: int) -> str:
        said = [line for line in self.last if line.startswith("ERROR")] or list(self.last)[-1:] or ["it said nothing"]
        return f"LAMMPS ended with an error (code {code}): {said[0]}; all it said is in {self.folder / 'run.log'}"
