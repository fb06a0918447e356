/** What the tools of `stripewise mcp` answer: parts of the documents that the commands print, in few enough words for an assistant. */
import { z } from 'zod';
import { causes, confidences } from '../diagnosis/causes.ts';
import { burstAnswerSchema, limitsAnswerSchema } from './answers.ts';
import { volumeEvaluationSchema } from './audit-result.ts';
import { checkFindingSchema } from './check-answer.ts';
import { findingFields } from './finding.ts';
import { findingKinds } from './finding-kinds.ts';
import { volumeHistorySchema } from './history-answers.ts';
import { layoutSchema } from './layout.ts';
import { currentSchema, needSchema, planAnswerSchema } from './plan-answer.ts';
import { replayAnswerSchema } from './replay-answer.ts';

const figure = z.number().nullable();
const text = z.string();

/** Where a list is longer than one answer. */
const pageSchema = z.object({
  total: z.number(),
  shown: z.number(),
  nextCursor: text.nullable().meta({ description: 'give it as cursor for the next part' }),
});
export type Page = z.infer<typeof pageSchema>;

const costSchema = z.object({
  usd: z.number().meta({ description: 'what AWS bills for this call' }),
  sessionUsd: z.number(),
  maxUsd: z.number(),
});

const notRead = z.array(text).meta({ description: 'what is missing here' });

const windowSchema = z.object({ start: text, end: text }).nullable();

const findingView = findingFields
  .pick({ severity: true, status: true, confidence: true, firstSeen: true, lastSeen: true })
  .extend({
    id: text,
    kind: z.enum(findingKinds),
    resourceId: text,
    name: text.nullable(),
    region: text,
    throttledMinutesPeak24h: figure,
    monthlyUsdDelta: figure.meta({ description: 'of what is recommended first; negative saves' }),
    lines: z.array(text),
  });
export type FindingView = z.infer<typeof findingView>;

/** Beside minutes; list_findings has the rest. */
const findingInShort = findingView.pick({
  ...{ id: true, kind: true, severity: true, status: true },
  ...{ resourceId: true, name: true, region: true, lines: true },
});
export type FindingInShort = z.infer<typeof findingInShort>;

export const listFindingsSchema = z.object({
  window: windowSchema,
  readAt: text,
  counts: z.object({ critical: z.number(), warning: z.number(), info: z.number() }),
  possibleSavingsMonthlyUsd: z.number(),
  volumes: z.number(),
  notEvaluated: z.number(),
  notRead,
  findings: z.array(findingView),
  page: pageSchema,
  cost: costSchema.nullable(),
});
export type ListFindings = z.infer<typeof listFindingsSchema>;

const boundsSchema = z.object({ low: z.number(), high: figure }).nullable();

const momentSchema = z.object({
  time: text,
  seconds: z.number(),
  cause: z.enum(causes),
  confidence: z.enum(confidences).nullable(),
  iops: figure,
  mibps: figure,
  queueLength: figure,
  balancePercent: figure,
});
export type Moment = z.infer<typeof momentSchema>;

const spanSchema = z.object({
  from: text,
  to: text,
  cause: z.enum(causes),
  confidence: z.enum(confidences).nullable(),
  throttledMinutes: z.number(),
  servedIops: figure,
  servedMiBps: figure,
  demandIops: boundsSchema,
  demandMiBps: boundsSchema,
});
export type SpanView = z.infer<typeof spanSchema>;

const explainedVolume = volumeEvaluationSchema
  .pick({ volumeId: true, volumeType: true, sizeGiB: true, status: true, region: true })
  .extend({
    limits: limitsAnswerSchema
      .pick({ baselineIops: true, burstIops: true, baselineMiBps: true, burstMiBps: true })
      .nullable(),
    name: text.nullable(),
    throttledMinutesPeak24h: figure,
    monthlyUsd: figure,
    at: momentSchema.nullable().meta({ description: 'null: no moment was asked, or its minute is unknown' }),
    spans: z
      .array(spanSchema)
      .nullable()
      .meta({ description: 'when it was throttled, the heaviest; null: its minutes are not known' }),
    spansLeft: z.number(),
    unknownBecause: text.nullable(),
  });
export type ExplainedVolume = z.infer<typeof explainedVolume>;

