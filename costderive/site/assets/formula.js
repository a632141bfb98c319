// Formulas whose numbers change as one types: the notation of the package, as far as these need it, set as MathML.
"use strict";

const TOKEN =
  /\\(?:begin|end)\{cases\}|\\(?:text|operatorname|mathrm|mathit)\{[^{}]*\}|\\\\(?:\[\w+\])?|\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\S/g;
const LETTERS = { alpha: "α", beta: "β", nu: "ν", omega: "ω", ell: "ℓ", infty: "∞", theta: "θ" };
const CAPITALS = { Omega: "Ω", Gamma: "Γ" };
const OPERATORS = { "-": "−", le: "≤", ge: "≥", ne: "≠", cdot: "⋅", int: "∫", "{": "{", "}": "}" };
const FUNCTIONS = new Set(["ln", "arcsin", "arctan", "min", "max"]);
const WIDTHS = { ",": 0.1667, ";": 0.2778, quad: 1, qquad: 2 };
const OPERANDS = /[\w)\]}]$/;

const THIN = '<mspace width="0.1667em"/>';
const plain = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");

/** Return the MathML of a formula, without the element around it. */
function mathml(tex) {
  const tokens = tex.match(TOKEN) ?? [];
  let at = 0;

  /** Set what comes before one of these tokens, which is taken. */
  function row(...ends) {
    let [found, before] = ["", ""];
    while (at < tokens.length && !ends.includes(tokens[at])) {
      const token = tokens[at];
      found += scripted(before);
      before = { "{": "}", "\\displaystyle": "" }[token] ?? token;
    }
    at += 1;
    return found;
  }

  function scripted(before) {
    const base = part(before);
    const scripts = {};
    while (tokens[at] === "_" || tokens[at] === "^") scripts[tokens[at++]] = `<mrow>${part("")}</mrow>`;
    const { _: below = "", "^": above = "" } = scripts;
    const name = `m${below && "sub"}${above && "sup"}`;
    return name === "m" ? base : `<${name}><mrow>${base}</mrow>${below}${above}</${name}>`;
  }

  function part(before) {
    const token = tokens[at++];
    const name = token.replace(/^\\/, "");
    if (token === "{") return row("}");
    if (token === "\\frac") return `<mfrac><mrow>${part("")}</mrow><mrow>${part("")}</mrow></mfrac>`;
    if (token === "\\sqrt") return root();
    if (token === "\\left") return `<mrow><mo>${tokens[at++]}</mo>${row("\\right")}<mo>${tokens[at++]}</mo></mrow>`;
    if (token === "\\begin{cases}") return cases();
    if (token === "\\displaystyle") return ""; // as the values of all cases are
    if (FUNCTIONS.has(name)) return named(name, before);
    if (/\{./.test(name)) return worded(...name.slice(0, -1).split("{"));
    if (/^\d/.test(token)) return `<mn>${token}</mn>`;
    if (name in WIDTHS && token !== name) return `<mspace width="${WIDTHS[name]}em"/>`;
    return symbol(name, before);
  }

  function named(name, before) {
    const bare = !["(", "\\left", "^", "_"].includes(tokens[at]);
    return `${OPERANDS.test(before) ? THIN : ""}<mi>${name}</mi>${bare ? THIN : ""}`;
  }

  function root() {
    if (tokens[at] !== "[") return `<msqrt>${part("")}</msqrt>`;
    const degree = tokens[at + 1];
    at += 3;
    return `<mroot><mrow>${part("")}</mrow><mn>${degree}</mn></mroot>`;
  }

  function cases() {
    const rows = [[]];
    while (tokens[at - 1] !== "\\end{cases}") {
      rows.at(-1).push(row("&", "\\\\", "\\\\[14pt]", "\\end{cases}"));
      if (tokens[at - 1].startsWith("\\\\")) rows.push([]);
    }
    const lines = rows.map(
      ([value, range]) => `<mtr><mtd><mstyle displaystyle="true">${value}</mstyle></mtd><mtd>${range}</mtd></mtr>`,
    );
    return `<mrow><mo form="prefix">{</mo><mtable class="cases">${lines.join("")}</mtable></mrow>`;
  }

  return row();
}

function worded(style, text) {
  if (style === "text") return `<mtext>${plain(text).replace(/ /g, "\u00a0")}</mtext>`;
  return `<mi mathvariant="normal">${plain(text)}</mi>`;
}

function symbol(name, before) {
  if (name in CAPITALS) return `<mi mathvariant="normal">${CAPITALS[name]}</mi>`;
  if (name in LETTERS || /^[A-Za-z]$/.test(name)) return `<mi>${LETTERS[name] ?? name}</mi>`;
  const form = "+-".includes(name) && !OPERANDS.test(before) ? ' form="prefix"' : "";
  return `<mo${form}${"()[]{}|".includes(name) ? ' stretchy="false"' : ""}>${plain(OPERATORS[name] ?? name)}</mo>`;
}
