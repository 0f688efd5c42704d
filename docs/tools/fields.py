"""Tables of scene fields, soils and command options, straight from the code: `python docs/tools/fields.py`.

A page asks for a table by a block that is named `fields of CLASS`, `soils` or `options of COMMAND`; see blocks.py.
"""

from __future__ import annotations

import math
from typing import Any

from blocks import DOCS, blocks, write_blocks
from pydantic import BaseModel
from pydantic_core import PydanticUndefined

import windrow.scene as scene
from windrow.scene.soils import SoilNumber

PAGES = (
    "scenes.md", "terrain.md", "tools.md", "materials-and-soils.md", "solver-p2.md", "solver-sph.md",
    "solver-fluid.md", "solver-mixture.md", "multibody.md", "machines.md", "bonds-and-clumps.md",
    "commands.md",
)  # fmt: skip


def field_table(model: type[BaseModel]) -> str:
    """Name, default and meaning of every field."""
    lines = ["| field | default | meaning |", "| --- | --- | --- |"]
    for name, field in model.model_fields.items():
        if name == "kind":
            continue
        default = "needed" if field.is_required() else _shown(field.get_default(call_default_factory=True))
        lines.append(f"| `{name}` | {default} | {field.description or ''} |")
    return "\n".join(lines) + "\n"


def _shown(value: Any) -> str:
    if value is None or value is PydanticUndefined:
        return "none"
    if isinstance(value, BaseModel):
        return f"`{type(value).__name__}`"
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, float):
        return f"`{'inf' if math.isinf(value) else format(value, '.4g')}`"
    if isinstance(value, tuple):
        return "`[" + ", ".join(format(number, "g") for number in value) + "]`"
    if isinstance(value, (list, dict)):
        return "empty"
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"


def soil_table() -> str:
    """Bulk numbers of the soils with their ranges and sources."""
    lines = ["| soil | number | value | range | source |", "| --- | --- | ---: | --- | --- |"]
    rows = (
        ("internal_friction_deg", "internal friction, °"),
        ("cohesion_pa", "cohesion, Pa"),
        ("bulk_density", "bulk density, kg/m³"),
    )
    for name, soil in scene.soils().items():
        for field, label in rows:
            number: SoilNumber = getattr(soil, field)
            between = f"{number.low:g} – {number.high:g}" if number.low is not None and number.high is not None else ""
            first = f"`{name}`: {soil.title}" if field == rows[0][0] else ""
            lines.append(f"| {first} | {label} | {number.value:g} | {between} | {number.source} |")
    return "\n".join(lines) + "\n"


def option_table(command: str) -> str:
    """Arguments and options of a command."""
    import typer.main

    from windrow.cli.app import app

    commands: Any = typer.main.get_command(app)
    lines = ["| | |", "| --- | --- |"]
    for parameter in commands.commands[command].params:
        name = parameter.metavar or parameter.opts[0].upper()
        if parameter.param_type_name == "option":
            name = parameter.opts[0] + (f" {parameter.metavar}" if parameter.metavar else "")
        name = name.replace("|", " or ")  # a bar would end the cell
        lines.append(f"| `{name}` | {parameter.help or ''} |")
    return "\n".join(lines) + "\n"


def written(page: str) -> dict[str, str]:
    """What the blocks of a page that this program writes ought to contain."""
    contents = {}
    for name in blocks(page):
        if name == "soils":
            contents[name] = soil_table()
        elif name.startswith("fields of "):
            contents[name] = field_table(getattr(scene, name.removeprefix("fields of ")))
        elif name.startswith("options of "):
            contents[name] = option_table(name.removeprefix("options of "))
    return contents


if __name__ == "__main__":
    for page in PAGES:
        path = DOCS / page
        write_blocks(path, written(path.read_text(encoding="utf-8")))
        print(f"wrote the tables of {path.name}")
