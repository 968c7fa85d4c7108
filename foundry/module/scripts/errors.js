/** Errors that cross a module of ours or the socket. Each has a JSON-RPC `code`. */

import { CODES } from "./wire.js";

/** The root: something this module can name. */
export class AagmError extends Error {
  /**
   * @param {string} message  One sentence a GM can read.
   * @param {{ code?: number, data?: Record<string, any>, cause?: unknown }} [options]
   */
  constructor(message, { code = CODES.internal, data, cause } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = new.target.name;
    this.code = code;
    this.data = data;
  }
}

/** The other side asked for a method this side does not have. */
export class MethodNotFound extends AagmError {
  /** @param {string} method */
  constructor(method) {
    super(`no such method: ${method}`, { code: CODES.methodNotFound });
  }
}

/** A request's parameters are not what the method takes. */
export class BadParams extends AagmError {
  /**
   * @param {string} message
   * @param {string} [fix]  What to do; the relay has a word of its own.
   */
  constructor(message, fix) {
    super(message, { code: CODES.invalidParams, data: fix === undefined ? undefined : { fix } });
  }
}

/** A document that was named does not exist. */
export class NotFound extends AagmError {
  /**
   * @param {string} what  "actor abc", "scene in view"
   * @param {string} [fix]  What to do.
   */
  constructor(what, fix = "foundry_search finds documents by words of their name and gives their uuid.") {
    super(`not found: ${what}`, { code: CODES.handlerThrew, data: { fix } });
  }
}

/** What a method did failed: evaluated code threw, Foundry refused. */
export class HandlerThrew extends AagmError {
  /**
   * @param {string} message
   * @param {{ stack?: string, cause?: unknown }} [options]
   */
  constructor(message, { stack, cause } = {}) {
    super(message, { code: CODES.handlerThrew, data: stack === undefined ? {} : { stack }, cause });
  }
}

/** A recorded request did not end within its limit; what it wrote so far is in the point. */
export class TimeLimit extends AagmError {
  /** @param {{ method: string, seconds: number, hidden: boolean }} what */
  constructor({ method, seconds, hidden }) {
    super(`${method} did not end within ${seconds} s${hidden ? "; the tab is in the background" : ""}`, {
      code: CODES.timeLimit,
      data: { method, seconds, hidden },
    });
  }
}

/** A write touched a document of the protected list and was stopped. */
export class ProtectedDocument extends AagmError {
  /** @param {string[]} names */
  constructor(names) {
    super(`protected and left as it was: ${names.join(", ")}`, { code: CODES.protected, data: { documents: names } });
  }
}

/** There is no accepted connection to the relay. */
export class NotConnected extends AagmError {
  /** @param {string} [why] */
  constructor(why = "the relay is not connected") {
    super(why, { code: CODES.noModule });
  }
}

/** A frame would be larger than the relay takes. */
export class TooLarge extends AagmError {
  /**
   * @param {number} size  Bytes.
   * @param {number} limit  Bytes.
   */
  constructor(size, limit) {
    super(`the answer has ${size} bytes, the relay takes ${limit}`, { code: CODES.tooLarge, data: { size, limit } });
  }
}

/** The relay answered a request of ours with an error. */
export class RelayRefused extends AagmError {
  /** @param {{ code?: number, message?: string, data?: Record<string, any> }} error */
  constructor({ code, message, data }) {
    super(message ?? "the relay refused", { code: code ?? CODES.internal, data });
  }
}

/**
 * Turn whatever was thrown into the `error` member of an answer.
 * @param {unknown} thrown
 * @returns {{ code: number, message: string, data?: Record<string, any> }}
 */
export function toWireError(thrown) {
  if (thrown instanceof AagmError) {
    const { code, message, data } = thrown;
    return data === undefined ? { code, message } : { code, message, data };
  }
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  return { code: CODES.handlerThrew, message: error.message, data: { stack: cutStack(error.stack) } };
}

/**
 * @param {string|undefined} stack
 * @returns {string}
 */
export function cutStack(stack) {
  return String(stack ?? "").slice(0, 4000);
}
