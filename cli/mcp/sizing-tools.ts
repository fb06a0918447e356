/** The tools that need no account: plan, limits and burst as the commands of these names answer them; layouts against a load. */

import { z } from 'zod';
import { demandByPeriod } from '../../core/audit/demand-series.ts';
import { architectures } from '../../core/catalog/instance-types.ts';
import type { RegionCatalog } from '../../core/catalog/region-catalog.ts';
import { BadInput } from '../../core/errors.ts';
import { volumeTypes } from '../../core/limits/volume-limits.ts';
import { accessKinds, plannedKinds, provisioned } from '../../core/plan/layout.ts';
import { knownMonthlyUsd, roundUsd } from '../../core/prices/prices.ts';
import { replayAnswer } from '../../core/replay/answer.ts';
import { instanceFigures } from '../../core/replay/instance-asked.ts';
import { type RecordedRates, seriesOf } from '../../core/replay/recorded-rates.ts';
import { gapSeconds } from '../../core/replay/replay.ts';
import { burstAnswerSchema, limitsAnswerSchema } from '../../core/schemas/answers.ts';
import {
  burstViewSchema,
  type CompareView,
  compareViewSchema,
  limitsViewSchema,
  type PlanView,
  planViewSchema,
} from '../../core/schemas/assistant-answers.ts';
import { type PlanAnswer, planAnswerSchema } from '../../core/schemas/plan-answer.ts';
import { bytesPerMiB, kibFromMiB, mibFromKiB, secondsPerMinute } from '../../core/units.ts';
import { stepForms, stepsInForm } from '../../report/steps/written-steps.ts';
import { burstText, limitsText } from '../../report/terminal/answers.ts';
import { compareLines, planLines } from '../../report/wording/assistant.ts';
import { limitNotes } from '../../report/wording/catalog.ts';
import {
  planNoteText,
  planReasonText,
  refusedNearestText,
  refusedReasonText,
  refusedWhatText,
  routeText,
} from '../../report/wording/plan.ts';
import { toolArguments } from '../../report/wording/plan-names.ts';
import { replayNoteText } from '../../report/wording/replay-notes.ts';
import { layoutFrom } from '../layouts.ts';
import { regionCatalogsFor } from '../region-catalogs.ts';
import { documentOf, wordsOf } from './command.ts';
import type { Source } from './source.ts';
import { type ToolContext, tool, volumeIdArgument } from './tool.ts';

const isOffered = (): boolean => true;
const neverReadsAws = (): boolean => false;

/** The prices that the server was started with. */
const pricesOf = ({ options: { prices } }: Source): string[] =>
  prices === undefined ? [] : ['--prices', ...prices];

const positive = z.number().positive().max(1e9);
const region = z
  .string()
  .regex(/^[a-z]{2,4}(-[a-z]+)+-\d+$/, 'give a Region like us-east-1')
  .max(40)
  .default('us-east-1');
const instanceType = z
  .string()
  .regex(/^[a-z0-9][a-z0-9-]*\.[a-z0-9-]+$/, 'give a type like r6i.2xlarge')
  .max(40)
  .optional();

/** As the commands take it, but no file: an assistant reads none of this machine's. */
const layout = z
  .string()
  .regex(
    /^(?:(?:raid10|raid5|linear):)?(?:\d{1,3}x)?(?:gp2|gp3|io1|io2|st1|sc1|standard):\d{1,6}(?::\d{1,7})?(?::\d{1,6})?$/,
    'give a layout like gp3:500:6000:250 or 4xgp3:250',
  )
  .meta({ description: '[raid10:|raid5:|linear:][Nx]TYPE:GIB[:IOPS[:MIBPS]] of each volume' });

/** As many as say the most. */
const [maxReasons, maxRefused, maxNotes] = [6, 8, 8];

const maxStepLines = 120;

