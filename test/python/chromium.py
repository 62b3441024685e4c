# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page in a headless Chromium, told what to do through a pipe: `with Page(folder) as page: page.open(url)`."""

import json
import os
import shutil
import subprocess

CHROMIUM = shutil.which("chromium")


class Page:
    def __init__(self, folder, size=(1280, 900)):
        from_browser, self._their_write = os.pipe()
        self._their_read, to_browser = os.pipe()
        self._input, self._output = os.fdopen(from_browser, "rb"), os.fdopen(to_browser, "wb")
        self._folder, self._size = folder, size
        self._number, self._session, self.errors = 0, None, []

    def __enter__(self):
        # Chromium reads commands from 3 and answers on 4.
        command = f'exec "$@" 3<&{self._their_read} 4>&{self._their_write}'
        words = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
        words += [f"--user-data-dir={self._folder}", "--window-size={},{}".format(*self._size)]
        self._process = subprocess.Popen(
            ["bash", "-c", command, "chromium", *words],
            pass_fds=(self._their_read, self._their_write),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(self._their_read)
        os.close(self._their_write)
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self.send("Runtime.enable")
        self.send("Log.enable")
        self.send("Page.enable")
        return self

    def __exit__(self, *_):
        self._process.kill()
        self._process.wait()
        self._input.close()
        self._output.close()

    def send(self, method, **parameters):
        self._number += 1
        message = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        self._output.write(json.dumps(message).encode() + b"\0")
        self._output.flush()
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def _receive(self):
        text = b""
        while not text.endswith(b"\0"):
            byte = self._input.read(1)
            assert byte, "chromium has ended"
            text += byte
        message = json.loads(text[:-1])
        if message.get("method") == "Runtime.exceptionThrown":
            self.errors.append(message["params"]["exceptionDetails"]["text"])
        elif message.get("method") == "Log.entryAdded" and message["params"]["entry"]["level"] == "error":
            self.errors.append(message["params"]["entry"]["text"])
        return message

    def open(self, url):
        self.send("Page.navigate", url=url)

    def evaluate(self, text):
        """The value of a JavaScript expression, waited for if it is a promise."""
        result = self.send("Runtime.evaluate", expression=text, awaitPromise=True, returnByValue=True)
        assert "exceptionDetails" not in result, result
        return result["result"].get("value")

    def wait_for(self, text, seconds=60):
        """Waits until a JavaScript expression is true, and returns its value."""
        return self.evaluate(
            f"""new Promise((resolve, reject) => {{
              const end = Date.now() + {seconds * 1000};
              const look = () => {{
                let value;
                try {{ value = {text}; }} catch {{}}
                if (value) resolve(value);
                else if (Date.now() > end) reject(new Error("waited in vain"));
                else setTimeout(look, 50);
              }};
              look();
            }})"""
        )
