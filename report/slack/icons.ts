/** What a finding is marked with in Slack. */
import type { ToldFinding } from '../../core/schemas/advisory.ts';
import { isOver } from '../../core/schemas/changes.ts';

const icons = {
  critical: ':red_circle:',
  warning: ':large_yellow_circle:',
  info: ':large_blue_circle:',
} as const;

export const iconOf = (finding: Pick<ToldFinding, 'severity' | 'change'>): string =>
  isOver(finding) ? ':white_check_mark:' : icons[finding.severity];
