// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tegula/sim/report/HtmlPage.h"

const char tegula::sim::htmlHead[] = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Tegula simulation</title>
<style>
:root { color-scheme: light dark; --back: #fff; --text: #1f2328; --weak: #656d76; --line: #d8dee4; --card: #f6f8fa; }
@media (prefers-color-scheme: dark) {
  :root { --back: #14181d; --text: #e6edf3; --weak: #9198a1; --line: #363d46; --card: #1e242b; }
}
body { font: 14px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 24px; max-width: 1240px;
  background: var(--back); color: var(--text); }
h1 { font-size: 20px; margin: 0; }
h2 { font-size: 16px; margin: 32px 0 8px; }
p { margin: 4px 0; }
.weak { color: var(--weak); font-size: 12px; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 12px; margin-top: 16px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 10px 14px; }
.card b { display: block; font-size: 20px; font-weight: 600; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(420px, 100%), 1fr)); gap: 24px; }
canvas { display: block; width: 100%; border: 1px solid var(--line); border-radius: 4px; }
#timeline { cursor: grab; touch-action: none; }
.drawing { display: block; width: 100%; }
.drawing text { fill: var(--text); font-size: 12px; }
.drawing .weak { fill: var(--weak); }
#sweep svg { display: block; width: 100%; max-width: 900px; }
.key span { display: inline-block; margin: 4px 14px 0 0; font-size: 12px; }
.key i { display: inline-block; width: 10px; height: 10px; border-radius: 2px; margin-right: 5px; }
#op { min-height: 1.5em; }
button, select { font: inherit; font-size: 12px; }
pre { background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 12px; overflow-x: auto;
  font-size: 12px; }
</style></head><body>
<h1 id="title"></h1><p class="weak" id="machine"></p>
<div class="cards" id="cards"></div>
<h2>Timeline</h2>
<p class="weak"><span id="range"></span> <button id="all">show all</button> wheel: zoom, drag: move<span id="cut"></span></p>
<canvas id="timeline"></canvas><p class="weak" id="op"></p>
<h2>Memory of core <select id="core"></select> over time: <select id="space"></select></h2>
<canvas id="memory"></canvas><p class="weak" id="held"></p>
<h2>Where the time of each unit went</h2>
<svg class="drawing" id="stalls"></svg><div class="key" id="stallKey"></div>
<div class="pair"><div><h2>Roofline</h2><svg class="drawing" id="roofline"></svg></div>
<div><h2>Traffic per tensor</h2><svg class="drawing" id="traffic"></svg><div class="key" id="trafficKey"></div></div></div>
)html";

const char tegula::sim::htmlBeforeData[] =
    R"html(<h2>In words</h2><pre id="words"></pre>
<script>
const data = )html";
