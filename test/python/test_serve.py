# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The playground of `tegula serve`: what it answers, whom it refuses, and how it looks in a browser."""

import contextlib
import ctypes
import http.client
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import time

import pytest
from chromium import CHROMIUM, Page
from conftest import BUILD

COPY = """
import tegula.language as pl
{before}
N = pl.dynamic("N")
@pl.jit
def f(x: pl.Tensor[[N], pl.FP32], y: pl.Out[pl.Tensor[[N], pl.FP32]]):
    y[:] = {value}
"""

ENDLESS = COPY.format(before="", value="x").replace(
    "    y[:] = x", "    for i in pl.range(1 << 40):\n        y[0:1] = x[0:1] * 1.5 + y[0:1]"
)


class Server:
    def __init__(self, folder, *words):
        self.folder = folder
        environment = {**os.environ, "TMPDIR": str(folder)}
        self.process = subprocess.Popen(
            [BUILD / "bin" / "tegula", "serve", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        self.url = self.process.stdout.readline().strip()
        self.port, self.token = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([0-9a-f]{32})/", self.url).groups()

    def ask(self, path, method="GET", body=None, whole_path=None, **fields):
        connection = http.client.HTTPConnection("127.0.0.1", int(self.port), timeout=60)
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request(method, whole_path or f"/{self.token}/{path}", body, headers)
        reply = connection.getresponse()
        result = reply.status, reply.read().decode(), reply.headers
        connection.close()
        return result

    def work(self, verb, **request):
        status, text, _ = self.ask(verb, "POST", json.dumps(request), Content_Type="application/json")
        assert status == 200, text
        return json.loads(text)

    def send(self, data):
        """What comes back for these very bytes."""
        with socket.create_connection(("127.0.0.1", int(self.port)), timeout=60) as stream:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                stream.sendall(data)
                stream.shutdown(socket.SHUT_WR)
            received = b""
            with contextlib.suppress(ConnectionResetError):
                while part := stream.recv(65536):
                    received += part
            return received.decode()

    def stop(self):
        self.process.send_signal(signal.SIGINT)
        code = self.process.wait(timeout=20)
        return code, self.process.stdout.read() + self.process.stderr.read()


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("serve"))
    yield server
    server.process.kill()
    server.process.communicate()


def test_checks_runs_lowers_and_simulates_each_example(server):
    status, text, _ = server.ask("choices")
    examples = json.loads(text)["examples"]
    assert status == 200 and len(examples) >= 5
    for example in examples:
        del example["name"]
        assert json.loads(server.work("check", **example)["text"]) == []
        assert "ok, largest error" in server.work("run", **example)["text"]
    example = examples[0]
    assert "pl." in server.work("ir", **example, stage="frontend")["text"]
    for target in ("interpreter", "npu:tpuv3", "cuda:emulate"):
        assert "ok, largest error" in server.work("run", **example, target=target)["text"]
    reply = server.work("sim", **example, machine="tpuv4")
    assert "cycles" in reply["text"]
    status, text, headers = server.ask(reply["report"])
    assert status == 200 and "<canvas" in text
    assert headers["Content-Security-Policy"].startswith("sandbox allow-scripts; default-src 'none'")


def test_no_python_of_the_page_is_run(server):
    source = COPY.format(before="", value="x") + "\n\ndef reference(x):\n    raise SystemExit('it ran')\n"
    reply = server.work("run", source=source, sizes="N=5")
    assert reply["ok"] and "ok, largest error" in reply["text"] and "reference" not in reply["text"]


def test_mistakes_have_locations(server):
    reply = server.work("check", source=COPY.format(before="", value="x + missing"))
    assert [(m["line"], m["message"]) for m in json.loads(reply["text"])] == [(7, "name 'missing' is not defined")]
    reply = server.work("run", source=COPY.format(before="", value="x"))
    assert not reply["ok"] and "--dim N=SIZE" in reply["text"]


def at(server, source, before):
    """What is said of the place behind the first `before`."""
    lines = source[: source.index(before) + len(before)].split("\n")
    reply = server.work("at", source=source, place=f"{len(lines)}:{len(lines[-1]) + 1}")
    assert reply["ok"], reply
    return json.loads(reply["text"])


def test_positions_have_offers_and_meanings(server):
    source = COPY.format(before="", value="pl.exp(x)")
    labels = [offer["label"] for offer in at(server, source, "y[:] = pl.")["offers"]]
    assert {"exp", "row_sum", "matmul"} <= set(labels) and "x" not in labels
    assert "pl.exp(" in at(server, source, "y[:] = pl.ex")["hover"]
    found = at(server, source, "pl.exp(x")
    assert "tensor [N] FP32" in found["hover"] and found["call"].startswith("pl.exp(")
    # A file that is only half written has offers too.
    half = source.replace("pl.exp(x)", "pl.row_")
    assert "row_sum" in [offer["label"] for offer in at(server, half, "pl.row_")["offers"]]


@pytest.mark.parametrize("place", ["", "x", "1:1 --target cpu", "--help", "1" * 99, "7:-1", "/etc/passwd", 7])
def test_positions_are_numbers(server, place):
    reply = server.work("at", source=COPY.format(before="", value="x"), place=place)
    assert not reply["ok"] and re.search(r"is not LINE:COLUMN|wants LINE:COLUMN", reply["text"])


@pytest.mark.parametrize("place", ["99999:1", "1:99999", "0:0", "9999999:999999", "1", ":"])
def test_positions_outside_are_answered(server, place):
    reply = server.work("at", source=COPY.format(before="", value="x"), place=place)
    assert reply["ok"] == place.startswith(("9", "1:")) or "LINE:COLUMN" in reply["text"]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1", "[::1]:{port}", ""]
)
def test_other_hosts_are_refused(server, host):
    status, text, _ = server.ask("choices", Host=host.format(port=server.port))
    assert status == 403 and "example" not in text


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1:{port}"])
def test_other_pages_are_refused(server, origin):
    origin = origin.format(port=server.port)
    body = json.dumps({"source": ""})
    assert server.ask("check", "POST", body, Content_Type="application/json", Origin=origin)[0] == 403


