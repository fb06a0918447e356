/** What is said of results beside their files: as the options of `stripewise grade`. */
import { maxUsers } from '../../core/report-card/fio-result.ts';
import { type Access, accesses } from '../../core/report-card/job-options.ts';
import { choiceField, type Fields, numberField, optional } from '../fragment.ts';

export interface GradeState {
  areRepeats: 'yes' | 'no';
  /** Where the file does not say. */
  access: Access | 'as-in-file';
  users: number | null;
  monthlyUsd: number | null;
}

export const maxMonthlyUsd = 10_000_000;
export const leastMonthlyUsd = 0.01;

export const gradeFields: Fields<GradeState> = {
  areRepeats: choiceField('no', ['yes', 'no']),
  access: choiceField('as-in-file', ['as-in-file', ...accesses]),
  users: optional(numberField(1, 1, maxUsers, true)),
  monthlyUsd: optional(numberField(1, leastMonthlyUsd, maxMonthlyUsd)),
};
