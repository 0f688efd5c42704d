"""A real browser for the tests, spoken to through its own debugging protocol: no further software is needed."""

from __future__ import annotations

import base64
import json
import os
import shutil
import signal
import subprocess
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Any

import pytest
from websockets.sync.client import connect

PATIENCE = 180.0
"""Seconds; drawing without a graphics card may hold a page up for long."""
NAMES = ("chromium", "chromium-browser", "google-chrome")
ARROWS = {"ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
# Software drawing; without the last ones a browser on a closed network keeps looking for its maker.
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--use-gl=angle",
    "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)


REQUIRED = "WINDROW_BROWSER_TESTS"
"""Set by `make test`: tests in the browser then fail instead of being left out where there is none."""


def installed() -> str | None:
    """Path of a browser, None if there is none."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def browser() -> str:
    """Path of a browser; without one the test is left out, or fails where browser tests are asked for."""
    found = installed()
    if found is None and os.environ.get(REQUIRED) == "required":
        pytest.fail("no Chromium is installed; Debian and Ubuntu: apt-get install chromium")
    if found is None:
        pytest.skip("no Chromium is installed; Debian and Ubuntu: apt-get install chromium")
    return found


class Chromium:
    """One page of a browser without a screen; closes as a context manager."""

    def __init__(self, program: str, folder: Path, size: tuple[int, int] = (640, 360)) -> None:
        self.errors: list[str] = []
        """What the page complained about: errors and warnings on its console, exceptions, failed loads."""
        self._number = 0
        self._fingers = 0
        words = [
            program,
            *FLAGS,
            f"--window-size={size[0]},{size[1]}",
            f"--user-data-dir={folder}",
            "about:blank",
        ]
        self._process = subprocess.Popen(
            words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
        )
        port = self._port(folder / "DevToolsActivePort")
        self._stack = ExitStack()
        address = f"ws://127.0.0.1:{port[0]}{port[1]}"
        self._socket = self._stack.enter_context(connect(address, max_size=None, compression=None))
        target = self._call("Target.createTarget", {"url": "about:blank"})["targetId"]
        self._page = self._call("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(*size)

    def processes(self) -> list[int]:
        """Numbers of all that belong to the browser; empty where there is no /proc."""
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # it may end meanwhile
                group = int(stat.read_text().rpartition(")")[2].split()[2])
                found += [int(stat.parent.name)] if group == self._process.pid else []
        return found

    def open(self, url: str) -> None:
        self.call("Page.navigate", {"url": url})

    def value(self, expression: str) -> Any:
        """What an expression is on the page."""
        answer = self.call(
            "Runtime.evaluate", {"expression": expression, "returnByValue": True, "awaitPromise": True}
        )
        if "exceptionDetails" in answer:
            raise AssertionError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, expression: str, seconds: float = 60.0) -> Any:
        """Waits until an expression is true on the page."""
        end = time.monotonic() + seconds
        while True:
            found = self.value(f"(() => {{ try {{ return {expression}; }} catch {{ return null; }} }})()")
            if found:
                return found
            if time.monotonic() > end:
                raise AssertionError(f"not within {seconds} s: {expression}; complaints: {self.errors}")
            time.sleep(0.1)

    def press(self, key: str) -> None:
        """A key that writes a character."""
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent", {"type": kind, "key": key, "text": key if kind == "keyDown" else ""}
            )

    def hold(self, key: str) -> None:
        """Presses a key and keeps it down; arrows by their names, such as ArrowUp."""
        self._key("keyDown", key)

    def release(self, key: str) -> None:
        self._key("keyUp", key)

    def _key(self, kind: str, key: str) -> None:
        code = ARROWS.get(key, ord(key.upper()) if len(key) == 1 else 0)
        text = key if kind == "keyDown" and len(key) == 1 else ""
        self.call(
            "Input.dispatchKeyEvent",
            {"type": kind, "key": key, "text": text, "windowsVirtualKeyCode": code},
        )

    def box(self, element: str) -> dict[str, float]:
        """x, y, width and height, pixels, of what an expression gives."""
        box: dict[str, float] = self.value(f"{element}.getBoundingClientRect().toJSON()")
        return box

    def click(self, element: str) -> None:
        """Clicks on what an expression gives, as a person would: some things browsers do only then."""
        box = self.box(element)
        at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
        for kind in ("mousePressed", "mouseReleased"):
            self.call("Input.dispatchMouseEvent", {"type": kind, **at, "button": "left", "clickCount": 1})

    def tab(self) -> None:
        """To the next thing that takes keys."""
        for kind in ("rawKeyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                {"type": kind, "key": "Tab", "code": "Tab", "windowsVirtualKeyCode": 9},
            )

    def use_fingers(self) -> None:
        """From now on pages believe that they are on a tablet."""
        self.call("Emulation.setTouchEmulationEnabled", {"enabled": True, "maxTouchPoints": 5})
        coarse = [{"name": "pointer", "value": "coarse"}, {"name": "hover", "value": "none"}]
        self.call("Emulation.setEmulatedMedia", {"features": coarse})

    def touch(self, places: list[tuple[float, float]]) -> None:
        """Where fingers are now; those that were there before have come up, or gone to the places in the same order."""
        kind = "touchEnd" if not places else "touchStart" if len(places) > self._fingers else "touchMove"
        self._fingers = len(places)
        points = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(places)]
        self.call("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def resize(self, width: int, height: int) -> None:
        metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", metrics)

    def before_loading(self, script: str) -> None:
        """Runs a script on every page from now on, before its own ones."""
        self.call("Page.addScriptToEvaluateOnNewDocument", {"source": script})

    def keep_downloads(self, folder: Path) -> None:
        """Files that the page hands out go there."""
        self._call("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)})

    def picture(self) -> bytes:
        """PNG of the page."""
        return base64.b64decode(self.call("Page.captureScreenshot", {"format": "png"})["data"])

    def call(self, method: str, values: dict[str, Any] | None = None) -> dict[str, Any]:
        return self._call(method, values or {}, self._page)

    def _call(self, method: str, values: dict[str, Any], page: str | None = None) -> dict[str, Any]:
        self._number += 1
        message = {"id": self._number, "method": method, "params": values}
        self._socket.send(json.dumps(message | ({"sessionId": page} if page else {})))
        while True:
            heard = json.loads(self._socket.recv(timeout=PATIENCE))
            if heard.get("id") == self._number:
                if "error" in heard:
                    raise AssertionError(f"{method}: {heard['error']}")
                result: dict[str, Any] = heard["result"]
                return result
            self._note(heard)

    def _note(self, heard: dict[str, Any]) -> None:
        about = heard.get("params", {})
        if heard.get("method") == "Runtime.exceptionThrown":
            details = about["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif heard.get("method") == "Runtime.consoleAPICalled" and about["type"] in {
            "error",
            "warning",
            "assert",
        }:
            self.errors.append(" ".join(str(part.get("value", part)) for part in about["args"]))
        elif heard.get("method") == "Log.entryAdded" and about["entry"]["level"] in {"error", "warning"}:
            self.errors.append(f"{about['entry']['text']} {about['entry'].get('url', '')}")

    def _port(self, file: Path) -> tuple[str, str]:
        end = time.monotonic() + 60
        while time.monotonic() < end:
            if file.exists() and len(lines := file.read_text().split()) == 2:
                return lines[0], lines[1]
            if self._process.poll() is not None:
                raise AssertionError(f"the browser ended with {self._process.returncode}")
            time.sleep(0.05)
        raise AssertionError("the browser did not open its port")

    def close(self) -> None:
        self._stack.close()
        self._process.terminate()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        # its helpers may outlive it for a moment, and write to its folder
        deadline = time.monotonic() + 5.0
        with suppress(ProcessLookupError):
            while time.monotonic() < deadline:
                os.killpg(self._process.pid, signal.SIGKILL)
                time.sleep(0.02)

    def __enter__(self) -> Chromium:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
