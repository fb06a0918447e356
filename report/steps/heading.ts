/** What a snippet is of, as its first line says it. */
import type { Deployment } from '../../core/limits/volume-limits.ts';
import { type Layout, provisioned } from '../../core/plan/layout.ts';
import { memberText } from '../../core/plan/step-commands.ts';
import { membersText } from '../wording/plan.ts';
import { capitalized } from '../wording/words.ts';

export function heading(layout: Layout, deployment: Deployment): string {
  const member = memberText(provisioned(layout, deployment));
  return `${capitalized(membersText(layout))}${layout.members === 1 ? '' : ', each'}: ${member}.`;
}
