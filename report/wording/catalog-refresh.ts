/** What a command says of a Region whose prices it read by itself, or could not read: one line. */
import { counted, shortText } from './words.ts';

/** What there was of a Region before. */
export interface CatalogThere {
  from: 'this-machine' | 'built-in' | 'nowhere';
  /** How old it is; null where there is nothing. */
  days: number | null;
}

function ageText(region: string, { from, days }: CatalogThere): string {
  const what = `prices and instance types of ${shortText(region, 40)}`;
  if (days === null) return `${what} were not known`;
  const whose = from === 'built-in' ? `${what} that come with stripewise` : what;
  return days < 0
    ? `${whose} are dated in the future`
    : `${whose} are ${counted(Math.floor(days), 'day')} old`;
}

interface ReadAnew {
  region: string;
  there: CatalogThere;
  apiCalls: number;
  file: string;
  /** Why they could not be kept; null: they are in the file. */
  notKept: string | null;
}

/** "prices and instance types of eu-central-1 are 41 days old: read anew, 35 calls, kept in FILE". */
export function readAnewText({ region, there, apiCalls, file, notKept }: ReadAnew): string {
  const read = there.days === null ? 'read' : 'read anew';
  const kept = notKept === null ? `kept in ${shortText(file, 300)}` : `not kept: ${shortText(notKept, 300)}`;
  return `${ageText(region, there)}: ${read}, ${counted(apiCalls, 'call')}, ${kept}`;
}

interface NotReadAnew extends Pick<ReadAnew, 'region' | 'there'> {
  reason: string;
}

/** Where it cannot be read the command goes on with what is there. */
export function notReadAnewText({ region, there, reason }: NotReadAnew): string {
  const used = there.days === null ? 'they stay unknown' : 'they are used as they are';
  return `${ageText(region, there)}, and could not be read: ${shortText(reason, 300)}; ${used}, and the next try is in an hour`;
}
