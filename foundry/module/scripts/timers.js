/**
 * Timers that go on in a hidden tab.
 *
 * Browsers run a hidden page's own timers once a minute; a Worker's are left alone. It is made from a Blob URL so that
 * the manifest need not name another file.
 */

/**
 * @typedef {object} Timers
 * @property {(ms: number, run: () => void) => () => void} after  Run later; the returned function cancels.
 * @property {() => number} now  Milliseconds, only to be compared with itself.
 */

const WORKER = `
const timers = new Map();
onmessage = ({ data: { id, ms } }) => {
  clearTimeout(timers.get(id));
  timers.delete(id);
  if (ms !== null) timers.set(id, setTimeout(() => { timers.delete(id); postMessage(id); }, ms));
};`;

/**
 * @returns {Timers}  The page's own where there is no Worker.
 */
export function makeTimers() {
  const page = pageTimers();
  const worker = startWorker();
  return worker ? workerTimers(worker, page) : page;
}

/** @returns {Timers} */
function pageTimers() {
  return {
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
    now: () => performance.now(),
  };
}

/** @returns {Worker|null} */
function startWorker() {
  try {
    const url = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    return new Worker(url);
  } catch {
    return null; // no Worker here
  }
}

/**
 * @param {Worker} worker
 * @param {Timers} page  For when there is no worker after all: a page's policy that forbids Blob URLs is told late.
 * @returns {Timers}
 */
function workerTimers(worker, page) {
  /** @type {Map<number, { run: () => void, due: number }>} */
  const waiting = new Map();
  let last = 0;
  let isBroken = false;
  const ring = (/** @type {number} */ id) => {
    const timer = waiting.get(id);
    waiting.delete(id);
    timer?.run();
  };
  worker.onmessage = ({ data }) => ring(data);
  worker.onerror = () => {
    isBroken = true;
    for (const [id, { due }] of waiting) page.after(Math.max(0, due - page.now()), () => ring(id));
  };
  return {
    after(ms, run) {
      if (isBroken) return page.after(ms, run);
      const id = ++last;
      waiting.set(id, { run, due: page.now() + ms });
      worker.postMessage({ id, ms });
      return () => {
        if (waiting.delete(id) && !isBroken) worker.postMessage({ id, ms: null });
      };
    },
    now: page.now,
  };
}
