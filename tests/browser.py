"""A browser without a window, driven through the two pipes of its own protocol: pages, scripts, keys, sizes."""

from __future__ import annotations

import base64
import itertools
import json
import os
import select
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Self

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-headless-shell"))), None)
FLAGS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
KEYS = {
    "Tab": 9,
    "Escape": 27,
    "ArrowLeft": 37,
    "ArrowUp": 38,
    "ArrowRight": 39,
    "ArrowDown": 40,
    "Home": 36,
    " ": 32,
}
SECONDS = 60


class Browser:
    """One page in one browser."""

    def __init__(self, *flags: str) -> None:
        self._flags = flags

    def __enter__(self) -> Self:
        assert PROGRAM is not None
        commands, self._to = os.pipe()
        self._from, answers = os.pipe()
        self._folder = tempfile.mkdtemp(prefix="costderive-browser-")
        flags = f"{shlex.join((*FLAGS, *self._flags))} --remote-debugging-pipe --user-data-dir={self._folder}"
        # The browser reads from descriptor 3 and writes to 4, which only a shell can promise.
        line = f"exec {PROGRAM} {flags} 3<&{commands} 4>&{answers}"
        self._process = subprocess.Popen(
            ["bash", "-c", line],
            pass_fds=(commands, answers),
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(commands)
        os.close(answers)
        self._numbers, self._read, self._session = itertools.count(1), b"", ""
        target = self._ask("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self._ask("Page.enable")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait(timeout=SECONDS)
        os.close(self._to)
        os.close(self._from)
        shutil.rmtree(self._folder, ignore_errors=True)

    def open(self, file: Path, state: str = "") -> None:
        """Open a page from the disk and wait until it is loaded."""
        self.visit(f"{file.as_uri()}{state}")

    def visit(self, address: str) -> None:
        """Open a page and wait until it is loaded."""
        self._ask("Page.navigate", url="about:blank")
        self._ask("Page.navigate", url=address)
        self.value(
            "new Promise(done => document.readyState === 'complete' ? done(1) : addEventListener('load', done))"
        )

    def value(self, script: str) -> Any:
        """Return the value of a script, as JSON can hold it."""
        found = self._ask("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str) -> None:
        """Press a key."""
        about = {"key": key, "code": "Space" if key == " " else key, "windowsVirtualKeyCode": KEYS[key]}
        for kind in ("rawKeyDown", "char", "keyUp") if key == " " else ("rawKeyDown", "keyUp"):
            self._ask(
                "Input.dispatchKeyEvent", type=kind, **about, **({"text": key} if kind == "char" else {})
            )

    def resize(self, width: int, height: int) -> None:
        """Make the page as wide and high as a screen; a narrow one is a phone."""
        self._ask(
            "Emulation.setDeviceMetricsOverride",
            width=width, height=height, deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip

    def prefer(self, feature: str, value: str) -> None:
        """Make the reader prefer something, such as dark colours."""
        self._ask("Emulation.setEmulatedMedia", features=[{"name": feature, "value": value}])

    def picture(self, file: Path) -> None:
        """Save what the page shows, all of it."""
        found = self._ask("Page.captureScreenshot", captureBeyondViewport=True)
        file.write_bytes(base64.b64decode(found["data"]))

    def _ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        number = next(self._numbers)
        message = {"id": number, "method": method, "params": parameters}
        message |= {"sessionId": self._session} if self._session else {}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            answer = json.loads(self._answer())
            if answer.get("id") == number:
                assert "error" not in answer, answer["error"]
                found: dict[str, Any] = answer["result"]
                return found

    def _answer(self) -> bytes:
        """Return the next message, which ends with a zero byte."""
        while b"\0" not in self._read:
            ready, _, _ = select.select([self._from], [], [], SECONDS)
            assert ready, "the browser does not answer"
            data = os.read(self._from, 1 << 16)
            assert data, "the browser has ended"
            self._read += data
        message, _, self._read = self._read.partition(b"\0")
        return message
