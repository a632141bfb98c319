// The search of the site. SEARCH (search-index.js) holds the text of all sections; it is loaded when the field is first used.
// What a reader types is compared with it and shown as text, never as markup.
"use strict";

(() => {
  const MOST = 12; // results
  const AROUND = 70; // letters before and after what was found
  const root = document.currentScript.dataset.root;
  const form = document.getElementById("search");
  const field = form.querySelector("input");
  const found = document.getElementById("found");
  const list = found.querySelector("ol");
  const status = found.querySelector("[role=status]");
  let rows; // once the index is there

  const folded = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const words = (text) => folded(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  const starts = (text, word) => new RegExp(`(?<![\\p{L}\\p{N}])${word}`, "gu").exec(text)?.index ?? -1;

  function load() {
    rows ??= new Promise((done, failed) => {
      const script = Object.assign(document.createElement("script"), { src: `${root}/assets/search-index.js` });
      script.addEventListener("load", () => done(SEARCH.map(prepared)));
      script.addEventListener("error", failed);
      document.head.append(script);
    });
    return rows;
  }

  const prepared = ([address, title, heading, text]) => ({
    address, title, heading, text, inTitle: folded(title), inHeading: folded(heading), inText: folded(text),
  });

  /** Return how well a section answers: 0 if a word is not there at all; headings count most. */
  function weight(row, asked) {
    let total = 0;
    for (const word of asked) {
      const one =
        12 * (starts(row.inHeading, word) >= 0) +
        (row.heading ? 4 : 16) * (starts(row.inTitle, word) >= 0) +
        (starts(row.inText, word) >= 0);
      if (!one) return 0;
      total += one;
    }
    return row.address.startsWith("reference/") ? total : 2 * total; // what explains goes before what lists
  }

  /** Return the text around the first word that was asked for. Folding keeps places only nearly: good enough for a cut. */
  function excerpt(row, asked) {
    const place = Math.max(0, Math.min(...asked.map((word) => starts(row.inText, word)).filter((at) => at >= 0), row.text.length));
    const low = place === row.text.length ? 0 : Math.max(0, place - AROUND);
    const cut = row.text.slice(low, low + 2 * AROUND + 20);
    return `${low ? "…" : ""}${cut}${low + cut.length < row.text.length ? "…" : ""}`;
  }

  function element(tag, text, more = {}) {
    return Object.assign(document.createElement(tag), { textContent: text }, more);
  }

  function result(row, asked) {
    const item = document.createElement("li");
    const name = row.heading ? `${row.title}: ${row.heading}` : row.title;
    item.append(element("a", name, { href: `${root}/${row.address}` }), element("p", excerpt(row, asked)));
    return item;
  }

  async function answer() {
    const asked = words(field.value);
    found.hidden = !asked.length;
    if (!asked.length) return;
    let all;
    try {
      all = await load();
    } catch {
      status.textContent = "The index of the search could not be loaded.";
      return;
    }
    const ranked = all
      .map((row) => [weight(row, asked), row])
      .filter(([value]) => value)
      .sort(([one], [other]) => other - one);
    list.replaceChildren(...ranked.slice(0, MOST).map(([, row]) => result(row, asked)));
    status.textContent = summary(ranked.length, asked);
  }

  function summary(count, asked) {
    if (!count) return `No section has ${asked.length > 1 ? "all these words" : "this word"}.`;
    return `${count} ${count > 1 ? "sections" : "section"}${count > MOST ? `, the first ${MOST} shown` : ""}`;
  }

  function close() {
    found.hidden = true;
    field.value = "";
  }

  form.hidden = false;
  field.addEventListener("focus", () => load().catch(() => {}));
  field.addEventListener("input", answer);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    list.querySelector("a")?.focus();
  });
  document.addEventListener("keydown", (event) => {
    const within = form.contains(event.target) || found.contains(event.target);
    if (event.key === "Escape" && within) {
      close();
      field.focus();
    }
    const moves = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (moves && within && !found.hidden) {
      const stops = [field, ...list.querySelectorAll("a")];
      stops[Math.max(0, Math.min(stops.length - 1, stops.indexOf(document.activeElement) + moves))].focus();
      event.preventDefault();
    }
    if (event.key === "/" && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName) && !event.ctrlKey && !event.metaKey) {
      field.focus();
      event.preventDefault();
    }
  });
  document.addEventListener("click", ({ target }) => {
    if (target.closest("#found a")) close();
    else if (!form.contains(target) && !found.contains(target)) found.hidden = true;
  });
})();
