// The page that derives: it gives a spec to the engine in a worker, and shows the answer. Text never becomes markup:
// it is set as text, and formulas are copied node by node, by a list of what they may consist of.
"use strict";

const ENGINE = "assets/engine.js";
const EXAMPLES = {
  additive: '[context]\nkind = "additive"\nbudget = 2\n',
  rectangle: '[context]\nkind = "independent-uniform"\nc0 = ["a", "b"]\nc1 = [0, 1]\n',
  curve: '[context]\nkind = "curve"\nc0 = "x"\nc1 = "1 - x"\ndensity = "6*x*(1 - x)"\nsupport = [0, 1]\n',
  threshold: 'threshold = "1/2"\n\n[context]\nkind = "additive"\nbudget = 2\n',
};
const VERDICTS = { PROVED: "Proved", NUMERIC: "Not proved: some claims rest on numbers", OPEN: "Not proved: some claims are open", REFUTED: "Refuted" };
const FORMULAS = "math mrow mi mn mo mtext mspace mstyle mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mpadded mphantom menclose";
const TAGS = new Set(`p b i em strong span div sub sup br table thead tbody tr th td ul ol li h2 h3 ${FORMULAS}`.split(" "));
const ATTRIBUTES = new Set("class tabindex alttext display displaystyle form lspace rspace stretchy mathvariant maxsize minsize width columnalign scope".split(" "));
const byId = (id) => document.getElementById(id);

// ---- the worker

let worker = null;
let tasks = new Map(); // what waits for an answer, by number
let count = 0;

function engine() {
  if (worker !== null) return worker;
  worker = new Worker(ENGINE, { type: "module" });
  worker.onmessage = ({ data }) => (data.progress ? progress(data) : answered(data));
  worker.onerror = (event) => {
    event.preventDefault();
    lost(`The engine cannot be loaded. ${event.message ?? ""}`.trim());
  };
  return worker;
}

/** Ask the session in the worker: a task is one of its methods, what is given are texts and files' bytes. */
function ask(task, ...given) {
  return new Promise((done, refused) => {
    tasks.set(++count, { done, refused });
    engine().postMessage({ number: count, task, given });
  });
}

function answered({ number, answer, fatal }) {
  if (fatal !== undefined) return lost(`The engine has ended: ${fatal}`);
  const { done, refused } = tasks.get(number);
  tasks.delete(number);
  if (answer.error === undefined) done(answer);
  else refused(new Error(answer.error));
}

/** Let go of a worker that has ended or is stopped; the next task begins another. */
function lost(message) {
  worker?.terminate();
  worker = null;
  const waiting = [...tasks.values()];
  tasks = new Map();
  for (const { refused } of waiting) refused(new Error(message));
  if (waiting.length === 0) problem(message);
}

function progress({ progress, share }) {
  byId("progress").value = share;
  if (progress !== "ready") byId("status").textContent = `${progress} …`;
  else if (tasks.size > 0) deriving();
}

let clock = null;

function deriving() {
  byId("progress").removeAttribute("value");
  const start = performance.now();
  clearInterval(clock);
  const tell = () => (byId("status").textContent = `Deriving and proving, ${Math.round((performance.now() - start) / 1000)} s …`);
  clock = setInterval(tell, 1000);
  tell();
}

// ---- what is asked

const quoted = (text) => JSON.stringify(text); // TOML reads what JSON writes

function words() {
  const [fp, fn] = ["fp", "fn"].map((id) => quoted(byId(id).value.trim()));
  return `[context]\nkind = "independent"\nfp = ${fp}\nfn = ${fn}\n`;
}

function fill() {
  byId("spec").value = EXAMPLES[byId("example").value] ?? words();
}

let derived = {}; // what was derived last, and the worker that has it

async function derive() {
  busy(true);
  byId("result").hidden = true;
  byId("problem").hidden = true;
  if (worker !== null) deriving();
  try {
    const given = [byId("spec").value, byId("limit").value];
    show(await ask("derive", ...given));
    derived = { given, worker };
    dispatchEvent(new Event("derived"));
    byId("status").textContent = "Done.";
  } catch (error) {
    problem(error.message);
  } finally {
    busy(false);
  }
}

function busy(is) {
  clearInterval(clock);
  byId("start").disabled = is;
  byId("stop").disabled = !is;
  byId("progress").hidden = !is;
}

function problem(message) {
  byId("status").textContent = "No rule was derived.";
  byId("problem").textContent = message;
  byId("problem").hidden = false;
}

// ---- what is shown

function show(found) {
  byId("verdict").textContent = VERDICTS[found.verdict] ?? found.verdict;
  byId("shown").replaceChildren(copied(new DOMParser().parseFromString(found.html, "text/html").body));
  byId("counted").textContent = found.sentence.split("\n")[0];
  byId("claims").replaceChildren(...found.claims.map(row));
  byId("files").replaceChildren(...found.files.map(download));
  byId("languages").replaceChildren(...found.languages.map(download));
  byId("result").hidden = false;
  byId("result").focus();
}

/** Return the children of a node as new ones, those of other kinds by their text alone. */
function copied(node) {
  const made = document.createDocumentFragment();
  for (const child of node.childNodes) made.append(child.nodeType === Node.ELEMENT_NODE ? element(child) : child.data ?? "");
  return made;
}

function element(old) {
  if (!TAGS.has(old.localName)) return document.createTextNode(old.textContent);
  const made = document.createElementNS(old.namespaceURI, old.localName);
  for (const { name, value } of old.attributes) if (ATTRIBUTES.has(name)) made.setAttribute(name, value);
  made.append(copied(old));
  return made;
}

function row(cells) {
  const made = document.createElement("tr");
  for (const cell of cells) made.insertCell().textContent = cell;
  return made;
}

function download(name) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.onclick = async () => {
    byId("problem").hidden = true;
    try {
      save(await ask("file", name));
    } catch (error) {
      problem(error.message);
      byId("status").textContent = `${name} was not written.`;
    }
  };
  return button;
}

function save({ name, text }) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  byId("status").textContent = `${name} is written.`;
}

// ---- the page

function cannot() {
  if (location.protocol === "file:") return "This page must come from a server: run python -m http.server in the folder of the site, and open http://localhost:8000/derive.html.";
  if (!window.Worker || !window.WebAssembly) return "This browser cannot run the engine.";
  return "";
}

byId("costs").onsubmit = (event) => {
  event.preventDefault();
  derive();
};
byId("stop").onclick = () => {
  lost("Stopped.");
  engine(); // the next one is soon ready
};
for (const id of ["fp", "fn"]) {
  byId(id).oninput = () => {
    byId("example").value = "words";
    fill();
  };
}
byId("example").onchange = fill;
fill();
if (cannot()) {
  byId("start").disabled = true;
  byId("status").textContent = cannot();
}
