"""A small scene for the tests of the command line, as a user would write it, and real processes."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

FALLING = """
title = "Grains fall onto a floor"

[materials.sand]
density = 1600.0
friction_static = 0.6
friction_kinetic = 0.5
stiffness = 1e5
damping = 150.0

[[particles]]
kind = "block"
lower = [-0.2, -0.2, 0.1]
size = [0.4, 0.4, 0.3]
radius = {min = 0.03, max = 0.05}
material = "sand"

[[obstacles]]
name = "floor"
shape = {kind = "plane", normal = [0.0, 0.0, 1.0], offset = 0.0}
material = "sand"

[[emitters]]
name = "spout"
region = {kind = "box", size = [0.3, 0.3, 0.2]}
position = [0.0, 0.0, 1.5]
rate = 30.0
count = 100000
radius = 0.04
velocity = [0.0, 0.0, -1.0]
velocity_spread = 0.2
material = "sand"

[domain]
lower = [-1.0, -1.0, -1.0]
upper = [1.0, 1.0, 3.0]

[run]
seconds = 0.5
frame_rate = 20.0
"""


def written(folder: Path, text: str = FALLING, name: str = "falling.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def changed(*changes: tuple[str, str]) -> str:
    """The scene above with some of its text replaced; each part to replace must be there."""
    text = FALLING
    for old, new in changes:
        assert old in text, f"{old!r} is not in the scene"
        text = text.replace(old, new)
    return text


def windrow(*words: object) -> list[str]:
    """The command as a list of words for a new process."""
    return [sys.executable, "-m", "windrow", *map(str, words)]


STOP_AT = """
import os, signal, sys
from windrow.sim.simulation import Simulation
plain_step = Simulation.step
def step(self):
    report = plain_step(self)
    if report.step == {step}:
        for _ in range({times}):
            os.kill(os.getpid(), signal.SIGINT)
    return report
Simulation.step = step
from windrow.cli.app import app
app(sys.argv[1:])
"""


def stopped_at(
    step: int, *words: object, folder: Path | None = None, times: int = 1
) -> subprocess.CompletedProcess[str]:
    """A real process that gets Ctrl-C within a step of that number, once or more often."""
    command = [sys.executable, "-c", STOP_AT.format(step=step, times=times), *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder)


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[str], seconds: float = 120.0) -> None:
    """Waits until the condition holds; fails with what the process said if it ends before that."""
    end = time.monotonic() + seconds
    while not condition():
        if process.poll() is not None:
            raise AssertionError(f"ended early with {process.returncode}: {process.communicate()}")
        if time.monotonic() > end:
            process.kill()
            raise AssertionError(f"not within {seconds} s: {process.communicate()}")
        time.sleep(0.05)
