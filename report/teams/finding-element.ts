/** A finding as a part of a card. */
import type { ToldFinding } from '../../core/schemas/advisory.ts';
import { resourceIdOf } from '../../core/schemas/finding.ts';
import { findingText, resourceText } from '../advisory-text.ts';
import { isOver } from '../change.ts';
import { actionSet, bytesOf, type CardElement, factSet, openUrl, textBlock } from './card.ts';

const colors = { critical: 'attention', warning: 'warning', info: 'accent' } as const;

/** Few enough that several findings have a place in a card, whatever their texts are made of. */
const mostBytes = 8_000;
const mostAdvice = 3;
const mostShortCharacters = 300;

/** @param title what happened to it, or what it is. */
function element(
  finding: ToldFinding,
  title: string,
  most: { advice: number; characters?: number },
): CardElement {
  const { severity, what, advice, proof } = findingText(finding);
  const facts = {
    Resource: resourceText({ resourceId: resourceIdOf(finding.resource), findings: [finding] }),
    Severity: severity,
    Why: what,
    Benchmark: proof,
  };
  return {
    type: 'Container',
    separator: true,
    items: [
      textBlock(title, { weight: 'bolder', color: isOver(finding) ? 'good' : colors[finding.severity] }),
      factSet(facts, most.characters),
      ...advice.slice(0, most.advice).map((line) => textBlock(`→ ${line}`, {}, most.characters)),
      ...actionSet(openUrl('Open report', finding.url)),
    ],
  };
}

/** Whole where that is no more than its share of a card, and else short, with its link. */
export function findingElement(finding: ToldFinding, title: string): CardElement {
  const whole = element(finding, title, { advice: mostAdvice });
  return bytesOf(whole) <= mostBytes
    ? whole
    : element(finding, title, { advice: 1, characters: mostShortCharacters });
}