def test_its_own_page_is_answered(server):
    for name in ("127.0.0.1", "localhost"):
        host = f"{name}:{server.port}"
        assert server.ask("", Host=host, Origin=f"http://{host}")[0] == 200


def test_forms_of_other_pages_are_refused(server):
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert server.ask("check", "POST", json.dumps({"source": ""}), Content_Type=kind)[0] == 415


@pytest.mark.parametrize(
    "path", ["/", "/{wrong}/", "/{short}/", "/{token}", "/{token}x/", "/choices", "//{token}/", "/%2e/"]
)
def test_the_token_is_needed(server, path):
    wrong = "0" * 32
    path = path.format(wrong=wrong, short=server.token[:-1], token=server.token)
    assert server.ask("", whole_path=path)[0] == 403


@pytest.mark.parametrize(
    "path",
    ["../../etc/passwd", "%2e%2e/%2e%2e/etc/passwd", "..\\..\\etc\\passwd", "/etc/passwd", "page.js/../../x",
     "report/../x", "report/999", "report/-1", "report/18446744073709551616",
     "report/", "page.html", "choices?x", "choices\0"],
)  # fmt: skip
def test_there_are_no_paths(server, path):
    data = f"GET /{server.token}/{path} HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nConnection: close\r\n\r\n"
    reply = server.send(data.encode())
    assert re.match(r"HTTP/1\.1 40[04] ", reply) and "root:" not in reply


def test_large_requests_are_refused(server):
    head = f"POST /{server.token}/check HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\nContent-Type: application/json\r\n"
    assert server.send(f"{head}Content-Length: 1000000000000\r\n\r\n".encode()).startswith("HTTP/1.1 413 ")
    chunk = "40000\r\n" + "x" * 0x40000 + "\r\n"
    chunked = f"{head}Transfer-Encoding: chunked\r\n\r\n" + chunk * 2 + "0\r\n\r\n"
    assert server.send(chunked.encode()).startswith("HTTP/1.1 413 ")
    assert server.send(f"{head}X: {'x' * 10000}\r\n\r\n".encode()).startswith("HTTP/1.1 431 ")
    assert server.send(b"GET /" + b"x" * 100000).startswith("HTTP/1.1 431 ")


@pytest.mark.parametrize(
    "data", [b"\0" * 100, b"HELLO\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03" * 9]
)
def test_what_is_not_http_is_refused(server, data):
    assert re.match(r"HTTP/1\.1 4\d\d |$", server.send(data))
    assert server.ask("choices")[0] == 200


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "TRACE", "HEAD"])
def test_other_methods_are_refused(server, method):
    assert server.ask("choices", method)[0] == 405


@pytest.mark.parametrize(
    "body", ["", "[]", "{", "{}", '{"source": 3}', '{"source"', "[" * 200000, '{"source": "\\ud800"}']
)
def test_bodies_that_ask_nothing_are_refused(server, body):
    assert server.ask("check", "POST", body, Content_Type="application/json")[0] in (200, 400)
    assert server.ask("choices")[0] == 200