function planView(answer: PlanAnswer, steps: (typeof stepForms)[number] | undefined): PlanView {
  const [first] = answer.options;
  return {
    need: answer.need,
    region: answer.region,
    current: answer.current,
    options: answer.options.map((one) => ({
      ...{ layout: one.layout, deliveredIops: one.deliveredIops, deliveredMiBps: one.deliveredMiBps },
      ...{ annualFailureRate: one.annualFailureRate, instanceType: one.instanceType },
      monthlyUsd: one.monthlyUsd.total,
      monthlyUsdDelta: one.change?.monthlyUsdDelta ?? null,
      inPlace: one.steps.inPlace,
      way: routeText(one.steps.reason),
      reasons: one.reasons.slice(0, maxReasons).map((reason) => planReasonText(reason, toolArguments)),
    })),
    refused: answer.refused
      .slice(0, maxRefused)
      .map(
        (one) =>
          `${refusedWhatText(one)}: ${refusedReasonText(one)}. Nearest: ${refusedNearestText(one, toolArguments)}`,
      ),
    notes: answer.notes.slice(0, maxNotes).map((note) => planNoteText(note, toolArguments)),
    steps:
      steps === undefined || first === undefined ? null : stepsInForm(first, steps).slice(0, maxStepLines),
  };
}

export const plan = tool({
  name: 'plan',
  input: z.strictObject({
    iops: positive.optional(),
    throughputMiBps: positive.optional(),
    capacityGiB: positive.optional(),
    ioSizeKiB: positive.min(0.5).optional(),
    access: z.enum(accessKinds).optional(),
    readShare: z.number().min(0).max(1).optional(),
    types: z.array(z.enum(volumeTypes)).min(1).max(7).optional(),
    kinds: z.array(z.enum(plannedKinds)).min(1).max(4).optional(),
    maxMembers: z.int().min(1).max(24).optional(),
    maxAnnualFailureRate: z.number().min(0).max(1).optional(),
    stripeEfficiency: z.number().positive().max(1).optional(),
    chunkKiB: z.int().min(4).max(4096).optional(),
    instanceType,
    vcpus: positive.optional(),
    memoryGiB: positive.optional(),
    arch: z.enum(architectures).optional(),
    current: layout.optional(),
    volumeIds: z.array(volumeIdArgument).min(1).max(24).optional(),
    keepCurrent: z.boolean().optional(),
    region,
    top: z.int().min(1).max(5).default(3),
    steps: z.enum(stepForms).optional().meta({ description: 'how to write the steps to option 1' }),
  }),
  output: planViewSchema,
  isOffered,
  readsAws: neverReadsAws,
  answer: async ({ steps, ...asked }, { source, io }) => {
    const { planCommand } = await import('../plan.ts');
    const printed = await documentOf(planCommand, [...wordsOf(asked), ...pricesOf(source)], io);
    const view = planView(planAnswerSchema.parse(printed), steps);
    // The best of price and of failure rate are always there: more than what was asked for.
    const document = { ...view, options: view.options.slice(0, asked.top + 2) };
    return { document, lines: planLines(document) };
  },
});

export const limits = tool({
  name: 'limits',
  input: z.strictObject({
    type: z.enum(volumeTypes),
    sizeGiB: positive,
    iops: positive.optional(),
    throughputMiBps: positive.optional(),
    region,
  }),
  output: limitsViewSchema,
  isOffered,
  readsAws: neverReadsAws,
  answer: async (asked, { source, io }) => {
    const { limitsCommand } = await import('../limits.ts');
    const printed = await documentOf(limitsCommand, [...wordsOf(asked), ...pricesOf(source)], io);
    const answer = limitsAnswerSchema.parse(printed);
    const lines = limitsText(answer, io.invokedAs).filter((line) => !line.startsWith('Next: '));
    return { document: { ...answer, notes: limitNotes(answer) }, lines };
  },
});

