"""Runs the examples and puts their pictures and tables into these pages.

    python docs/tools/figures.py                    all of them (some minutes)
    python docs/tools/figures.py 04_three_piles     only that one

The tables that an example prints replace the blocks named `table 1 of EXAMPLE`, `table 2 of EXAMPLE` … of all pages;
see blocks.py. The gallery page is written whole.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

from blocks import DOCS, write_blocks
from PIL import Image

from windrow.scene import built_in_scenes, load_scene

IMAGES = DOCS / "images"
EXAMPLES = DOCS.parent / "examples"
LARGE = 150_000
"""Bytes from which a picture is stored with a palette of 256 colours."""


def tables(text: str) -> list[str]:
    """Markdown tables in what a program printed."""
    found: list[str] = []
    inside = False
    for line in text.splitlines():
        is_row = line.startswith("|")
        if is_row and not inside:
            found.append("")
        if is_row:
            found[-1] += line + "\n"
        inside = is_row
    return found


def shrink(path: Path) -> None:
    """Smaller on the disk, alike to the eye."""
    if path.stat().st_size > LARGE:
        image = Image.open(path).convert("RGB")
        palette = image.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=4)
        image.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True)


def run(example: Path) -> None:
    """Runs one example; takes over its pictures and tables."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(example), "--out", folder]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        print(printed)
        for picture in sorted(Path(folder).glob("*.png")):
            shrink(picture)
            (IMAGES / picture.name).write_bytes(picture.read_bytes())
    contents = {f"table {k} of {example.stem}": text for k, text in enumerate(tables(printed), start=1)}
    for page in DOCS.glob("*.md"):
        write_blocks(page, contents)


def gallery() -> str:
    """The page that shows every built-in scene."""
    lines = [
        "# Gallery",
        "",
        "Every built-in scene, drawn by `examples/09_gallery.py`. `windrow run NAME` runs one of them,",
        "`windrow play NAME` shows it live in the browser.",
        "",
    ]
    for name in built_in_scenes():
        scene = load_scene(name)
        lines += [f"## {name}", "", f"**{scene.title}.** {' '.join(scene.description.split())}", ""]
        lines += [f"![{scene.title}](images/scene_{name}.png)", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="examples, by file name; all of them if left out")
    wanted = [Path(name).stem for name in parser.parse_args().names]
    known = sorted(EXAMPLES.glob("[0-9]*.py"))
    unknown = set(wanted) - {example.stem for example in known}
    if unknown:
        parser.error(f"no such example: {', '.join(sorted(unknown))}")
    for example in known:
        if not wanted or example.stem in wanted:
            print(f"--- {example.name}", flush=True)
            run(example)
    if not wanted or "09_gallery" in wanted:
        (DOCS / "gallery.md").write_text(gallery(), encoding="utf-8")


if __name__ == "__main__":
    main()
