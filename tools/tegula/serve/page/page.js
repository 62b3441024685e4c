// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The playground: everything is asked of the server this page came from, and shown as text.
"use strict";

const byId = id => document.getElementById(id);
const editor = byId("editor");

async function ask(verb, more = {}) {
  const request = { source: editor.value, ...more };
  for (const field of ["sizes", "scalars", "target", "stage", "machine"]) request[field] = byId(field).value;
  const reply = await fetch(verb, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(request),
  });
  if (!reply.ok) return { ok: false, text: await reply.text() };
  return reply.json();
}

function showStatus(text, isGood) {
  byId("status").textContent = text;
  byId("status").className = isGood ? "" : "bad";
}

async function work(verb, what) {
  const buttons = [...document.querySelectorAll("nav button")];
  buttons.forEach(button => button.disabled = true);
  showStatus(what + " …", true);
  let reply;
  try {
    reply = await ask(verb);
  } catch {
    reply = { ok: false, text: "the server does not answer; is 'tegula serve' still running?" };
  }
  byId("output").textContent = reply.text;
  const time = reply.milliseconds === undefined ? "" : ", " + Math.round(reply.milliseconds) + " ms";
  showStatus(what + (reply.ok ? ": done" : ": failed") + time, reply.ok);
  byId("report").hidden = !reply.report;
  if (reply.report) byId("report").src = reply.report;
  buttons.forEach(button => button.disabled = false);
}

function goTo(line, column) {
  const lines = editor.value.split("\n");
  const at = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0) + column - 1;
  editor.focus();
  editor.setSelectionRange(at, at);
}

function showMistakes(mistakes) {
  byId("mistakes").replaceChildren(...mistakes.map(mistake => {
    const item = document.createElement("li"), button = document.createElement("button");
    item.className = mistake.severity;
    button.textContent = `${mistake.line}:${mistake.column} ${mistake.message}`;
    button.onclick = () => goTo(mistake.line, mistake.column);
    item.append(button);
    for (const note of mistake.notes || []) {
      const text = document.createElement("div");
      text.className = "note";
      text.textContent = note.message;
      item.append(text);
    }
    return item;
  }));
}

function showNumbers() {
  const count = editor.value.split("\n").length;
  byId("numbers").textContent = Array.from({ length: count }, (_, index) => index + 1).join("\n");
  byId("numbers").scrollTop = editor.scrollTop;
}

// Checked a moment after the last key; an answer to an older text is not shown.
let waiting = 0, numEdits = 0;
function check() {
  showNumbers();
  clearTimeout(waiting);
  waiting = setTimeout(async () => {
    const edit = ++numEdits;
    let mistakes = [];
    try {
      const reply = await ask("check");
      mistakes = JSON.parse(reply.text);
    } catch {
      return;
    }
    if (edit === numEdits) showMistakes(mistakes);
  }, 400);
}

function choose(example) {
  editor.value = example.source;
  byId("sizes").value = example.sizes;
  byId("scalars").value = example.scalars;
  check();
}

function addTo(list, names) {
  byId(list).replaceChildren(...names.map(name => new Option(name)));
}

editor.addEventListener("input", check);
editor.addEventListener("scroll", showNumbers);
editor.addEventListener("keydown", event => {
  if (event.key !== "Tab" || event.shiftKey || event.defaultPrevented) return;
  event.preventDefault();
  editor.setRangeText("    ", editor.selectionStart, editor.selectionEnd, "end");
  check();
});
document.addEventListener("keydown", event => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("run").click();
});
byId("run").onclick = () => work("run", "run " + byId("target").selectedOptions[0].textContent);
byId("ir").onclick = () => work("ir", "stage " + byId("stage").value);
byId("sim").onclick = () => work("sim", "simulation on " + byId("machine").value);

// The stages of the chosen target; the one that was chosen stays, if there is one.
function listStages(targets) {
  const chosen = byId("stage").value || "tiles";
  addTo("stage", targets[byId("target").selectedIndex].stages);
  byId("stage").value = chosen;
  if (byId("stage").selectedIndex < 0) byId("stage").value = "tiles";
}

fetch("choices").then(reply => reply.json()).then(choices => {
  addTo("machine", choices.machines);
  byId("machine").value = "tpuv3";
  byId("target").replaceChildren(...choices.targets.map(each => new Option(each.where, each.target)));
  byId("target").onchange = () => listStages(choices.targets);
  listStages(choices.targets);
  addTo("examples", choices.examples.map(example => example.name));
  byId("examples").onchange = () => choose(choices.examples[byId("examples").selectedIndex]);
  choose(choices.examples[0]);
});
