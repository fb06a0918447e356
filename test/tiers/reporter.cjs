/**
 * What a test run cost, tier by tier: CPU seconds beside its budget, the ten slowest suites, the most memory of a worker. A tier
 * that takes over one and a half times its budget fails the run, and the suites that grew are named. Machines are busy: CPU
 * seconds say more than a clock.
 * After a change that is meant to cost more: `npm test` with STRIPEWISE_KEEP_BUDGETS=1 writes what the tiers took as budgets.
 */
const { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, relative } = require('node:path');

/** CPU seconds over the budget that are put down to the machine. */
const tolerated = 1.5;
const maxWorkerMiB = 1_500;
const slowestShown = 10;
/** Smaller ones have no figure of their own in budgets.json. */
const minSuiteSeconds = 3;
/** Of room for later work. */
const headroom = 1.15;

const readBudgets = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { tiers: {}, suites: {} };

const row = (name, ...figures) => `  ${name.padEnd(12)}${figures.map((one) => one.padStart(12)).join('')}`;
const seconds = (value) => (value === undefined ? '-' : `${value.toFixed(0)} s`);

module.exports = class TierReporter {
  /** @param budgetsFile another one in tests. */
  constructor({ rootDir }, { budgetsFile = join(__dirname, 'budgets.json') } = {}) {
    this.root = rootDir;
    this.budgetsFile = budgetsFile;
    this.directory = mkdtempSync(join(tmpdir(), 'stripewise-costs-'));
    this.file = join(this.directory, 'costs.jsonl');
    this.tierOf = new Map();
    this.error = undefined;
    // Workers are started later, with this environment.
    process.env.STRIPEWISE_SUITE_COSTS = this.file;
  }

  onTestResult({ path, context }) {
    this.tierOf.set(path, context.config.displayName?.name ?? 'tests');
  }

  onRunComplete() {
    const lines = existsSync(this.file) ? readFileSync(this.file, 'utf8').trim().split('\n') : [];
    rmSync(this.directory, { recursive: true, force: true });
    const suites = lines.map((line) => {
      const { path, cpuSeconds, peakMiB } = JSON.parse(line);
      return { name: relative(this.root, path), tier: this.tierOf.get(path) ?? 'tests', cpuSeconds, peakMiB };
    });
    if (suites.length === 0) return;
    const budgets = readBudgets(this.budgetsFile);
    const tiers = new Map();
    for (const { tier, cpuSeconds } of suites) tiers.set(tier, (tiers.get(tier) ?? 0) + cpuSeconds);
    this.print(suites, tiers, budgets);
    if (process.env.STRIPEWISE_KEEP_BUDGETS === '1') keepBudgets(this.budgetsFile, suites, tiers, budgets);
    else if (process.env.STRIPEWISE_NO_BUDGETS !== '1') this.check(suites, tiers, budgets);
  }

  print(suites, tiers, budgets) {
    const slowest = [...suites].sort((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, slowestShown);
    const peak = suites.reduce((most, one) => (one.peakMiB > most.peakMiB ? one : most));
    const text = [
      '',
      row('CPU time', 'took', 'budget', 'suites'),
      ...[...tiers].map(([tier, took]) => {
        const count = suites.filter((one) => one.tier === tier).length;
        return row(tier, seconds(took), seconds(budgets.tiers[tier]), `${count}`);
      }),
      'Slowest suites:',
      ...slowest.map((one) => `  ${one.cpuSeconds.toFixed(1).padStart(6)} s  ${one.name}`),
      `Most memory of a worker: ${peak.peakMiB.toFixed(0)} MiB, seen after ${peak.name}.`,
      '',
    ];
    process.stderr.write(`${text.join('\n')}\n`);
  }

  check(suites, tiers, budgets) {
    const problems = [];
    for (const [tier, took] of tiers) {
      const budget = budgets.tiers[tier];
      if (budget === undefined || took <= tolerated * budget) continue;
      const grown = suites
        .filter((one) => one.tier === tier)
        .map((one) => ({ ...one, before: budgets.suites[one.name] ?? 0 }))
        .sort((a, b) => b.cpuSeconds - b.before - (a.cpuSeconds - a.before))
        .slice(0, 3)
        .map((one) => `${one.name} (${seconds(one.cpuSeconds)}, was ${seconds(one.before)})`);
      problems.push(
        `${tier} took ${seconds(took)} of CPU, over one and a half times its budget of ${seconds(budget)}; grew most: ${grown.join(', ')}`,
      );
    }
    const large = suites.filter(({ peakMiB }) => peakMiB > maxWorkerMiB);
    if (large.length > 0)
      problems.push(
        `a worker had more than ${maxWorkerMiB} MiB of memory, first seen after ${large[0].name}`,
      );
    if (problems.length > 0) this.error = new Error(problems.join('\n'));
  }

  getLastError() {
    return this.error;
  }
};

function keepBudgets(budgetsFile, suites, tiers, budgets) {
  for (const [tier, took] of tiers) budgets.tiers[tier] = Math.ceil(took * headroom);
  const ofTiers = new Set(suites.map(({ name }) => name));
  const kept = Object.entries(budgets.suites).filter(([name]) => !ofTiers.has(name));
  const now = suites
    .filter(({ cpuSeconds }) => cpuSeconds >= minSuiteSeconds)
    .map(({ name, cpuSeconds }) => [name, Math.round(cpuSeconds)]);
  budgets.suites = Object.fromEntries([...kept, ...now].sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(budgetsFile, `${JSON.stringify(budgets, null, 2)}\n`);
}
