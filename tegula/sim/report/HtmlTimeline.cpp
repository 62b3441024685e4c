// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/HtmlPage.h"

const char tegula::sim::htmlTimeline[] = R"html(;
const colours = ["#3b82c4", "#d9822b", "#3a9e5f", "#c75a8a", "#8a6fd1", "#a98b32", "#2fa3a3", "#c4524a", "#6b8fb5",
  "#7d9a3c", "#b56b45", "#9a5fb0", "#4f7f6f", "#b0606f", "#6f6fb0", "#8f8f5f", "#a0a6ad"];
const byId = id => document.getElementById(id);
const round = (value, digits = 4) => Number(value.toPrecision(digits)).toLocaleString("en", { maximumFractionDigits: 6 });
const bytes = value => value < 1000 ? value + " B" : value < 1e6 ? round(value / 1e3) + " kB" :
  value < 1e9 ? round(value / 1e6) + " MB" : round(value / 1e9) + " GB";
const themed = name => getComputedStyle(document.documentElement).getPropertyValue(name);

/// A canvas with as many pixels as the screen gives it; draws in CSS pixels.
function prepare(canvas, height) {
  const ratio = devicePixelRatio || 1;
  canvas.style.height = height + "px";
  canvas.width = Math.round(canvas.clientWidth * ratio);
  canvas.height = Math.round(height * ratio);
  const pen = canvas.getContext("2d");
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, canvas.clientWidth, height);
  pen.font = "12px system-ui, sans-serif";
  return pen;
}

const left = 128, end = data.end;
const ops = data.ops.map(([name, core, unit, start, stop, ready, line, item, cause, tile]) =>
  ({ name: data.names[name], core, unit, start, stop, ready, line, item, cause, tile, track: core * 16 + unit }));
const tracks = [...new Set(ops.map(op => op.track))].sort((a, b) => a - b);
const rowHeight = tracks.length > 32 ? 13 : 22, textSize = tracks.length > 32 ? 10 : 12;
const rowOf = new Map(tracks.map((track, row) => [track, row]));
let from = 0, to = end;

/// Round moments along a canvas, with a line for each.
function drawTicks(pen, width, height) {
  const least = (to - from) / Math.max(2, (width - left) / 110), power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(1, [1, 2, 5, 10].find(factor => factor * power >= least) * power);
  for (let tick = Math.ceil(from / step) * step; tick <= to; tick += step) {
    const x = left + (tick - from) / (to - from) * (width - left);
    pen.fillStyle = themed("--line");
    pen.fillRect(x, 0, 1, height - 18);
    pen.fillStyle = themed("--weak");
    const text = tick.toLocaleString("en");
    pen.fillText(text, Math.max(left, Math.min(x - pen.measureText(text).width / 2,
      width - pen.measureText(text).width - 2)), height - 5);
  }
}

function drawTimeline() {
  const canvas = byId("timeline"), width = canvas.clientWidth, height = rowHeight * tracks.length + 24;
  const pen = prepare(canvas, height), scale = (width - left) / (to - from);
  drawTicks(pen, width, height);
  for (const op of ops) {
    if (op.stop < from || op.start > to) continue;
    const x = left + (Math.max(op.start, from) - from) * scale;
    const length = Math.max(0.7, (Math.min(op.stop, to) - Math.max(op.start, from)) * scale);
    const y = rowHeight * rowOf.get(op.track) + (rowHeight > 20 ? 3 : 2);
    pen.fillStyle = colours[op.unit];
    pen.fillRect(x, y, length > 3 ? length - 1 : length, rowHeight - (rowHeight > 20 ? 5 : 3));
    if (length > 44 && rowHeight > 20) {
      pen.save();
      pen.beginPath();
      pen.rect(x, y, length - 3, rowHeight);
      pen.clip();
      pen.fillStyle = "#fff";
      pen.fillText(op.name, x + 4, y + 13);
      pen.restore();
    }
  }
  pen.fillStyle = themed("--text");
  pen.font = textSize + "px system-ui, sans-serif";
  tracks.forEach((track, row) => pen.fillText("core " + (track >> 4) + "  " + data.units[track & 15], 6,
    rowHeight * row + (rowHeight + textSize) / 2));
  byId("range").textContent = "cycles " + Math.round(from).toLocaleString("en") + " to " +
    Math.ceil(to).toLocaleString("en") + " of " + Math.ceil(end).toLocaleString("en");
}

