/** How a kind of finding is called: "throttled volume IOPS". */
import type { FindingKind } from '../../core/schemas/finding-kinds.ts';
import { capitalized } from './words.ts';

export const kindWords = (kind: FindingKind): string =>
  kind
    .replaceAll('-', ' ')
    .replace(/\biops\b/, 'IOPS')
    .replace(/\bebs\b/, 'EBS');

/** The same as a title. */
export const kindTitle = (kind: FindingKind): string => capitalized(kindWords(kind));
