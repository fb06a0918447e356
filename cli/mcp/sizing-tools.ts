/** The tools that need no account: plan, limits and burst as the commands of these names answer them; layouts against a load. */
import { z } from 'zod';
import { demandByPeriod } from '../../core/audit/demand-series.ts';
import { architectures } from '../../core/catalog/instance-types.ts';
import type { RegionCatalog } from '../../core/catalog/region-catalog.ts';
import { burstAnswer, burstRate } from '../../core/credits/burst-answer.ts';
import { BadInput } from '../../core/errors.ts';
import { limitsAnswer } from '../../core/limits/limits-answer.ts';
import { volumeTypes } from '../../core/limits/volume-limits.ts';
import { planAsked, planDefaults, requireTogether } from '../../core/plan/asked.ts';
import { accessKinds, plannedKinds, provisioned } from '../../core/plan/layout.ts';
import { knownMonthlyUsd, roundUsd } from '../../core/prices/prices.ts';
import { replayAnswer } from '../../core/replay/answer.ts';
import { instanceFigures } from '../../core/replay/instance-asked.ts';
import { type RecordedRates, seriesOf } from '../../core/replay/recorded-rates.ts';
import { gapSeconds } from '../../core/replay/replay.ts';
import {
  burstViewSchema,
  type CompareView,
  compareViewSchema,
  limitsViewSchema,
  type PlanView,
  planViewSchema,
} from '../../core/schemas/assistant-answers.ts';
import type { PlanAnswer } from '../../core/schemas/plan-answer.ts';
import { bytesPerMiB, kibFromMiB, mibFromKiB, secondsPerMinute } from '../../core/units.ts';
import { stepForms, stepsInForm, withWrittenSteps } from '../../report/steps/written-steps.ts';
import { burstText, limitsText } from '../../report/terminal/answers.ts';
import { compareLines, planLines, stepsTooLong } from '../../report/wording/assistant.ts';
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
import { currentOrNone, layoutFrom } from '../layouts.ts';
import { regionCatalogsFor } from '../region-catalogs.ts';
import type { Source } from './source.ts';
import { regionArgument, type ToolContext, tool, volumeIdArgument } from './tool.ts';

const isOffered = (): boolean => true;
const neverReadsAws = (): boolean => false;

/** Instance types and prices of a Region, with those that the server was started with. */
async function regionCatalogOf(region: string, { source, io }: ToolContext): Promise<RegionCatalog> {
  const { prices = [] } = source.options;
  return (await regionCatalogsFor([region], { prices }, io))(region);
}

const positive = z.number().positive().max(1e9);
const region = regionArgument.default('us-east-1');
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

/** They are in the document and in the text. A part of the steps is none: who runs it stops in the middle. */
const maxStepBytes = 9_000;

/** Null: they are not asked for, or longer than an answer. */
function stepsOf(
  { options: [first] }: PlanAnswer,
  form: (typeof stepForms)[number] | undefined,
): { steps: string[] | null; notes: string[] } {
  if (form === undefined || first === undefined) return { steps: null, notes: [] };
  const steps = stepsInForm(first, form);
  return Buffer.byteLength(JSON.stringify(steps)) <= maxStepBytes
    ? { steps, notes: [] }
    : { steps: null, notes: [stepsTooLong(form)] };
}

/**
 * As many as were asked for, cheapest first: the cheapest of all, what is done in place, one volume, then the next cheapest. A plan
 * has more where others fail less often.
 */
function asManyAs(top: number, options: PlanAnswer['options']): PlanAnswer['options'] {
  const [cheapest] = options;
  const first = [cheapest, options.find(({ steps }) => steps.inPlace), singleOf(options)];
  const inOrder = new Set([...first.filter((one) => one !== undefined), ...options]);
  const kept = new Set([...inOrder].slice(0, top));
  return options.filter((one) => kept.has(one));
}

const singleOf = (options: PlanAnswer['options']) =>
  options.find(({ layout: { kind } }) => kind === 'single');

function planView(answer: PlanAnswer, top: number, form: (typeof stepForms)[number] | undefined): PlanView {
  const { steps, notes } = stepsOf(answer, form);
  const single = singleOf(answer.options);
  return {
    need: answer.need,
    region: answer.region,
    current: answer.current,
    options: asManyAs(top, answer.options).map((one) => ({
      ...{ layout: one.layout, deliveredIops: one.deliveredIops, deliveredMiBps: one.deliveredMiBps },
      ...{ annualFailureRate: one.annualFailureRate, instanceType: one.instanceType },
      monthlyUsd: one.monthlyUsd.total,
      monthlyUsdDelta: one.change?.monthlyUsdDelta ?? null,
      inPlace: one.steps.inPlace,
      way: routeText(one.steps.reason),
      reasons: one.reasons.slice(0, maxReasons).map((reason) => planReasonText(reason, toolArguments)),
    })),
    cheapestSingle:
      single === undefined ? null : { layout: single.layout, monthlyUsd: single.monthlyUsd.total },
    refused: answer.refused
      .slice(0, maxRefused)
      .map(
        (one) =>
          `${refusedWhatText(one)}: ${refusedReasonText(one)}. Nearest: ${refusedNearestText(one, toolArguments)}`,
      ),
    notes: [...answer.notes.slice(0, maxNotes).map((note) => planNoteText(note, toolArguments)), ...notes],
    steps,
  };
}

