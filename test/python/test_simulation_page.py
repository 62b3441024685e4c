# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page that `tegula sim --report` writes, in a browser."""

import json
import pathlib
import re
import shutil
import subprocess

import pytest
from conftest import BUILD

CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.skipif(not CHROMIUM, reason="there is no chromium")

CATCH = (
    "<head><script>addEventListener('error', event => document.documentElement.dataset.error = event.message)</script>"
)
PROBE = """
<script>
const seen = {}, canvas = byId("timeline"), width = canvas.clientWidth;
const range = () => byId("range").textContent;
const send = (kind, init) => canvas.dispatchEvent(new (kind === "wheel" ? WheelEvent : PointerEvent)(kind,
  { bubbles: true, cancelable: true, clientX: canvas.getBoundingClientRect().left + (left + width) / 2,
    clientY: canvas.getBoundingClientRect().top + 8, ...init }));
function countColours(id) {
  const canvas = byId(id), pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
  const found = {};
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = "#" + [0, 1, 2].map(part => pixels[at + part].toString(16).padStart(2, "0")).join("");
    if (colours.includes(colour)) found[colour] = (found[colour] || 0) + 1;
  }
  return found;
}
seen.units = [...new Set(ops.map(op => colours[op.unit]))];
seen.timeline = countColours("timeline");
seen.memory = countColours("memory");
seen.all = range();
for (let turn = 0; turn < 8; ++turn) send("wheel", { deltaY: -100 });
seen.zoomed = range();
seen.zoomedTimeline = countColours("timeline");
send("pointermove", { buttons: 1, movementX: 100 });
seen.dragged = range();
for (let turn = 0; turn < 80; ++turn) send("wheel", { deltaY: -100 });
seen.closest = range();
for (let turn = 0; turn < 200; ++turn) send("wheel", { deltaY: 100 });
seen.farthest = range();
show(100, 900);
byId("all").click();
seen.again = range();
const first = ops.find(op => rowOf.get(op.track) === 0);
const middle = (first.start + first.stop) / 2 / end;
send("pointermove", { clientX: canvas.getBoundingClientRect().left + left + middle * (width - left) });
seen.op = byId("op").textContent;
seen.first = first;
document.documentElement.dataset.seen = JSON.stringify(seen);
</script></body>
"""


def simulate(path, *words):
    done = subprocess.run(
        [BUILD / "bin" / "tegula", "sim", *words, "--report", path], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return path.read_text()


def open_page(tmp_path, html):
    """Returns the page as it is after its scripts ran, and what the probe saw."""
    page = tmp_path / "probed.html"
    page.write_text(html.replace("<head>", CATCH).replace("</body>", PROBE))
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", "--virtual-time-budget=5000", "--dump-dom", page.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    tag = re.search(r"<html[^>]*>", done.stdout)[0]
    assert "data-error" not in tag, tag
    seen = re.search(r'data-seen="([^"]*)"', tag)
    assert seen, tag
    dom = re.sub(r"<script>.*?</script>", "", done.stdout, flags=re.DOTALL)
    assert "NaN" not in dom and "undefined" not in dom
    return dom, json.loads(seen[1].replace("&quot;", '"').replace("&amp;", "&"))


def numbers(text):
    """Returns the numbers of 'cycles 1,000 to 2,000 of 3,000'."""
    return [int(number.replace(",", "")) for number in re.findall(r"[\d,]+", text)]


def part(dom, kind, name):
    return re.search(rf'<{kind}[^>]*id="{name}".*?</{kind}>', dom, re.DOTALL)[0]


@pytest.fixture(scope="module")
def product(tmp_path_factory):
    folder = tmp_path_factory.mktemp("page")
    html = simulate(
        folder / "r.html", "--workload", "gemm", "--dim", "M=128..1024:x2", "--dim", "N=512", "--dim", "K=512"
    )
    return open_page(folder, html)


def test_everything_is_drawn(product):
    dom, seen = product
    assert "<title>gemm M=1024 N=512 K=512 on tpuv3</title>" in dom
    assert "TFLOP/s</b>" in dom and "GB/s</b>" in dom
    assert part(dom, "svg", "stalls").count("<rect") >= 8
    assert "matmul" in part(dom, "div", "stallKey")
    roofline = part(dom, "svg", "roofline")
    assert roofline.count("<circle") == 1 and "TFLOP/s at" in roofline and "450 GB/s" in roofline
    assert part(dom, "svg", "traffic").count("<rect") == 6
    assert dom.count("<polyline") >= 4
    assert "written by hand" in part(dom, "pre", "words")
    assert set(seen["timeline"]) == set(seen["units"])
    assert set(seen["memory"]) <= set(seen["units"]) and seen["memory"]


def test_the_timeline_zooms_and_moves(product):
    _, seen = product
    start, stop, end = numbers(seen["all"])
    assert (start, stop) == (0, end)
    start, stop, _ = numbers(seen["zoomed"])
    # Around the middle, and 0.8 ** 8 as long.
    assert 0 < start < end / 2 < stop < end
    assert abs((stop - start) - end * 0.8**8) < 0.02 * end
    assert seen["zoomedTimeline"] != seen["timeline"]
    moved_start, moved_stop, _ = numbers(seen["dragged"])
    assert moved_start < start and abs((moved_stop - moved_start) - (stop - start)) <= 2
    start, stop, _ = numbers(seen["closest"])
    assert stop - start <= 12
    assert seen["farthest"] == seen["all"] == seen["again"]


def test_pointing_at_an_operation_says_what_it_is(product):
    _, seen = product
    assert seen["op"].startswith(seen["first"]["name"] + ", cycles ")
    assert f"work item {seen['first']['item']}" in seen["op"]
    assert "line " in seen["op"] and "tile " in seen["op"]


def test_a_kernel_without_matmuls_and_many_cores(tmp_path):
    html = simulate(
        tmp_path / "r.html", "--workload", "layernorm", "--npu", "ascend910b", "--dim", "M=512", "--dim", "N=256"
    )
    dom, seen = open_page(tmp_path, html)
    assert "this kernel has no matmul" in part(dom, "svg", "roofline")
    assert set(seen["timeline"]) == set(seen["units"])


def test_chips_and_the_links_between_them(tmp_path):
    program = f"{pathlib.Path(__file__).parents[2]}/examples/ranks/allreduce.py:allreduce"
    html = simulate(tmp_path / "r.html", program, "--npu", "tpuv4", "--ranks", "4", "--dim", "NR=4", "--dim", "N=4096")
    dom, seen = open_page(tmp_path, html)
    chips = part(dom, "svg", "chips")
    assert chips.count(">chip ") == 4 and chips.count("<rect") == 16
    ends = [float(x) + float(w) for x, w in re.findall(r'<rect x="([\d.]+)" y="\d+" width="([\d.]+)"', chips)][3::4]
    assert len(ends) == 4 and max(ends) - min(ends) < 0.1
    assert part(dom, "svg", "links").count("<rect") > 0
    assert set(seen["timeline"]) == set(seen["units"])
