/** What every form of a digest says, whatever the channel. */
import type { ToldFinding } from '../core/schemas/advisory.ts';
import type { Digest } from '../core/schemas/digest.ts';
import { resourceIdOf, severities } from '../core/schemas/finding.ts';
import { type FindingText, findingText, resourceText } from './advisory-text.ts';
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
  const { span, opened, resolved, muted, acknowledged, monthlyUsdSaved } = digest;
  return [
    `${inert(minuteText(span.start))} to ${inert(minuteText(span.end))} UTC: ${whole(opened)} opened, ${whole(resolved)} resolved.`,
    `Of those open ${whole(muted)} are muted and ${whole(acknowledged)} acknowledged.`,
    ...(monthlyUsdSaved > 0
      ? [`What is advised saves ${usd(monthlyUsdSaved)} a month, where it saves.`]
      : []),
  ];
}

/** It is told as it stands: nothing of it changed just now. */
const asTold = (finding: DigestFinding): ToldFinding => ({ ...finding, change: 'opened', proof: null });

export const digestFindingText = (finding: DigestFinding): FindingText & { resource: string } => {
  const told = asTold(finding);
  return {
    ...findingText(told),
    resource: resourceText({ resourceId: resourceIdOf(told.resource), findings: [told] }),
  };
};

/** @param shown of `first`. */
export function leftOut({ first, notShown }: Digest, shown: number): string {
  const left = first.length - shown + notShown;
  return left === 0 ? '' : `… and ${left} more open, less urgent.`;
}
