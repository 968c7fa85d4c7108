/** Hazards 29 to 32: what is kept and yet not simply put back. */

import assert from "node:assert/strict";

import { failures } from "../module/bench.mjs";
import { hazard, listen } from "./stage.mjs";

hazard(29, "settings go back through Foundry's settings; world time and module lists do not by themselves", {
  mutant: { file: "recorder/undo/writes.js", find: "return [{ mode: coarse ? \"leaf\" : \"setting\", changes }];", put: "return [{ mode: \"leaf\", changes: changes.map((each) => ({ ...each, before: \"7\" })) }];" },
}, async (stage) => {
  const told = [];
  const { settings } = stage.game;
  settings.register("programs", "gloom", { scope: "world", type: Number, default: 0, onChange: (value) => told.push(value) });
  settings.register("programs", "nook", { scope: "client", type: Number, default: 0 });
  await stage.settle(settings.set("programs", "gloom", 1));
  await stage.exactly(() => settings.set("programs", "gloom", 2));
  assert.deepEqual(told.slice(-3), [1, 2, 1]);
  settings.register("programs", "fresh", { scope: "world", type: Number, default: 5, onChange: (value) => told.push(`fresh ${value}`) });
  await stage.exactly(() => settings.set("programs", "fresh", 6));
  assert.equal(told.at(-1), "fresh 5");
  const client = await stage.record(() => settings.set("programs", "nook", 3));
  assert.deepEqual(client.entries, []);
  const clock = await stage.record(() => settings.set("core", "time", 500));
  assert.deepEqual(clock.entries.map(({ own }) => own), [true]);
  settings.register("core", "moduleConfiguration", { scope: "world", type: Object, default: {} });
  await stage.settle(settings.set("core", "moduleConfiguration", { a: true }));
  const modules = await stage.record(() => settings.set("core", "moduleConfiguration", { a: false }));
  const redo = await stage.undo(modules);
  assert.equal(failures(redo).length, 1);
  assert.deepEqual(settings.get("core", "moduleConfiguration"), { a: false });
  assert.deepEqual(failures(await stage.undo(modules, { force: true })), []);
  assert.deepEqual(settings.get("core", "moduleConfiguration"), { a: true });
});

hazard(30, "a user's role is never put back, the rest of the user is", {
  mutant: { file: "recorder/undo/policy.js", find: "const USER_RIGHTS = new Set([\"role\", \"permissions\", \"password\", \"passwordSalt\"]);", put: "const USER_RIGHTS = new Set();" },
}, async (stage) => {
  const user = stage.game.users.getName("Ottar's player");
  const { id, color } = user._source._id ? { id: user.id, color: user._source.color } : {};
  const point = await stage.record(() => user.update({ role: 2, color: "#abcdef" }));
  const redo = await stage.undo(point, { force: true });
  assert.deepEqual(failures(redo).map(({ error }) => error), ["a user's role and rights are never put back"]);
  assert.equal(user._source.role, 2);
  assert.equal(user._source.color, color);
  const gone = await stage.record(() => user.delete());
  await stage.undo(gone, { force: true });
  assert.equal(stage.game.users.get(id)._source.role, 0);
});

hazard(31, "a path of a file is put back as the text it is, and the row says so", {
  mutant: { file: "recorder/undo/restore.js", find: "FILE.test(path)) ? FILE_NOTE : undefined", put: "FILE.test(path)) ? undefined : undefined" },
}, async (stage) => {
  const point = await stage.exactly(() => stage.actor().update({ img: "portraits/drowned.webp" }));
  const redo = await stage.undo({ ...point, entries: [{ ...point.entries[0], changes: point.entries[0].changes.map((change) => ({ ...change, before: change.after, after: change.before })) }] });
  assert.deepEqual(redo.applied.map(({ ok, note }) => [ok, note]), [[true, "the path is put back; files are not"]]);
});

hazard(32, "music that was stopped does not start again by itself", {
  mutant: { file: "recorder/undo/policy.js", find: "!(path === \"playing\" && before === true)", put: "true" },
}, async (stage) => {
  const playlist = stage.game.playlists.getName("Lake sounds");
  await stage.settle(playlist.update({ playing: true, description: "on" }));
  const before = stage.look();
  const started = [];
  listen(stage.gm, "updatePlaylist", (_playlist, changes) => started.push(changes.playing));
  const point = await stage.record(() => playlist.update({ playing: false, description: "off" }));
  const redo = await stage.undo(point);
  assert.deepEqual(failures(redo).map(({ error }) => error), ["it does not start to play again unless forced"]);
  assert.equal(started.includes(true), false);
  assert.deepEqual(stage.changed(before), [playlist.uuid]);
  assert.equal(playlist.description, "on");
  assert.deepEqual(failures(await stage.undo({ ...point, id: "rp-force" }, { force: true })), []);
  assert.deepEqual(stage.changed(before), []);
});
