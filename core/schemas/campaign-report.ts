/** What a campaign found: `bench report --json`. */
import { z } from 'zod';
import { campaignNotes } from '../benchmark/campaign/campaign.ts';
import { benchRequestSchema } from '../benchmark/campaign/request.ts';
import { searchEndSchema } from '../benchmark/search.ts';
import { gradeAnswerSchema } from './grade-answer.ts';

const estimateSchema = z.object({
  mean: z.number(),
  low: z.number().nullable(),
  high: z.number().nullable(),
});

const foundSchema = z.object({
  outcome: z.enum(['kept', 'always', 'never']).meta({
    description: 'kept: with more it would not be; always: with as many as may ask; never: not even by one',
  }),
  reason: searchEndSchema.meta({ description: 'why no more was measured' }),
  users: z.number().meta({ description: 'operations under way at the same time' }),
  iops: estimateSchema,
  latencyMs: estimateSchema,
});

/** Why a state of the workflow failed. */
const cellFailureSchema = z.object({
  step: z.string().meta({ description: 'the state of the workflow' }),
  error: z.string().nullable().meta({ description: 'its code; null: there is none' }),
  message: z.string().meta({ description: 'in the words of AWS, or of the function' }),
});
export type CellFailure = z.infer<typeof cellFailureSchema>;

const cellReportSchema = z.object({
  id: z.string(),
  instanceType: z.string(),
  layout: z.string(),
  status: z.enum(['measured', 'failed', 'not-measured']),
  failure: cellFailureSchema.nullable().meta({ description: 'null: nothing failed' }),
  leftBehind: cellFailureSchema
    .nullable()
    .meta({ description: 'why its host could not be ended: the cleanup takes it' }),
  hostEnded: z.string().nullable().default(null).meta({
    description: 'in EC2’s words why its host ended by itself; null: it did not, or EC2 does not say',
  }),
  hours: z.number().nullable().meta({ description: 'that its host lived; null: not known' }),
  usd: z.number().nullable().meta({ description: 'by list prices and hours; null: not known' }),
  search: foundSchema.nullable().meta({ description: 'null: the work is no search, or it found nothing' }),
});
export type CellReport = z.infer<typeof cellReportSchema>;

const unreadSchema = z.discriminatedUnion('code', [
  z.object({ code: z.literal('result'), key: z.string(), reason: z.string() }),
  z
    .object({ code: z.literal('limits'), cellId: z.string(), reason: z.string() })
    .meta({ description: 'what ended the tests of a cell: CloudWatch was not read' }),
]);
export type Unread = z.infer<typeof unreadSchema>;

const reportNoteSchema = z.discriminatedUnion('code', [
  ...campaignNotes,
  z.object({ code: z.literal('not-read'), unread: z.array(unreadSchema) }),
]);
export type ReportNote = z.infer<typeof reportNoteSchema>;

export const campaignReportSchema = z.object({
  campaignId: z.string(),
  region: z.string(),
  label: z.string().nullable().meta({ description: 'what is to be known first, such as: emulated' }),
  findingId: z.string().nullable(),
  checkedAt: z.string(),
  gradedAt: z.string(),
  request: benchRequestSchema,
  estimatedUsd: z.number(),
  usd: z.number().nullable().meta({ description: 'null: of one host it is not known' }),
  cells: z.array(cellReportSchema),
  grades: gradeAnswerSchema.meta({
    description: 'as `grade` answers: runs are cells; of repeats the first, and all of them in `repeats`',
  }),
  notes: z.array(reportNoteSchema),
});
export type CampaignReport = z.infer<typeof campaignReportSchema>;
