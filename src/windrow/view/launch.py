"""Opening a station: from the command line, a script or a notebook."""

from __future__ import annotations

import contextlib
import html
import os
import socket
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING
from urllib.parse import quote

from windrow.compiler import compile_meanwhile, compile_parts, seen_to
from windrow.errors import SceneError, WindrowError
from windrow.record.recording import Recording
from windrow.scene.files import built_in_scenes, load_scene
from windrow.scene.scene import Scene
from windrow.sim.kernel_parts import first_parts, kernel_parts
from windrow.sim.simulation import Simulation
from windrow.view.access import Access
from windrow.view.fine import FineGrains
from windrow.view.live import LiveSource
from windrow.view.meanwhile import Meanwhile
from windrow.view.messages import LONGEST_MESSAGE
from windrow.view.promptness import prompt
from windrow.view.replay import ReplaySource
from windrow.view.server import application
from windrow.view.session import Result, Session
from windrow.view.source import Source
from windrow.view.station import Station

if TYPE_CHECKING:
    import uvicorn

HOST = "127.0.0.1"
PORT = 8720
PORTS_TRIED = 20
START_SECONDS = 10.0


class Viewer:
    """A station that is open: its address, and the way to close it. Notebooks show the page itself."""

    def __init__(self, station: Station, server: uvicorn.Server, listening: socket.socket, url: str) -> None:
        self.url = url
        self._station = station
        self._source = station.session.source
        self._server = server
        self._listening = listening
        self._thread: threading.Thread | None = None

    @property
    def simulation(self) -> Simulation:
        """What is running now; a reset or another scene makes a new one. Its arrays belong to the station's thread
        while a step runs; `between_steps` is the time to look at them."""
        if not isinstance(self._source, LiveSource):
            raise WindrowError("this station shows a recording; there is no simulation behind it")
        return self._source.simulation

    @property
    def pages(self) -> int:
        """How many pages are open."""
        return len(self._station.pages)

    def between_steps(self, work: Callable[[Simulation], Result]) -> Result:
        """What `work` gives for the simulation, done between two steps: `viewer.between_steps(wr.Simulation.frame)`."""
        return self._station.session.between_steps(lambda: work(self.simulation))

    def serve(self) -> None:
        """Serves until stopped by Ctrl-C or a request to terminate."""
        with prompt():
            self._server.run(sockets=[self._listening])

    def start(self) -> None:
        """Serves from a thread of its own."""
        self._thread = threading.Thread(target=self.serve, name="windrow-station", daemon=True)
        self._thread.start()
        end = monotonic() + START_SECONDS
        while not self._server.started:
            if not self._thread.is_alive() or monotonic() > end:
                raise WindrowError(f"{self.url}: the station did not start")
            sleep(0.01)

    def wait(self, leave_after: float | None = None) -> None:
        """Blocks until the station is closed, Ctrl-C closes it, or no page has been open for so many seconds."""
        used = monotonic()
        try:
            while self._thread is not None and self._thread.is_alive():
                self._thread.join(0.2)
                if self.pages:
                    used = monotonic()
                if leave_after is not None and monotonic() - used > leave_after:
                    self.close()
        except KeyboardInterrupt:
            self.close()

    def close(self) -> None:
        """Ends the station; the simulation stays where it is."""
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()

    def _repr_html_(self) -> str:
        address = html.escape(self.url, quote=True)
        return f'<iframe src="{address}" width="100%" height="600" style="border:0"></iframe>'


def view(
    what: Simulation | Scene | Recording | str | os.PathLike[str],
    port: int | None = None,
    open_browser: bool | None = None,
    block: bool | None = None,
    fine: int | None = None,
) -> Viewer:
    """Shows a simulation, a scene or a recording in the browser. fine: so many fine grains instead of the particles of
    a simulation or scene, or as many as the frame rate carries.

    While it is open, the station steps the simulation; `viewer.simulation` is the one it runs. A script waits
    here until Ctrl-C; an interactive session or a notebook goes on at once, and `viewer.close()` ends it.
    """
    interactive = hasattr(sys, "ps1") or "ipykernel" in sys.modules
    viewer = opened(source_of(what, fine), port=port)
    viewer.start()
    if open_browser if open_browser is not None else "ipykernel" not in sys.modules:
        show_page(viewer.url)
    if block if block is not None else not interactive:
        print(f"{viewer.url}  (Ctrl-C ends it)", file=sys.stderr)
        viewer.wait()
    return viewer


