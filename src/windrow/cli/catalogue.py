"""`windrow list`, `windrow new` and `windrow schema`: what there is, and how to make one's own."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from windrow.cli.console import tell
from windrow.cli.options import Json, check_folder
from windrow.errors import SceneError
from windrow.files import write_text


def list_all(as_json: Json = False) -> None:
    """List the built-in scenes, machines and soils."""
    from windrow.scene.files import built_in_scenes
    from windrow.scene.machines import machine_titles
    from windrow.scene.soils import soils

    scenes, machines = built_in_scenes(), machine_titles()
    if as_json:
        kinds = {name: soil.title for name, soil in soils().items()}
        typer.echo(json.dumps({"scenes": scenes, "machines": machines, "soils": kinds}, ensure_ascii=False))
        return
    width = max(len(name) for name in [*scenes, *machines, *soils()])
    typer.echo("scenes: windrow run NAME")
    for name, title in scenes.items():
        typer.echo(f"  {name:<{width}}  {title}")
    typer.echo('\nmachines: model = "NAME" in [[machines]] of a scene; copy it: windrow new --machine NAME FILE')
    for name, title in machines.items():
        typer.echo(f"  {name:<{width}}  {title}")
    typer.echo('\nsoils: soil = "NAME" in a material of a scene file')
    for name, soil in soils().items():
        numbers = (
            f"friction angle {soil.internal_friction_deg.value:g}°, cohesion {soil.cohesion_pa.value:g} Pa, "
            f"{soil.bulk_density.value:g} kg/m³"
        )
        typer.echo(f"  {name:<{width}}  {soil.title}: {numbers}")


def new(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="File to write, ending in .toml.")],
    machine: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Write a copy of this built-in machine, to change it, in place of a scene."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace a file that is already there.")] = False,
) -> None:
    """Write a scene file in which every part is explained, or a copy of a built-in machine."""
    from windrow.scene.machines import machine_text
    from windrow.scene.template import TEMPLATE

    text = TEMPLATE if machine is None else machine_text(machine)
    if file.suffix.lower() != ".toml":
        raise SceneError(f"{file}: a new file ends in .toml (got {file.suffix!r}); rename it")
    check_folder(file)
    if file.exists() and not force:
        raise SceneError(f"{file}: is already there; choose another name, or replace it with --force")
    write_text(file, text)
    if machine is None:
        tell(f"wrote {file}; try it: windrow run {file}")
    else:
        tell(f'wrote {file}; place it: model = "{file.name}" in [[machines]] of a scene file beside it')


def schema() -> None:
    """Print the JSON schema of scene files: every field with its type, unit and limits."""
    from windrow.scene.scene import Scene

    typer.echo(json.dumps(Scene.model_json_schema(), indent=2, ensure_ascii=False))
