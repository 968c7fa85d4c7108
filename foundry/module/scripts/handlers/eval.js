/** @import { ConsoleLine, EvalThrown, EvalValue } from "../wire.js" */
import { BadParams, HandlerThrew, cutStack } from "../errors.js";
import { withoutToken } from "../secret.js";
import { serialize } from "../serializer.js";
import { tapConsole } from "../console-tap.js";

const AsyncFunction = /** @type {FunctionConstructor} */ (Object.getPrototypeOf(async function () {}).constructor);

const CONSOLE_LINES = 500;

/**
 * Run code as the body of a strict async function; it sees the page's globals and nothing of ours.
 * @param {{ code: string, awaitResult?: boolean, captureConsole?: boolean, rp?: object }} params
 *   `awaitResult: false` counts only outside a recording, which must see what the code writes.
 * @returns {Promise<EvalValue|EvalThrown>}
 * @throws {BadParams|HandlerThrew}
 */
export async function evaluate({ code, awaitResult = true, captureConsole = false, rp }) {
  if (typeof code !== "string" || code.trim() === "") throw new BadParams("code is empty");
  /** @type {ConsoleLine[]} */
  const lines = [];
  const release = captureConsole ? tapConsole((line) => lines.length < CONSOLE_LINES && lines.push(line)) : undefined;
  try {
    const running = compile(code)();
    if (!awaitResult && rp === undefined) running.catch(() => {}); // nobody waits, so nobody is told
    const returned = awaitResult || rp !== undefined ? await running : running;
    /** @type {EvalValue} */
    const result = { ok: true, ...serialize(returned) };
    return withoutToken(captureConsole ? { ...result, console: lines } : result);
  } catch (thrown) {
    if (!captureConsole) throw asHandlerError(thrown);
    return withoutToken({ ok: false, thrown: describe(thrown), console: lines });
  } finally {
    release?.();
  }
}

/** Marks the error of code that never ran. */
class BadSyntax extends HandlerThrew {}

/**
 * @param {string} code
 * @returns {() => Promise<unknown>}
 */
function compile(code) {
  try {
    return /** @type {any} */ (new AsyncFunction(`"use strict";\n${code}\n`));
  } catch (thrown) {
    const error = /** @type {Error} */ (thrown);
    throw new BadSyntax(`eval: syntax error: ${error.message}`, { stack: cutStack(error.stack), cause: thrown });
  }
}

/** @param {unknown} thrown */
function asHandlerError(thrown) {
  if (thrown instanceof BadSyntax) return thrown;
  const { message, stack } = withoutToken(describe(thrown));
  return new HandlerThrew(`eval: execution threw: ${message}`, { stack, cause: thrown });
}

/**
 * @param {unknown} thrown
 * @returns {{ message: string, stack?: string }}
 */
function describe(thrown) {
  if (thrown instanceof Error) return { message: thrown.message, stack: cutStack(thrown.stack) };
  return { message: JSON.stringify(serialize(thrown).value) };
}
