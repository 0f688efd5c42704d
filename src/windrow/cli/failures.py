"""What goes wrong becomes one clear message and an exit code that scripts can rely on.

0    done
1    anything that is not the user's input
2    bad input: the message names file, field, value and what is allowed
130  stopped by Ctrl-C
143  stopped by a request to terminate
"""

from __future__ import annotations

import os
import sys
from typing import Any

import typer
from typer.core import TyperGroup

from windrow.cli.console import complain
from windrow.errors import CapacityError, FileFormatError, SceneError, WindrowError
from windrow.measure.failure import MeasurementError

FAILED = 1
BAD_INPUT = 2
INTERRUPTED = 130
TERMINATED = 143

# Newer versions of Typer carry Click inside themselves, older ones beside themselves; this finds its base
# error in both.
CLICK_ERROR: type[Exception] = typer.BadParameter.__mro__[2]


class StopAtOnce(BaseException):
    """The user insisted: leave now, without the work that a polite stop does."""


class GuardedCommands(TyperGroup):
    """Commands that end with a message and an exit code, never with a traceback nobody asked for."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except (typer.Exit, typer.Abort, CLICK_ERROR):
            raise
        except (SceneError, FileFormatError, CapacityError, MeasurementError) as error:
            code = _explained(ctx, str(error), BAD_INPUT)
        except (KeyboardInterrupt, StopAtOnce):
            code = _explained(ctx, "stopped", INTERRUPTED)
        except BrokenPipeError:
            # Whoever read our output has left, as `head` does; there is nobody to tell.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            code = FAILED
        except MemoryError:
            code = _explained(ctx, "not enough memory; use fewer grains or a smaller 'capacity'", FAILED)
        except (WindrowError, OSError) as error:
            code = _explained(ctx, str(error), FAILED)
        except Exception as error:
            place = _place(error)
            hint = "" if _asked_for_traceback(ctx) else "; `windrow --traceback …` shows more"
            kind = type(error).__name__
            code = _explained(ctx, f"a mistake in Windrow: {kind}: {error} ({place}){hint}", FAILED)
        raise typer.Exit(code)


def _explained(ctx: Any, message: str, code: int) -> int:
    if _asked_for_traceback(ctx):
        import traceback

        traceback.print_exc()
    complain(message)
    return code


def _asked_for_traceback(ctx: Any) -> bool:
    return bool(ctx.params.get("traceback"))


def _place(error: Exception) -> str:
    """File and line the error came from."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "unknown place"
    return f"{os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno}"
