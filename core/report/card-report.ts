/** What the page of a report card shows. */
import type { CampaignReport } from '../schemas/campaign-report.ts';
import type { GradeAnswer } from '../schemas/grade-answer.ts';

export interface CardReport {
  version: 1;
  madeAt: string;
  title: string;
  /** What is to be known first, such as: emulated. */
  label: string | null;
  grades: GradeAnswer;
  /** Of a campaign: its cells, what they cost; null where files were graded. */
  campaign: Omit<CampaignReport, 'grades'> | null;
}
