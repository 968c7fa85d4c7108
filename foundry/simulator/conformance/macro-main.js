/** What the probe macro does: ask, run, clean up, show. Part of the macro; `SCENARIOS` stands above it there. */

/** Run the whole probe on this page. */
export async function probe({ scenarios, runScenario, runProbes, env, ask, show }) {
  if (!(await ask())) return null;
  const { generation } = env.game.release;
  const report = { probe: 1, date: new Date().toISOString().slice(0, 10), generation, version: env.game.version, system: `${env.game.system.id} ${env.game.system.version}`, outcomes: [], probes: {} };
  for (const scenario of scenarios) {
    if (scenario.profiles && !scenario.profiles.includes(generation)) continue;
    report.outcomes.push(await runScenario(env, scenario));
  }
  report.probes = await runProbes(env);
  await show(report);
  return report;
}
