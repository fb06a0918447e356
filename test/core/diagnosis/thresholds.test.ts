/** Words of the audit in other figures: one object, read when it is needed. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { configurableThresholds } from '../../../core/config/thresholds.ts';
import {
  documentedThresholds,
  otherThresholds,
  setThresholds,
  thresholds,
} from '../../../core/diagnosis/thresholds.ts';

afterEach(() => setThresholds({}));

test('what is set is in force, the rest as documented; setting again begins anew', () => {
  setThresholds({ throttledWarningMinutes: 10, idleOpsPerMinute: undefined });
  expect(thresholds.throttledWarningMinutes).toBe(10);
  expect(thresholds.idleOpsPerMinute).toBe(documentedThresholds.idleOpsPerMinute);
  expect(otherThresholds()).toEqual({ throttledWarningMinutes: 10 });
  setThresholds({ microBurstMinutes: 4 });
  expect(thresholds.throttledWarningMinutes).toBe(5);
  expect(otherThresholds()).toEqual({ microBurstMinutes: 4 });
});

test('a figure as documented is none of its own', () => {
  setThresholds({ throttledWarningMinutes: 5 });
  expect(otherThresholds()).toEqual({});
});

/** Lines that a module runs when it loads: nothing of them is within braces, and no arrow defers them. */
const isCopied = (line: string): boolean => /^(export )?const [^=]*= (?!.*=>).*\bthresholds\./.test(line);

test('no module of the engine keeps a figure that it read while it was loaded', () => {
  const files = readdirSync(join(process.cwd(), 'core'), { recursive: true, encoding: 'utf8' });
  const copied = files
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      readFileSync(join(process.cwd(), 'core', file), 'utf8')
        .split('\n')
        .filter(isCopied)
        .map((line) => `${file}: ${line}`),
    );
  expect(copied).toEqual([]);
  expect(isCopied('const twice = 2 * thresholds.stragglerMinutes;')).toBe(true);
  expect(configurableThresholds.length).toBeGreaterThan(20);
});
