/** What a finding is marked with in Slack. */

import { isResolved } from '../../core/schemas/changes.ts';
import type { NotifiedFinding } from '../../core/schemas/notification.ts';

const icons = {
  critical: ':red_circle:',
  warning: ':large_yellow_circle:',
  info: ':large_blue_circle:',
} as const;

export const iconOf = (finding: Pick<NotifiedFinding, 'severity' | 'change'>): string =>
  isResolved(finding) ? ':white_check_mark:' : icons[finding.severity];
