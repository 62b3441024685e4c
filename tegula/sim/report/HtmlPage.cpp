// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/HtmlPage.h"

const char tegula::sim::htmlHead[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Tegula simulation</title>
<style>
body { font: 14px sans-serif; margin: 1.5em; max-width: 1200px; color: #222; }
h2 { font-size: 16px; margin: 1.5em 0 .4em; }
pre { background: #f5f5f5; padding: .8em; overflow-x: auto; font-size: 12px; }
canvas, svg { border: 1px solid #ddd; display: block; width: 100%; }
.hint { color: #777; font-size: 12px; }
.key span { display: inline-block; margin-right: 1em; font-size: 12px; }
.key i { display: inline-block; width: 10px; height: 10px; margin-right: 4px; }
</style></head><body>
<h2>Summary</h2><pre id="summary"></pre>
<h2>Timeline</h2><div class="hint" id="hint"></div>
<canvas id="timeline" height="300"></canvas><div class="hint" id="op">&nbsp;</div>
<h2>Where the time of each unit went</h2><svg id="stalls"></svg><div class="key" id="stallKey"></div>
<h2>Roofline</h2><svg id="roofline" viewBox="0 0 800 320"></svg>
<h2>Traffic per tensor</h2><svg id="traffic"></svg>
<h2>Scratchpads over time</h2><canvas id="scratchpad" height="260"></canvas>
<div id="sweepPart"><h2>Cycles over the extent</h2><svg id="sweep" viewBox="0 0 800 320"></svg></div>
<script>
const data = )html";

const char tegula::sim::htmlTail[] = R"html(;
const colours = ["#4477aa", "#cc6677", "#117733", "#ddcc77", "#88ccee", "#aa4499", "#44aa99", "#999933", "#882255",
  "#661100", "#6699cc", "#888888", "#332288", "#e69f00", "#56b4e9", "#bbbbbb", "#dddddd"];
const byId = id => document.getElementById(id);
const svgNode = (parent, kind, attributes, text) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
};
byId("summary").textContent = data.summary;
byId("hint").textContent = "wheel: zoom, drag: move, double click: all; a column is one cycle wide at the closest" +
  (data.isCut ? "; only the first operations are shown" : "");

const end = Math.max(1, ...data.ops.map(op => op.end));
let from = 0, to = end;
const tracks = [...new Set(data.ops.map(op => op.core * 16 + op.unit))].sort((a, b) => a - b);
function drawTimeline() {
  const canvas = byId("timeline"), pen = canvas.getContext("2d");
  canvas.width = canvas.clientWidth;
  canvas.height = Math.max(60, 18 * tracks.length + 20);
  const left = 110, scale = (canvas.width - left) / (to - from);
  pen.font = "11px sans-serif";
  tracks.forEach((track, row) => {
    pen.fillStyle = "#222";
    pen.fillText("core " + (track >> 4) + " " + data.units[track & 15], 2, 18 * row + 13);
  });
  for (const op of data.ops) {
    if (op.end < from || op.start > to) continue;
    const x = left + (Math.max(op.start, from) - from) * scale;
    const width = Math.max(1, (Math.min(op.end, to) - Math.max(op.start, from)) * scale);
    const y = 18 * tracks.indexOf(op.core * 16 + op.unit) + 2;
    pen.fillStyle = colours[op.unit];
    pen.fillRect(x, y, width, 14);
    if (width > 60) {
      pen.fillStyle = "#fff";
      pen.fillText(op.name.slice(0, width / 6), x + 3, y + 11);
    }
  }
  pen.fillStyle = "#777";
  pen.fillText(Math.round(from) + " cycles", left, canvas.height - 4);
  pen.fillText(Math.round(to) + "", canvas.width - 60, canvas.height - 4);
}
const timeline = byId("timeline");
const timeAt = event => from + (event.offsetX - 110) / (timeline.clientWidth - 110) * (to - from);
timeline.addEventListener("wheel", event => {
  event.preventDefault();
  const at = timeAt(event), factor = event.deltaY > 0 ? 1.25 : 0.8;
  from = Math.max(0, at - (at - from) * factor);
  to = Math.min(end, Math.max(from + 20, at + (to - at) * factor));
  drawTimeline();
});
timeline.addEventListener("dblclick", () => { from = 0; to = end; drawTimeline(); });
timeline.addEventListener("mousemove", event => {
  if (event.buttons) {
    const by = -event.movementX / (timeline.clientWidth - 110) * (to - from);
    const moved = Math.min(Math.max(by, -from), end - to);
    from += moved;
    to += moved;
    drawTimeline();
    return;
  }
  const time = timeAt(event), track = tracks[Math.floor(event.offsetY / 18)];
  const op = data.ops.find(op => op.core * 16 + op.unit === track && op.start <= time && time < op.end);
  byId("op").textContent = op ? op.name + ", item " + op.item + ", line " + op.line + ", cycles " + op.start.toFixed(1) +
    " to " + op.end.toFixed(1) + (op.cause ? ", waited: " + op.cause : "") : "\u00a0";
});

function drawStalls() {
  const svg = byId("stalls"), used = new Set();
  svg.setAttribute("viewBox", "0 0 800 " + 22 * data.stalls.length);
  data.stalls.forEach((unit, row) => {
    svgNode(svg, "text", { x: 2, y: 22 * row + 15, "font-size": 11 }, unit.name);
    let x = 80;
    unit.shares.forEach((share, cause) => {
      if (share === 0) return;
      used.add(cause);
      const part = svgNode(svg, "rect", { x, y: 22 * row + 3, width: 710 * share, height: 16, fill: colours[cause] });
      svgNode(part, "title", {}, data.causes[cause] + " " + (100 * share).toFixed(1) + " %");
      x += 710 * share;
    });
  });
  for (const cause of used) {
    const key = document.createElement("span"), colour = document.createElement("i");
    colour.style.background = colours[cause];
    key.append(colour, data.causes[cause]);
    byId("stallKey").appendChild(key);
  }
}
function drawRoofline() {
  const svg = byId("roofline"), roof = data.roofline;
  const x = value => 60 + 720 * (Math.log10(value) + 1) / 6, y = value => 290 - 270 * (Math.log10(value) + 3) / 6;
  const ridge = roof.peak / roof.bandwidth * 1e3, points = [[0.1, roof.bandwidth * 1e-4], [ridge, roof.peak], [1e5, roof.peak]];
  svgNode(svg, "polyline", { points: points.map(p => x(p[0]) + "," + y(p[1])).join(" "), fill: "none", stroke: "#4477aa" });
  svgNode(svg, "text", { x: 62, y: 14, "font-size": 11 },
    "TFLOP/s over FLOP/byte; peak " + roof.peak.toFixed(1) + " TFLOP/s, " + roof.bandwidth.toFixed(0) + " GB/s");
  if (roof.flops > 0 && roof.intensity > 0) {
    svgNode(svg, "circle", { cx: x(roof.intensity), cy: y(roof.flops), r: 5, fill: "#cc6677" });
    svgNode(svg, "text", { x: x(roof.intensity) + 8, y: y(roof.flops) + 4, "font-size": 11 },
      roof.flops.toFixed(2) + " TFLOP/s at " + roof.intensity.toFixed(1));
  }
}
function drawTraffic() {
  const svg = byId("traffic"), most = Math.max(1, ...data.tensors.map(t => t.loaded + t.stored));
  svg.setAttribute("viewBox", "0 0 800 " + 22 * Math.max(1, data.tensors.length));
  data.tensors.forEach((tensor, row) => {
    svgNode(svg, "text", { x: 2, y: 22 * row + 15, "font-size": 11 }, tensor.name);
    const loaded = 500 * tensor.loaded / most, stored = 500 * tensor.stored / most;
    svgNode(svg, "rect", { x: 120, y: 22 * row + 3, width: loaded, height: 16, fill: colours[0] });
    svgNode(svg, "rect", { x: 120 + loaded, y: 22 * row + 3, width: stored, height: 16, fill: colours[1] });
    svgNode(svg, "text", { x: 126 + loaded + stored, y: 22 * row + 15, "font-size": 11 },
      (tensor.loaded / 1e6).toFixed(2) + " MB in, " + (tensor.stored / 1e6).toFixed(2) + " MB out");
  });
}
function drawScratchpad() {
  const canvas = byId("scratchpad"), pen = canvas.getContext("2d");
  canvas.width = canvas.clientWidth;
  const most = Math.max(1, ...data.lives.map(life => life.begin + life.size));
  const shown = data.lives.filter(life => life.core === 0 && life.space === 0);
  const last = Math.max(1, ...shown.map(life => life.to));
  shown.forEach((life, index) => {
    pen.fillStyle = colours[index % 11];
    pen.fillRect(life.from / last * canvas.width, 250 * life.begin / most,
      Math.max(1, (life.to - life.from) / last * canvas.width), Math.max(1, 250 * life.size / most));
  });
  pen.fillStyle = "#222";
  pen.font = "11px sans-serif";
  pen.fillText("core 0: bytes 0 to " + most + " downwards, cycles 0 to " + Math.round(last) + " to the right", 4, 258);
}
function drawSweep() {
  if (data.sweep.length === 0) {
    byId("sweepPart").remove();
    return;
  }
  const svg = byId("sweep"), mostX = Math.max(...data.sweep.map(p => p.extent));
  const mostY = Math.max(...data.sweep.map(p => p.cycles));
  const curve = (value, most) => data.sweep.map(p => (60 + 720 * p.extent / mostX) + "," + (300 - 280 * value(p) / most)).join(" ");
  svgNode(svg, "polyline", { points: curve(p => p.cycles, mostY), fill: "none", stroke: colours[0] });
  svgNode(svg, "polyline", { points: curve(p => p.share, 1), fill: "none", stroke: colours[1] });
  svgNode(svg, "text", { x: 62, y: 14, "font-size": 11 },
    "blue: cycles, up to " + mostY + "; red: share of the peak, up to 100 %; extent up to " + mostX);
}
for (const draw of [drawTimeline, drawStalls, drawRoofline, drawTraffic, drawScratchpad, drawSweep]) draw();
addEventListener("resize", () => { drawTimeline(); drawScratchpad(); });
</script></body></html>
)html";
