/** What campaigns validated of findings: a help beside what is notified, which nothing that is notified waits for. */
import { chunk } from 'es-toolkit/array';
import { validationOf } from '../../core/benchmark/from-finding/validation.ts';
import type { CampaignReport } from '../../core/schemas/campaign-report.ts';
import type { Finding } from '../../core/schemas/finding.ts';
import type { Validation } from '../../core/schemas/validation.ts';
import { epochSecondsOf } from '../../core/units.ts';

export interface ValidationsFrom {
  /** Ids of findings for which something was measured. */
  listValidations(): Promise<string[]>;
  readValidation(findingId: string): Promise<CampaignReport>;
  /** Called with what could not be read. */
  onUnread(reason: string): void;
}

export interface ValidationOfFinding {
  validation: Validation;
  gradedEpochSeconds: number;
}

const readAtOnce = 10;

/** By finding id, of these findings alone; without what could not be read. */
export async function validationsOf(
  findings: readonly Pick<Finding, 'id' | 'kind'>[],
  nowEpochSeconds: number,
  { listValidations, readValidation, onUnread }: ValidationsFrom,
): Promise<Map<string, ValidationOfFinding>> {
  const validations = new Map<string, ValidationOfFinding>();
  if (findings.length === 0) return validations;
  const orUnread = async <T>(read: () => Promise<T>, instead: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      onUnread((error as Error).message);
      return instead;
    }
  };
  const there = new Set(await orUnread(listValidations, []));
  for (const some of chunk(
    findings.filter(({ id }) => there.has(id)),
    readAtOnce,
  )) {
    const read = some.map(async (finding) => {
      await orUnread(async () => {
        const report = await readValidation(finding.id);
        const validation = validationOf(report, finding, nowEpochSeconds);
        if (validation !== null)
          validations.set(finding.id, { validation, gradedEpochSeconds: epochSecondsOf(report.gradedAt) });
      }, undefined);
    });
    await Promise.all(read);
  }
  return validations;
}
