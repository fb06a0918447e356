import type { Severity } from '../../../core/schemas/finding-kinds.ts';

export function SeverityBadge({ severity }: { severity: Severity }) {
  return <span class={`badge ${severity}`}>{severity}</span>;
}
