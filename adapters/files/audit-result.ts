/** What `audit --json` wrote, read again. */
import { z } from 'zod';
import { type AuditResult, auditResultSchema } from '../../core/schemas/audit-result.ts';
import { readJson } from './read-file.ts';

/** With findings of version 1 there was no summary of a run. */
const isOfVersion1 = (document: unknown): boolean =>
  typeof document === 'object' &&
  document !== null &&
  ['findings', 'coverage'].every((key) => key in document) &&
  !('summary' in document);

const fileSchema = z
  .unknown()
  .refine((document) => !isOfVersion1(document), {
    error: 'its findings are of version 1, which this version does not read (run the audit again)',
  })
  .pipe(auditResultSchema);

/** @throws BadInput where it is not that. */
export const readAuditResult = (path: string): AuditResult =>
  readJson(path, fileSchema, 'what `audit --json` writes');
