// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What could be written where the cursor is, and what a name is that the mouse rests on, as `tegula lsp` says it.
"use strict";

const offers = byId("offers"), tip = byId("tip");

// All lines are equally high and all characters equally wide.
function measure() {
  const style = getComputedStyle(editor), context = document.createElement("canvas").getContext("2d");
  context.font = `${style.fontSize} ${style.fontFamily}`;
  return {
    width: context.measureText("x".repeat(100)).width / 100, height: parseFloat(style.lineHeight),
    left: parseFloat(style.paddingLeft), top: parseFloat(style.paddingTop),
  };
}

// Lines and columns count from 1, as the compiler's do.
function placeOf(at) {
  const before = editor.value.slice(0, at).split("\n");
  return { line: before.length, column: before[before.length - 1].length + 1 };
}

function indexAt(event) {
  const box = editor.getBoundingClientRect(), size = measure();
  return {
    line: Math.floor((event.clientY - box.top - size.top + editor.scrollTop) / size.height) + 1,
    column: Math.floor((event.clientX - box.left - size.left + editor.scrollLeft) / size.width) + 1,
  };
}

// Below the line of a position, or above it where there is no room.
function showAt(element, place) {
  const size = measure();
  element.hidden = false;
  const line = size.top + (place.line - 1) * size.height - editor.scrollTop;
  const left = editor.offsetLeft + size.left + (place.column - 1) * size.width - editor.scrollLeft;
  const isBelow = line + size.height + element.offsetHeight <= editor.clientHeight || line < element.offsetHeight;
  const top = editor.offsetTop + (isBelow ? line + size.height : line - element.offsetHeight);
  element.style.left = Math.max(0, Math.min(left, byId("source").clientWidth - element.offsetWidth)) + "px";
  element.style.top = Math.max(0, top) + "px";
}

async function askAt(place) {
  try {
    const reply = await ask("at", { place: `${place.line}:${place.column}` });
    return reply.ok ? JSON.parse(reply.text) : null;
  } catch {
    return null;
  }
}

// The part of a name before the cursor.
const typed = () => /[A-Za-z0-9_]*$/.exec(editor.value.slice(0, editor.selectionStart))[0];

let known = [], knownStart = -1, chosen = 0, numAsked = 0;

function hideOffers() {
  offers.hidden = true;
  knownStart = -1;
  ++numAsked;
}

function showOffers() {
  const begin = typed();
  const fitting = known.filter(offer => offer.label.startsWith(begin) && offer.label !== begin).slice(0, 50);
  if (fitting.length === 0) {
    offers.hidden = true;
    return;
  }
  chosen = Math.min(chosen, fitting.length - 1);
  offers.replaceChildren(...fitting.map((offer, number) => {
    const item = document.createElement("li"), detail = document.createElement("span");
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", number === chosen);
    item.dataset.label = offer.label;
    item.title = offer.meaning;
    detail.textContent = " " + offer.detail;
    item.append(offer.label, detail);
    item.onmousedown = event => {
      event.preventDefault();
      take(offer.label);
    };
    return item;
  }));
  placeOffers();
  offers.children[chosen].scrollIntoView({ block: "nearest" });
}

function placeOffers() {
  showAt(offers, placeOf(editor.selectionStart - typed().length));
}

async function offer() {
  const start = editor.selectionStart - typed().length;
  chosen = 0;
  if (start === knownStart) return showOffers();
  const asked = ++numAsked;
  const found = await askAt(placeOf(editor.selectionStart));
  if (asked !== numAsked || !found) return;
  // What is called, then types and constants.
  const isType = each => /^[A-Z]/.test(each.label);
  known = [...found.offers.filter(each => !isType(each)), ...found.offers.filter(isType)];
  knownStart = start;
  showOffers();
}

function take(label) {
  editor.setRangeText(label, editor.selectionStart - typed().length, editor.selectionEnd, "end");
  hideOffers();
  editor.dispatchEvent(new Event("input"));
  hideOffers();
}

editor.addEventListener("input", event => {
  tip.hidden = true;
  const start = editor.selectionStart - typed().length;
  if (start !== knownStart) hideOffers();
  const isDot = editor.value[editor.selectionStart - 1] === "." && event.data === ".";
  if (isDot || start === knownStart) offer();
});
// Before the key does anything else.
editor.addEventListener("keydown", event => {
  if (event.key === " " && event.ctrlKey) {
    event.preventDefault();
    offer();
  }
  if (offers.hidden || event.ctrlKey || event.metaKey) return;
  const count = offers.children.length;
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    chosen = (chosen + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
    showOffers();
  } else if (event.key === "Enter" || event.key === "Tab") {
    take(offers.children[chosen].dataset.label);
  } else if (event.key === "Escape") {
    hideOffers();
  } else {
    if (event.key.length > 1 && event.key !== "Backspace" && event.key !== "Shift") hideOffers();
    return;
  }
  event.preventDefault();
}, true);
editor.addEventListener("blur", hideOffers);
// What is typed at an edge moves the text.
editor.addEventListener("scroll", () => {
  tip.hidden = true;
  if (!offers.hidden) placeOffers();
});

// A name says what it is when the mouse rests on it.
let resting = 0;
editor.addEventListener("mousemove", event => {
  clearTimeout(resting);
  tip.hidden = true;
  resting = setTimeout(async () => {
    const place = indexAt(event), line = editor.value.split("\n")[place.line - 1] || "";
    if (!/[A-Za-z0-9_.]/.test(line[place.column - 1] || "")) return;
    const text = editor.value, found = await askAt(place);
    if (!found || !found.hover || text !== editor.value) return;
    tip.textContent = found.hover.replace(/```(python)?\n?|`/g, "");
    showAt(tip, place);
  }, 400);
});
editor.addEventListener("mouseleave", () => {
  clearTimeout(resting);
  tip.hidden = true;
});
