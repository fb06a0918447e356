/** Each scenario in a lab of its own, its ratios held against those of the lab's design. */
import { join } from 'node:path';
import { Lab } from '../../local/lab/lab.ts';
import { scenarios } from '../../local/lab/scenarios/index.ts';
import { isWithin, tried } from '../../local/lab/scenarios/scenario.ts';

const root = join(__dirname, '../..');

/** Twice the longest, on a machine that has a processor for it half of the time. */
const longestMs = 20 * 60_000;

export function testScenario(name: string): void {
  const run = async (): Promise<void> => {
    const scenario = scenarios.find((one) => one.name === name);
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
    const lab = await Lab.start({ root, name: `test-${name}`, disks: [], say: () => {} });
    const said: string[] = [];
    try {
      const { columns, rows, ratios } = await tried(scenario, lab, (line) => said.push(line));
      const notified = ratios.map(
        (ratio) => `${ratio.name}: ${ratio.measured.toFixed(3)}, expected ${ratio.expected.toFixed(3)}`,
      );
      process.stderr.write(
        `${name} (emulated)\n${[columns, ...rows].map((row) => `  ${row.join(' | ')}`).join('\n')}\n  ${[...notified, ...said.filter((line) => /processor/.test(line))].join('\n  ')}\n`,
      );
      expect(ratios.filter((ratio) => !isWithin(ratio))).toEqual([]);
      expect(ratios.length).toBeGreaterThan(0);
    } finally {
      await lab.stop();
    }
  };
  test(name, run, longestMs);
}