export const explainSchema = z.object({
  asked: text,
  window: windowSchema,
  part: windowSchema.meta({ description: 'around the asked moment' }),
  outside: text
    .nullable()
    .meta({ description: 'the asked moment, where it is outside of the window; findings are of the window' }),
  hasMinutes: z.boolean().meta({ description: 'false: of a saved audit, which keeps no minutes' }),
  volumes: z.array(explainedVolume),
  notRead,
  findings: z.array(findingInShort),
  findingsLeft: z.number(),
  page: pageSchema,
  cost: costSchema.nullable(),
});
export type Explained = z.infer<typeof explainSchema>;

const planned = planAnswerSchema.shape.options.element;

export const planViewSchema = z.object({
  need: needSchema,
  region: text,
  current: currentSchema
    .pick({ deliveredIops: true, deliveredMiBps: true, monthlyUsd: true, isEnough: true })
    .nullable(),
  options: z.array(
    planned
      .pick({
        ...{ layout: true, deliveredIops: true, deliveredMiBps: true, annualFailureRate: true },
        ...{ instanceType: true },
      })
      .extend({
        monthlyUsd: figure,
        monthlyUsdDelta: figure.meta({ description: 'of the volumes against current' }),
        inPlace: z.boolean().meta({ description: 'by ModifyVolume, without a migration' }),
        way: text,
        reasons: z.array(text),
      }),
  ),
  cheapestSingle: planned
    .pick({ layout: true })
    .extend({ monthlyUsd: figure })
    .nullable()
    .meta({ description: 'one volume that is enough, within options or beside them' }),
  refused: z.array(text),
  notes: z.array(text),
  steps: z.array(text).nullable().meta({ description: 'for a person to approve and run' }),
});
export type PlanView = z.infer<typeof planViewSchema>;

export const limitsViewSchema = limitsAnswerSchema
  .pick({
    ...{ volumeType: true, sizeGiB: true, baselineIops: true, burstIops: true, baselineMiBps: true },
    ...{ burstMiBps: true, bucket: true, monthlyUsd: true, monthlyUsdParts: true, priceRegion: true },
  })
  .extend({ notes: z.array(text) });

const [gp2, hdd] = burstAnswerSchema.options;
/** One object, as a tool must answer: of gp2 in IOPS, of st1 and sc1 in MiB/s. */
export const burstViewSchema = gp2
  .extend(hdd.shape)
  .partial({ baselineIops: true, burstIops: true, baselineMiBps: true, burstMiBps: true });

export const compareViewSchema = z.object({
  region: text,
  load: z.object({
    ...{ meanIops: z.number(), highestIops: z.number(), meanMiBps: z.number(), highestMiBps: z.number() },
    ...{ meanIoSizeKiB: figure, writeShare: figure, minutes: z.number(), unknownMinutes: z.number() },
  }),
  instanceType: text.nullable(),
  layouts: z.array(
    replayAnswerSchema
      .pick({ throttledMinutes: true, byCause: true, backlogSecondsMax: true, lowestCreditPercent: true })
      .extend({ asked: text, layout: layoutSchema, monthlyUsd: figure, notes: z.array(text) }),
  ),
  cheapestUnthrottled: text.nullable(),
  cost: costSchema.nullable(),
});
export type CompareView = z.infer<typeof compareViewSchema>;

export const historyViewSchema = volumeHistorySchema
  .pick({
    ...{ volumeId: true, region: true, window: true, minutesInWindow: true, minutesWithPoints: true },
    ...{ evaluatedMinutes: true, throttledMinutes: true, peaks: true },
  })
  .extend({
    days: z.array(
      volumeHistorySchema.shape.days.element.omit({
        ...{ avgQueueLength: true, evaluatedMinutes: true },
        ...{ iopsExceededMinutes: true, throughputExceededMinutes: true },
      }),
    ),
    unreadFiles: z.number(),
    page: pageSchema,
  });
export type HistoryView = z.infer<typeof historyViewSchema>;

export const checkViewSchema = z.object({
  headline: text,
  monthlyUsdDifference: z.number(),
  seen: z.number(),
  understood: z.number(),
  notRead: z.number().meta({ description: 'files' }),
  notChecked: z.number(),
  findings: z.array(
    checkFindingSchema
      .pick({ severity: true, line: true })
      .extend({ rule: text, address: text, file: text, lines: z.array(text) }),
  ),
  notes: z.array(text),
  page: pageSchema,
});
export type CheckView = z.infer<typeof checkViewSchema>;
