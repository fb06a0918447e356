/** How much more than what was seen, in words: the share may be configured. */
import type { Thresholds } from '../diagnosis/thresholds.ts';
import { figure } from '../figures.ts';

/** "a quarter", or "40 %". */
export function headroomText({ savingHeadroom }: Thresholds): string {
  return savingHeadroom === 0.25 ? 'a quarter' : `${figure(100 * savingHeadroom)} %`;
}
