/** What of two runs must be the same, in an order of its own. */
import type { AuditResult, VolumeEvaluation } from '../../core/schemas/audit-result.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { DeployedRun } from '../../local/run-audit.ts';

export const resultOf = ({ status, result }: DeployedRun): AuditResult => {
  if (result === null) throw new Error(`the deployed audit ended as ${status}`);
  return result;
};

export const byVolume = ({ volumes }: AuditResult): VolumeEvaluation[] =>
  [...volumes].sort((a, b) => a.volumeId.localeCompare(b.volumeId));
export const byId = ({ findings }: AuditResult): Finding[] =>
  [...findings].sort((a, b) => a.id.localeCompare(b.id));
export const unknownOf = ({ coverage }: AuditResult) =>
  [...coverage.unknown].sort((a, b) => a.volumeId.localeCompare(b.volumeId));

/** What files cannot tell: the account of a volume on no instance, and its ARN with it. */
export const asFilesShowIt = (finding: Finding): Finding => ({
  ...finding,
  resource: { ...finding.resource, account: null, arn: null },
});
/** CloudWatch repeats no point; and metrics of a type that nobody knows are not paid for. */
export const comparable = (evaluation: VolumeEvaluation): Partial<VolumeEvaluation> => {
  const { volumeId, name, volumeType, reason } = evaluation;
  return volumeType === 'gp9' ? { volumeId, name, reason } : { ...evaluation, repeatedPoints: 0 };
};
