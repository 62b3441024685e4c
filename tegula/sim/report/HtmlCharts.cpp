// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/HtmlPage.h"

const char tegula::sim::htmlCharts[] = R"html(
function svgNode(parent, kind, attributes, text) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", kind);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  if (text !== undefined) node.textContent = text;
  parent.appendChild(node);
  return node;
}
function addKey(id, colour, text) {
  const entry = document.createElement("span"), box = document.createElement("i");
  box.style.background = colour;
  entry.append(box, text);
  byId(id).appendChild(entry);
}
function drawWords() {
  document.title = data.title + " on " + data.machine;
  byId("title").textContent = data.title + " on " + data.machine;
  byId("machine").textContent = data.description;
  byId("words").textContent = data.words;
  for (const [label, value, detail] of data.cards) {
    const card = document.createElement("div"), number = document.createElement("b");
    card.className = "card";
    number.textContent = value;
    card.append(label, number, detail);
    byId("cards").appendChild(card);
  }
}
function drawStalls() {
  const svg = byId("stalls"), used = new Map(), start = 90, width = 900, green = colours[2];
  const waits = colours.filter(colour => colour !== green), last = data.causes.length - 1;
  svg.setAttribute("viewBox", "0 0 1190 " + (24 * data.stalls.length + 2));
  data.stalls.forEach((unit, row) => {
    svgNode(svg, "text", { x: 2, y: 24 * row + 16 }, unit.name);
    let x = start;
    unit.shares.forEach((share, cause) => {
      if (share === 0) return;
      const colour = cause === 0 ? green : cause === last ? "#80808055" : waits[(cause - 1) % waits.length];
      used.set(cause, colour);
      const part = svgNode(svg, "rect", { x, y: 24 * row + 2, width: width * share, height: 19, fill: colour });
      svgNode(part, "title", {}, unit.name + ": " + data.causes[cause] + " " + (100 * share).toFixed(1) + " %");
      if (share > 0.05)
        svgNode(svg, "text", { x: x + 5, y: 24 * row + 16, style: "pointer-events: none; fill: " +
          (cause === last ? "var(--weak)" : "#fff") }, (100 * share).toFixed(1));
      x += width * share;
    });
    svgNode(svg, "text", { x: start + width + 10, y: 24 * row + 16, class: "weak" },
      "busy " + (100 * unit.shares[0]).toFixed(1) + " %, useful " + (100 * unit.useful).toFixed(1) + " %");
  });
  for (const [cause, colour] of [...used].sort((a, b) => a[0] - b[0])) addKey("stallKey", colour, data.causes[cause]);
}
function drawRoofline() {
  const svg = byId("roofline"), roof = data.roofline, ridge = roof.peak / roof.bandwidth * 1e3;
  svg.setAttribute("viewBox", "0 0 580 330");
  const points = [ridge, ...(roof.intensity > 0 ? [roof.intensity] : [])];
  const lows = [roof.peak, ...(roof.flops > 0 ? [roof.flops] : [])];
  const minX = 10 ** Math.floor(Math.log10(Math.min(...points)) - 1), maxX = 10 ** Math.ceil(Math.log10(Math.max(...points)) + 1);
  const minY = 10 ** Math.floor(Math.log10(Math.min(...lows)) - 1), maxY = 10 ** Math.ceil(Math.log10(roof.peak) + 0.2);
  const x = value => 64 + 480 * Math.log(value / minX) / Math.log(maxX / minX);
  const y = value => 280 - 264 * Math.log(Math.max(value, minY) / minY) / Math.log(maxY / minY);
  const axis = (low, high, draw) => { for (let tick = low; tick <= high * 1.001; tick *= 10) draw(tick); };
  axis(minX, maxX, tick => {
    svgNode(svg, "path", { d: "M" + x(tick) + " 16V280", stroke: "var(--line)" });
    svgNode(svg, "text", { x: x(tick), y: 298, class: "weak", "text-anchor": "middle" }, round(tick));
  });
  axis(minY, maxY, tick => {
    svgNode(svg, "path", { d: "M64 " + y(tick) + "H544", stroke: "var(--line)" });
    svgNode(svg, "text", { x: 56, y: y(tick) + 4, class: "weak", "text-anchor": "end" }, round(tick));
  });
  svgNode(svg, "text", { x: 304, y: 320, class: "weak", "text-anchor": "middle" }, "FLOP per byte of DRAM");
  svgNode(svg, "text", { x: 14, y: 148, class: "weak", "text-anchor": "middle", transform: "rotate(-90 14 148)" }, "TFLOP/s");
  const bottom = Math.max(minX, minY / roof.bandwidth * 1e3);
  const roofPoints = [[bottom, bottom * roof.bandwidth * 1e-3], [ridge, roof.peak], [maxX, roof.peak]];
  svgNode(svg, "polyline", { points: roofPoints.map(p => x(p[0]) + "," + y(p[1])).join(" "), fill: "none", stroke: colours[0],
    "stroke-width": 2 });
  svgNode(svg, "text", { x: 540, y: y(roof.peak) - 7, "text-anchor": "end" }, round(roof.peak) + " TFLOP/s");
  const middle = Math.sqrt(bottom * ridge), slope = Math.atan2(y(ridge * roof.bandwidth * 1e-3) - y(middle * roof.bandwidth * 1e-3),
    x(ridge) - x(middle)) * 180 / Math.PI;
  svgNode(svg, "text", { x: x(middle), y: y(middle * roof.bandwidth * 1e-3) - 8, "text-anchor": "middle",
    transform: "rotate(" + slope + " " + x(middle) + " " + y(middle * roof.bandwidth * 1e-3) + ")" }, round(roof.bandwidth) + " GB/s");
  if (roof.flops > 0 && roof.intensity > 0) {
    svgNode(svg, "circle", { cx: x(roof.intensity), cy: y(roof.flops), r: 5, fill: colours[7] });
    const isRight = x(roof.intensity) > 340;
    svgNode(svg, "text", { x: x(roof.intensity) + (isRight ? -10 : 10), y: y(roof.flops) + 18,
      "text-anchor": isRight ? "end" : "start" },
      round(roof.flops) + " TFLOP/s at " + round(roof.intensity) + " FLOP/byte");
  } else {
    svgNode(svg, "text", { x: 304, y: 136, "text-anchor": "middle" }, "this kernel has no matmul");
  }
}
function drawTraffic() {
  const svg = byId("traffic"), most = Math.max(1, ...data.tensors.map(tensor => tensor.loaded + tensor.stored));
  svg.setAttribute("viewBox", "0 0 560 " + (44 * Math.max(1, data.tensors.length) + 4));
  data.tensors.forEach((tensor, row) => {
    const y = 44 * row, loaded = 556 * tensor.loaded / most, stored = 556 * tensor.stored / most;
    const parts = [...(tensor.loaded > 0 ? [bytes(tensor.loaded) + " loaded"] : []),
      ...(tensor.stored > 0 ? [bytes(tensor.stored) + " stored"] : [])];
    svgNode(svg, "text", { x: 2, y: y + 15 }, tensor.name);
    svgNode(svg, "text", { x: 558, y: y + 15, class: "weak", "text-anchor": "end" }, parts.join(", "));
    svgNode(svg, "rect", { x: 2, y: y + 21, width: loaded, height: 16, fill: colours[0] });
    svgNode(svg, "rect", { x: 2 + loaded, y: y + 21, width: stored, height: 16, fill: colours[1] });
  });
  addKey("trafficKey", colours[0], "loaded");
  addKey("trafficKey", colours[1], "stored");
}
for (const draw of [drawWords, drawTimeline, drawMemory, drawStalls, drawRoofline, drawTraffic]) draw();
addEventListener("resize", () => show(from, to));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => show(from, to));
</script></body></html>
)html";
