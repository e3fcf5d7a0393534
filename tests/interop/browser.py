"""A headless Chromium that is driven through a pipe, with the DevTools protocol."""

import base64
import json
import os
import pathlib
import select
import shutil
import subprocess
import time

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
LONGEST = 60  # seconds for an answer


class Browser:
    def __init__(self, folder):
        to_child, self.to_browser = os.pipe()
        self.from_browser, from_child = os.pipe()

        def connect():  # Chromium reads from 3 and writes to 4
            reading, writing = os.dup(to_child), os.dup(from_child)
            os.dup2(reading, 3)
            os.dup2(writing, 4)

        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe"]
        self.process = subprocess.Popen([*command, f"--user-data-dir={folder / 'browser'}", "about:blank"], preexec_fn=connect,
                                        close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_child)
        os.close(from_child)
        self.received = b""
        self.events = []
        self.count = 0
        self.session = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime"):
            self.call(f"{domain}.enable")

    def _message(self, deadline):
        while b"\0" not in self.received:
            assert select.select([self.from_browser], [], [], max(0, deadline - time.monotonic()))[0], "the browser is silent"
            part = os.read(self.from_browser, 1 << 20)
            assert part, "the browser has exited"
            self.received += part
        message, _, self.received = self.received.partition(b"\0")
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        request = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(request).encode() + b"\0")
        deadline = time.monotonic() + LONGEST
        while True:
            message = self._message(deadline)
            if message.get("id") == self.count:
                assert "error" not in message, message
                return message["result"]
            self.events.append(message)

    def open(self, address):
        self.call("Page.navigate", url=address)

    def evaluate(self, script):
        answer = self.call("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, script, seconds=20):
        """Waits until the script's value is true."""
        deadline = time.monotonic() + seconds
        while not (value := self.evaluate(script)):
            assert time.monotonic() < deadline, f"never true: {script}\n{self.evaluate('document.body.innerText')[:2000]}"
            time.sleep(0.1)
        return value

    def html(self):
        return self.evaluate("document.documentElement.outerHTML")

    def asked(self):
        """Addresses that pages asked for since the start."""
        requests = [event["params"]["request"] for event in self.events if event.get("method") == "Network.requestWillBeSent"]
        return [request["url"] for request in requests]

    def resize(self, width, height):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def prefer(self, scheme):
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def screenshot(self, file):
        picture = self.call("Page.captureScreenshot", captureBeyondViewport=False)["data"]
        pathlib.Path(file).write_bytes(base64.b64decode(picture))

    def close(self):
        os.close(self.to_browser)
        os.close(self.from_browser)
        self.process.kill()
        self.process.wait()
