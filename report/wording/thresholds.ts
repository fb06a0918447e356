/** Words of the audit that mean other figures than documented: whoever reads a result must know. */
import { defaultThresholds, type ThresholdName } from '../../core/diagnosis/thresholds.ts';
import { figure } from '../../core/figures.ts';
import type { AuditResult } from '../../core/schemas/audit-result.ts';

const isKnown = (name: string): name is ThresholdName => Object.hasOwn(defaultThresholds, name);

/** "throttledWarningMinutes 10 instead of 5", one a word. */
export const thresholdTexts = ({ thresholds = {} }: Pick<AuditResult, 'thresholds'>): string[] =>
  Object.entries(thresholds).map(([name, set]) => {
    const documented = isKnown(name) ? ` instead of ${figure(defaultThresholds[name], 4)}` : '';
    return `${name} ${figure(set, 4)}${documented}`;
  });
