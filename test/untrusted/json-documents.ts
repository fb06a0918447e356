/** What a run leaves in S3 and what `--json` prints: valid by its schema, nothing lost, a document a line. */
import { isDeepStrictEqual } from 'node:util';
import { type Io, printJson } from '../../cli/io.ts';
import { runKeys } from '../../core/audit/run-keys.ts';
import { jsonOrNull } from '../../core/json.ts';
import { auditResultSchema, volumeEvaluationSchema } from '../../core/schemas/audit-result.ts';
import { findingSchema } from '../../core/schemas/finding.ts';
import { complaintsIf, restless } from './complaints.ts';
import type { UntrustedRun } from './untrusted-run.ts';

/** What one reader or another takes for the end of a line: Python's splitlines has the most. */
const lineEnds = /[\n\r\v\f\p{Zl}\p{Zp}]|\u0085/u;

function printed(document: unknown): string {
  const out: string[] = [];
  printJson({ out: (line: string) => void out.push(line) } as Partial<Io> as Io, document);
  return out.join('\n');
}

export function jsonComplaints({ stored, result, texts }: UntrustedRun): string[] {
  const keys = runKeys('run-1');
  const [summary = '', findings = '', volumes = ''] = [keys.summary, keys.findings, keys.volumes].map((key) =>
    stored.get(key),
  );
  const linesOf = (text: string): string[] => text.split(lineEnds).slice(0, -1);
  const shown = printed(result);
  const read = auditResultSchema.parse(JSON.parse(shown));
  const summarySchema = auditResultSchema.omit({ findings: true, volumes: true });
  return complaintsIf(
    [linesOf(findings).length !== result.findings.length, 'not a finding a line'],
    [linesOf(volumes).length !== result.volumes.length, 'not a volume a line'],
    [linesOf(findings).some((line) => !findingSchema.safeParse(jsonOrNull(line)).success), 'no finding'],
    [
      linesOf(volumes).some((line) => !volumeEvaluationSchema.safeParse(jsonOrNull(line)).success),
      'no volume',
    ],
    [!summarySchema.safeParse(JSON.parse(summary)).success, 'no summary'],
    [!isDeepStrictEqual(read, result), 'another result than was printed'],
    [
      read.volumes.some(({ volumeId, name }) => name !== texts.name && volumeId !== `${texts.id}9`),
      'a name is lost',
    ],
    [
      [summary, findings, volumes, shown].some((text) => restless.test(text.replaceAll('\n', ''))),
      'raw characters',
    ],
  );
}
