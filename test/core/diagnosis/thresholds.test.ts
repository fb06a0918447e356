/** Words of the audit in other figures: made once at an edge, and an argument from there on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defaultThresholds, otherThresholds, thresholdsOf } from '../../../core/diagnosis/thresholds.ts';

test('what is set is in force, the rest as documented; others begin anew', () => {
  const later = thresholdsOf({ throttledWarningMinutes: 10, idleOpsPerMinute: undefined });
  expect(later.throttledWarningMinutes).toBe(10);
  expect(later.idleOpsPerMinute).toBe(defaultThresholds.idleOpsPerMinute);
  expect(otherThresholds(later)).toEqual({ throttledWarningMinutes: 10 });
  const longer = thresholdsOf({ microBurstMinutes: 4 });
  expect(longer.throttledWarningMinutes).toBe(5);
  expect(otherThresholds(longer)).toEqual({ microBurstMinutes: 4 });
  expect(otherThresholds(defaultThresholds)).toEqual({});
});

test('a figure as documented is none of its own', () => {
  expect(otherThresholds(thresholdsOf({ throttledWarningMinutes: 5 }))).toEqual({});
});

/** Where a configuration is compared with what is documented, and where a reader is reported of it. */
const mayNameDefaults = /^(config\/|report\/threshold-texts\.ts$|diagnosis\/thresholds\.ts$)/;

test('nothing that evaluates falls back to the documented figures: it is given those of its evaluation', () => {
  const root = join(process.cwd(), 'core');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const named = files.filter((file) => readFileSync(join(root, file), 'utf8').includes('defaultThresholds'));
  expect(named).toContain('diagnosis/thresholds.ts');
  expect(named.filter((file) => !mayNameDefaults.test(file))).toEqual([]);
});
