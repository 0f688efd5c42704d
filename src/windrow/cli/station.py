"""`windrow play` and `windrow view`: the operator's station in the browser."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from windrow.cli.console import tell, warnings_told
from windrow.cli.options import Quiet, Threads, check_at_least, grain_count
from windrow.errors import SceneError

if TYPE_CHECKING:
    from windrow.view.source import Source

Host = Annotated[
    str, typer.Option(metavar="ADDRESS", help="Where to listen; other than this machine asks for --token.")
]
Port = Annotated[
    int | None, typer.Option(metavar="N", help="Port; the first free one from 8720 if left out.")
]
Token = Annotated[str | None, typer.Option(metavar="SECRET", help="Secret that a page must know to connect.")]
Origin = Annotated[
    list[str] | None,
    typer.Option(metavar="URL", help="Further web origin whose pages may connect; may be repeated."),
]
NoBrowser = Annotated[
    bool, typer.Option("--no-browser", help="Do not open a browser; only print the address.")
]
LeaveAfter = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="End when no page has been open for so long; never if left out."),
]
Paused = Annotated[bool, typer.Option("--paused", help="Begin paused.")]


def play(
    scene: Annotated[
        str, typer.Argument(metavar="[SCENE]", help="Built-in name (see `windrow list`) or file.")
    ] = "excavator",
    host: Host = "127.0.0.1",
    port: Port = None,
    token: Token = None,
    origin: Origin = None,
    no_browser: NoBrowser = False,
    paused: Paused = False,
    leave_after: LeaveAfter = None,
    fine: Annotated[
        str | None,
        typer.Option(
            metavar="N", help="Show N fine grains, or as many as the frame rate carries; 200k and 1M are understood."
        ),
    ] = None,
    threads: Threads = None,
    quiet: Quiet = False,
) -> None:
    """Run a scene live in the browser."""
    check_at_least("--threads", threads, 1)
    number = None if fine is None else grain_count(fine, "--fine")
    _check_port(port)
    check_at_least("--leave-after", leave_after, 0)
    with warnings_told():
        from windrow.view.access import Access
        from windrow.view.launch import live_source

        Access.of(host, token)
        _serve(live_source(scene, threads, paused, number), host, port, token, origin, no_browser, leave_after, quiet)


def view(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A recording; it may still be growing.")],
    host: Host = "127.0.0.1",
    port: Port = None,
    token: Token = None,
    origin: Origin = None,
    no_browser: NoBrowser = False,
    paused: Paused = False,
    leave_after: LeaveAfter = None,
    quiet: Quiet = False,
) -> None:
    """Play back a recording in the browser."""
    _check_port(port)
    check_at_least("--leave-after", leave_after, 0)
    with warnings_told():
        from windrow.view.access import Access
        from windrow.view.replay import ReplaySource

        Access.of(host, token)
        _serve(ReplaySource(file, paused), host, port, token, origin, no_browser, leave_after, quiet)


def _check_port(port: int | None) -> None:
    if port is not None and not 0 <= port <= 65535:
        raise SceneError(f"--port: must be 0 (any free one) to 65535 (got {port})")


def _serve(
    source: Source,
    host: str,
    port: int | None,
    token: str | None,
    origin: list[str] | None,
    no_browser: bool,
    leave_after: float | None,
    quiet: bool,
) -> None:
    from windrow.view.launch import opened, show_page

    viewer = opened(source, host, port, token, origin or ())
    viewer.start()
    typer.echo(viewer.url)
    if not quiet:
        tell("Ctrl-C ends the station")
    if not no_browser:
        show_page(viewer.url)
    viewer.wait(leave_after)