export const burst = tool({
  name: 'burst',
  input: z.strictObject({
    type: z.enum(['gp2', 'st1', 'sc1']),
    sizeGiB: positive,
    balancePercent: z.number().min(0).max(100).default(100),
    iops: positive.optional().meta({ description: 'the rate now, of gp2' }),
    throughputMiBps: positive.optional().meta({ description: 'the rate now, of st1 and sc1' }),
  }),
  output: burstViewSchema,
  isOffered,
  readsAws: neverReadsAws,
  answer: async (asked, { io }) => {
    const { burstCommand } = await import('../burst.ts');
    const answer = burstAnswerSchema.parse(await documentOf(burstCommand, wordsOf(asked), io));
    const rateGiven = asked.iops !== undefined || asked.throughputMiBps !== undefined;
    const lines = burstText({ type: asked.type, sizeGib: asked.sizeGiB, rateGiven }, answer);
    return { document: answer, lines };
  },
});

// Layouts against a load.

interface Load {
  series: RecordedRates;
  /** Which of the I/O write is not known of a volume's load. */
  isSplitKnown: boolean;
}

const steadyLoad = z.strictObject({
  iops: positive.optional(),
  throughputMiBps: positive.optional(),
  ioSizeKiB: positive.min(0.5).default(16),
  readShare: z.number().min(0).max(1).default(0.7),
  minutes: z.int().min(1).max(10_080).default(1_440),
});

/** What is left out follows from the other rate and the size. @throws BadInput where no rate is given. */
function steady({ iops, throughputMiBps, ioSizeKiB, readShare, minutes }: z.infer<typeof steadyLoad>): Load {
  if (iops === undefined && throughputMiBps === undefined)
    throw new BadInput('load needs iops or throughputMiBps, or the volumeId of a volume that was read');
  const io = iops ?? kibFromMiB(throughputMiBps ?? 0) / ioSizeKiB;
  const mib = throughputMiBps ?? mibFromKiB(io * ioSizeKiB);
  const each = (perSecond: number): Float64Array =>
    new Float64Array(minutes).fill(perSecond * secondsPerMinute);
  const series = seriesOf({
    periodSeconds: secondsPerMinute,
    epochSeconds: Float64Array.from({ length: minutes }, (_, i) => i * secondsPerMinute),
    ...{ readOps: each(io * readShare), writeOps: each(io * (1 - readShare)) },
    ...{
      readBytes: each(mib * readShare * bytesPerMiB),
      writeBytes: each(mib * (1 - readShare) * bytesPerMiB),
    },
    idleSeconds: null,
  });
  return { series, isSplitKnown: true };
}

/** What a volume demanded at most, as its recommendations are simulated. */
async function loadOf(volumeId: string, source: Source): Promise<Load> {
  if (!source.hasMinutes)
    throw new BadInput('there are no minutes of volumes here: give a steady load, or start with --archive');
  let load: Load | null = null;
  await source.one(volumeId, null, (diagnosed) => {
    if (diagnosed.volume.volumeId !== volumeId) return;
    const { periodSeconds, epochSeconds } = diagnosed.load;
    const { iops, mibps, activeTimeIops } = demandByPeriod(diagnosed, 'high');
    const writeShare = new Float64Array(iops.length);
    load = {
      series: { periodSeconds, epochSeconds, iops, mibps, writeShare, activeTimeIops },
      isSplitKnown: false,
    };
  });
  if (load === null) throw new BadInput('the load of this volume is not known: its minutes are missing');
  return load;
}

interface Comparing {
  load: Load;
  asked: { instanceType?: string | undefined; region: string };
  regionCatalog: RegionCatalog;
}

type Compared = CompareView['layouts'][number] & { load: CompareView['load'] };

