/**
 * What a test run cost, tier by tier: CPU seconds beside its budget, the ten slowest suites, the most memory of a worker. A tier
 * that takes over twice its budget fails the run, and the suites that grew are named. Machines are busy: CPU
 * seconds say more than a clock. Even they are longer where other machines share the processor: a small piece of work,
 * repeated all along the run, says by how much.
 * After a change that is meant to cost more: `npm test` with STRIPEWISE_KEEP_BUDGETS=1 writes what the tiers took as budgets.
 */
const { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join, relative } = require('node:path');

/** CPU seconds over the budget that are put down to the machine. */
const tolerated = 2;
const maxWorkerMiB = 1_500;
const slowestShown = 10;
/** Smaller ones have no figure of their own in budgets.json. */
const minSuiteSeconds = 3;
/** Of room for later work. */
const headroom = 1.15;

/** CPU milliseconds of that piece of work where nobody else has the processor. Budgets are in seconds of such a machine. */
const yardstickMs = 7;
const yardstickWarmUps = 20;
/** So many suites between two of them. */
const yardstickEvery = 4;
/** The longest of them met a collection of garbage. */
const yardstickCounted = 0.9;

const yardstickText = JSON.stringify(
  Array.from({ length: 4_000 }, (_, i) => ({
    id: `vol-${i}`,
    rates: [i, i * 1.5, i % 7],
    tags: { name: `${i % 13}` },
  })),
);

/** @returns CPU milliseconds of what tests do most: read, sort, count and write objects. */
function yardstick() {
  const before = process.cpuUsage();
  const rows = JSON.parse(yardstickText).sort((a, b) => a.rates[2] - b.rates[2] || (a.id < b.id ? -1 : 1));
  const sums = new Map();
  for (const { tags, rates } of rows) sums.set(tags.name, (sums.get(tags.name) ?? 0) + rates[1]);
  JSON.stringify(rows);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const readBudgets = (file) =>
  existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { tiers: {}, suites: {} };

const row = (name, ...figures) => `  ${name.padEnd(12)}${figures.map((one) => one.padStart(12)).join('')}`;
const seconds = (value) => (value === undefined ? '-' : `${value.toFixed(0)} s`);

module.exports = class TierReporter {
  /** @param options another file and another measure in tests. */
  constructor({ rootDir }, options = {}) {
    this.root = rootDir;
    this.budgetsFile = options.budgetsFile ?? join(__dirname, 'budgets.json');
    this.measure = options.measure ?? yardstick;
    this.measured = [];
    this.ended = 0;
    for (let n = 0; n < yardstickWarmUps; n++) this.measure();
    this.directory = mkdtempSync(join(tmpdir(), 'stripewise-costs-'));
    this.file = join(this.directory, 'costs.jsonl');
    this.tierOf = new Map();
    this.error = undefined;
    // Workers are started later, with this environment.
    process.env.STRIPEWISE_SUITE_COSTS = this.file;
  }

  onTestResult({ path, context }) {
    this.tierOf.set(path, context.config.displayName?.name ?? 'tests');
    if (this.ended++ % yardstickEvery === 0) this.measured.push(this.measure());
  }

  /** How many times as long as on the machine of the budgets work took here; never less than once. */
  slowness() {
    const sorted = this.measured.sort((a, b) => a - b);
    const usual = sorted.slice(0, Math.ceil(yardstickCounted * sorted.length));
    const mean = usual.reduce((sum, one) => sum + one, 0) / Math.max(usual.length, 1);
    return Math.max(1, mean / yardstickMs);
  }

  onRunComplete() {
    const lines = existsSync(this.file) ? readFileSync(this.file, 'utf8').trim().split('\n') : [];
    rmSync(this.directory, { recursive: true, force: true });
    const slowness = this.slowness();
    const suites = lines.map((line) => {
      const { path, cpuSeconds, peakMiB } = JSON.parse(line);
      const tier = this.tierOf.get(path) ?? 'tests';
      return { name: relative(this.root, path), tier, cpuSeconds: cpuSeconds / slowness, peakMiB };
    });
    if (suites.length === 0) return;
    const budgets = readBudgets(this.budgetsFile);
    const tiers = new Map();
    for (const { tier, cpuSeconds } of suites) tiers.set(tier, (tiers.get(tier) ?? 0) + cpuSeconds);
    this.print(suites, tiers, budgets, slowness);
    if (process.env.STRIPEWISE_KEEP_BUDGETS === '1') keepBudgets(this.budgetsFile, suites, tiers, budgets);
    else if (process.env.STRIPEWISE_NO_BUDGETS !== '1') this.check(suites, tiers, budgets);
  }

  print(suites, tiers, budgets, slowness) {
    const slowest = [...suites].sort((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, slowestShown);
    const peak = suites.reduce((most, one) => (one.peakMiB > most.peakMiB ? one : most));
    const text = [
      '',
      row('CPU time', 'took', 'budget', 'suites'),
      ...[...tiers].map(([tier, took]) => {
        const count = suites.filter((one) => one.tier === tier).length;
        return row(tier, seconds(took), seconds(budgets.tiers[tier]), `${count}`);
      }),
      ...(slowness > 1 ? [`Work took ${slowness.toFixed(2)} times as long here: divided by that.`] : []),
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
        `${tier} took ${seconds(took)} of CPU, over twice its budget of ${seconds(budget)}; grew most: ${grown.join(', ')}`,
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
