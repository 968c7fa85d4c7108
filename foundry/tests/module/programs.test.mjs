import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { judge } from "../programs/verdict.mjs";
import { makeProgram } from "../programs/grammar.mjs";

const KINDS = [
  { system: "generic", hostile: false, count: 40 },
  { system: "pf1", hostile: false, count: 20 },
  { system: "5e", hostile: false, count: 10 },
  { system: "generic", hostile: true, count: 30 },
];

for (const profile of [12, 13, 14]) {
  for (const { system, hostile, count } of KINDS) {
    test(`${count} random programs are taken back and done again (${profile}, ${system}${hostile ? ", hostile" : ""})`, async () => {
      const totals = { exact: 0, partialHonest: 0, lost: 0 };
      for (let i = 0; i < count; i++) {
        const about = { profile, system, hostile, seed: `suite/${i}` };
        const { verdict, why } = await judge(about, makeProgram(about.seed, about));
        totals[verdict] += 1;
        assert.notEqual(verdict, "lost", JSON.stringify({ seed: about.seed, why }));
      }
      assert.ok(totals.exact >= count * (hostile ? 0.9 : 1), JSON.stringify(totals));
    });
  }
}

test("however many jobs share the programs, the line that is printed is the same", async () => {
  const command = fileURLToPath(new URL("../undo-programs.mjs", import.meta.url));
  const printed = async (jobs) => {
    const { stdout } = await promisify(execFile)(process.execPath, [command, "--programs", "5", "--seed", "shared", "--causes", "--hostile", "--jobs", jobs]);
    return JSON.parse(stdout);
  };
  const [alone, shared] = [await printed("1"), await printed("2")];
  assert.deepEqual(shared, alone);
  assert.equal(alone.exact + alone.partialHonest, 5);
});