/** Means of what is known: an unknown minute has no rate. */
function knownOnly(series: RecordedRates): RecordedRates {
  const known = [...series.iops.keys()].filter(
    (i) => !Number.isNaN(series.iops[i]) && !Number.isNaN(series.mibps[i]),
  );
  if (known.length === series.iops.length) return series;
  const of = (column: Float64Array): Float64Array => Float64Array.from(known, (i) => column[i] as number);
  return {
    ...series,
    ...{ epochSeconds: of(series.epochSeconds), iops: of(series.iops), mibps: of(series.mibps) },
    writeShare: of(series.writeShare),
    activeTimeIops: series.activeTimeIops ? of(series.activeTimeIops) : null,
  };
}

function compared(text: string, { load, asked, regionCatalog }: Comparing): Compared {
  const { layout: one } = layoutFrom('layouts', text, 'region');
  const series = knownOnly(load.series);
  const answer = replayAnswer({
    ...{ series, rows: series.iops.length, hasQueueLength: false, isSplitKnown: load.isSplitKnown },
    quality: { repeatedPoints: 0, repeatedAt: [], shortSteps: [], gaps: [] },
    ...{ layout: one, ignored: [], deployment: 'region', chunkKiB: 64, stripeEfficiency: 1 },
    startBalancePercent: 100,
    instance:
      asked.instanceType === undefined
        ? null
        : {
            ...{ instanceType: asked.instanceType, region: asked.region },
            figures: instanceFigures(asked.instanceType, one.members, regionCatalog),
          },
  });
  const price = knownMonthlyUsd(provisioned(one, 'region'), regionCatalog.prices);
  return {
    asked: text,
    layout: one,
    monthlyUsd: price.known ? roundUsd(price.value.total * one.members) : null,
    ...{ throttledMinutes: answer.throttledMinutes, byCause: answer.byCause },
    ...{ backlogSecondsMax: answer.backlogSecondsMax, lowestCreditPercent: answer.lowestCreditPercent },
    notes: answer.notes.map(replayNoteText),
    load: { ...answer.asked, minutes: answer.minutes, unknownMinutes: gapSeconds(series) / secondsPerMinute },
  };
}

const byPrice = (a: Compared, b: Compared): number => (a.monthlyUsd ?? 0) - (b.monthlyUsd ?? 0);

async function compare(
  { layouts, load: given, ...asked }: z.infer<typeof compareInput>,
  { source, io }: ToolContext,
): Promise<CompareView> {
  const before = source.spending.total;
  const { volumeId, ...rates } = given;
  const load =
    volumeId === undefined
      ? steady(steadyLoad.parse(rates))
      : await source.inTurn(() => loadOf(volumeId, source));
  const { prices = [] } = source.options;
  const regionCatalog = (await regionCatalogsFor([asked.region], { prices }, io))(asked.region);
  const all = layouts.map((text) => compared(text, { load, asked, regionCatalog }));
  const [first] = all;
  if (first === undefined) throw new BadInput('layouts is empty: give one layout or more');
  const [cheapest] = all
    .filter(({ throttledMinutes, monthlyUsd }) => throttledMinutes === 0 && monthlyUsd !== null)
    .toSorted(byPrice);
  return {
    region: asked.region,
    load: first.load,
    instanceType: asked.instanceType ?? null,
    layouts: all,
    cheapestUnthrottled: cheapest?.asked ?? null,
    cost: source.kind === 'account' ? source.spending.costSince(before) : null,
  };
}

const compareInput = z.strictObject({
  layouts: z.array(layout).min(1).max(6),
  load: steadyLoad.extend({
    volumeId: volumeIdArgument
      .optional()
      .meta({ description: 'the load of this volume, at its highest, instead of a steady one' }),
  }),
  instanceType,
  region,
});

export const compareLayouts = tool({
  name: 'compare_layouts',
  input: compareInput,
  output: compareViewSchema,
  isOffered,
  readsAws: ({ readsAws }) => readsAws,
  answer: async (asked, context) => {
    const document = await compare(asked, context);
    return { document, lines: compareLines(document) };
  },
});
