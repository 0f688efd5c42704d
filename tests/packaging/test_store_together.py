"""Processes that start at the same moment, with nothing compiled yet, share the work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from tiny_kernels import SOURCE

PROCESSES = 2
RUN = """
import sys
from tiny import one_more
from windrow.kernel import compile_times

print("ready", flush=True)
sys.stdin.readline()
with compile_times() as compiled:
    value = one_more(2.0)
print(value, *(c.kernel.__name__ for c in compiled))
"""


def test_each_kernel_is_compiled_once(tmp_path: Path) -> None:
    import windrow

    (tmp_path / "tiny.py").write_text(SOURCE)
    kept = tmp_path / "kept"
    places = [str(tmp_path), str(Path(windrow.__file__).parents[1])]
    environment = {**os.environ, "WINDROW_CACHE": str(kept), "PYTHONPATH": os.pathsep.join(places)}
    running = [
        subprocess.Popen(
            [sys.executable, "-c", RUN],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(PROCESSES)
    ]
    for process in running:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    for process in running:
        assert process.stdin is not None
        process.stdin.write("go\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120) for process in running]
    assert [process.returncode for process in running] == [0] * PROCESSES, said
    assert [error for _, error in said] == [""] * PROCESSES
    words = [out.split() for out, _ in said]
    assert [value for value, *_ in words] == ["7.0"] * PROCESSES
    assert sorted(name for _, *names in words for name in names) == ["one_more", "thrice"]
    files = [path for path in kept.rglob("*") if path.is_file()]
    assert len(files) == 2
    assert {path.suffix for path in files} == {""}
