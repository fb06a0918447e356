/** What a snippet is of, as its first line says it. */
import type { Deployment } from '../../core/limits/volume-types.ts';
import { type Layout, provisioned } from '../../core/plan/layout.ts';
import { memberText } from '../../core/plan/steps/provisioned.ts';
import { membersText } from '../wording/plan-route.ts';

export function heading(layout: Layout, deployment: Deployment): string {
  const text = membersText(layout);
  const member = memberText(provisioned(layout, deployment));
  return `${text[0]?.toUpperCase()}${text.slice(1)}${layout.members === 1 ? '' : ', each'}: ${member}.`;
}
