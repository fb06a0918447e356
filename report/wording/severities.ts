/** How many findings there are of each severity. */
import { figure } from '../../core/figures.ts';
import { type Severity, severities } from '../../core/schemas/finding-kinds.ts';
import { counted } from './words.ts';

const severityWords: Readonly<Record<Severity, (count: number) => string>> = {
  critical: (count) => `${figure(count, 0)} critical`,
  warning: (count) => counted(count, 'warning'),
  info: (count) => `${figure(count, 0)} info`,
};

/** "24 critical, 49 warnings". */
export const severityText = (counts: Readonly<Record<Severity, number>>): string =>
  severities
    .filter((severity) => counts[severity] > 0)
    .map((severity) => severityWords[severity](counts[severity]))
    .join(', ');
