"""The web server of the station: the page as files, and one socket to each page."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from windrow.view.access import Access
from windrow.view.connection import GONE, NO_TOKEN, TOO_MANY_PAGES, Connection
from windrow.view.station import MOST_PAGES, Station

PAGE = Path(__file__).parent / "static"
"""The built page; its sources are in web/."""

# The page brings everything along: nothing is loaded from elsewhere. Notebooks on this machine may embed it.
HEADERS = {
    "content-security-policy": (
        "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; "
        "connect-src 'self' ws: wss:; frame-ancestors 'self' http://localhost:* http://127.0.0.1:*"
    ),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-cache",
}


def application(station: Station, access: Access) -> Starlette:
    """The application; it starts the session's thread and ends it."""

    async def socket(socket: WebSocket) -> None:
        if not (access.admits_host(socket.headers) and access.admits_origin(socket.headers)):
            await socket.close(1008, "origin")  # before accepting: the browser sees a plain refusal
            return
        await socket.accept()
        if not access.admits_token(socket.query_params.get("token")):
            await socket.close(NO_TOKEN, "the token is missing or wrong")
            return
        if station.full:
            await socket.close(TOO_MANY_PAGES, f"{MOST_PAGES} pages are open already")
            return
        socket.state.admitted = True
        page = Connection(socket, station, station.next_number())
        station.join(page)
        try:
            await page.serve()
        finally:
            station.leave(page)

    async def guarded_socket(asked: WebSocket) -> None:
        with contextlib.suppress(*GONE):
            await socket(asked)

    async def health(request: Request) -> JSONResponse:
        return JSONResponse({"alive": station.session.alive, "pages": len(station.pages)})

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:
        station.session.start()
        try:
            yield
        finally:
            station.session.close()

    app = Starlette(
        routes=[
            WebSocketRoute("/socket", guarded_socket),
            Route("/health", health),
            Mount("/", StaticFiles(directory=PAGE, html=True)),
        ],
        lifespan=life,
    )
    app.add_middleware(Guarded, access=access)
    return app


class Guarded:
    """Refuses foreign host names and adds headers that keep the page to itself."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app, self.access = app, access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        if not self.access.admits_host(Headers(scope=scope)):
            await PlainTextResponse("use http://localhost", 421)(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
            await send(message)

        await self.app(scope, receive, send_with_headers)
