// Models compared by the rule that was derived: a CSV file is read by the engine in the worker, and what it answers is
// shown as text. The file stays in this page: the policy of the page names no other place to send anything to.
"use strict";

const SAMPLE = "assets/sample-predictions.csv";
const LARGEST = 20; // MB of a file
const NONE = "none";
const SHOWN = { model: "What each model costs", group: "What each model costs in each group" };
let file = null; // the name and the bytes of what is compared
let shown = null; // the last answer, for its pictures and its numbers

function option(value, text = value) {
  const made = document.createElement("option");
  [made.value, made.textContent] = [value, text];
  return made;
}

function paragraph(text) {
  const made = document.createElement("p");
  made.textContent = text;
  return made;
}

// ---- what is asked

/** Take a file: its columns are offered, and the usual ones are scored at once. */
async function take(name, bytes) {
  file = { name, bytes };
  byId("pos-label").value = "";
  await working(`Reading ${name}`, async () => {
    byId("roles").hidden = true;
    const { columns, label } = await ask("columns", name, bytes);
    byId("y-true").replaceChildren(...columns.map((column) => option(column)));
    byId("y-true").value = label;
    for (const id of ["weights", "by"]) byId(id).replaceChildren(option("", NONE), ...columns.map((column) => option(column)));
    byId("roles").hidden = false;
    await scored();
  });
}

const compare = () => file?.bytes && working(`Scoring ${file.name}`, scored);

async function scored() {
  if (derived.worker !== worker) {
    await ask("derive", ...derived.given);
    derived.worker = worker;
  }
  const roles = ["y-true", "pos-label", "weights", "by"].map((id) => byId(id).value.trim());
  shown = await ask("score", file.name, file.bytes, ...roles);
  showScores();
}

/** Do what takes time, with words about it, and a button to stop it. */
async function working(words, task) {
  byId("scores").hidden = true;
  byId("score-problem").hidden = true;
  byId("score-problem").textContent = "";
  byId("score-stop").hidden = false;
  byId("score-status").textContent = `${words} …`;
  try {
    await task();
    byId("score-status").textContent = `${file.name} is scored.`;
  } catch (error) {
    byId("score-status").textContent = "No scores.";
    byId("score-problem").textContent = error.message;
    byId("score-problem").hidden = false;
  } finally {
    byId("score-stop").hidden = true;
  }
}

async function chosen(given) {
  if (given.size > LARGEST * 1e6) {
    file = { name: given.name };
    return working("Reading", () => Promise.reject(new Error(`${given.name} is larger than ${LARGEST} MB.\n  Score it with the command line: costderive score.`)));
  }
  return take(given.name, new Uint8Array(await given.arrayBuffer()));
}

async function sample() {
  const answer = await fetch(SAMPLE);
  if (!answer.ok) throw new Error(`${SAMPLE}: ${answer.status}`);
  return take("sample-predictions.csv", new Uint8Array(await answer.arrayBuffer()));
}

// ---- what is shown

function showScores() {
  byId("score-verdict").textContent = shown.verdict;
  byId("score-verdict").hidden = !shown.verdict;
  byId("score-facts").replaceChildren(...shown.facts.map(paragraph));
  byId("score-tables").replaceChildren(...shown.tables.map(table));
  const meanings = shown.tables.flat().filter((column) => column.meaning);
  const notes = [...meanings.map(({ heading, meaning }) => `${heading}: ${meaning}`), ...shown.remarks];
  byId("score-notes").replaceChildren(...notes.map(paragraph));
  for (const id of ["calibration-title", "calibration-words", "calibration"]) byId(id).hidden = shown.reliability.length === 0;
  byId("scores").hidden = false;
  drawScores();
}

/** Return a table, of columns; it scrolls on a narrow screen. */
function table(columns) {
  const made = document.createElement("table");
  const head = made.createTHead().insertRow();
  for (const [k, { heading }] of columns.entries()) {
    const cell = document.createElement("th");
    [cell.scope, cell.textContent, cell.className] = ["col", heading, k ? "right" : ""];
    head.append(cell);
  }
  const body = made.createTBody();
  for (const k of columns[0].cells.keys()) {
    const cells = body.insertRow();
    for (const [at, { cells: column }] of columns.entries()) {
      const cell = cells.insertCell();
      [cell.textContent, cell.className] = [column[k], at ? "right" : ""];
    }
  }
  const wide = document.createElement("div");
  [wide.className, wide.tabIndex] = ["wide", 0];
  wide.setAttribute("role", "region");
  wide.setAttribute("aria-label", SHOWN[columns[0].heading] ?? `Models that cost ${columns[0].heading}`);
  wide.append(made);
  return wide;
}

function drawScores() {
  if (shown === null || byId("scores").hidden) return;
  const width = Math.min(720, byId("content").clientWidth - 36);
  byId("decision").replaceChildren(decisionPicture(shown, width));
  byId("calibration").replaceChildren(...shown.reliability.map((found, k) => calibration(shown.numbers.models[k].model, k, found, Math.min(width, 300))));
}

function calibration(name, k, found, width) {
  const made = document.createElement("figure");
  const words = document.createElement("figcaption");
  const title = document.createElement("b");
  title.textContent = name;
  const [first, second, third] = [found.miscalibration, found.discrimination, found.uncertainty].map((x) => written(x, 3));
  words.append(title, document.createElement("br"), `${first} − ${second} + ${third}`);
  made.append(words, calibrationPicture(name, k, found, width));
  return made;
}

// ---- the page

byId("csv").onchange = () => byId("csv").files.length && chosen(byId("csv").files[0]);
byId("sample").onclick = () => sample().catch((error) => working("", () => Promise.reject(error)));
for (const id of ["y-true", "pos-label", "weights", "by"]) byId(id).onchange = compare;
byId("score-stop").onclick = () => {
  lost("Stopped.");
  engine();
};
byId("numbers").onclick = () => save({ name: "scores.json", text: JSON.stringify(shown.numbers, null, 2) });
addEventListener("resize", drawScores);
addEventListener("derived", () => {
  byId("scores").hidden = true; // they are of the rule before
  compare();
});

const drop = byId("drop");
for (const kind of ["dragenter", "dragover"]) {
  drop.addEventListener(kind, (event) => {
    event.preventDefault();
    drop.className = "over";
  });
}
drop.addEventListener("dragleave", () => (drop.className = ""));
drop.addEventListener("drop", (event) => {
  event.preventDefault();
  drop.className = "";
  if (event.dataTransfer.files.length) chosen(event.dataTransfer.files[0]);
});
