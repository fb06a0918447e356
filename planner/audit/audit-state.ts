/** Nothing of files stands in the address. */
import type { Fields } from '../fragment.ts';

export type AuditState = Record<never, never>;

export const auditFields: Fields<AuditState> = {};
