/** Driving `node-world.mjs` from a Node test: one command, one answer. */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const SCRIPT = fileURLToPath(new URL("./node-world.mjs", import.meta.url));

/** A world in a process of its own. */
export class WorldProcess {
  #child;
  #waiting = new Map();
  #next = 1;
  #ready;

  /** @param {string[]} args Options of `node-world.mjs`. */
  constructor(args = []) {
    this.#child = spawn(process.execPath, [SCRIPT, ...args], { stdio: ["pipe", "pipe", "inherit"] });
    this.exited = new Promise((resolve) => {
      this.#child.once("exit", resolve);
    });
    this.#ready = new Promise((resolve, reject) => {
      this.#child.once("exit", (code) => reject(new Error(`the world ended with ${code}`)));
      createInterface({ input: this.#child.stdout }).on("line", (line) => this.#line(JSON.parse(line), resolve));
    });
  }

  #line(message, ready) {
    if (message.event === "ready") ready();
    const waiting = this.#waiting.get(message.id);
    if (!waiting) return;
    this.#waiting.delete(message.id);
    if (message.ok) waiting.resolve(message.value);
    else waiting.reject(new Error(message.error));
  }

  ready() {
    return this.#ready;
  }

  send(cmd, given = {}) {
    const id = this.#next;
    this.#next += 1;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdin.write(`${JSON.stringify({ id, cmd, ...given })}\n`);
    });
  }

  kill(signal = "SIGKILL") {
    this.#child.kill(signal);
    return this.exited;
  }

  /** End it as a driver that goes away does. */
  end() {
    this.#child.stdin.end();
    return this.exited;
  }
}
