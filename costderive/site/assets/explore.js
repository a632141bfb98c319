// The page to explore. MODELS (models.js) holds the losses, exported from the derivations; here they are only shown.
// The losses of other power means are those of quadrature.js.
"use strict";

const MEANS = new Map(["-oo", "-2", "-1", "-1/2", "0", "1/2", "1", "2", "oo"].map((k) => [exponent(k), k]));
const LARGEST = 1000; // exponent of a mean; beyond, it is the maximum or the minimum
const PARAMETERS = { rectangle: ["a", "b", "d", "e"], mean: ["m"], beta: ["alpha", "nu"] };
const NAMES = { a: "a", b: "b", d: "d", e: "e", m: "m", alpha: "α", nu: "β", p: "p" };
const byId = (id) => document.getElementById(id);

// ---- what is asked for

const chosen = () => document.querySelector("input[name=model]:checked").value;

/** Return the number in a field; what is no number that is at least 0 is refused in words. */
function number(id) {
  const field = byId(id);
  const value = field.valueAsNumber;
  if (!(value >= 0 && value < Infinity)) throw new Refusal(id, `${NAMES[id]} has to be a number that is at least 0.`);
  return value;
}

class Refusal extends Error {
  constructor(field, message) {
    super(message);
    this.field = field;
  }
}

/** Return the number that a text such as 0.7, -1/2 or oo says; null if it says none. */
function exponent(text) {
  const plain = text.trim().replace("\u2212", "-").replace("\u221e", "oo");
  if (/^[+-]?oo$/.test(plain)) return plain.startsWith("-") ? -Infinity : Infinity;
  if (!/^[+-]?(\d+\/\d+|\d+\.?\d*|\.\d+)$/.test(plain)) return null;
  const [above, below = 1] = plain.split("/").map(Number);
  return below ? above / below : null;
}

/** Return the rule of a power mean: a formula for the exponents that have one here, else integrals. */
function meanModel() {
  const k = exponent(byId("k").value);
  if (k === null) throw new Refusal("k", "k has to be a number, a fraction such as 1/3, oo or -oo.");
  if (MEANS.has(k)) return { k: MEANS.get(k), model: MODELS[`mean ${MEANS.get(k)}`] };
  if (Math.abs(k) > LARGEST) throw new Refusal("k", `k has to lie between -${LARGEST} and ${LARGEST}, or be oo or -oo.`);
  if (integrated.k !== k) integrated = { k, model: powerMean(k) };
  const [fraction = Math.abs(k)] = /\d+\/\d+/.exec(byId("k").value) ?? [];
  return { k: `${k < 0 ? "-" : ""}${fraction}`, model: integrated.model };
}

let integrated = {}; // the last rule of an exponent without a formula

/** Return the model, its parameters and the report, or throw a refusal. */
function question() {
  const kind = chosen();
  const values = Object.fromEntries(PARAMETERS[kind].map((name) => [name, number(name)]));
  const p = number("p");
  if (p > 1) throw new Refusal("p", "p is a probability: at most 1.");
  if (kind === "rectangle") return { kind, p, bounds: values, ...rectangle(values) };
  for (const [name, value] of Object.entries(values))
    if (value === 0) throw new Refusal(name, `${NAMES[name]} has to be above 0.`);
  if (kind === "mean") return { kind, p, values, ...meanModel() };
  return { kind, p, values, model: MODELS.beta };
}

/** Return the model of two pairs of bounds; equal ones mean a known cost, which has a letter only. */
function rectangle({ a, b, d, e }) {
  const [of0, of1] = [range("a", a, "b", b), range("d", d, "e", e)];
  return { values: { ...of0.values, ...of1.values }, model: MODELS[`bounds ${of0.name},${of1.name}`] };
}

function range(lowName, low, highName, high) {
  if (low > high) throw new Refusal(highName, `${highName} has to be at least ${lowName}.`);
  if (high === 0) throw new Refusal(highName, `${highName} has to be above 0.`);
  if (low === high) return { name: lowName, values: { [lowName]: low } };
  if (low === 0) return { name: `0${highName}`, values: { [highName]: high } };
  return { name: lowName + highName, values: { [lowName]: low, [highName]: high } };
}

// ---- numbers and formulas as text

