/**
 * Node's environment of Jest, which also notes what a suite cost: CPU seconds of its worker and of all that it started and saw
 * end, and the most memory that its worker had. For test/tiers/reporter.cjs.
 */
const { appendFileSync, readFileSync } = require('node:fs');
const { TestEnvironment } = require('jest-environment-node');

/** The kernel counts in hundredths of a second for every process (USER_HZ). */
const ticksPerSecond = 100;

/** Of children that ended and were waited for, and of theirs. Linux alone says it; elsewhere it is not counted. */
function childrenSeconds() {
  try {
    const stat = readFileSync('/proc/self/stat', 'utf8');
    // Its 16th and 17th field; the second is the name in brackets, which may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
  } catch {
    return 0;
  }
}

function cpuSeconds() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6 + childrenSeconds();
}

module.exports = class extends TestEnvironment {
  constructor(config, context) {
    const before = cpuSeconds();
    super(config, context);
    this.before = before;
    this.path = context.testPath;
  }

  async teardown() {
    await super.teardown();
    const file = process.env.STRIPEWISE_SUITE_COSTS;
    if (file === undefined) return;
    const cost = {
      path: this.path,
      cpuSeconds: cpuSeconds() - this.before,
      peakMiB: process.resourceUsage().maxRSS / 1024,
    };
    appendFileSync(file, `${JSON.stringify(cost)}\n`);
  }
};
