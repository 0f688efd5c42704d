"""The README tells the truth: its script runs, its commands exist, its links lead somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from project_checkout import ROOT
from typer.testing import CliRunner

import windrow as wr
from windrow.cli.app import app

PAGES = ("README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md")


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


def test_the_script_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (script,) = re.findall(r"```python\n(.*?)```", text_of("README.md"), re.DOTALL)
    monkeypatch.chdir(tmp_path)
    exec(compile(script, "README.md", "exec"), {})
    with wr.Recording("column.h5") as recording:
        assert recording.times[-1] == pytest.approx(2.0, abs=0.02)


def test_every_command_that_is_named_exists_and_every_one_is_named() -> None:
    listed = CliRunner().invoke(app, ["--help"]).stdout
    named = set(re.findall(r"`windrow ([\w-]+)", text_of("README.md")))
    known = set(re.findall(r"^│ (\w[\w-]*) ", listed, re.MULTILINE))
    assert named == known


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_to_files(page: str) -> None:
    links = re.findall(r"(?<!!)\[[^\]]*\]\(([^)#]+)", text_of(page))
    gone = [link for link in links if "://" not in link and not (ROOT / link).exists()]
    assert gone == []


def test_every_part_of_the_code_is_in_the_architecture() -> None:
    parts = {path.name for path in (ROOT / "src" / "windrow").iterdir() if not path.name.startswith("_")}
    parts -= {"py.typed"}
    text = text_of("ARCHITECTURE.md")
    assert {part for part in parts if f"`{part}`" not in text and f"`{part}/`" not in text} == set()


def test_files_named_in_the_architecture_exist() -> None:
    named = re.findall(r"`((?:\w+/)+\w+\.py)`", text_of("ARCHITECTURE.md"))
    assert named
    homes = ROOT / "src" / "windrow", ROOT
    gone = [name for name in named if not any((home / name.removeprefix("windrow/")).exists() for home in homes)]
    assert gone == []