/** Write a number with four digits, for readers or in TeX. */
function digits(value, tex = false) {
  if (value === Infinity) return tex ? "\\infty" : "∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e-3 && size < 1e5) return String(Number(value.toPrecision(4))).replace("-", tex ? "-" : "−");
  const [head, power] = value.toExponential(3).split("e");
  return tex ? `${Number(head)} \\cdot 10^{${Number(power)}}` : `${Number(head)}·10^${Number(power)}`;
}

/** Put numbers into the places of a formula, and write no 1 before a factor and no sum with a negative number. */
function filled(tex, numbers) {
  return tex
    .replace(/N_(?:\{(\d+)\}|(\d))/g, (_, long, short) => `{${digits(numbers[long ?? short], true)}}`)
    .replace(/\^\{\{1\}\}/g, "")
    .replace(/\{1\} (?=[a-z(]|\\[a-z])/g, "")
    .replace(/\{-1\} (?=[a-z(]|\\[a-z])/g, "-")
    .replace(/\{0\} [a-z] \+ /g, "")
    .replace(/(^|[({ ])([a-z][^ ]*) \+ \{0\}/g, "$1$2")
    .replace(/\(\{-([\d.]+)\} ([a-z]) \+ (\{[\d.]+\})\)/g, "($3 - {$1} $2)")
    .replace(/\+ \{-/g, "- {")
    .replace(/\+ \\frac\{\{-/g, "- \\frac{{")
    .replace(/\+ -/g, "- ")
    .replace(/- \{-/g, "+ {")
    .replace(/^\(([^()]*)\)$/, "$1");
}

/** Return a quantity by cases in TeX; pieces that have shrunk to nothing are left out. */
function casesOf(quantity, name, variable, values, letters) {
  const rows = [];
  let low = 0;
  let start = "0";
  for (const piece of quantity) {
    const high = piece.high(values);
    if (high > low || letters) {
      const formula = letters ? piece.letters : filled(piece.tex, piece.numbers(values));
      const range = letters ? [start, piece.end] : [digits(low, true), digits(high, true)];
      rows.push([formula, `${slashed(range[0])} < ${variable} < ${slashed(range[1])}`]);
    }
    [low, start] = [Math.max(low, high), piece.end];
  }
  if (rows.length === 1) return `${name} = ${rows[0][0]}`;
  const lines = rows.map(([formula, range]) => `\\displaystyle ${formula}, & ${range}`);
  return `${name} = \\begin{cases} ${lines.join(" \\\\[14pt] ")} \\end{cases}`;
}

/** Return the mass of an atom in TeX. */
function atomOf(atom, values, letters) {
  const [at, mass] = letters ? atom.letters : [digits(atom.at(values), true), digits(atom.mass(values), true)];
  return `\\Omega(\\{${slashed(at)}\\}) = ${mass}`;
}

const slashed = (tex) => tex.replace(/\\frac\{([^{}]*)\}\{([^{}]*)\}/g, (_, top, bottom) => `${top}/(${bottom})`);

function showFormulas(found, values) {
  const letters = byId("letters").checked;
  const texts = [
    casesOf(found.loss0, "L_0(p)", "p", values, letters),
    casesOf(found.loss1, "L_1(p)", "p", values, letters),
    found.atoms.length
      ? found.atoms.map((atom) => atomOf(atom, values, letters)).join(", \\quad ")
      : casesOf(found.thresholdWeight, "\\omega(s)", "s", values, letters),
  ];
  byId("formulas").replaceChildren(
    ...texts.map((tex) => {
      const line = Object.assign(document.createElement("div"), { className: "display", tabIndex: 0 });
      line.innerHTML = `<math display="block">${mathml(tex)}</math>`;
      return line;
    }),
  );
  const order = byId("order");
  order.textContent = explanation(texts);
  if (!found.when) return;
  order.textContent = "The order of the breakpoints: ";
  order.insertAdjacentHTML("beforeend", `<math>${mathml(found.when)}</math>.`);
}

/** Say what formulas leave unsaid. */
function explanation(texts) {
  if (texts[0].includes("\\int")) return "There is no formula for these losses here: they are integrated, to 14 digits.";
  if (texts[2].includes("Omega")) return "The costs are known: the threshold weight is one atom.";
  return byId("formulas").textContent.includes("B") ? "B is the incomplete Beta function." : "";
}

// ---- pictures

const SPACE = { left: 54, right: 14, top: 30, bottom: 50, width: 400, height: 300 };

/** Return round numbers from 0 to a little above the greatest. */
function ticks(most) {
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((x) => x * power).find((x) => x >= rough * 0.999);
  return Array.from({ length: Math.floor(most / step + 1e-9) + 1 }, (_, k) => k * step);
}

class Picture {
  constructor(id, mostX, mostY, nameX, nameY) {
    Object.assign(this, { mostX, mostY, parts: [], labels: [] });
    this.node = byId(id);
    for (const x of ticks(mostX)) this.tick(this.x(x), SPACE.height - SPACE.bottom + 20, digits(x), "middle", x, true);
    for (const y of ticks(mostY)) this.tick(SPACE.left - 6, this.y(y) + 6, digits(y), "end", y, false);
    this.text((SPACE.left + SPACE.width - SPACE.right) / 2, SPACE.height - 7, nameX, "middle", "name");
    this.text(4, 18, nameY, "start", "name");
    this.line([[0, 0], [mostX, 0]], "axis");
    this.line([[0, 0], [0, mostY]], "axis");
  }
  x(value) {
    return SPACE.left + (value / this.mostX) * (SPACE.width - SPACE.left - SPACE.right);
  }
  y(value) {
    return SPACE.height - SPACE.bottom - (value / this.mostY) * (SPACE.height - SPACE.top - SPACE.bottom);
  }
  tick(x, y, label, anchor, value, across) {
    this.text(x, y, label, anchor, "tick");
    if (value) this.line(across ? [[value, 0], [value, this.mostY]] : [[0, value], [this.mostX, value]], "grid");
  }
  text(x, y, content, anchor, kind) {
    this.labels.push(`<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}" class="${kind}">${content}</text>`);
  }
  path(points) {
    const inside = points.filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
    return inside.map(([x, y]) => `${this.x(x).toFixed(1)},${this.y(Math.min(y, 4 * this.mostY)).toFixed(1)}`).join(" ");
  }
  line(points, kind) {
    this.parts.push(`<polyline points="${this.path(points)}" class="${kind}"/>`);
  }
  area(points, kind) {
    this.parts.push(`<polygon points="${this.path(points)}" class="${kind}"/>`);
  }
  dot(x, y, kind) {
    if (x <= this.mostX && y <= this.mostY)
      this.parts.push(`<circle cx="${this.x(x).toFixed(1)}" cy="${this.y(y).toFixed(1)}" r="5" class="${kind}"/>`);
  }
  show() {
    const frame = `<clipPath id="${this.node.id}-frame"><rect y="${SPACE.top - 2}" width="${SPACE.width - SPACE.right + 2}" height="${SPACE.height}"/></clipPath>`;
    this.node.innerHTML = `${frame}<g clip-path="url(#${this.node.id}-frame)">${this.parts.join("")}</g>${this.labels.join("")}`;
  }
}

/** Return points of (0, 1), dense at the ends and on both sides of each breakpoint. */
function grid(pieces, values) {
  const even = Array.from({ length: 401 }, (_, k) => (1 - Math.cos((Math.PI * (k + 0.5)) / 401)) / 2);
  const breaks = pieces.map((piece) => piece.high(values)).filter((x) => x > 0 && x < 1);
  return [...even, ...breaks, ...breaks.map((x) => Math.min(x * (1 + 1e-9), 1 - 1e-12))].sort((x, y) => x - y);
}

/** Return where a picture of a function ends: a little above its values, or most of them if it grows towards an end. */
function ceiling(heights) {
  const finite = heights.filter(Number.isFinite).sort((x, y) => x - y);
  const most = finite[finite.length - 1];
  const usual = finite[Math.floor(0.8 * (finite.length - 1))];
  const grows = most > 6 * usual && usual > 0 && [heights[0], heights[heights.length - 1]].includes(most);
  return 1.08 * (grows ? 3 * usual : most) || 1;
}

function showLosses(model, found, values, p) {
  const points = grid(found.loss0, values);
  const curves = [model.loss0, model.loss1].map((loss) => points.map((x) => [x, loss(x, values)]));
  const picture = new Picture("losses", 1, Math.max(...curves.map((points) => ceiling(points.map(([, y]) => y)))), "predicted probability p", "L₀(p), L₁(p)");
  picture.line([[p, 0], [p, picture.mostY]], "report");
  picture.line(curves[0], "curve zero");
  picture.line(curves[1], "curve one");
  picture.dot(p, model.loss0(p, values), "zero");
  picture.dot(p, model.loss1(p, values), "one");
  picture.show();
}

function showWeight(model, found, values, p) {
  const points = grid(found.thresholdWeight, values).map((x) => [x, model.thresholdWeight(x, values)]);
  const atoms = found.atoms.map((atom) => [atom.at(values), atom.mass(values)]);
  const most = atoms.length ? 1.2 * Math.max(...atoms.map(([, mass]) => mass)) : ceiling(points.map(([, y]) => y));
  const name = atoms.length ? "Ω({s}), one atom" : "ω(s)";
  const picture = new Picture("weight", 1, most, "cost proportion s = c₀/(c₀ + c₁)", name);
  picture.area([[0, 0], ...points, [1, 0]], "mass");
  picture.line(points, "curve weight");
  for (const [at, mass] of atoms) {
    picture.line([[at, 0], [at, mass]], "curve weight");
    picture.dot(at, mass, "weight");
  }
  picture.line([[p, 0], [p, picture.mostY]], "report");
  picture.show();
}

/** Return the curve of possible costs with its density, for costs that lie on one. */
function curve(model, kind, values) {
  const points = grid([], values);
  const costs = kind === "mean" ? (s) => model.thresholdWeight(s, values) : () => 2;
  const density = kind === "mean" ? () => 1 : (s) => model.thresholdWeight(s, values) / 2;
  return points.map((s) => ({ at: [costs(s) * s, costs(s) * (1 - s)], density: density(s) }));
}

function showCosts({ model, kind, values, bounds, p }) {
  const { a, b, d, e } = bounds ?? {};
  const points = kind === "rectangle" ? [] : curve(model, kind, values);
  const reach = (axis) => Math.min(ceiling(points.map(({ at }) => at[axis])), 4 * (values.m ?? 1));
  const [mostX, mostY] = kind === "rectangle" ? [1.12 * b, 1.12 * e] : [reach(0), reach(1)];
  const picture = new Picture("costs", mostX, mostY, "cost of a false positive, c₀", "cost of a false negative, c₁");
  const far = Math.min(mostX / p, mostY / (1 - p));
  if (kind === "rectangle") showBounds(picture, bounds);
  const most = Math.max(...points.map(({ density }) => Math.min(density, 6)));
  if (kind === "mean") picture.line(points.map(({ at }) => at), "strip");
  for (let k = 0; kind === "beta" && k + 1 < points.length; k += 1) {
    const strength = Math.max(0.04, Math.min(points[k].density, 6) / most);
    picture.parts.push(`<polyline points="${picture.path([points[k].at, points[k + 1].at])}" class="strip" stroke-opacity="${strength.toFixed(3)}"/>`);
  }
  picture.line([[0, 0], [far * p, far * (1 - p)]], "report");
  picture.show();
}

/** Draw the costs between bounds: a rectangle, a line if one of them is known, a dot if both are. */
function showBounds(picture, { a, b, d, e }) {
  if (a < b && d < e) picture.area([[a, d], [b, d], [b, e], [a, e]], "mass");
  else if (a < b || d < e) picture.line([[a, d], [b, e]], "strip");
  else picture.dot(a, d, "weight");
}

// ---- all of it

const wording = (value) => (value === Infinity ? "∞" : String(Number(value.toPrecision(6))));

/** Show a number; the whole of it is in an attribute. */
function say(id, value) {
  byId(id).value = Number.isNaN(value) ? "—" : wording(value);
  byId(id).dataset.value = String(value);
}

function verdict(found, values) {
  const [[low, high] = []] = found.strict(values);
  if (low === undefined) return "proper, nowhere strictly";
  if (low === 0 && high === 1) return "strictly proper";
  return `proper, strictly so for beliefs from ${digits(low)} to ${digits(high)}`;
}

/** Return the context of two pairs of bounds in Python and on the command line. */
function boundsOf({ a, b, d, e }) {
  if (a < b && d < e) return [`IndependentUniform(fp=("${a}", "${b}"), fn=("${d}", "${e}"))`, `independent-uniform --fp ${a},${b} --fn ${d},${e}`];
  if (a === b && d === e) return [`FixedCosts(fp="${a}", fn="${d}")`, `fixed --fp ${a} --fn ${d}`];
  const [fp, fn] = [[a, b], [d, e]].map(([low, high]) => (low < high ? `uniform(${low}, ${high})` : String(low)));
  return [`Independent(fp="${fp}", fn="${fn}")`, `independent --fp "${fp}" --fn "${fn}"`];
}

function programs({ kind, values, bounds, k }) {
  const { m, alpha, nu } = values;
  const text = {
    rectangle: () => boundsOf(bounds),
    mean: () => [`PowerMean(${/^-?\d+$/.test(k) ? k : `"${k}"`}, mean="${m}")`, `power-mean --k ${k} --mean ${m}`],
    beta: () => [`Additive(density="beta(${alpha}, ${nu})")`, `additive --density "beta(${alpha}, ${nu})"`],
  }[kind]();
  byId("python").textContent = `derivation = cd.derive(cd.${text[0]})\ncd.check(derivation).require_proved()`;
  byId("shell").textContent = `costderive derive ${text[1]}`;
}

function show(asked) {
  const { model } = asked;
  const found = model.cases.find((one) => one.holds(asked.values));
  say("loss0", model.loss0(asked.p, asked.values));
  say("loss1", model.loss1(asked.p, asked.values));
  say("thresholdWeight", model.thresholdWeight(asked.p, asked.values));
  for (const atom of found.atoms)
    byId("thresholdWeight").value = `an atom of ${digits(atom.mass(asked.values))} at ${digits(atom.at(asked.values))}`;
  byId("verdict").value = verdict(found, asked.values);
  showCosts(asked);
  showWeight(model, found, asked.values, asked.p);
  showLosses(model, found, asked.values, asked.p);
  showFormulas(found, asked.values);
  programs(asked);
}

/** Answer what the fields ask, or say which of them asks for nothing that there is. */
function update() {
  const kind = chosen();
  for (const fields of document.querySelectorAll("fieldset[data-model]")) fields.hidden = fields.dataset.model !== kind;
  for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
  let message = "";
  try {
    show(question());
  } catch (problem) {
    if (!(problem instanceof Refusal)) throw problem;
    message = problem.message;
    byId(problem.field).setAttribute("aria-invalid", "true");
  }
  byId("message").textContent = message;
  for (const part of ["figures", "results"]) byId(part).classList.toggle("stale", message !== "");
  if (!message) remember();
}

// ---- sliders follow their fields, and the address follows them all

const FIELDS = ["a", "b", "d", "e", "k", "m", "alpha", "nu", "p"];

function remember() {
  const kept = new URLSearchParams({ model: chosen() });
  for (const id of FIELDS) kept.set(id, byId(id).value);
  history.replaceState(null, "", `#${kept}`);
}

function recall() {
  const kept = new URLSearchParams(location.hash.slice(1));
  const kind = document.querySelector(`input[name=model][value="${CSS.escape(kept.get("model") ?? "")}"]`);
  if (kind) kind.checked = true;
  if (exponent(kept.get("k") ?? "") === null) kept.delete("k");
  for (const id of FIELDS) if (kept.has(id)) byId(id).value = kept.get(id);
}

function aligned() {
  const k = exponent(byId("k").value);
  for (const id of FIELDS) byId(`${id}-range`).value = byId(id).value;
  byId("k-range").value = Math.max(-5, Math.min(5, k ?? 0));
  byId("k-range").setAttribute("aria-valuetext", byId("k").value);
  byId("named").value = MEANS.get(k) ?? "";
}

byId("controls").addEventListener("input", ({ target }) => {
  const [id, slider] = target.id.split("-");
  if (slider) byId(id).value = target.value;
  if (id === "named" && target.value) byId("k").value = target.value;
  aligned();
  update();
});
byId("controls").addEventListener("submit", (event) => event.preventDefault());
byId("letters").addEventListener("input", update);
recall();
aligned();
update();
