"""The `windrow` program: its commands, and the options before them."""

from __future__ import annotations

from typing import Annotated

import typer

from windrow.cli import (
    calibrating,
    catalogue,
    checking,
    detailing,
    exchange,
    exporting,
    pictures,
    running,
    station,
    warming,
)
from windrow.cli.failures import GuardedCommands
from windrow.cli.options import flattened

app = typer.Typer(
    name="windrow",
    cls=GuardedCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    help="Real-time simulation of granular matter. SI units, z up.",
    epilog="Start with: windrow run pile --out pile.h5",
)

app.command()(station.play)
app.command()(station.view)
app.command()(flattened(running.run))
app.command()(running.resume)
app.command("list")(catalogue.list_all)
app.command()(catalogue.new)
app.command()(catalogue.schema)
app.command()(pictures.plot)
app.command()(pictures.render)
app.command()(detailing.detail)
app.command()(warming.warmup)
app.command()(checking.bench)
app.command()(checking.validate)
app.command("trace-bits")(checking.trace_bits)
app.command("calibrate-soil")(calibrating.calibrate_soil)
app.command("export")(exporting.export)
app.command("import-urdf")(exchange.import_urdf)
app.command("export-urdf")(exchange.export_urdf)


def _version(wanted: bool) -> None:
    if wanted:
        from windrow import __version__

        typer.echo(f"windrow {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
    traceback: Annotated[bool, typer.Option("--traceback", help="Show where an error came from.")] = False,
) -> None:
    """Options for all commands, read before them."""


def main() -> None:
    """Entry point of the installed program."""
    app()
