"""What is said while a command works. All of it goes to standard error: standard output is for results."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import typer

FOR_DEVELOPERS = (
    DeprecationWarning,
    PendingDeprecationWarning,
    FutureWarning,
    ImportWarning,
    ResourceWarning,
)


def tell(text: str) -> None:
    """A remark that may be missed."""
    typer.secho(text, err=True)


def warn(text: str) -> None:
    """Something the user should know about the result."""
    typer.secho(f"warning: {text}", err=True, fg=typer.colors.YELLOW, bold=True)


def complain(text: str) -> None:
    """Why the command did not do what was asked."""
    typer.secho(f"error: {text}", err=True, fg=typer.colors.RED, bold=True)


@contextmanager
def warnings_told() -> Iterator[list[str]]:
    """Says each warning raised within once, in plain words, and gives them as a list, too."""
    said: list[str] = []

    def show(message: Warning | str, category: type[Warning], *_: Any, **__: Any) -> None:
        text = str(message)
        if text not in said:
            said.append(text)
            warn(text)

    with warnings.catch_warnings():
        warnings.simplefilter("default")
        # What a library wants its own developers to know is no business of the user.
        for kind in FOR_DEVELOPERS:
            warnings.simplefilter("ignore", kind)
        warnings.showwarning = show
        yield said


@contextmanager
def compiling_told(quiet: bool) -> Iterator[None]:
    """Says which kernels are compiled within; nothing when all are there already, or if it shall be quiet."""
    from windrow.compiler import QUIET
    from windrow.kernel import compiling

    def note(name: str) -> None:
        if not quiet:
            tell(f"compiling {name} (first run only)")

    before = QUIET.set(quiet)
    try:
        with compiling(note):
            yield
    finally:
        QUIET.reset(before)


@contextmanager
def bar(what: str, total: int, quiet: bool) -> Iterator[Callable[[int], None]]:
    """A progress bar with the time left; call what it yields with the number of things done."""
    if quiet:
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=sys.stderr)) as progress:
        task = progress.add_task(what, total=total)
        yield lambda done: progress.update(task, completed=done)
