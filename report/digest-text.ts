/** What every form of a digest says, whatever the channel. */
import type { ToldFinding } from '../core/schemas/advisory.ts';
import type { Digest } from '../core/schemas/digest.ts';
import { severities } from '../core/schemas/finding.ts';
import { type FindingText, findingText, resourceTextOf } from './advisory-text.ts';
import { inert, minuteText, plural, usd, whole } from './terminal/text.ts';

export type DigestFinding = Digest['first'][number];

const openCount = ({ open }: Digest): number =>
  severities.reduce((count, severity) => count + open[severity], 0);

export function digestHeadline(digest: Digest): string {
  const parts = severities
    .filter((severity) => digest.open[severity] > 0)
    .map((severity) => `${whole(digest.open[severity])} ${severity}`);
  const count = openCount(digest);
  return count === 0
    ? 'stripewise: no finding is open'
    : `stripewise: ${plural(count, 'finding')} open (${parts.join(', ')})`;
}

/** The figures of the span, a sentence a line. */
export function digestLines(digest: Digest): string[] {
  const { span, opened, resolved, muted, acknowledged, monthlyUsdToSave } = digest;
  return [
    `${inert(minuteText(span.start))} to ${inert(minuteText(span.end))} UTC: ${whole(opened)} opened, ${whole(resolved)} resolved.`,
    `Of those open ${whole(muted)} are muted and ${whole(acknowledged)} acknowledged.`,
    ...(monthlyUsdToSave > 0 ? [`The advice could save ${usd(monthlyUsdToSave)} a month.`] : []),
  ];
}

/** It is told as it stands: nothing of it changed just now. */
export const asTold = (finding: DigestFinding): ToldFinding => ({
  ...finding,
  change: 'opened',
  proof: null,
});

export const digestFindingText = (finding: DigestFinding): FindingText & { resource: string } => {
  const told = asTold(finding);
  return { ...findingText(told), resource: resourceTextOf(told) };
};

/** @param shown of `first`. */
export function leftOut({ first, notShown }: Digest, shown: number): string {
  const left = first.length - shown + notShown;
  return left === 0 ? '' : `… and ${left} more open.`;
}
