"""What the files of the project may look like and may contain."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from project_checkout import ROOT, text_of, tracked_files

MOST_LINES = 520

# Written in pieces, so that this file does not contain what it looks for.
MACHINE_PATHS = re.compile(
    "|".join(
        [
            "/" + "work/",
            "/" + "root/",
            "/" + r"home/\w",
            "/" + r"Users/\w",
            "/" + "tmp/",
            r"[A-Z]:\\" + r"\w+\\",
        ]
    )
)
REGISTRIES = re.compile(
    "|".join(
        [
            "pypi" + r"\.(org|python)",
            "python" + "hosted",
            "npm" + r"js\.(org|com)",
            "regi" + r"stry\.(npm|yarn)",
            "index" + "-url",
            "arti" + "factory",
        ]
    ),
    re.IGNORECASE,
)


def _found(pattern: re.Pattern[str], path: Path) -> list[str]:
    text = text_of(path)
    if text is None:
        return []
    lines = text.splitlines()
    name = path.relative_to(ROOT)
    return [f"{name}:{k}: {line.strip()}" for k, line in enumerate(lines, 1) if pattern.search(line)]


def test_no_source_file_is_long() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in tracked_files()
        if path.suffix == ".py" and (count := len(path.read_text(encoding="utf-8").splitlines())) > MOST_LINES
    }
    assert long == {}, f"more than {MOST_LINES} lines: find the second idea in it and give it its own file"


def test_no_file_names_a_place_on_somebodys_machine() -> None:
    assert [hit for path in tracked_files() for hit in _found(MACHINE_PATHS, path)] == []


def test_no_file_names_a_package_registry() -> None:
    assert [hit for path in tracked_files() for hit in _found(REGISTRIES, path)] == []


def test_versions_are_pinned_in_one_file_only() -> None:
    names = {path.name for path in tracked_files()}
    assert not names & {"uv.lock", "poetry.lock", "Pipfile.lock", "pdm.lock"}


def test_constraints_pin_exact_versions() -> None:
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9_.-]+==[0-9][0-9A-Za-z.]*", pin)] == []


def test_constraints_cover_every_dependency() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = sum(project["optional-dependencies"].values(), project["dependencies"])
    names = {_normal(re.split(r"[<>=!\[; ]", requirement, maxsplit=1)[0]) for requirement in wanted}
    lines = (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pinned = {_normal(line.split("==")[0]) for line in lines if "==" in line}
    assert names - pinned == set()


def test_the_continuous_integration_runs_what_developers_run() -> None:
    assert "make test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("pattern", "bad", "good"),
    [
        (MACHINE_PATHS, "see /" + "home/ann/x", "see docs/home.md"),
        (MACHINE_PATHS, "C:" + "\\Users\\x", "a:\\n"),
        (REGISTRIES, "https://pypi" + ".org/x", "solvers/registry.py"),
    ],
)
def test_the_patterns_find_what_they_should(pattern: re.Pattern[str], bad: str, good: str) -> None:
    assert pattern.search(bad)
    assert not pattern.search(good)


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
