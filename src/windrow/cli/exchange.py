"""`windrow import-urdf` and `windrow export-urdf`: machines from and to other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, cast

import typer

from windrow.cli.console import tell, warnings_told
from windrow.cli.options import check_folder
from windrow.errors import SceneError

Force = Annotated[bool, typer.Option("--force", help="Replace a file that is already there.")]


def import_urdf(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="URDF file to read.")],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="Machine file to write, ending in .toml.")],
    drive: Annotated[
        str,
        typer.Option(metavar="KIND", help="Motors of joints with effort: velocity, position, force or none."),
    ] = "velocity",
    start: Annotated[
        list[str] | None,
        typer.Option(metavar="JOINT=VALUE", help="Where a joint starts, rad or m; may be repeated."),
    ] = None,
    fixed_base: Annotated[bool, typer.Option("--fixed-base", help="Hold the root where it is.")] = False,
    force: Force = False,
) -> None:
    """Read a URDF file and write it as a machine that scenes can place."""
    from windrow.scene.files import save_machine
    from windrow.urdf.reading import read_urdf

    _check_target(out, ".toml", force)
    with warnings_told():
        machine = read_urdf(file, drive=cast(Any, drive), start=_start(start or []), fixed_base=fixed_base)
    save_machine(machine, out)
    tell(f"wrote {out}: {len(machine.bodies)} bodies, {len(machine.joints)} joints")
    tell(f'put it into a scene: [[machines]] with model = "{out.name}"')


def export_urdf(
    name: Annotated[
        str, typer.Argument(metavar="MACHINE", help="Built-in machine or .toml file of one, or a scene.")
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT", help="File to write, ending in .urdf.")],
    force: Force = False,
) -> None:
    """Write a machine, or the bodies of a scene, as URDF; what URDF cannot say is named."""
    from windrow.urdf.writing import write_urdf

    _check_target(out, ".urdf", force)
    source = _machine_or_scene(name)
    with warnings_told():
        write_urdf(source, out)
    tell(f"wrote {out}")


def _check_target(out: Path, ending: str, force: bool) -> None:
    if out.suffix.lower() != ending:
        raise SceneError(f"{out}: the file to write ends in {ending} (got {out.suffix!r}); rename it")
    check_folder(out)
    if out.exists() and not force:
        raise SceneError(f"{out}: is already there; choose another name, or replace it with --force")


def _start(words: list[str]) -> dict[str, float]:
    values = {}
    for word in words:
        name, _, text = word.rpartition("=")
        try:
            values[name] = float(text)
        except ValueError:
            name = ""
        if not name:
            raise SceneError(f"--start {word!r}: write JOINT=VALUE, for example shoulder=0.5")
    return values


def _machine_or_scene(name: str) -> Any:
    """A machine, or a scene: by name, else by what the file says."""
    from windrow.scene.files import built_in_scenes, load_scene
    from windrow.scene.machines import built_in_machines, load_machine

    if name in built_in_machines():
        return load_machine(name)
    if name in built_in_scenes() or Path(name).suffix.lower() != ".toml":
        return load_scene(name)
    try:
        return load_machine(name)
    except SceneError as problem:
        # Scenes and machines look alike: the one that says what only it can have is meant.
        try:
            return load_scene(name)
        except SceneError:
            raise problem from None
