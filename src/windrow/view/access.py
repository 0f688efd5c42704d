"""Who may connect. Any web site that a user visits can try to open a socket to the user's own machine, so a
browser must come from our own page, and the name it used for us must be a name of this machine."""

from __future__ import annotations

import hmac
import ipaddress
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from windrow.errors import SceneError

LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    if host in LOOPBACK_NAMES:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Access:
    """Rules of one server."""

    token: str | None = None
    """Secret that pages must know; None: not needed, because only this machine can reach the server."""
    origins: frozenset[str] = frozenset()
    """Further origins, such as https://example.org, whose pages may connect."""

    @classmethod
    def of(cls, host: str, token: str | None, origins: Iterable[str] = ()) -> Access:
        """Rules for a server at `host`; raises SceneError where it would stand open to others."""
        if token is not None and len(token) < 8:
            raise SceneError("--token: at least 8 characters are needed")
        if not is_loopback(host) and token is None:
            raise SceneError(
                f"--host {host}: other machines could reach the station; give a --token, or leave out --host"
            )
        return cls(token, frozenset(origin.rstrip("/") for origin in origins))

    def admits_host(self, headers: Mapping[str, str]) -> bool:
        """Whether the name in the request is one of ours. Without a token this is what keeps out a foreign
        name that was pointed at this machine."""
        return self.token is not None or is_loopback(_name_in(headers.get("host", "")))

    def admits_origin(self, headers: Mapping[str, str]) -> bool:
        """Whether the page that asks is ours; programs other than browsers send no origin."""
        origin = headers.get("origin")
        if origin is None or origin.rstrip("/") in self.origins:
            return True
        try:
            parts = urlsplit(origin)
        except ValueError:  # such as an IPv6 address without its second bracket
            return False
        return parts.scheme in {"http", "https"} and parts.netloc == headers.get("host", "")

    def admits_token(self, given: str | None) -> bool:
        if self.token is None:
            return True
        return given is not None and hmac.compare_digest(given.encode(), self.token.encode())


def _name_in(host_header: str) -> str:
    """The name in `name:port`, without the brackets of an IPv6 address."""
    try:
        return urlsplit(f"//{host_header}").hostname or ""
    except ValueError:
        return ""