@pytest.mark.parametrize(
    "request_of",
    [{"sizes": "N=3 --out=x.npy"}, {"sizes": "N=3;ls"}, {"sizes": "N=a.npy"}, {"sizes": "--help"},
     {"scalars": "a=/etc/passwd"}, {"target": "npu:/etc/passwd"}, {"target": "--help"}, {"kernel": "../x"},
     {"kernel": "f --in x=/etc/passwd"}],
)  # fmt: skip
def test_values_are_neither_options_nor_files(server, request_of):
    reply = server.work("run", source=COPY.format(before="", value="x"), **request_of)
    assert not reply["ok"]
    assert re.match(
        r"error: ('.*' is not (NAME=NUMBER|the name of a kernel)|there is no '.*' to choose)", reply["text"]
    )


def test_machines_and_stages_are_chosen(server):
    source = COPY.format(before="", value="x")
    assert "there is no '/etc/passwd' to choose" in server.work("sim", source=source, machine="/etc/passwd")["text"]
    assert "there is no 'x' to choose" in server.work("ir", source=source, stage="x")["text"]


# landlock_create_ruleset, asked for its version.
CAN_CONFINE = ctypes.CDLL(None).syscall(444, None, 0, 1) >= 1


@pytest.mark.skipif(not CAN_CONFINE, reason="this system cannot confine processes")
def test_kernels_read_nothing_outside_their_folder(server):
    # Two folders above that of the kernel, where an import can look for it.
    (server.folder / "secret.py").write_text("VALUE = 42.0\n")
    source = COPY.format(before="from ...secret import VALUE", value="x + VALUE")
    reply = server.work("run", source=source, sizes="N=3")
    assert not reply["ok"] and "42" not in reply["text"]


def test_kernels_end_in_time_and_leave_nothing(tmp_path):
    server = Server(tmp_path, "--seconds", "2")
    begin = time.monotonic()
    reply = server.work("run", source=ENDLESS, sizes="N=9")
    assert not reply["ok"] and "ended after 2 seconds" in reply["text"]
    assert 1 < time.monotonic() - begin < 15
    assert [list(folder.iterdir()) for folder in tmp_path.glob("tegula-serve*")] == [[]]
    assert server.stop() == (-signal.SIGINT, "")


def test_large_kernels_get_no_memory(server):
    source = COPY.format(before="", value="x")
    reply = server.work("run", source=source, sizes="N=1200000000")
    assert not reply["ok"] and "memory" in reply["text"]


def test_ctrl_c_ends_it_with_its_kernels(tmp_path):
    server = Server(tmp_path)
    body = json.dumps({"source": ENDLESS, "sizes": "N=9"})
    connection = http.client.HTTPConnection("127.0.0.1", int(server.port))
    connection.request("POST", f"/{server.token}/run", body, {"Content-Type": "application/json"})
    while not list(tmp_path.glob("tegula-serve*/*/kernel.py")):
        time.sleep(0.05)
    assert server.stop() == (-signal.SIGINT, "")
    assert list(tmp_path.glob("tegula-serve*")) == []
    connection.close()


def test_a_silent_client_holds_nobody_up(server):
    with contextlib.ExitStack() as stack:
        for _ in range(20):
            stack.enter_context(socket.create_connection(("127.0.0.1", int(server.port))))
        assert server.ask("choices")[0] == 200


def test_silent_clients_make_room(server):
    """As many as are served at once, and more: those that have said nothing for longest go."""
    with contextlib.ExitStack() as stack:
        silent = [
            stack.enter_context(socket.create_connection(("127.0.0.1", int(server.port)), timeout=60))
            for _ in range(70)
        ]
        begin = time.monotonic()
        assert server.ask("choices")[0] == 200
        # No longer than until they would have been closed anyway.
        assert time.monotonic() - begin < 10
        # The first ones were closed.
        assert silent[0].recv(1) == b""