def source_of(
    what: Simulation | Scene | Recording | str | os.PathLike[str], fine: int | None = None
) -> Source:
    """What a station shows when it is given this."""
    if isinstance(what, Simulation | Scene):
        simulation = Simulation(what) if isinstance(what, Scene) else what
        return LiveSource(simulation, fine=None if fine is None else FineGrains(fine))
    if fine is not None:
        raise SceneError("fine: only a simulation or a scene is shown in fine grains; of a recording, `windrow detail`")
    if isinstance(what, Recording):
        return ReplaySource(what.path)
    if isinstance(what, (str, os.PathLike)):
        return ReplaySource(what)
    raise SceneError(f"view: a Simulation, Scene, Recording or file is needed, got {type(what).__name__}")


def playable_scenes(given: str | None = None) -> dict[str, Callable[[], Scene]]:
    """Scenes an operator may choose from: the built-in ones, and the one the station was opened with."""
    names = [*built_in_scenes(), *([given] if given is not None and given not in built_in_scenes() else [])]
    return {_short(name): lambda name=name: load_scene(name) for name in names}  # type: ignore[misc]


def live_source(
    name: str, threads: int | None = None, paused: bool = False, fine: int | None = None
) -> LiveSource:
    """A built-in scene or scene file, with the others to choose from. fine: grains to show instead of the particles."""
    shown = None if fine is None else FineGrains(fine)
    scene = load_scene(name)
    # with what the station itself calls, so that no page waits for it
    more = {"station"} if shown is None else {"station", "detail"}
    assembled = scene.assembled()
    first, every = first_parts(assembled, scene.solver), kernel_parts(assembled, scene.solver)
    compile_parts(more | first)
    rest = compile_meanwhile(every) if first != every else None
    with seen_to():
        simulation = Simulation(scene, threads=threads)
    meanwhile = None if rest is None else Meanwhile(rest, simulation)
    return LiveSource(simulation, _short(name), playable_scenes(name), paused, shown, meanwhile)


def opened(
    source: Source,
    host: str = HOST,
    port: int | None = None,
    token: str | None = None,
    origins: Iterable[str] = (),
) -> Viewer:
    """A station for a source, listening but not yet serving."""
    import uvicorn

    from windrow.view.guests import SocketConnection, WebConnection

    access = Access.of(host, token, origins)
    listening = _listening(host, port)
    titles = {}
    if isinstance(source, LiveSource):
        known = built_in_scenes()
        titles = {name: known.get(name, name) for name in source.scenes}
    station = Station(Session(source), titles)
    config = uvicorn.Config(
        application(station, access),
        log_level="error",
        access_log=False,
        http=WebConnection,
        ws=SocketConnection,
        ws_max_size=4 * LONGEST_MESSAGE,
        ws_per_message_deflate=False,
        timeout_graceful_shutdown=1,
    )
    number = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    secret = f"/?token={quote(token, safe='')}" if token is not None else "/"
    return Viewer(station, uvicorn.Server(config), listening, f"http://{shown}:{number}{secret}")


def show_page(url: str) -> None:
    """Opens the page in the user's browser, if there is one."""
    import webbrowser

    with contextlib.suppress(webbrowser.Error, OSError):
        webbrowser.open(url)


def _listening(host: str, port: int | None) -> socket.socket:
    """A socket at the port asked for, or at the first free one from the usual port on."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    tried = [port] if port is not None else [*range(PORT, PORT + PORTS_TRIED), 0]
    problem: OSError | None = None
    for number in tried:
        candidate = socket.socket(family, socket.SOCK_STREAM)
        candidate.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            candidate.bind((host, number))
        except OSError as error:
            candidate.close()
            problem = error
        else:
            return candidate
    reason = problem.strerror if problem is not None else "no port"
    raise SceneError(f"--host {host} --port {port}: cannot listen there: {reason}; choose another port")


def _short(name: str) -> str:
    """The name shown on the page: files without their folders."""
    return name if name in built_in_scenes() else Path(name).name
