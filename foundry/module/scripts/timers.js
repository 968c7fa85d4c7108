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
  const worker = startWorker();
  return worker ? workerTimers(worker) : pageTimers();
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
    return null; // no Worker here, or the page's policy forbids Blob URLs
  }
}

/**
 * @param {Worker} worker
 * @returns {Timers}
 */
function workerTimers(worker) {
  /** @type {Map<number, () => void>} */
  const waiting = new Map();
  let last = 0;
  worker.onmessage = ({ data }) => {
    const run = waiting.get(data);
    waiting.delete(data);
    run?.();
  };
  return {
    after(ms, run) {
      const id = ++last;
      waiting.set(id, run);
      worker.postMessage({ id, ms });
      return () => {
        if (waiting.delete(id)) worker.postMessage({ id, ms: null });
      };
    },
    now: () => performance.now(),
  };
}