const planInput = z.strictObject({
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
  chunkKiB: z
    .int()
    .min(4)
    .max(4096)
    .refine((kib) => Number.isInteger(Math.log2(kib)), 'give a power of two')
    .optional(),
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
});

const currentNames = { plan: toolArguments.names, volumeIds: 'volumeIds' };

async function planned(given: z.infer<typeof planInput>, context: ToolContext): Promise<PlanAnswer> {
  const { region: of, current, volumeIds = [], keepCurrent = false, ...asked } = given;
  const { names } = toolArguments;
  const rates = {
    ...{ iops: asked.iops ?? null, throughputMiBps: asked.throughputMiBps ?? null },
    capacityGiB: asked.capacityGiB ?? null,
  };
  const { deployment } = planDefaults;
  const standing = currentOrNone({ text: current, volumeIds, deployment }, currentNames);
  requireTogether({ ...rates, current: standing, keepsCurrent: keepCurrent }, names);
  const found = planAsked(
    {
      ...{ ...rates, deployment, top: asked.top },
      ioSizeKiB: asked.ioSizeKiB ?? planDefaults.ioSizeKiB,
      access: asked.access ?? planDefaults.access,
      readShare: asked.readShare ?? planDefaults.readShare,
      types: asked.types ?? null,
      kinds: asked.kinds ?? planDefaults.kinds,
      maxMembers: asked.maxMembers ?? planDefaults.maxMembers,
      maxAnnualFailureRate: asked.maxAnnualFailureRate ?? planDefaults.maxAnnualFailureRate,
      stripeEfficiency: asked.stripeEfficiency ?? planDefaults.stripeEfficiency,
      chunkKiB: asked.chunkKiB ?? planDefaults.chunkKiB,
      ...{ instanceType: asked.instanceType ?? null, architecture: asked.arch ?? null },
      ...{ vcpus: asked.vcpus ?? null, memoryGiB: asked.memoryGiB ?? null },
      ...{ current: standing, currentInstance: null, keepsCurrent: keepCurrent },
    },
    await regionCatalogOf(of, context),
    names,
  );
  if (found.kind === 'choices') throw new Error('choices are made of a current instance, and none is asked');
  return withWrittenSteps(found.planned, found.request);
}

export const plan = tool({
  name: 'plan',
  input: planInput,
  output: planViewSchema,
  isOffered,
  readsAws: neverReadsAws,
  answer: async (asked, context) => {
    const document = planView(await planned(asked, context), asked.top, asked.steps);
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
  answer: async ({ region: of, type, ...config }, context) => {
    const { prices } = await regionCatalogOf(of, context);
    const answer = limitsAnswer(
      { volumeType: type, ...config, deployment: 'region' },
      { region: of, prices, ioSizeKiB: null },
    );
    const lines = limitsText(answer, context.io.invokedAs).filter((line) => !line.startsWith('Next: '));
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
  answer: async ({ type, sizeGiB, balancePercent, ...rates }) => {
    const ratePerSecond = burstRate(type, rates, toolArguments.names);
    const answer = burstAnswer({ volumeType: type, sizeGiB }, { balancePercent, ratePerSecond });
    const lines = burstText({ type, sizeGib: sizeGiB, rateGiven: ratePerSecond !== null }, answer);
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
    // It never rests.
    idleSeconds: new Float64Array(minutes),
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
  context: ToolContext,
): Promise<CompareView> {
  const { source, signal } = context;
  const { volumeId, ...rates } = given;
  const read = async (ofVolume: string): Promise<{ load: Load; cost: CompareView['cost'] }> => {
    const before = source.spending.total;
    return { load: await loadOf(ofVolume, source), cost: source.costSince(before) };
  };
  // A steady load is not read, and waits for no other call.
  const { load, cost } =
    volumeId === undefined
      ? { load: steady(steadyLoad.parse(rates)), cost: source.costSince(source.spending.total) }
      : await source.inTurn(signal, () => read(volumeId));
  const regionCatalog = await regionCatalogOf(asked.region, context);
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
    cost,
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
