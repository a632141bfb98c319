// The engine: the package itself, run by Pyodide in this worker. A message is a task for its session, or its answer.
import { loadPyodide } from "../engine/pyodide.mjs";

const GRACE = 200; // ms in which an interrupt is dealt with before the next one
let until = Infinity; // when Python is interrupted

const session = start();

async function start() {
  postMessage({ progress: "Python is loading", share: 0.1 });
  const [python, packages] = await Promise.all([
    loadPyodide({ env: { COSTDERIVE_CACHE: "off", HOME: "/home/pyodide" } }),
    fetch(new URL("../engine/packages.zip", import.meta.url)),
  ]);
  if (!packages.ok) throw new Error(`engine/packages.zip: ${packages.status}`);
  postMessage({ progress: "SymPy and costderive are loading", share: 0.4 });
  python.unpackArchive(await packages.arrayBuffer(), "zip", { extractDir: "/packages" });
  python.setInterruptBuffer({
    get 0() {
      return performance.now() > until ? 2 : 0;
    },
    set 0(_) {
      if (performance.now() > until) until = performance.now() + GRACE;
    },
  });
  python.registerJsModule("page", { interrupt_in: (seconds) => (until = performance.now() + 1000 * seconds) });
  const found = python.runPython(`
import sys, time
sys.path.insert(0, "/packages")
import page
from costderive.core import time_limit
from costderive.publish.in_page import Session
time_limit.interrupt_by(lambda at: page.interrupt_in(at - time.monotonic()))
session = Session()
def answer(task, *given):
    return getattr(session, task)(*(text if isinstance(text, str) else text.to_bytes() for text in given))
answer`);
  postMessage({ progress: "ready", share: 1 });
  return found;
}

session.catch((problem) => postMessage({ fatal: String(problem) }));

onmessage = async ({ data: { number, task, given } }) => {
  try {
    const answer = await session;
    postMessage({ number, answer: JSON.parse(answer(task, ...given)) });
  } catch (problem) {
    postMessage({ number, fatal: String(problem) });
  }
};
