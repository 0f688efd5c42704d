"""How much of what a page sends is read at once: no more than it may say.

asyncio reads up to 256 KiB at once, so that a page that is about to be refused has had all of its garbage copied
before. Pieces of any length up to that, between small ones that stay, leave gaps into which the next piece does not
fit: a crowd that sends 60 kB now and then made the server's memory grow by 0.05 MB a minute, without end.
"""

from __future__ import annotations

from asyncio.transports import BaseTransport

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from windrow.view.messages import LONGEST_MESSAGE


class ReadingLittle(WebSocketsSansIOProtocol):
    """The server's end of a socket, with short reads where the transport lets one say so."""

    def connection_made(self, transport: BaseTransport) -> None:
        if hasattr(transport, "max_size"):
            transport.max_size = LONGEST_MESSAGE
        super().connection_made(transport)
