"""`windrow calibrate-soil` from the outside."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from windrow.calibrate import curves
from windrow.calibrate.library import library_file
from windrow.calibrate.protocol import protocols
from windrow.cli.app import app
from windrow.scene import soils
from windrow.scene.calibration import calibrations


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["calibrate-soil", *words])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("solver", sorted(protocols()))
def test_the_curves_of_the_library_are_shown_with_every_soil(solver: str, tmp_path: Path) -> None:
    plot = tmp_path / "curves.png"
    code, out, _ = run("--show", "--solver", solver, "--plot", str(plot))
    assert code == 0
    assert all(name in out for name in soils())
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_json_has_the_curves_and_nothing_else() -> None:
    code, out, _ = run("--show", "--json")
    assert code == 0
    assert json.loads(out)["ndem"]["friction"]["static"] == calibrations()["ndem"].friction.static.tolist()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--solver", "ndm"), "Did you mean 'ndem'?"),
        (("--write", "--quick"), "are not written"),
        (("--write", "--show"), "are not written"),
        (("--show", "--plot", "curves.bmp"), "a plot is saved as"),
        (("--threads", "0"), "--threads"),
    ],
)
def test_bad_options_are_refused_before_any_work(words: tuple[str, ...], message: str) -> None:
    code, _, err = run(*words)
    assert code == 2
    assert message in err


def test_a_measurement_is_told_run_by_run_and_written_only_when_asked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def measured(protocol, tell, threads):  # type: ignore[no-untyped-def]
        tell(curves.Done(1, "heap, friction 0.2: 30.0°"))
        return calibrations()["ndem"]

    monkeypatch.setattr(curves, "measured_calibration", measured)
    before = library_file().read_bytes()
    code, out, err = run("--quick")
    assert code == 0
    assert "heap, friction 0.2: 30.0°" in err
    assert "angle of a heap" in out
    assert library_file().read_bytes() == before
