/** A kind of finding as a title: Throttled volume IOPS. */
import type { FindingKind } from '../../../core/schemas/finding-kinds.ts';
import { kindWords } from '../../charts/words.ts';

export function kindTitle(kind: FindingKind): string {
  const words = kindWords(kind)
    .replace(/\biops\b/, 'IOPS')
    .replace(/\bebs\b/, 'EBS');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
