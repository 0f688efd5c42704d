"""Pages hold together: links lead somewhere, tables are those of the code, commands and scenes are all there."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from docs_pages import DOCS, GENERATED, ROOT, anchors, code_blocks, links, pages, prose

LARGEST_PICTURE = 300_000
ALL_PICTURES = 9_000_000
names = [page.name for page in pages()]


@pytest.mark.parametrize("name", names)
def test_links_and_pictures_lead_somewhere(name: str) -> None:
    broken = []
    for target in links(DOCS / name):
        if target.startswith(("http://", "https://", "mailto:")):
            continue
        file, _, anchor = target.partition("#")
        page = DOCS / file if file else DOCS / name
        if file in GENERATED and not page.exists():
            continue
        if not page.exists() or (anchor and anchor not in anchors(page)):
            broken.append(target)
    assert broken == []


def test_pictures_are_small_and_used() -> None:
    pictures = list((DOCS / "images").glob("*"))
    large = {p.name: p.stat().st_size for p in pictures if p.stat().st_size > LARGEST_PICTURE}
    assert large == {}, "make them smaller: docs/tools/figures.py"
    assert sum(p.stat().st_size for p in pictures) < ALL_PICTURES
    used = {Path(target).name for page in pages() for target in links(page)}
    used |= {Path(target).name for target in links(ROOT / "README.md")}
    assert {p.name for p in pictures} - used == set()


def _navigation() -> list[str]:
    found: list[str] = []

    def collect(entry: object) -> None:
        if isinstance(entry, str):
            found.append(entry)
        elif isinstance(entry, dict):
            collect(list(entry.values()))
        elif isinstance(entry, list):
            for part in entry:
                collect(part)

    collect(yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))["nav"])
    return found


def test_every_page_is_in_the_navigation() -> None:
    assert set(names) - set(_navigation()) == set(), "add it to nav in mkdocs.yml"
    assert set(_navigation()) - set(names) - set(GENERATED) == set()


def _commands() -> list[str]:
    import typer.main

    from windrow.cli.app import app

    return list(typer.main.get_command(app).commands)  # type: ignore[attr-defined]


@pytest.mark.parametrize("command", _commands())
def test_every_command_is_documented_with_its_options(command: str) -> None:
    from blocks import blocks

    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    assert f"\n## windrow {command}\n" in page
    if command != "schema":
        assert f"options of {command}" in blocks(page)


@pytest.mark.parametrize("name", names)
def test_tables_are_those_of_the_code(name: str) -> None:
    from blocks import blocks
    from fields import PAGES, written

    page = (DOCS / name).read_text(encoding="utf-8")
    wanted = written(page)
    assert {block: blocks(page)[block] for block in wanted} == wanted, "run: python docs/tools/fields.py"
    assert not wanted or name in PAGES


@pytest.mark.parametrize("name", names)
def test_tables_of_examples_are_filled_in(name: str) -> None:
    from blocks import blocks

    empty = [
        block for block, text in blocks((DOCS / name).read_text(encoding="utf-8")).items() if not text.strip()
    ]
    assert empty == [], "run: python docs/tools/figures.py"


def test_the_gallery_shows_every_built_in_scene() -> None:
    from windrow.scene import built_in_scenes

    shown = prose(DOCS / "gallery.md")
    missing = [name for name in built_in_scenes() if f"images/scene_{name}.png" not in shown]
    assert missing == [], "run: python docs/tools/figures.py 09_gallery"


def test_every_kind_of_part_is_named_on_the_scenes_page() -> None:
    from windrow import Scene

    text = (DOCS / "scenes.md").read_text(encoding="utf-8")
    definitions = Scene.model_json_schema()["$defs"]
    wanted = (
        "Plane",
        "Box",
        "Mesh",
        "DistanceGrid",
        "Revolution",
        "HeightField",
        "Linear",
        "Spin",
        "Oscillate",
    )
    wanted += (
        "Keyframes",
        "Points",
        "Block",
        "Column",
        "Ball",
        "Rope",
        "Cloth",
        "RopeLadder",
        "Capsule",
        "Cone",
    )
    kinds = [definitions[name]["properties"]["kind"]["const"] for name in wanted]
    assert [kind for kind in kinds if f"`{kind}`" not in text and f'kind = "{kind}"' not in text] == []


def test_toml_blocks_can_be_read() -> None:
    import tomllib

    from windrow.scene import scene_from_dict

    whole = 0
    for page in pages():
        for block in code_blocks(page, "toml"):
            data = tomllib.loads(block)
            if "title" in data:
                scene_from_dict(data, page.name)
                whole += 1
    assert whole > 0
