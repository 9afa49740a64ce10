# SPDX-License-Identifier: Apache-2.0
"""Drives a headless Chromium over a pair of pipes (Chrome DevTools Protocol)."""

import base64
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
SECONDS = 240
SPEECH = ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded")


def find():
    """The browser's path, or None. Ubuntu's is a snap, which sees no files below /tmp."""
    for name in NAMES:
        path = shutil.which(name)
        if path and "/snap/" not in os.path.realpath(path) and not is_snap(path):
            return path
    return None


def is_snap(path):
    """Whether it is the script that only starts or installs a snap."""
    with open(path, "rb") as file:
        return b"/snap/" in file.read(4096)


class BrowserError(Exception):
    """The browser said no, or nothing."""


class Browser:
    """One page in a browser of its own. Use as a context."""

    def __init__(self, program):
        self.program = program
        self.number = 0
        self.buffer = b""
        self.events = []
        self.session = None

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="oclmm-browser-", ignore_cleanup_errors=True)
        command_out, self.write_end = os.pipe()
        self.read_end, answer_in = os.pipe()
        # the browser reads from 3 and writes to 4, whatever numbers the pipes have here
        script = f'exec 5<&{command_out} 6>&{answer_in}; exec 3<&5 4>&6 5<&- 6>&-; exec "$@"'
        self.process = subprocess.Popen(
            ["bash", "-c", script, "bash", self.program, "--headless", "--no-sandbox", "--disable-gpu",
             "--disable-dev-shm-usage", "--hide-scrollbars", "--no-first-run", "--remote-debugging-pipe",
             f"--user-data-dir={self.folder.name}", "about:blank"],
            pass_fds=(command_out, answer_in), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(command_out)
        os.close(answer_in)
        try:
            target = self.call("Target.createTarget", url="about:blank")["targetId"]
            self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
            for domain in ("Page", "Runtime", "Log", "Network"):
                self.call(f"{domain}.enable")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.folder.cleanup()

    def read_message(self, deadline):
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))[0]:
                raise BrowserError("the browser does not answer")
            data = os.read(self.read_end, 1 << 20)
            if not data:
                raise BrowserError("the browser ended")
            self.buffer += data
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        """One command and its result; what happens meanwhile is kept in `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        data = json.dumps(message).encode() + b"\0"
        while data:
            data = data[os.write(self.write_end, data):]
        deadline = time.monotonic() + SECONDS
        while True:
            answer = self.read_message(deadline)
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise BrowserError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def wait_for(self, method):
        deadline = time.monotonic() + SECONDS
        while not any(event.get("method") == method for event in self.events):
            self.events.append(self.read_message(deadline))

    def size(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1,
                  mobile=width < 600)

    def media(self, medium="", **features):
        """`medium` is "print" or "screen"; features as in prefers_color_scheme="dark"."""
        self.call("Emulation.setEmulatedMedia", media=medium, features=[
            {"name": name.replace("_", "-"), "value": value} for name, value in features.items()])

    def scripts(self, allowed):
        self.call("Emulation.setScriptExecutionDisabled", value=not allowed)

    def load(self, address):
        # an address that differs behind `#` only would load nothing
        for url in ("about:blank", address):
            self.events = []
            self.call("Page.navigate", url=url)
            self.wait_for("Page.loadEventFired")

    def evaluate(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            raise BrowserError(f"{expression}: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def complaints(self):
        """What went to the console, exceptions, and everything fetched but the page itself."""
        found = []
        for event in self.events:
            parameters = event.get("params", {})
            if event.get("method") in SPEECH:
                found.append(json.dumps(parameters))
            elif event.get("method") == "Network.requestWillBeSent":
                url = parameters["request"]["url"]
                if parameters.get("type") != "Document" and not url.startswith("data:"):
                    found.append(url)
        return found

    def screenshot(self, path, whole=False):
        data = self.call("Page.captureScreenshot", captureBeyondViewport=whole)["data"]
        with open(path, "wb") as file:
            file.write(base64.b64decode(data))

    def pdf(self):
        return base64.b64decode(self.call("Page.printToPDF", printBackground=False)["data"])