const lives = data.lives.map(([op, space, begin, size, start, stop]) =>
  ({ name: ops[op].name, unit: ops[op].unit, core: ops[op].core, space, begin, size, start, stop }));
function drawMemory() {
  const core = Number(byId("core").value), space = Number(byId("space").value);
  const shown = lives.filter(life => life.core === core && life.space === space);
  const most = Math.max(1, ...shown.map(life => life.begin + life.size));
  const canvas = byId("memory"), width = canvas.clientWidth, height = 260, pen = prepare(canvas, height);
  const scale = (width - left) / (to - from), top = height - 24;
  drawTicks(pen, width, height);
  for (const life of shown) {
    if (life.stop < from || life.start > to) continue;
    const x = left + (Math.max(life.start, from) - from) * scale;
    const length = Math.max(0.7, (Math.min(life.stop, to) - Math.max(life.start, from)) * scale);
    const tall = Math.max(1, top * life.size / most), y = top - top * life.begin / most - tall;
    pen.fillStyle = colours[life.unit];
    pen.fillRect(x, y, length > 3 ? length - 1 : length, tall > 3 ? tall - 1 : tall);
  }
  pen.fillStyle = themed("--weak");
  for (let part = 0; part <= 4; ++part) pen.fillText(bytes(Math.round(most * part / 4)), 6,
    Math.max(11, top - top * part / 4 + (part === 0 ? 0 : 5)));
  byId("held").textContent = data.spaces[space] + " of core " + core + ": " + bytes(most) + " of " +
    bytes(data.spaceBytes[space]) + " used; from bottom to top by address, coloured by the unit that wrote";
}

function show(newFrom, newTo) {
  const length = Math.min(end, Math.max(Math.min(10, end), newTo - newFrom));
  from = Math.max(0, Math.min(newFrom, end - length));
  to = from + length;
  drawTimeline();
  drawMemory();
}
function timeAt(event) {
  const width = event.currentTarget.clientWidth - left;
  return from + Math.max(0, event.offsetX - left) / width * (to - from);
}
for (const id of ["timeline", "memory"]) {
  const canvas = byId(id);
  canvas.addEventListener("wheel", event => {
    event.preventDefault();
    const at = timeAt(event), factor = event.deltaY > 0 ? 1.25 : 0.8;
    show(at - (at - from) * factor, at + (to - at) * factor);
  }, { passive: false });
  canvas.addEventListener("dblclick", () => show(0, end));
  canvas.addEventListener("pointermove", event => {
    if (event.buttons) {
      const by = -event.movementX / (canvas.clientWidth - left) * (to - from);
      show(from + by, to + by);
    }
  });
}
byId("all").addEventListener("click", () => show(0, end));
byId("timeline").addEventListener("pointermove", event => {
  const time = timeAt(event), track = tracks[Math.floor(event.offsetY / rowHeight)];
  const op = ops.find(op => op.track === track && op.start <= time && time < op.stop);
  byId("op").textContent = op ? op.name + ", cycles " + round(op.start, 8) + " to " + round(op.stop, 8) +
    ", result at " + round(op.ready, 8) + ", line " + op.line + ", tile " + op.tile.join(" ") + ", work item " + op.item +
    (op.cause < 0 ? "" : ", waited for " + data.causes[op.cause + 1]) : "";
});
function fillChoice(id, entries) {
  for (const [value, text] of entries) byId(id).add(new Option(text, value));
  byId(id).addEventListener("change", drawMemory);
}
fillChoice("core", [...new Set(ops.map(op => op.core))].sort((a, b) => a - b).map(core => [core, core]));
fillChoice("space", [...new Set(lives.map(life => life.space))].sort().map(space => [space, data.spaces[space]]));
if (data.isCut) byId("cut").textContent = "; only the first " + ops.length.toLocaleString("en") + " operations are drawn";
)html";