def test_a_port_that_is_taken_is_named(server):
    done = subprocess.run([BUILD / "bin" / "tegula", "serve", "--port", server.port], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == f"error: cannot listen at 127.0.0.1:{server.port}: Address already in use\n"


def test_only_the_loopback_address_listens(server):
    rows = (
        pathlib.Path("/proc/net/tcp").read_text().splitlines() + pathlib.Path("/proc/net/tcp6").read_text().splitlines()
    )
    addresses = [
        row.split()[1] for row in rows if row.split()[3] == "0A" and row.split()[1].endswith(f":{int(server.port):04X}")
    ]
    assert addresses == [f"0100007F:{int(server.port):04X}"]


@pytest.mark.skipif(not CHROMIUM, reason="there is no chromium")
def test_the_page_in_a_browser(server, tmp_path):
    with Page(tmp_path) as page:
        page.open(server.url)
        page.wait_for("byId('editor').value.includes('def softmax')")
        page.evaluate("byId('run').click()")
        page.wait_for("byId('status').textContent.includes('done')")
        assert "ok, largest error" in page.evaluate("byId('output').textContent")
        page.evaluate("byId('stage').value = 'frontend', byId('ir').click()")
        page.wait_for("byId('status').textContent.startsWith('stage frontend: done')")
        assert "func" in page.evaluate("byId('output').textContent")
        page.evaluate("byId('sim').click()")
        page.wait_for("byId('status').textContent.startsWith('simulation on tpuv3: done')")
        assert page.evaluate("!byId('report').hidden && byId('report').src.includes('/report/')")
        # A mistake is shown next to its line, and a click goes there.
        page.evaluate(
            "editor.value = editor.value.replace('pl.exp', 'pl.expp'), editor.dispatchEvent(new Event('input'))"
        )
        assert "'pl.expp' does not exist" in page.wait_for("byId('mistakes').textContent")
        page.evaluate("document.querySelector('#mistakes button').click()")
        assert page.evaluate("editor.value.slice(editor.selectionStart).startsWith('pl.expp')")
        # What a kernel says is text, never a part of the page.
        page.evaluate("editor.value = 'x = \"<img src=x onerror=alert(1)>\"', byId('run').click()")
        page.wait_for("byId('status').textContent.includes('failed')")
        assert page.evaluate("document.images.length") == 0
        assert page.errors == []


def type_keys(page, text):
    for key in text:
        page.send("Input.dispatchKeyEvent", type="keyDown", key=key, text=key)
        page.send("Input.dispatchKeyEvent", type="keyUp", key=key)


def press(page, key, **more):
    page.send("Input.dispatchKeyEvent", type="rawKeyDown", key=key, **more)
    page.send("Input.dispatchKeyEvent", type="keyUp", key=key, **more)


@pytest.mark.skipif(not CHROMIUM, reason="there is no chromium")
def test_the_editor_offers_and_explains(server, tmp_path):
    with Page(tmp_path) as page:
        page.open(server.url)
        page.wait_for("byId('editor').value.includes('def softmax')")
        text = COPY.format(before="", value="").rstrip()
        page.evaluate(f"editor.focus(), editor.value = {json.dumps(text + ' ')}")
        page.evaluate("editor.setSelectionRange(editor.value.length, editor.value.length)")
        # A dot asks, letters choose, and Enter takes.
        type_keys(page, "pl.")
        page.wait_for("!offers.hidden && offers.children.length > 20")
        type_keys(page, "row_su")
        assert page.wait_for("offers.children.length < 5 && offers.children[0].dataset.label") == "row_sum"
        press(page, "Enter", windowsVirtualKeyCode=13)
        assert page.evaluate("editor.value.endsWith('y[:] = pl.row_sum')") and page.evaluate("offers.hidden")
        # Names of the file are offered on request; the arrows go around, and Escape leaves.
        type_keys(page, "(")
        press(page, " ", modifiers=2, windowsVirtualKeyCode=32)
        page.wait_for("!offers.hidden")
        assert page.evaluate("[...offers.children].some(item => item.dataset.label === 'x')")
        press(page, "ArrowUp", windowsVirtualKeyCode=38)
        assert page.evaluate("offers.lastChild.getAttribute('aria-selected')") == "true"
        press(page, "Escape", windowsVirtualKeyCode=27)
        assert page.evaluate("offers.hidden") and page.evaluate("editor.value.endsWith('pl.row_sum(')")
        # The mouse rests on the name of a function, and then on nothing.
        point = page.evaluate(
            """(() => { const box = editor.getBoundingClientRect(), size = measure();
              const lines = editor.value.split("\\n"), column = lines[lines.length - 1].indexOf("row_sum");
              return [box.left + size.left + (column + 2.5) * size.width,
                      box.top + size.top + (lines.length - 0.5) * size.height]; })()"""
        )
        page.send("Input.dispatchMouseEvent", type="mouseMoved", x=point[0], y=point[1])
        assert "pl.row_sum(" in page.wait_for("!tip.hidden && tip.textContent")
        page.send("Input.dispatchMouseEvent", type="mouseMoved", x=point[0], y=point[1] + 100)
        page.wait_for("tip.hidden")
        assert page.errors == []
