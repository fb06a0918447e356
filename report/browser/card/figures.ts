/** Figures of measurements: three digits, for what has more says nothing. What is not known is said so. */
import { figure } from '../../../core/figures.ts';
import { measured } from '../../charts/words.ts';
import { notKnown, orNotKnown } from '../shared/format.ts';

export const wholeText = (value: number | null): string => orNotKnown(value, (known) => figure(known, 0));
export const measuredText = (value: number | null): string => orNotKnown(value, measured);
export const msText = (value: number | null): string => orNotKnown(value, (known) => `${measured(known)} ms`);
export const hoursText = (value: number | null): string => orNotKnown(value, (known) => `${figure(known)} h`);
export const timesText = (value: number | null): string =>
  orNotKnown(value, (known) => `${figure(known)} times`);

/** What is nearly nothing is reported from nothing. */
export const percentText = (share: number | null): string =>
  orNotKnown(share, (known) => (known > 0 && known < 0.001 ? 'below 0.1 %' : `${figure(100 * known, 1)} %`));

/** From where to where, never below nothing. */
export const intervalText = (
  { low, high }: { low: number | null; high: number | null },
  text: (value: number) => string,
): string => (low === null || high === null ? notKnown : `${text(Math.max(0, low))} to ${text(high)}`);
