// Pictures of scores as SVG, drawn node by node for the width that there is: names from files are set as text.
"use strict";

const SVG = "http://www.w3.org/2000/svg";
const LETTER = 8.6; // about the width of a letter, in pixels
const KINDS = 7; // of models that have a colour of their own
const LEFT = 8;

/** Return a new node of a picture, with attributes, and children or a text. */
function node(name, attributes = {}, ...children) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function picture(width, height, name, children) {
  return node("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": name }, ...children);
}

/** Write a number with so many digits, as the tables do. */
function written(value, digits = 4) {
  if (value === null) return "—";
  if (value === "Infinity") return "∞";
  return String(Number(value.toPrecision(digits))).replace("-", "−");
}

/** Return round numbers between two, a few of them. */
function ticks(low, high, most) {
  const rough = (high - low) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((each) => each >= rough);
  const found = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high * (1 + 1e-9); k++) found.push(Number((k * step).toPrecision(12)));
  return found;
}

/** Return an axis below a picture: a line, ticks and their numbers, and what they are of. */
function axis(place, [low, high], [left, right], y, words) {
  const marks = ticks(low, high, Math.max(2, Math.floor((right - left) / 90)));
  return [
    node("line", { class: "axis", x1: left, x2: right, y1: y, y2: y }),
    ...marks.flatMap((value) => [
      node("line", { class: "axis", x1: place(value), x2: place(value), y1: y, y2: y + 5 }),
      node("text", { x: place(value), y: y + 22, "text-anchor": "middle" }, written(value, 6)),
    ]),
    ...words.map((line, k) => node("text", { x: left, y: y + 46 + 20 * k }, line)),
  ];
}

const kind = (k) => `model-${k % KINDS}${k % (2 * KINDS) < KINDS ? "" : " pale"}`;

/** Return a name that is no wider than that: both its ends, as names of a family differ at the end. */
function shortened(name, width) {
  const most = Math.max(5, Math.floor(width / LETTER));
  const half = Math.floor(most / 2);
  return name.length <= most ? name : `${name.slice(0, half)}…${name.slice(half + 1 - most)}`;
}

/** Return text in lines that are no wider than a picture. */
function wrapped(text, width) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const longer = `${lines.at(-1)} ${word}`.trim();
    if (longer.length * LETTER > width && lines.at(-1)) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

/** Draw what 1000 cases cost with each model, with intervals, and which model is cheapest at which threshold. */
function decisionPicture({ numbers, picture: found, verdict }, width) {
  const models = numbers.models.map((model, k) => ({ ...model, k }));
  const size = (model) => (typeof model.loss === "number" ? model.loss : Infinity);
  models.sort((one, other) => size(one) - size(other) || one.k - other.k);
  const ends = models.flatMap(({ loss, interval }) => [loss, interval.high]).filter((x) => typeof x === "number");
  const most = 1000 * Math.max(...ends, 0) || 1;
  const [left, right] = [LEFT + 10, width - LEFT - 24];
  const place = (cost) => left + ((right - left) * cost) / most;
  const rows = models.flatMap((model, row) => costRow(model, 50 * row, place, [left, right]));
  let y = 50 * models.length + 10;
  const about = wrapped(`cost of 1000 cases, with ${100 * numbers.level} % intervals`, right - left);
  const children = [...rows, ...axis(place, [0, most], [left, right], y, about)];
  y += 46 + 20 * about.length;
  if (found.parts.length === 0) return picture(width, y, verdict || "What 1000 cases cost", children);
  const names = numbers.models.map((model) => model.model);
  const strip = thresholds(found, names, [left, right], y + 10);
  return picture(width, y + 10 + strip.height, verdict, [...children, ...strip.children]);
}

function costRow({ model, k, loss, interval }, y, place, [left, right]) {
  const cost = typeof loss === "number" ? written(1000 * loss) : "∞";
  const text = `${shortened(model, right - left - LETTER * (cost.length + 2))}: ${cost}`;
  const name = node("text", { class: "name", x: left, y: y + 18 }, text);
  if (typeof loss !== "number") return [name];
  const line = { y1: y + 34, y2: y + 34, class: `interval ${kind(k)}` };
  const known = typeof interval.low === "number" && typeof interval.high === "number";
  const ends = known ? [node("line", { ...line, x1: place(1000 * interval.low), x2: place(1000 * interval.high) })] : [];
  return [name, ...ends, node("circle", { class: kind(k), cx: place(1000 * loss), cy: y + 34, r: 7 })];
}

function thresholds({ parts, window: [low, high], atoms }, names, [left, right], y) {
  const place = (s) => left + ((right - left) * (s - low)) / (high - low);
  const boxes = parts.flatMap(([k, from, to]) => {
    const [x, width] = [place(from), place(to) - place(from)];
    const box = node("rect", { class: kind(k), x, y, width, height: 34 });
    if (names[k].length * LETTER + 8 > width) return [box];
    return [box, node("text", { class: "inside", x: x + width / 2, y: y + 22, "text-anchor": "middle" }, names[k])];
  });
  const marks = atoms
    .filter((s) => s >= low && s <= high)
    .map((s) => node("path", { class: "mark", d: `M ${place(s)} ${y + 2} l -6 -10 h 12 z` }));
  const own = marks.length ? " ▼: the context's own." : "";
  const about = wrapped(`the model that is cheapest, at each threshold c₀/(c₀ + c₁).${own}`, right - left);
  const children = [...boxes, ...marks, ...axis(place, [low, high], [left, right], y + 40, about)];
  return { children, height: 86 + 20 * about.length };
}

/** Draw how often class 1 followed on each probability of a model. */
function calibrationPicture(name, k, { pools }, width) {
  const [left, right, top, bottom] = [44, width - 14, 10, width - 48];
  const x = (p) => left + (right - left) * p;
  const y = (share) => bottom + (top - bottom) * share;
  const line = pools.flatMap(([low, high, share]) => [`${x(low)},${y(share)}`, `${x(high)},${y(share)}`]).join(" ");
  const circles = pools.map(([low, high, share, weight]) =>
    node("circle", { class: kind(k), cx: x((low + high) / 2), cy: y(share), r: 2.5 + 12 * Math.sqrt(weight) }),
  );
  const marks = [0, 0.5, 1].flatMap((value) => [
    node("line", { class: "grid", x1: left, x2: right, y1: y(value), y2: y(value) }),
    node("text", { x: left - 8, y: y(value) + 5, "text-anchor": "end" }, String(value)),
    node("text", { x: x(value), y: bottom + 20, "text-anchor": "middle" }, String(value)),
  ]);
  const words = node("text", { x: (left + right) / 2, y: bottom + 42, "text-anchor": "middle" }, "probability of class 1");
  const diagonal = node("line", { class: "axis", x1: x(0), y1: y(0), x2: x(1), y2: y(1) });
  const curve = node("polyline", { class: `curve ${kind(k)}`, points: line });
  return picture(width, width, `Calibration of ${name}`, [...marks, diagonal, curve, ...circles, words]);
}
