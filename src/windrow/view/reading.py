"""How much of what a page sends is read at once: no more than it may say.

asyncio asks for 256 KiB of memory at each read, and gives back what it did not need. Only the end of the heap has a gap
so long: everything that is read comes to lie there, and whatever small is put beside it and stays a little longer
moves the end on. With a thousand connections a minute the heap of the server's thread grew by 0.06 MB a minute, as
fast after 20 minutes as after two, though no more of it was in use. Short reads fit into gaps.
"""

from __future__ import annotations

from asyncio.transports import BaseTransport, Transport
from typing import cast

from uvicorn.protocols.http.h11_impl import H11Protocol

from windrow.view.messages import LONGEST_MESSAGE


class ReadingLittle(H11Protocol):
    """The server's end of a connection from its first request on, with short reads where the transport lets one say so.
    What a connection becomes later, such as a socket, reads through the same transport."""

    def connection_made(self, transport: BaseTransport) -> None:
        if hasattr(transport, "max_size"):
            transport.max_size = LONGEST_MESSAGE
        super().connection_made(cast(Transport, transport))
