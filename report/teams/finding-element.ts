/** A finding as a part of a card: at most about 15 KB, whatever its texts are made of. */
import type { ToldFinding } from '../../core/schemas/advisory.ts';
import { isOver } from '../../core/schemas/changes.ts';
import { findingText, resourceTextOf } from '../advisory-text.ts';
import { actionSet, type CardElement, factSet, openUrl, textBlock } from './card.ts';

const colors = { critical: 'attention', warning: 'warning', info: 'accent' } as const;

const mostAdvice = 3;

/** @param title what happened to it, or what it is. */
export function findingElement(finding: ToldFinding, title: string): CardElement {
  const { severity, what, advice, proof } = findingText(finding);
  const facts = {
    Resource: resourceTextOf(finding),
    Severity: severity,
    Why: what,
    Benchmark: proof,
  };
  return {
    type: 'Container',
    separator: true,
    items: [
      textBlock(title, { weight: 'bolder', color: isOver(finding) ? 'good' : colors[finding.severity] }),
      factSet(facts),
      ...advice.slice(0, mostAdvice).map((line) => textBlock(`→ ${line}`)),
      ...actionSet(openUrl(finding.url)),
    ],
  };
}
