"""Opening a station: commands, `wr.view`, what is refused, and the page inside the package."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import urllib.request
import zipfile
from pathlib import Path

import pytest
from made_station import PATIENCE, Page, small_scene
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app
from windrow.errors import SceneError, WindrowError
from windrow.view.server import PAGE

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["play", "pile", "--host", "0.0.0.0"], "--token"),
        (["play", "pile", "--host", "0.0.0.0", "--token", "short"], "8 characters"),
        (["play", "pil"], "Did you mean 'pile'"),
        (["play", "pile", "--port", "70000"], "--port"),
        (["play", "pile", "--threads", "0"], "--threads"),
        (["view", "nowhere.h5"], "nowhere.h5"),
    ],
)
def test_what_cannot_be_opened_is_explained(words: list[str], reason: str) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert reason in result.output


def test_a_port_in_use_is_named() -> None:
    with_port = wr.view(small_scene(), port=0, open_browser=False, block=False)
    try:
        port = with_port.url.rsplit(":", 1)[1].strip("/")
        with pytest.raises(SceneError, match=port):
            wr.view(small_scene(), port=int(port), open_browser=False, block=False)
    finally:
        with_port.close()


def test_a_script_shows_its_simulation_and_gets_it_back() -> None:
    simulation = wr.Simulation(small_scene(), threads=1)
    viewer = wr.view(simulation, port=0, open_browser=False, block=False)
    with Page(viewer) as page:
        page.until(lambda page: page.frames and page.frame["notes"]["step"] > 2)
    viewer.close()
    assert viewer.simulation is simulation
    before = simulation.time
    simulation.step()
    assert simulation.time > before
    assert f'src="{viewer.url}"' in viewer._repr_html_()


def test_view_can_be_called_whatever_was_imported_before() -> None:
    code = "import windrow as wr; wr.view; import windrow.view.messages; assert callable(wr.view)"
    subprocess.run([sys.executable, "-c", code], check=True)
    with pytest.raises(SceneError, match="Simulation, Scene"):
        wr.view(3, open_browser=False)  # type: ignore[arg-type]


def test_a_replay_has_no_simulation(tmp_path: Path) -> None:
    wr.Simulation(small_scene(), threads=1).run(seconds=0.1, record=tmp_path / "run.h5")
    viewer = wr.view(tmp_path / "run.h5", port=0, open_browser=False, block=False)
    with pytest.raises(WindrowError, match="recording"):
        _ = viewer.simulation
    viewer.close()


def test_the_command_prints_its_address_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    wr.save_scene(small_scene(), tmp_path / "few.toml")
    words = [
        sys.executable,
        "-m",
        "windrow",
        "play",
        str(tmp_path / "few.toml"),
        "--no-browser",
        "--port",
        "0",
    ]
    # What a shell starts in the background does not hear Ctrl-C, nor does what that starts.
    process = subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", address), process.stderr and process.stderr.read()
        with urllib.request.urlopen(address, timeout=PATIENCE) as answer:
            assert answer.status == 200
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()


def test_the_page_is_whole_and_under_version_control() -> None:
    named = re.findall(r'(?:src|href)="\./([^"]+)"', (PAGE / "index.html").read_text(encoding="utf-8"))
    assert named
    assert [name for name in named if not (PAGE / name).is_file()] == []
    if not (ROOT / ".git").exists():
        pytest.skip("an unpacked archive has no version control")
    listed = subprocess.run(
        ["git", "ls-files", "src/windrow/view/static"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    tracked = {Path(line).name for line in listed.stdout.split()}
    assert {"index.html", *named} <= tracked


def test_the_page_is_in_the_wheel(tmp_path: Path) -> None:
    wheel = pytest.importorskip(
        "hatchling.builders.wheel", reason="hatchling, which builds wheels, is not installed"
    )
    (built,) = wheel.WheelBuilder(str(ROOT)).build(directory=str(tmp_path), versions=["standard"])
    inside = zipfile.ZipFile(built).namelist()
    for file in PAGE.iterdir():
        assert f"windrow/view/static/{file.name}" in inside
