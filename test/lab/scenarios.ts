/** Each scenario in a lab of its own, its ratios held against those of the lab's design. */
import { join } from 'node:path';
import { Lab } from '../../local/lab/lab.ts';
import { scenarios } from '../../local/lab/scenarios/index.ts';
import { withinPercent } from '../../local/lab/scenarios/scenario.ts';

const root = join(__dirname, '../..');

export function testScenarios(names: readonly string[]): void {
  const wanted = scenarios.filter(({ name }) => names.includes(name));
  test.each(wanted.map((scenario) => [scenario.name, scenario] as const))('%s', async (name, scenario) => {
    const lab = await Lab.start({ root, name: `test-${name}`, disks: [], say: () => {} });
    try {
      const { columns, rows, ratios } = await scenario.run(lab, () => {});
      const told = ratios.map(
        (ratio) => `${ratio.name}: ${ratio.measured.toFixed(3)}, expected ${ratio.expected.toFixed(3)}`,
      );
      process.stderr.write(
        `${name} (emulated)\n${[columns, ...rows].map((row) => `  ${row.join(' | ')}`).join('\n')}\n  ${told.join('\n  ')}\n`,
      );
      const wrong = ratios.filter(
        ({ measured, expected }) => !(Math.abs(measured / expected - 1) * 100 <= withinPercent),
      );
      expect(wrong).toEqual([]);
      expect(ratios.length).toBeGreaterThan(0);
    } finally {
      await lab.stop();
    }
  });
}
