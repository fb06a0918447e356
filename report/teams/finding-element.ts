/** A finding as a part of a card: what is wrong, and what is recommended. */
import { isResolved } from '../../core/schemas/changes.ts';
import type { InShort } from '../wording/message.ts';
import { type CardElement, textBlock } from './card.ts';

const colors = { critical: 'attention', warning: 'warning', info: 'accent' } as const;

export function findingElement({ finding, resource, what, next }: InShort): CardElement {
  const color = isResolved(finding) ? 'good' : colors[finding.severity];
  return {
    type: 'Container',
    separator: true,
    items: [
      textBlock(`${resource}: ${what}`, { weight: 'bolder', color }),
      ...(next === null ? [] : [textBlock(next)]),
    ],
  };
}
